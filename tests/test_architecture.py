"""Which way imports go, and where Streamlit is, as docs/architecture.md says."""

from collections import defaultdict
from functools import cache
from graphlib import TopologicalSorter

from tests.paths import ROOT
from tests.product_source import MODULES, imports_of_all, modules_imported, within

LAYERS = """
    app pages lessons
    ui ui.launch
    ui.explore ui.eigengap ui.sample_size ui.local_model ui.claims ui.owner ui.release
        ui.proofs ui.learn ui.papers
    ui.widgets ui.page
    ui.state
    ui.server
    ui.text
    papers
    sample_data
    dpca_core
    dpca_core.audit dpca_core.release dpca_core.verify
        dpca_core.estimator
    dpca_core.analysis dpca_core.figures
        dpca_core.detection dpca_core.theorems
    dpca_core.simulation dpca_core.codebooks dpca_core.tables
    dpca_core.mechanisms dpca_core.metrics dpca_core.data
    dpca_core.text
    dpca_core.sampling dpca_core.sparse dpca_core.problem
    dpca_core.privacy
    dpca_core.linalg
    dpca_core.runtime dpca_core.version
"""
"""Packages from top to bottom: an import goes down, or stays in its layer, and never in a circle.
What imports from many layers, as ``dpca_core/__init__.py`` does, stands above them all."""
LAYER_OF = {
    package: number
    for number, line in enumerate(LAYERS.replace("\n        ", " ").strip().splitlines())
    for package in line.split()
}
PAGES = [f"ui.{path.parent.name}" for path in sorted((ROOT / "ui").glob("*/page.py"))]
WITHOUT_STREAMLIT = {"query", "measurements", "text", "figures"}
"""Modules of a page's package."""


@cache
def package_of(module):
    """Return the innermost package of the list that a module lies in."""
    return max((package for package in LAYER_OF if within(module, package)), key=len)


def test_every_package_has_a_layer_and_a_line_in_the_document():
    document = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    for folder in ("dpca_core", "ui"):
        paths = [p for p in (ROOT / folder).iterdir() if p.is_dir() or p.suffix == ".py"]
        inside = {path.stem for path in paths if not path.name.startswith("_")}
        assert {f"{folder}.{name}" for name in inside} <= LAYER_OF.keys()
        assert [name for name in inside if f"`{name}`" not in document] == []


def may_import(here, there):
    """Tell whether a package may know another: a lower one, or one beside it that is no page."""
    beside = LAYER_OF[here] == LAYER_OF[there] and not {here, there} <= {*PAGES}
    return here == there or LAYER_OF[here] < LAYER_OF[there] or beside


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
