"""Sessions that have left: when they are over, and what ends with them."""

import inspect
from typing import cast

import pytest
from streamlit import net_util
from streamlit.runtime import Runtime
from streamlit.runtime.state import SessionState

from dpca_core.release import program
from ui.claims import audit_job
from ui.claims.audit_job import LONGEST_AUDIT_SECONDS, AuditJob
from ui.claims.query import ClaimsQuery
from ui.server import session_expiry, stoppable_thread, warm_up
from ui.server.session_expiry import RECONNECT_SECONDS, SessionRegistry


class Connected:
    """What a look asks of Streamlit's runtime."""

    def __init__(self, *sessions: str) -> None:
        self.sessions = set(sessions)

    def is_active_session(self, session: str) -> bool:
        return session in self.sessions


def looked(register: SessionRegistry, connected: Connected, now: float) -> list[str]:
    return register.expire(cast(Runtime, connected), now)


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> SessionRegistry:
    """Anna and Bert came at time 0."""
    found = SessionRegistry()
    for name in ("anna", "bert"):
        monkeypatch.setattr(session_expiry, "own_session", lambda name=name: name)
        monkeypatch.setattr(session_expiry, "monotonic", lambda: 0.0)
        found.register()
    return found


def test_a_session_is_over_when_it_was_away_for_too_long(register: SessionRegistry) -> None:
    both, one = Connected("anna", "bert"), Connected("bert")
    assert looked(register, both, 1000.0) == []
    assert looked(register, one, 1000.0 + RECONNECT_SECONDS) == []
    assert not register.has_ended("anna")
    assert looked(register, one, 1000.1 + RECONNECT_SECONDS) == ["anna"]
    assert register.has_ended("anna")
    assert looked(register, one, 1000.2 + RECONNECT_SECONDS) == []
    assert not register.has_ended("bert")


def test_a_connection_that_comes_back_in_time_is_kept(register: SessionRegistry) -> None:
    nobody, both = Connected(), Connected("anna", "bert")
    assert looked(register, nobody, RECONNECT_SECONDS - 1) == []
    assert looked(register, both, RECONNECT_SECONDS) == []
    assert looked(register, nobody, 2 * RECONNECT_SECONDS) == []
    assert not register.has_ended("anna")


def test_outside_a_server_nobody_is_greeted() -> None:
    register = SessionRegistry()
    register.register()
    assert looked(register, Connected(), 10 * RECONNECT_SECONDS) == []


def test_what_a_session_remembered_is_emptied_unless_it_is_back(register: SessionRegistry) -> None:
    for name in ("anna", "bert"):
        register._states[name] = SessionState()
        register._states[name]["upload"] = b"confidential"
    anna, bert = register._states["anna"], register._states["bert"]
    for name in ("anna", "bert"):
        register.clear_state(name, cast(Runtime, Connected("bert")))
    assert "upload" not in anna
    assert bert["upload"] == b"confidential"
    assert not register._states


@pytest.mark.parametrize("why", ["stopped", "left", "too long", "nothing"])
def test_an_audit_ends_with_its_session(
    why: str, register: SessionRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stoppable_thread, "SESSIONS", register)
    job = AuditJob(ClaimsQuery(), 1000, 0, session="carl" if why == "left" else "anna", begun=0.0)
    monkeypatch.setattr(audit_job, "monotonic", lambda: LONGEST_AUDIT_SECONDS + (why == "too long"))
    if why == "stopped":
        job.stop.set()
    assert job._progress(0.5) is (why == "nothing")
    assert job.share == 0.5


def test_an_audit_whose_session_left_draws_nothing(register: SessionRegistry) -> None:
    job = AuditJob(ClaimsQuery(mechanism="gaussian", d=3, n=100), 1000, 0, session="nobody greeted")
    job.start()
    assert job.thread is not None
    job.thread.join(30)
    assert not job.running
    assert job.found is None
    assert job.problem is None


def test_the_server_asks_nobody_for_its_own_address(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(*_: object, **__: object) -> None:
        pytest.fail("it would call somebody else's server")

    monkeypatch.setattr(net_util, "_external_ip", None)
    monkeypatch.setattr(net_util, "_make_blocking_http_get", asked)
    monkeypatch.setattr(warm_up, "SESSIONS", SessionRegistry())
    inspect.unwrap(warm_up.warm_up)()
    assert net_util.get_external_ip() == "127.0.0.1"


def test_the_commit_is_that_of_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warm_up, "SESSIONS", SessionRegistry())
    program.commit.cache_clear()
    inspect.unwrap(warm_up.warm_up)()
    monkeypatch.setattr(program, "_asked", lambda _: "checked out later")
    assert program.commit() != "checked out later"
