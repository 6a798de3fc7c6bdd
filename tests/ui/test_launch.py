"""Starting the server: what lasts is set aside first, and Streamlit gets its options."""

import gc
import os
import subprocess
import sys

import pytest
import streamlit.web.cli

from ui import launch
from ui.server.environment import LIBRARY_DEFAULTS


def test_what_lasts_is_set_aside_and_options_are_handed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[list[str], int]] = []

    def start(prog_name: str) -> None:
        assert prog_name == "streamlit"
        seen.append((sys.argv, gc.get_freeze_count()))

    monkeypatch.setattr(streamlit.web.cli, "main", start)
    monkeypatch.setattr(sys, "argv", ["ui/launch.py", "--server.port", "8765"])
    try:
        launch.main()
    finally:
        gc.unfreeze()
    assert seen[0][0] == ["streamlit", "run", str(launch.APP), "--server.port", "8765"]
    assert launch.APP.exists()
    assert seen[0][1] > 100_000
    assert all(name in sys.modules for name in launch.PRELOADED)


@pytest.mark.parametrize("set_before", [{}, {"OMP_NUM_THREADS": "3"}])
def test_libraries_find_the_environment_and_the_operator_has_the_last_word(
    set_before: dict[str, str],
) -> None:
    code = (
        "import os, sys, ui.launch; print({'numpy', 'pandas', 'pyarrow'} & {*sys.modules}, "
        f"[os.environ[name] for name in {list(LIBRARY_DEFAULTS)}])"
    )
    bare = {name: value for name, value in os.environ.items() if name not in LIBRARY_DEFAULTS}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=launch.APP.parent,
        env=bare | set_before,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == f"{set()} {[*(LIBRARY_DEFAULTS | set_before).values()]}"
