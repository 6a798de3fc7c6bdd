"""What the modules of ``static/`` are as files: imports that resolve, no circle, no words."""

import re
from pathlib import Path

import pytest

from tests.frontend.conftest import Call
from tests.frontend.imports import imported, modules, script
from ui.compare.chart_words import COMPARE_WORDS
from ui.explore.chart_words import EXPLORE_WORDS
from ui.server.static_files import STATIC
from ui.text.chart_words import CHART_WORDS

SCRIPTS = sorted(
    path.relative_to(STATIC).as_posix()
    for path in STATIC.rglob("*.js")
    if path.parent.name != "plotly"
)
"""Our own."""
ENTRIES = ("chart_grid/main.js", "compare/main.js", "explore/main.js")
UNSEEN = ("history/main.js",)
"""Entries that draw nothing."""
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
    assert {name for entry in (*ENTRIES, *UNSEEN) for name in modules(entry)} == set(SCRIPTS)


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_page_can_be_imported_and_exports_what_draws(in_module: Call, entry: str) -> None:
    """With its style sheets, which apply before anything is drawn."""
    assert in_module(entry, "return typeof m.default") == "function"
    code = "return [...document.styleSheets].map((sheet) => sheet.href).filter(Boolean)"
    sheets = in_module(entry, code)
    assert any(href.endswith("/charts/charts.css") for href in sheets)
    assert any(href.endswith(f"/{Path(entry).parts[0]}.css") for href in sheets)
    assert len(sheets) == len(set(sheets))


NOT_SHOWN = (
    "Not private: computed from the true data",
    "Source Sans",
    "Source Sans Pro",
)
"""The mark of a download, which test_downloads.py compares with Python's, and names of fonts."""
LITERAL = re.compile(r'"([^"\n]*)"|`((?:[^`$]|\$(?!\{)|\$\{[^}]*\})*)`')
SHOWN = re.compile(
    r'(?:text|"aria-label"): "([^"\n]*\w[^"\n]*)"|textContent = [^;\n]*"([^"\n]*\w[^"\n]*)"'
)
FORMATS = {"CSV", "HTML", "SVG", "PNG", "?", "■ ", "1"}
REGULAR_EXPRESSION = re.compile(r"/(?![/*])(?:\\.|\[[^\]\n]*\]|[^/\n\\])+/(?=[gimu.,)])")
CODE = re.compile(
    r"dpca-|^compare dpca$|<!doctype|"
    r"^[\w.#:\[\]=>,() -]*(?:button|span|svg|canvas|figure)$|^\d|px|%|: "
)


@pytest.mark.parametrize("name", SCRIPTS)
def test_words_for_people_come_with_the_content(name: str) -> None:
    """No sentence and no label stands in the browser code."""
    text = re.sub(r"/\*.*?\*/", "", script(name), flags=re.S)
    text = re.sub(r"new Error\(.*?\)", "", text)
    text = REGULAR_EXPRESSION.sub("", text)
    text = re.sub(r"\bwords\[[^\]]*\]", "", text)
    shown = {first or second for first, second in SHOWN.findall(text)}
    assert shown <= FORMATS
    literals = {a or re.sub(r"\$\{[^}]*\}", "", b) for a, b in LITERAL.findall(text)}
    sentences = {s for s in literals if re.search(r"[A-Za-z]{2,},? [A-Za-z]{2,}", s)}
    assert {s for s in sentences - set(NOT_SHOWN) if not CODE.search(s)} == set()


@pytest.mark.parametrize(
    ("folder", "words"),
    [("explore", EXPLORE_WORDS), ("compare", COMPARE_WORDS), ("chart_grid", CHART_WORDS)],
)
def test_every_word_asked_for_is_there(folder: str, words: dict[str, object]) -> None:
    names = modules(f"{folder}/main.js")
    asked = {word for name in names for word in re.findall(r"\bwords\.(\w+)", script(name))}
    assert asked <= words.keys()
    own = words.keys() - (set() if words is CHART_WORDS else CHART_WORDS.keys())
    assert own - {"share_of_largest", "degrees"} <= asked
