"""A request that comes while a callback runs waits until the callback has ended."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.scriptrunner_utils.script_requests import (
    RerunData,
    ScriptRequests,
    ScriptRequestType,
)
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.safe_session_state import SafeSessionState

from ui.server import whole_callbacks


class Superseded(Exception):
    """What Streamlit raises where it finds a newer request."""


class Session:
    """A session whose browser sends a newer request while its callback runs."""

    def __init__(self, callback: Callable[[SafeSessionState], None]) -> None:
        self.requests = ScriptRequests()
        self.state = SafeSessionState(SessionState(), self.look)
        self.callback = callback

    def look(self) -> None:
        """Look for a newer request, as a script's thread does."""
        request = self.requests.on_scriptrunner_yield()
        if request is not None and request.type is ScriptRequestType.RERUN:
            raise Superseded

    def run(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def called(*_: Any, **__: Any) -> None:
            self.requests.request_rerun(RerunData())
            self.callback(self.state)

        monkeypatch.setattr(SessionState, "on_script_will_rerun", called)
        context = SimpleNamespace(script_requests=self.requests)
        monkeypatch.setattr(whole_callbacks, "get_script_run_ctx", lambda **_: context)
        self.state.on_script_will_rerun(None)


def reset(state: SafeSessionState) -> None:
    state["k"] = 2
    state["delta"] = state["k"] / 10


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    monkeypatch.setattr(
        SafeSessionState, "on_script_will_rerun", SafeSessionState.on_script_will_rerun
    )
    return Session(reset)


def test_what_a_click_changes_is_changed_wholly_and_the_newer_request_follows(session, monkeypatch):
    whole_callbacks.let_callbacks_finish()
    session.run(monkeypatch)
    with pytest.raises(Superseded):
        session.look()
    assert session.state.filtered_state == {"k": 2, "delta": 0.2}


def test_twice_is_once(session):
    whole_callbacks.let_callbacks_finish()
    once = SafeSessionState.on_script_will_rerun
    whole_callbacks.let_callbacks_finish()
    assert SafeSessionState.on_script_will_rerun is once


def test_streamlit_alone_would_lose_it(session, monkeypatch):
    """Where it does not any more, this module can go."""
    original = getattr(SafeSessionState.on_script_will_rerun, "__wrapped__", None)
    if original is not None:
        monkeypatch.setattr(SafeSessionState, "on_script_will_rerun", original)
    with pytest.raises(Superseded):
        session.run(monkeypatch)
    assert session.state.filtered_state == {}
