"""What every file keeps to: its length, its documentation, and nothing of somebody's machine."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

from dpca_core import MECHANISMS
from tests.paths import ROOT
from ui.server.static_files import STATIC

LONGEST = 300
SOURCES = (".py", ".js", ".mjs", ".css", ".sh")
MACHINE_PATH = re.compile(r"(?<![\w.:/*-])/(?:work|root|home|Users|mnt)/\w|\b[A-Z]:\\Users")
MOST_SCRIPT = 920
"""Lines of browser code: what a figure, a table or a file needs is made on the server."""
OWN_PAGES = ("owner", "learn", "present", "papers")
"""Folders of ``static/`` whose pages are programs of their own."""
FOR_A_ROOM = (Path("charts/presentation.js"), Path("explore/presentation_dots.js"))
"""What only Present uses."""
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def tracked() -> list[Path]:
    """Files of the repository, those not committed yet included."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    names = [Path(name) for name in filter(None, run.stdout.decode().split("\0"))]
    return [name for name in names if (ROOT / name).is_file()]


TRACKED = tracked()
PRODUCT = [p for p in TRACKED if p.suffix == ".py" and p.parts[0] in ("dpca_core", "papers", "ui")]


def test_files_can_be_read_in_one_sitting() -> None:
    sources = [path for path in TRACKED if path.suffix in SOURCES]
    lines = {str(path): len((ROOT / path).read_text("utf-8").splitlines()) for path in sources}
    assert lines
    assert {name: count for name, count in lines.items() if count > LONGEST} == {}


def test_the_browser_runs_little_code_of_ours() -> None:
    found = {
        path: (STATIC / path).read_text("utf-8").count("\n")
        for path in sorted(path.relative_to(STATIC) for path in STATIC.rglob("*.js"))
        if path.parts[0] not in ("plotly", *OWN_PAGES) and path not in FOR_A_ROOM
    }
    assert {Path("charts/page.js"), Path("explore/main.js")} <= found.keys()
    assert all((STATIC / path).is_file() for path in FOR_A_ROOM)
    assert sum(found.values()) <= MOST_SCRIPT, found


def undocumented(path: Path) -> list[str]:
    """Return the public names of a module that have no docstring, and the module's if it has none.

    ``["dpca_core/metrics.py", "dpca_core/metrics.py: quality"]``
    """
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    names = [
        f"{path}: {node.name}"
        for node in tree.body
        if isinstance(node, DEFINITIONS)
        and not node.name.startswith("_")
        and ast.get_docstring(node) is None
    ]
    return names if ast.get_docstring(tree) else [str(path), *names]


def test_modules_and_public_names_are_documented() -> None:
    assert PRODUCT
    assert [name for path in PRODUCT for name in undocumented(path)] == []


@pytest.mark.parametrize("key", MECHANISMS)
def test_mechanism_has_a_card(key: str) -> None:
    card = vars(type(MECHANISMS[key])).get("__doc__") or ""
    generated_by_dataclass = f"{type(MECHANISMS[key]).__name__}("
    assert card
    assert not card.startswith(generated_by_dataclass)


def test_no_path_of_somebodys_machine() -> None:
    found = []
    for name in TRACKED:
        try:
            text = (ROOT / name).read_text("utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{name}: {match[0]}" for match in MACHINE_PATH.finditer(text)]
    assert found == []
