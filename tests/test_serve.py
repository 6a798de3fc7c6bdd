"""Starting the server: what lasts is set aside first, and Streamlit gets its options."""

import gc
import sys

import pytest
import streamlit.web.cli

from ui import serve


def test_what_lasts_is_set_aside_and_options_are_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[list[str], int]] = []

    def start(prog_name: str) -> None:
        assert prog_name == "streamlit"
        seen.append((sys.argv, gc.get_freeze_count()))

    monkeypatch.setattr(streamlit.web.cli, "main", start)
    monkeypatch.setattr(sys, "argv", ["ui/serve.py", "--server.port", "8765"])
    try:
        serve.main()
    finally:
        gc.unfreeze()
    assert seen[0][0] == ["streamlit", "run", str(serve.APP), "--server.port", "8765"]
    assert serve.APP.exists()
    assert seen[0][1] > 100_000
    assert all(name in sys.modules for name in serve.LASTING)
