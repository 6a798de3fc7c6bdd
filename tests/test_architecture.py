"""What keeps the parts apart: who may import what, how long files are, what is documented."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpca_core import MECHANISMS
from tests.paths import ROOT

LONGEST = 300
SLOW_IMPORTS = ("sklearn", "pandas", "scipy.stats", "plotly", "streamlit")
MACHINE_PATH = re.compile(r"(?<![\w.:/*-])/(?:work|root|home|Users|mnt)/\w|\b[A-Z]:\\Users")


def files(*folders: str, suffix: str = ".py") -> list[Path]:
    """Source files of these folders, relative to the root."""
    found = (path for folder in folders for path in (ROOT / folder).rglob(f"*{suffix}"))
    return sorted(path.relative_to(ROOT) for path in found)


CORE = files("dpca_core")
SCREENS = [Path("app.py"), *files("pages", "ui")]
PRODUCT = [*CORE, *files("sample_data"), *SCREENS]
BROWSER_CODE = [path for kind in (".js", ".css") for path in files("ui", suffix=kind)]


def imports(path: Path) -> Iterator[str]:
    """Every imported name of a file, wherever the import stands: `from a.b import c` is a.b.c."""
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            here = ".".join(path.parts[: len(path.parts) - node.level]) if node.level else ""
            module = ".".join(filter(None, [here, node.module]))
            yield from (f"{module}.{alias.name}" for alias in node.names)


def within(name: str, *packages: str) -> bool:
    return any(name == package or name.startswith(f"{package}.") for package in packages)


@pytest.mark.parametrize("path", [*CORE, *files("sample_data")], ids=str)
def test_core_and_data_know_no_screen(path: Path) -> None:
    assert [name for name in imports(path) if within(name, "streamlit", "plotly", "ui")] == []


@pytest.mark.parametrize("path", SCREENS, ids=str)
def test_screens_know_no_mechanism(path: Path) -> None:
    known = (
        "dpca_core.mechanisms.base",
        "dpca_core.mechanisms.registry",
        "dpca_core.mechanisms.equalise",
    )
    named = [name for name in imports(path) if within(name, "dpca_core.mechanisms")]
    assert [name for name in named if not within(name, *known)] == []


def test_importing_the_core_is_cheap() -> None:
    code = "import sys, dpca_core; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert [name for name in run.stdout.decode().split() if within(name, *SLOW_IMPORTS)] == []


@pytest.mark.parametrize("path", [*PRODUCT, *BROWSER_CODE], ids=str)
def test_file_can_be_read_in_one_sitting(path: Path) -> None:
    assert len((ROOT / path).read_text("utf-8").splitlines()) < LONGEST


@pytest.mark.parametrize("path", [*CORE, *files("ui")], ids=str)
def test_public_names_are_documented(path: Path) -> None:
    definitions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    undocumented = [
        node.name
        for node in ast.parse((ROOT / path).read_text("utf-8")).body
        if isinstance(node, definitions)
        and not node.name.startswith("_")
        and ast.get_docstring(node) is None
    ]
    assert undocumented == []


@pytest.mark.parametrize("key", MECHANISMS)
def test_mechanism_has_a_card(key: str) -> None:
    card = vars(type(MECHANISMS[key])).get("__doc__") or ""
    generated_by_dataclass = f"{type(MECHANISMS[key]).__name__}("
    assert card
    assert not card.startswith(generated_by_dataclass)


def test_no_path_of_somebodys_machine() -> None:
    run = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    found = []
    for name in filter(None, run.stdout.decode().split("\0")):
        try:
            text = (ROOT / name).read_text("utf-8")
        except (UnicodeDecodeError, FileNotFoundError):
            continue
        found += [f"{name}: {match[0]}" for match in MACHINE_PATH.finditer(text)]
    assert found == []
