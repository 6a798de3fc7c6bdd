"""What the modules of ``static/`` are as files: imports that resolve, no circle, no words."""

import re
from pathlib import Path

import pytest

from tests.frontend.conftest import Call
from tests.frontend.imports import imported, modules, script
from ui.compare.skeleton import skeleton as compare_skeleton
from ui.explore.skeleton import skeleton as explore_skeleton
from ui.figures.charts import SKELETON as GRID
from ui.learn.skeleton import skeleton as learn_skeleton
from ui.owner.columns_skeleton import skeleton as owner_skeleton
from ui.papers.skeleton import skeleton as papers_skeleton
from ui.server.static_files import STATIC
from ui.widgets.present import skeleton as present_skeleton

SCRIPTS = sorted(
    path.relative_to(STATIC).as_posix()
    for path in STATIC.rglob("*.js")
    if path.parent.name != "plotly"
)
"""Our own."""
ENTRIES = (
    "chart_grid/main.js",
    "compare/main.js",
    "explore/main.js",
    "learn/main.js",
    "owner/main.js",
    "papers/main.js",
    "present/main.js",
)
UNSEEN = ("history/main.js", "kept/main.js", "summary/main.js")
"""Entries without a style sheet: they draw nothing, one line, one button."""
SHARED = "charts"


def test_every_import_is_relative_and_found_in_its_own_folder_or_the_shared_one() -> None:
    """As many as there are import statements: none is overlooked. Plotly is not ours."""
    for name in SCRIPTS:
        found, own = list(imported(name)), Path(name).parts[0]
        assert set(found) <= set(SCRIPTS), name
        text = script(name).replace("await import(BUNDLE)", "")
        statements = re.findall(r'^import\b|\bimport\(|^export .* from "', text, re.M)
        assert len(found) == len(statements), name
        # "kept" is the line that stands where the table of columns will be.
        allowed = {SHARED, own} | ({"owner"} if own == "kept" else set())
        assert {Path(other).parts[0] for other in found} <= allowed, name
        assert all(name not in modules(other) for other in found), "imports itself through others"


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
CODE = re.compile(r"dpca-|<!doctype|^[\w.#:\[\]=>,() -]*(?:button|span|svg|figure)$|^\d|px|%|: ")


@pytest.mark.parametrize("name", SCRIPTS)
def test_no_sentence_and_no_label_stands_in_the_browser_code(name: str) -> None:
    text = re.sub(r"/\*.*?\*/", "", script(name), flags=re.S)
    text = re.sub(r"new Error\(.*?\)", "", text)
    text = REGULAR_EXPRESSION.sub("", text)
    shown = {first or second for first, second in SHOWN.findall(text)}
    assert shown <= FORMATS
    literals = {a or re.sub(r"\$\{[^}]*\}", "", b) for a, b in LITERAL.findall(text)}
    sentences = {s for s in literals if re.search(r"[A-Za-z]{2,},? [A-Za-z]{2,}", s)}
    assert {s for s in sentences - set(NOT_SHOWN) if not CODE.search(s)} == set()


PART = re.compile(r"\bparts\.(\w+)")
TAKEN_APART = re.compile(r"(?:\bparts: |const )\{ ([\w, ]+) \}(?= = (?:\w+\.)*parts\b| \}|,)")
"""A destructuring of a page's parts: as a property, or in a declaration."""


@pytest.mark.parametrize(
    ("folder", "skeleton"),
    [
        ("explore", explore_skeleton()),
        ("compare", compare_skeleton()),
        ("learn", learn_skeleton()),
        ("owner", owner_skeleton()),
        ("papers", papers_skeleton()),
        ("chart_grid", GRID),
        ("present", present_skeleton()),
    ],
)
def test_every_part_asked_for_is_in_the_skeleton(folder: str, skeleton: str) -> None:
    there = set(re.findall(r'data-part="(\w+)"', skeleton))
    refined = {"charts/refinement.js"}.intersection(modules(f"{folder}/main.js"))
    names = [*Path(STATIC, folder).glob("*.js"), *(STATIC / name for name in refined)]
    text = "\n".join(path.read_text("utf-8") for path in names)
    taken = {name for group in TAKEN_APART.findall(text) for name in group.split(", ")}
    asked = set(PART.findall(text)) | taken
    assert asked
    assert asked <= there
