"""The house rules: which way imports go, where Streamlit, mechanisms' keys and constants may be."""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from dpca_core import MECHANISMS
from tests.paths import ROOT

LAYERS = (
    ("ui.explore", "ui.compare", "ui.eigengap", "ui.sample_size", "ui.local_model", "ui.claims",
     "ui.data", "ui.proofs"),
    ("ui.widgets",),
    ("ui.state", "ui.figures"),
    ("ui.server",),
    ("ui.text",),
    ("sample_data",),
    ("dpca_core.audit", "dpca_core.release", "dpca_core.estimator"),
    ("dpca_core.analysis", "dpca_core.streaming", "dpca_core.preparation"),
    ("dpca_core.simulation", "dpca_core.readers"),
    ("dpca_core.mechanisms", "dpca_core.metrics", "dpca_core.data"),
    ("dpca_core.text", "dpca_core.theorems"),
    ("dpca_core.sampling", "dpca_core.sparse", "dpca_core.problem"),
    ("dpca_core.privacy",),
    ("dpca_core.linalg",),
    ("dpca_core.runtime",),
)  # fmt: skip
"""Packages from top to bottom: an import goes down, or stays in its layer, and never in a circle.
``dpca_core/__init__.py`` stands outside: it names what the library offers."""

PAGES = LAYERS[0]
WITH_STREAMLIT = ("ui.widgets", "ui.state", "ui.server")
COMPONENTS = ("ui.figures.component", "ui.figures.charts")
SLOW_IMPORTS = ("sklearn", "pandas", "scipy.stats", "plotly", "streamlit")


def files(*folders: str, suffix: str = ".py") -> list[Path]:
    """Source files of these folders, relative to the root."""
    found = (path for folder in folders for path in (ROOT / folder).rglob(f"*{suffix}"))
    return sorted(path.relative_to(ROOT) for path in found)


CORE = files("dpca_core")
SCREENS = [Path("app.py"), *files("pages", "ui")]
PRODUCT = [*CORE, *files("sample_data"), *SCREENS]
MODULES = {".".join(path.with_suffix("").parts).removesuffix(".__init__"): path for path in PRODUCT}


@cache
def tree(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse((ROOT / path).read_text("utf-8"))


def imports(path: Path) -> Iterator[str]:
    """Every imported name of a file, wherever the import stands: `from a.b import c` is a.b.c."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            here = ".".join(path.parts[: len(path.parts) - node.level]) if node.level else ""
            module = ".".join(filter(None, [here, node.module]))
            yield from (f"{module}.{alias.name}" for alias in node.names)


def within(name: str, *packages: str) -> bool:
    """Tell whether a dotted name is one of these packages or lies in one."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def imported_modules(module: str) -> set[str]:
    """Return the product's modules that a module imports, delayed and typing imports included."""
    found = set()
    for name in imports(MODULES[module]):
        target = name if name in MODULES else name.rpartition(".")[0]
        if target in MODULES and target != module:
            found.add(target)
    return found


IMPORTED = {module: imported_modules(module) for module in MODULES}


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
    assert circles(IMPORTED) == []


def test_no_package_imports_itself_by_way_of_others() -> None:
    graph: dict[str, set[str]] = defaultdict(set)
    for module, targets in IMPORTED.items():
        if layer_of(module) is not None:
            here = packages_of(module)
            graph[here] |= {packages_of(t) for t in targets if layer_of(t) is not None} - {here}
    assert circles(graph) == []


@pytest.mark.parametrize("module", [m for m in MODULES if within(m, "dpca_core", "ui")])
def test_every_module_has_a_layer(module: str) -> None:
    outside = ("dpca_core", "ui", *(p.rpartition(".")[0] for p in LAYERS[0]))
    assert layer_of(module) is not None or module in outside


@pytest.mark.parametrize("module", [m for m in MODULES if layer_of(m) is not None])
def test_imports_go_down(module: str) -> None:
    here = layer_of(module)
    upwards = []
    for target in IMPORTED[module]:
        there = layer_of(target)
        # The library's own __init__ imports from many layers: who needs it stands above them all.
        if there is None or (here is not None and there < here):
            upwards.append(target)
    public = ["dpca_core"] if within(module, "ui", "sample_data") else []
    assert [target for target in upwards if target not in public] == []


@pytest.mark.parametrize("module", [m for m in MODULES if within(m, *PAGES)])
def test_no_page_imports_another(module: str) -> None:
    others = [page for page in PAGES if not within(module, page)]
    assert [target for target in IMPORTED[module] if within(target, *others)] == []


@pytest.mark.parametrize("path", [p for p in PRODUCT if p.parts[0] == "pages"], ids=str)
def test_a_page_is_thin(path: Path) -> None:
    """It names its package's page and runs it; what it shows is the package's."""
    assert len((ROOT / path).read_text("utf-8").splitlines()) <= 12
    assert [name for name in imports(path) if within(name, "dpca_core", "sample_data")] == []


@pytest.mark.parametrize("path", [*CORE, *files("sample_data")], ids=str)
def test_core_and_data_know_no_screen(path: Path) -> None:
    assert [name for name in imports(path) if within(name, "streamlit", "plotly", "ui")] == []


@pytest.mark.parametrize("module", [m for m in MODULES if within(m, "ui")])
def test_streamlit_stays_where_it_belongs(module: str) -> None:
    path = MODULES[module]
    allowed = within(module, *WITH_STREAMLIT) or {"page", "controls"} & {
        *path.with_suffix("").parts
    }
    known = [name for name in imports(path) if within(name, "streamlit")]
    assert allowed or module in COMPONENTS or known == []


@pytest.mark.parametrize("path", SCREENS, ids=str)
def test_screens_know_no_mechanism(path: Path) -> None:
    public = [f"dpca_core.mechanisms.{name}" for name in ("base", "registry", "equalise")]
    named = [name for name in imports(path) if within(name, "dpca_core.mechanisms")]
    assert [name for name in named if not within(name, *public)] == []


@pytest.mark.parametrize(
    "path", [p for p in PRODUCT if p.parts[:2] != ("dpca_core", "mechanisms")], ids=str
)
def test_no_mechanism_is_known_by_its_key(path: Path) -> None:
    """Neither key nor family stands in a string: what a mechanism is, its class says."""
    families = {str(m.family) for m in MECHANISMS.values()} - {"local"}
    exported = {
        id(name)
        for node in tree(path).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        for name in ast.walk(node)
    }
    texts = [
        node.value
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if id(node) not in exported
    ]
    assert [text for text in texts if text in MECHANISMS or text in families] == []


def test_importing_the_core_is_cheap() -> None:
    code = "import sys, dpca_core; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert [name for name in run.stdout.decode().split() if within(name, *SLOW_IMPORTS)] == []


def constants(path: Path) -> Iterator[tuple[str, ast.expr]]:
    """Names in capitals that a module defines, each with its value."""
    for node in tree(path).body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            yield node.target.id, node.value
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, node.value
                elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    names = [e.id for e in target.elts if isinstance(e, ast.Name)]
                    yield from zip(names, node.value.elts, strict=False)


def test_no_constant_stands_twice() -> None:
    """Same name and value in two files; or one list of four values and more under any name."""
    homes: dict[tuple[str, str], list[str]] = defaultdict(list)
    for path in PRODUCT:
        for name, value in constants(path):
            if not name.strip("_").isupper() or len(name.strip("_")) == 1:
                continue
            text = ast.unparse(value)
            homes[name.strip("_"), text].append(str(path))
            if isinstance(value, ast.Tuple | ast.List | ast.Set) and len(value.elts) >= 4:
                homes["a list of", text].append(str(path))
    assert {key: paths for key, paths in homes.items() if len(set(paths)) > 1} == {}


def test_no_shared_name_means_two_constants() -> None:
    """What a package imports from another has a name that no other constant has."""
    homes: dict[str, set[str]] = defaultdict(set)
    for path in PRODUCT:
        for name, _ in constants(path):
            if name.isupper() and len(name) > 1:
                homes[name].add(str(path))
    shared = {
        name.rpartition(".")[2]
        for module, path in MODULES.items()
        for name in imports(path)
        if name.rpartition(".")[0] in MODULES
        and packages_of(name.rpartition(".")[0]) != packages_of(module)
    }
    assert {name: p for name, p in homes.items() if len(p) > 1 and name in shared} == {}


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
    assert {m.rpartition(".")[2] for layer in LAYERS for m in layer} - {"sample_data"} <= table


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "docs/architecture.md"])
def test_paths_in_a_document_exist(name: str) -> None:
    paths = re.findall(r"`((?:[\w.]+/)+[\w.]*)`", (ROOT / name).read_text("utf-8"))
    missing = [path for path in paths if "<" not in path and not (ROOT / path).exists()]
    assert paths
    assert [path for path in missing if path not in ("ui/x/", "pages/x.py")] == []
