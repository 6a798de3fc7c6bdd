"""What Streamlit alone would lose: a callback's half, a file to be saved."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.media_file_manager import MediaFileManager, MediaFileMetadata
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.scriptrunner_utils.script_requests import (
    RerunData,
    ScriptRequests,
    ScriptRequestType,
)
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.safe_session_state import SafeSessionState

from ui.server import kept_downloads, whole_callbacks


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


def held(manager: MediaFileManager, address: str) -> bool:
    return manager.read_file(address.rpartition("/")[2].partition(".")[0]) is not None


def test_a_file_to_be_saved_outlives_the_runs_that_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(kept_downloads, "monotonic", lambda: now[0])
    plain = MediaFileMetadata.mark_for_delete
    plain = getattr(plain, "__wrapped__", plain)
    for kept in (False, True):
        monkeypatch.setattr(MediaFileMetadata, "mark_for_delete", plain)
        if kept:
            kept_downloads.keep_downloads_for_a_while()
        manager = MediaFileManager(MemoryMediaFileStorage("/media"))
        address = manager.add(b"{}", "text/plain", "1", "a.txt", is_for_static_download=True)
        manager.remove_orphaned_files()
        assert held(manager, address), "shown"
        manager.clear_session_refs()
        for _ in range(3):
            manager.remove_orphaned_files()
        assert held(manager, address) == kept
        now[0] += kept_downloads.SECONDS
        for _ in range(2):
            manager.remove_orphaned_files()
        assert not held(manager, address), "dropped in the end"
