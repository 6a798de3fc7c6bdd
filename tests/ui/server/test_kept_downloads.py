"""What is saved survives runs of other pages, and is dropped a while after."""

import pytest
from streamlit.runtime.media_file_manager import MediaFileManager, MediaFileMetadata
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from ui.server import kept_downloads


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
