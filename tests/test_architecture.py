"""Which way imports go, and where Streamlit is, as docs/architecture.md says."""

from collections import defaultdict
from functools import cache
from graphlib import TopologicalSorter

from tests.paths import ROOT
from tests.product_source import MODULES, imports_of_all, modules_imported, within

DOCUMENT = (ROOT / "docs" / "architecture.md").read_text("utf-8")


def layers():
    """Yield each line of the document's list: packages, from top to bottom.

    A folder stands before the line or lines of what is in it, and is a package of that line; what
    imports from many layers, as ``dpca_core/__init__.py`` does, stands above them all.
    """
    folder = ""
    for line in DOCUMENT.split("```")[1].strip().splitlines():
        names, here = line[:49].split(), []
        if not line.startswith(" "):
            folder = names.pop(0).removesuffix(".py").rstrip("/")
            here = [folder]
        yield here + [one.rstrip("/") if "/" in one else f"{folder}.{one}" for one in names]


LAYER_OF = {package: number for number, line in enumerate(layers()) for package in line}
PAGES = [f"ui.{path.parent.name}" for path in sorted((ROOT / "ui").glob("*/page.py"))]
WITHOUT_STREAMLIT = {"query", "measurements", "text", "figures"}
"""Modules of a page's package."""


@cache
def package_of(module):
    """Return the innermost package of the list that a module lies in."""
    return max((package for package in LAYER_OF if within(module, package)), key=len)


def test_every_package_has_a_layer_and_a_line_in_the_document():
    for folder in ("dpca_core", "ui"):
        paths = [p for p in (ROOT / folder).iterdir() if p.is_dir() or p.suffix == ".py"]
        inside = {path.stem for path in paths if not path.name.startswith("_")}
        assert {f"{folder}.{name}" for name in inside} <= LAYER_OF.keys()
        assert [name for name in inside if f"`{name}`" not in DOCUMENT] == []


def may_import(here, there):
    """Tell whether a package may know another: a lower one or one beside it, and no page a page."""
    return here == there or (LAYER_OF[here] <= LAYER_OF[there] and not {here, there} <= {*PAGES})


def test_imports_go_down_in_no_circle_and_no_page_knows_another():
    edges = {(module, target) for module in MODULES for target in modules_imported(module)}
    assert len(PAGES) > 9
    assert len(edges) > 1000
    assert {e for e in edges if not may_import(*map(package_of, e))} == set()
    packages = defaultdict(set)
    for module in MODULES:
        here = package_of(module)
        packages[here] |= {package_of(target) for target in modules_imported(module)} - {here}
    for graph in ({module: modules_imported(module) for module in MODULES}, packages):
        TopologicalSorter(graph).prepare()  # CycleError names a circle


def test_what_reads_a_release_never_sees_a_table():
    """Neither data sets nor problems, sources nor sums are imported."""
    private = {"dataset", "problem", "tables", "table_source", "exact_sums", "draw"}
    for module in ("reading", "shares", "report", "published_release"):
        names = modules_imported(f"dpca_core.release.{module}")
        assert {part for name in names for part in name.split(".")}.isdisjoint(private)


def test_streamlit_is_known_to_pages_and_to_what_draws_them():
    """Not to the core, and not to what a page asks, measures, says and draws."""
    below = ("dpca_core", "sample_data", "papers", "ui.text")
    without = [
        module
        for module in MODULES
        if within(module, *below) or {*module.split(".")[2:]} & WITHOUT_STREAMLIT
    ]
    assert len(without) > 100
    assert [
        (module, name)
        for module in without
        for name in imports_of_all()[module]
        if within(name, "streamlit")
    ] == []
