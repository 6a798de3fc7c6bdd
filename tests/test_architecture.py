"""Which way imports go, where Streamlit may be, and which files every page has."""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.paths import ROOT
from tests.product_source import (
    CORE,
    DOCUMENTED,
    MODULES,
    PAPERS,
    PRODUCT,
    SAMPLE_DATA,
    files,
    imports,
    imports_of_all,
    nodes,
    within,
)

LAYERS = (
    ("ui.launch",),
    ("ui.explore", "ui.compare", "ui.eigengap", "ui.sample_size", "ui.local_model", "ui.claims",
     "ui.owner", "ui.release", "ui.proofs", "ui.summary", "ui.learn", "ui.papers",
     "ui.results"),
    ("ui.widgets",),
    ("ui.state", "ui.figures"),
    ("ui.server",),
    ("ui.text",),
    ("papers",),
    ("sample_data",),
    ("dpca_core.audit", "dpca_core.example_release",
     "dpca_core.release", "dpca_core.verify", "dpca_core.estimator"),
    ("dpca_core.analysis", "dpca_core.streaming", "dpca_core.preparation", "dpca_core.figures",
     "dpca_core.detection"),
    ("dpca_core.simulation", "dpca_core.readers", "dpca_core.codebooks"),
    ("dpca_core.mechanisms", "dpca_core.metrics", "dpca_core.data"),
    ("dpca_core.text", "dpca_core.theorems"),
    ("dpca_core.sampling", "dpca_core.sparse", "dpca_core.problem"),
    ("dpca_core.privacy",),
    ("dpca_core.linalg",),
    ("dpca_core.runtime",),
)  # fmt: skip
"""Packages from top to bottom: an import goes down, or stays in its layer, and never in a circle.
``dpca_core/__init__.py`` stands outside: it names what the library offers."""

PAGES = LAYERS[1]
WITH_STREAMLIT = ("ui.launch", "ui.widgets", "ui.state", "ui.server")
COMPONENTS = ("ui.figures.component", "ui.figures.component_messages", "ui.figures.charts")
SESSIONS = ("ui.owner.session",)
"""What keeps the state of one page that is too large for its settings: a draft and its table."""
PAGE_FILES = {"page", "query", "measurements", "text", "figures"}
WITHOUT = {
    # It shows documents: nothing is asked, measured or drawn, and its sentences are the documents'.
    "ui.proofs": {"query", "measurements", "text", "figures"},
    # A draft says what is asked (draft.py); each step measures for itself, and has sentences of its
    # own (text_*.py, *_text.py).
    "ui.owner": {"query", "measurements", "text"},
}
"""Files that a page package does not have, each with the reason."""
PLOTS = {
    (Path("dpca_core/figures/quiet_figure.py"), "plotly.graph_objects.Figure"),
}
"""What imports Plotly, when it is called: the figures of notebooks."""
SLOW_IMPORTS = ("sklearn", "pandas", "scipy.stats", "plotly", "streamlit")


def layer_of(module: str) -> int | None:
    """Return the number of a module's layer from the top; None for what stands outside."""
    return next((i for i, layer in enumerate(LAYERS) if within(module, *layer)), None)


def packages_of(module: str) -> str:
    """Return the package of a layer that a module lies in, or the module."""
    return next((p for layer in LAYERS for p in layer if within(module, p)), module)


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """Return what is left of a graph once everything without an import, or an importer, is gone."""
    left = {node: set(targets) for node, targets in graph.items()}
    while True:
        ends = {node for node, targets in left.items() if not targets & left.keys()}
        if not ends:
            return [sorted(left)] if left else []
        for node in ends:
            del left[node]


def test_a_circle_would_be_found() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == [["a", "b", "c", "d"]]
    assert circles({"a": {"b"}, "b": {"c"}, "c": set()}) == []


def test_no_module_imports_itself_by_way_of_others() -> None:
    assert circles(imports_of_all()) == []


def test_no_package_imports_itself_by_way_of_others() -> None:
    graph: dict[str, set[str]] = defaultdict(set)
    for module, targets in imports_of_all().items():
        if layer_of(module) is not None:
            here = packages_of(module)
            graph[here] |= {packages_of(t) for t in targets if layer_of(t) is not None} - {here}
    assert circles(graph) == []


def test_every_module_has_a_layer() -> None:
    outside = ("dpca_core", "ui", *(p.rpartition(".")[0] for p in PAGES))
    layered = [m for m in MODULES if within(m, "dpca_core", "papers", "ui") and m not in outside]
    assert layered
    assert [module for module in layered if layer_of(module) is None] == []


def upward_imports(module: str) -> list[str]:
    """Return what a module of a layer imports from above it."""
    here = layer_of(module)
    upwards = []
    for target in imports_of_all()[module]:
        there = layer_of(target)
        # The library's own __init__ imports from many layers: who needs it stands above them all.
        if there is None or (here is not None and there < here):
            upwards.append(target)
    public = ["dpca_core"] if within(module, "ui", "papers", "sample_data") else []
    return [target for target in upwards if target not in public]


def test_imports_go_down() -> None:
    upwards = {m: upward_imports(m) for m in MODULES if layer_of(m) is not None}
    assert upwards
    assert {module: targets for module, targets in upwards.items() if targets} == {}


@pytest.mark.parametrize("page", PAGES)
def test_no_page_imports_another(page: str) -> None:
    others = [other for other in PAGES if other != page]
    own = [module for module in MODULES if within(module, page)]
    assert own
    assert [
        (module, target)
        for module in own
        for target in imports_of_all()[module]
        if within(target, *others)
    ] == []


@pytest.mark.parametrize("package", PAGES)
def test_a_page_package_has_the_same_files_as_the_others(package: str) -> None:
    found = {name for name in PAGE_FILES if f"{package}.{name}" in MODULES}
    assert found == PAGE_FILES - WITHOUT.get(package, set())


def test_the_document_names_what_a_page_package_lacks() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    paragraph = next(p for p in text.split("\n\n") if p.startswith("Page packages have"))
    rule, exceptions = paragraph.split("exceptions.")
    assert {f"{name}.py" for name in PAGE_FILES} <= {*rule.split("`")}
    assert {p.rpartition(".")[2] for p in WITHOUT} == {*exceptions.split("`")} & {
        p.rpartition(".")[2] for p in PAGES
    }


@pytest.mark.parametrize("path", [p for p in PRODUCT if p.parts[0] == "pages"], ids=str)
def test_a_page_is_thin(path: Path) -> None:
    """It names its package's page and runs it; what it shows is the package's."""
    assert len((ROOT / path).read_text("utf-8").splitlines()) <= 12
    assert [name for name in imports(path) if within(name, "dpca_core", "sample_data")] == []


def test_no_page_draws_with_plotly_on_the_server() -> None:
    """Figures are dictionaries that our own component draws: the browser loads one Plotly only."""
    pages = [path for path in PRODUCT if path.parts[0] in ("ui", "pages")]
    assert pages
    assert [
        (str(path), name) for path in pages for name in imports(path) if within(name, "plotly")
    ] == []


@pytest.mark.parametrize("sources", [CORE, SAMPLE_DATA, PAPERS], ids=["core", "data", "papers"])
def test_core_data_and_papers_know_no_screen(sources: list[Path]) -> None:
    assert sources
    assert [
        (str(path), name)
        for path in sources
        for name in imports(path)
        if within(name, "streamlit", "plotly", "ui") and (path, name) not in PLOTS
    ] == []


def may_import_streamlit(module: str) -> bool:
    """Tell whether a module of the screens is one that draws."""
    parts = {*MODULES[module].with_suffix("").parts}
    return (
        within(module, *WITH_STREAMLIT)
        or not parts.isdisjoint({"page", "controls"})
        or module in (*COMPONENTS, *SESSIONS)
    )


def test_streamlit_stays_where_it_belongs() -> None:
    without = [m for m in MODULES if within(m, "ui") and not may_import_streamlit(m)]
    assert without
    assert [
        (module, name)
        for module in without
        for name in imports(MODULES[module])
        if within(name, "streamlit")
    ] == []


def test_importing_the_core_is_cheap() -> None:
    code = "import sys, dpca_core; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert [name for name in run.stdout.decode().split() if within(name, *SLOW_IMPORTS)] == []


def test_the_document_names_every_package() -> None:
    """Every package and root module of the core and of the pages has its line in the document."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    table = {name for line in text.splitlines() if line.startswith("|") for name in line.split("`")}
    rooms = {
        path.stem
        for folder in ("dpca_core", "ui")
        for path in (ROOT / folder).iterdir()
        if (path.is_dir() or path.suffix == ".py") and not path.name.startswith("_")
    }
    assert rooms - table == set()
    assert {m.rpartition(".")[2] for layer in LAYERS for m in layer} - {
        "papers",
        "sample_data",
    } <= table


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "docs/architecture.md"])
def test_paths_in_a_document_exist(name: str) -> None:
    paths = re.findall(r"`((?:[\w.]+/)+[\w.]*)`", (ROOT / name).read_text("utf-8"))
    missing = [path for path in paths if "<" not in path and not (ROOT / path).exists()]
    assert paths
    assert [path for path in missing if path not in ("ui/x/", "pages/x.py")] == []


def test_files_that_docstrings_name_exist() -> None:
    """In the core, the papers and the pages, a module that moves takes its name along."""
    others = [*files("tests", "benchmarks"), *files("docs", suffix=".md")]
    present = {path.name for path in [*PRODUCT, *others]}
    docstrings = [
        (path, ast.get_docstring(node) or "")
        for path in PRODUCT
        for node in nodes(path)
        if isinstance(node, DOCUMENTED)
    ]
    named = [
        (path, name)
        for path, text in docstrings
        for name in re.findall(r"\b\w[\w-]*\.(?:py|md)\b", text)
    ]
    assert len(named) > 20
    assert [pair for pair in named if pair[1] not in present] == []
