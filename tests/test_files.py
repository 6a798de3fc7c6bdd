"""What every file keeps to: its length, its documentation, and nothing of somebody's machine."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

from dpca_core import MECHANISMS
from tests.paths import ROOT

LONGEST = 300
SOURCES = (".py", ".js", ".mjs", ".css", ".sh")
MACHINE_PATH = re.compile(r"(?<![\w.:/*-])/(?:work|root|home|Users|mnt)/\w|\b[A-Z]:\\Users")
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def tracked() -> list[Path]:
    """Files of the repository, those not committed yet included."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    names = [Path(name) for name in filter(None, run.stdout.decode().split("\0"))]
    return [name for name in names if (ROOT / name).is_file()]


TRACKED = tracked()
PRODUCT = [p for p in TRACKED if p.suffix == ".py" and p.parts[0] in ("dpca_core", "ui")]


@pytest.mark.parametrize("path", [p for p in TRACKED if p.suffix in SOURCES], ids=str)
def test_file_can_be_read_in_one_sitting(path: Path) -> None:
    assert len((ROOT / path).read_text("utf-8").splitlines()) <= LONGEST


@pytest.mark.parametrize("path", PRODUCT, ids=str)
def test_public_names_are_documented(path: Path) -> None:
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    undocumented = [
        node.name
        for node in tree.body
        if isinstance(node, DEFINITIONS)
        and not node.name.startswith("_")
        and ast.get_docstring(node) is None
    ]
    assert undocumented == []
    assert ast.get_docstring(tree), "the module has no docstring"


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
