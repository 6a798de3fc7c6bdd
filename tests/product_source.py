"""The product's modules, and what each imports: by statements, or by a string that names it."""

import ast
from functools import cache
from pathlib import Path

from tests.paths import ROOT

FOLDERS = ("dpca_core", "sample_data", "papers", "ui", "lessons", "pages")
PRODUCT = [
    Path("app.py"),
    *sorted(p.relative_to(ROOT) for folder in FOLDERS for p in (ROOT / folder).rglob("*.py")),
]
MODULES = {".".join(path.with_suffix("").parts).removesuffix(".__init__"): path for path in PRODUCT}


def within(name, *packages):
    """Tell whether a dotted name is one of these packages or lies in one."""
    return any(name == package or name.startswith(f"{package}.") for package in packages)


def imports(path):
    """Everything that a file imports, wherever it does: `from a.b import c` is a.b.c.

    A string that is the name of one of the product's modules counts as an import of it, whatever is
    done with it: it may be imported from a table, or started as a process.
    """
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom():
                here = path.parts[: len(path.parts) - node.level] if node.level else ()
                module = ".".join([*here, *filter(None, [node.module])])
                yield from (f"{module}.{alias.name}" for alias in node.names)
            case ast.Constant(value=str(text)) if text in MODULES:
                yield text


@cache
def imports_of_all():
    """Return what each of the product's modules imports, delayed and typing imports included."""
    return {module: {*imports(path)} for module, path in MODULES.items()}


def modules_imported(module):
    """Return the product's other modules that a module imports."""
    names = imports_of_all()[module]
    targets = {name if name in MODULES else name.rpartition(".")[0] for name in names}
    return targets & MODULES.keys() - {module}
