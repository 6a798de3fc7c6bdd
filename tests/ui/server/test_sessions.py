"""Sessions that have left: when they are over, and what ends with them."""

import pytest
from streamlit.runtime.state import SessionState

from ui.server import sessions
from ui.server.sessions import RECONNECT_SECONDS, SessionRegistry


class Connected(set[str]):
    """What a look asks of Streamlit's runtime."""

    is_active_session = set.__contains__


@pytest.fixture
def register(monkeypatch):
    """Anna and Bert came at time 0."""
    found = SessionRegistry()
    for name in ("anna", "bert"):
        monkeypatch.setattr(sessions, "own_session", lambda name=name: name)
        monkeypatch.setattr(sessions, "monotonic", lambda: 0.0)
        found.register()
    return found


def test_a_session_is_over_when_it_was_away_for_too_long(register):
    both, one = Connected({"anna", "bert"}), Connected({"bert"})
    for connected, now, ended in (
        (Connected(), RECONNECT_SECONDS - 1, []),  # it may come back
        (both, 1000.0, []),
        (one, 1000.0 + RECONNECT_SECONDS, []),
        (one, 1000.1 + RECONNECT_SECONDS, ["anna"]),
        (one, 1000.2 + RECONNECT_SECONDS, []),
    ):
        assert register.has_ended("anna") == (now > 1000.1 + RECONNECT_SECONDS)
        assert register.expire(connected, now) == ended
    assert not register.has_ended("bert")


def test_what_a_session_remembered_is_emptied_unless_it_is_back(register):
    states = {name: SessionState() for name in ("anna", "bert")}
    for name, state in states.items():
        state["upload"] = b"confidential"
        register._states[name] = state
        register.clear_state(name, Connected({"bert"}))
    assert ["upload" in state for state in states.values()] == [False, True]
    assert not register._states


def test_a_fault_in_a_check_is_logged_and_the_next_check_comes(monkeypatch, caplog):
    register, faults = SessionRegistry(), iter([RuntimeError("lost"), SystemExit])

    def check():
        raise next(faults)

    monkeypatch.setattr(sessions, "sleep", lambda seconds: None)
    register.on_check.append(check)
    with pytest.raises(SystemExit):
        register._check_forever()
    assert "the next one comes" in caplog.text
