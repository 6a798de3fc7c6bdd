"""The product's source files as syntax trees: what they import, and which strings they hold."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.paths import ROOT

SCREEN_LIBRARIES = ("streamlit", "plotly")
IMPORTERS = ("import_module", "__import__")
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def files(*folders: str, suffix: str = ".py") -> list[Path]:
    """Source files of these folders, relative to the root."""
    found = (path for folder in folders for path in (ROOT / folder).rglob(f"*{suffix}"))
    return sorted(path.relative_to(ROOT) for path in found)


CORE = files("dpca_core")
SAMPLE_DATA = files("sample_data")
PAPERS = files("papers")
SCREENS = [Path("app.py"), *files("pages", "ui")]
PRODUCT = [*CORE, *SAMPLE_DATA, *PAPERS, *SCREENS]
MODULES = {".".join(path.with_suffix("").parts).removesuffix(".__init__"): path for path in PRODUCT}


@cache
def tree(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse((ROOT / path).read_text("utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return every node of a file's syntax tree."""
    return tuple(ast.walk(tree(path)))


def within(name: str, *packages: str) -> bool:
    """Tell whether a dotted name is one of these packages or lies in one."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


@cache
def strings(path: Path) -> tuple[str, ...]:
    """Return every string of a file but those that stand alone, which document something."""
    documents = {
        id(statement.value)
        for node in nodes(path)
        if isinstance(node, DOCUMENTED)
        for statement in node.body
        if isinstance(statement, ast.Expr)
    }
    return tuple(
        node.value
        for node in nodes(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if id(node) not in documents
    )


def imports_by_name(path: Path) -> bool:
    """Tell whether a file uses a function that imports what a string names."""
    names = {
        node.id if isinstance(node, ast.Name) else node.attr
        for node in nodes(path)
        if isinstance(node, ast.Name | ast.Attribute)
    }
    return not names.isdisjoint(IMPORTERS) or any(
        within(name, *(f"importlib.{importer}" for importer in IMPORTERS))
        for name in import_statements(path)
    )


def import_statements(path: Path) -> Iterator[str]:
    """Every imported name of a file, wherever the import stands: `from a.b import c` is a.b.c."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            here = ".".join(path.parts[: len(path.parts) - node.level]) if node.level else ""
            module = ".".join(filter(None, [here, node.module]))
            yield from (f"{module}.{alias.name}" for alias in node.names)


def imports(path: Path) -> Iterator[str]:
    """Everything that a file imports, by statements or by strings.

    A string that is the name of one of the product's modules counts as an import of it, whatever is
    done with it: it may be imported from a table, or started as a process. A string that names
    Streamlit or Plotly counts where the file imports by name.
    """
    yield from import_statements(path)
    yield from (text for text in strings(path) if text in MODULES)
    if imports_by_name(path):
        yield from (text for text in strings(path) if within(text, *SCREEN_LIBRARIES))


def imported_modules(module: str) -> set[str]:
    """Return the product's modules that a module imports, delayed and typing imports included."""
    found = set()
    for name in imports(MODULES[module]):
        target = name if name in MODULES else name.rpartition(".")[0]
        if target in MODULES and target != module:
            found.add(target)
    return found


@cache
def imports_of_all() -> dict[str, set[str]]:
    """Return the modules that each of the product's modules imports: half a second."""
    return {module: imported_modules(module) for module in MODULES}
