"""What the modules of ``static/`` are as files: imports that resolve, no circle, no words."""

import re
from pathlib import Path

import pytest

from tests.frontend.conftest import Call
from ui.figures.offline_page import imported, modules, script
from ui.server.static_files import STATIC

SCRIPTS = sorted(path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js"))
ENTRIES = ("chart_grid/main.js", "compare/main.js", "explore/main.js")
SHARED = "charts"


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_import_is_relative_and_found(name: str) -> None:
    """As many as there are import statements: what is not found is not taken into an export."""
    found = list(imported(name))
    assert set(found) <= set(SCRIPTS)
    text = script(name)
    assert len(found) == len(re.findall(r'^import\b|\bimport\(|^export .* from "', text, re.M))


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_page_imports_its_own_folder_and_the_shared_one(name: str) -> None:
    own = Path(name).parts[0]
    allowed = {SHARED} if own == SHARED else {SHARED, own}
    assert {Path(other).parts[0] for other in imported(name)} <= allowed


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_module_imports_itself_by_way_of_others(name: str) -> None:
    assert all(name not in modules(other) for other in imported(name))


def test_every_module_is_imported_by_a_page() -> None:
    assert {name for entry in ENTRIES for name in modules(entry)} == set(SCRIPTS)


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_page_can_be_imported_and_exports_what_draws(in_module: Call, entry: str) -> None:
    """With its style sheets, which apply before anything is drawn."""
    assert in_module(entry, "return typeof m.default") == "function"
    sheets = in_module(entry, "return [...document.styleSheets].map((sheet) => sheet.href)")
    assert any(href.endswith("/charts/charts.css") for href in sheets)
    assert any(href.endswith(f"/{Path(entry).parts[0]}.css") for href in sheets)
    assert len(sheets) == len(set(sheets))
