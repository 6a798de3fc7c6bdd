"""What Streamlit alone would lose: a callback's half, a file to be saved."""

import inspect
from types import SimpleNamespace

import pytest
from streamlit.runtime.media_file_manager import MediaFileManager, MediaFileMetadata
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.scriptrunner_utils import script_requests
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.safe_session_state import SafeSessionState

from ui.server import streamlit_fixes


class Superseded(Exception):
    """What Streamlit raises where it finds a newer request."""


@pytest.mark.parametrize("repaired", [False, True], ids=["Streamlit alone", "repaired"])
def test_what_a_click_changes_is_changed_wholly_and_the_newer_request_follows(
    monkeypatch, repaired
):
    """Where Streamlit alone does not lose it any more, this module can go."""
    requests = script_requests.ScriptRequests()

    def look():
        request = requests.on_scriptrunner_yield()
        if request is not None and request.type is script_requests.ScriptRequestType.RERUN:
            raise Superseded

    def callback(*_, **__):
        requests.request_rerun(script_requests.RerunData())
        state["k"] = 2
        state["delta"] = state["k"] / 10

    state = SafeSessionState(SessionState(), look)
    plain = inspect.unwrap(SafeSessionState.on_script_will_rerun)
    monkeypatch.setattr(SafeSessionState, "on_script_will_rerun", plain)
    monkeypatch.setattr(SessionState, "on_script_will_rerun", callback)
    context = SimpleNamespace(script_requests=requests)
    monkeypatch.setattr(streamlit_fixes, "get_script_run_ctx", lambda **_: context)
    if repaired:
        streamlit_fixes.let_callbacks_finish()
        state.on_script_will_rerun(None)
    with pytest.raises(Superseded):
        look() if repaired else state.on_script_will_rerun(None)
    assert state.filtered_state == ({"k": 2, "delta": 0.2} if repaired else {})


@pytest.mark.parametrize("kept", [False, True], ids=["Streamlit alone", "repaired"])
def test_a_file_to_be_saved_outlives_the_runs_that_follow(monkeypatch, kept):
    now = [100.0]
    monkeypatch.setattr(streamlit_fixes, "monotonic", lambda: now[0])
    plain = inspect.unwrap(MediaFileMetadata.mark_for_delete)
    monkeypatch.setattr(MediaFileMetadata, "mark_for_delete", plain)
    if kept:
        streamlit_fixes.keep_downloads_for_a_while()
    manager = MediaFileManager(MemoryMediaFileStorage("/media"))
    address = manager.add(b"{}", "text/plain", "1", "a.txt", is_for_static_download=True)

    def is_held(runs):
        for _ in range(runs):
            manager.remove_orphaned_files()
        return manager.read_file(address.rpartition("/")[2].partition(".")[0]) is not None

    assert is_held(1), "shown"
    manager.clear_session_refs()
    assert is_held(3) == kept
    now[0] += streamlit_fixes.KEPT_SECONDS
    assert not is_held(2), "dropped in the end"
