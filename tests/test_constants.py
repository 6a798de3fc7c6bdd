"""Every constant has one home: no value stands twice, and no shared name means two things."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from tests.product_source import MODULES, PRODUCT, imports, tree


def statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements of a body and of its conditions and classes; the members of an Enum are values."""
    for node in body:
        yield node
        if isinstance(node, ast.ClassDef):
            if not any(ast.unparse(base).endswith(("Enum", "Flag")) for base in node.bases):
                yield from statements(node.body)
        elif isinstance(node, ast.If | ast.Try | ast.With):
            for block in ("body", "orelse", "finalbody"):
                yield from statements(getattr(node, block, []))
            for handler in getattr(node, "handlers", []):
                yield from statements(handler.body)


def assignments(path: Path) -> Iterator[tuple[str, ast.expr]]:
    """Names that a module or one of its classes defines, each with its value."""
    for node in statements(tree(path).body):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            yield node.target.id, node.value
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    yield target.id, node.value
                elif isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    names = [e.id for e in target.elts if isinstance(e, ast.Name)]
                    yield from zip(names, node.value.elts, strict=False)


def constants(path: Path) -> Iterator[tuple[str, ast.expr]]:
    """Names in capitals of more than one letter, each with its value."""
    for name, value in assignments(path):
        if name.strip("_").isupper() and len(name.strip("_")) > 1:
            yield name, value


def package(module: str) -> str:
    """Return the package that a module lies in: of `dpca_core` and `ui`, the one within."""
    first, *rest = module.split(".")
    return ".".join([first, *rest[:1]]) if first in ("dpca_core", "ui", "pages") else first


PAPERS = ("imtiaz", "chaudhuri", "jiang", "gonen", "wang_xu")


def paper(path: str) -> str:
    """Return the paper whose experiments a file of ``papers/`` holds; other files are their own."""
    name = Path(path).name
    of = next((p for p in PAPERS if name.startswith(p)), path)
    return of if path.startswith("papers/") else path


def are_of_different_papers(paths: set[str]) -> bool:
    """Tell whether each file holds another paper's experiments: two papers may print the same."""
    papers = [paper(path) for path in paths]
    return len(set(papers)) == len(papers) and set(papers) <= set(PAPERS)


def test_papers_are_told_apart() -> None:
    assert are_of_different_papers({"papers/jiang.py", "papers/gonen.py"})
    assert not are_of_different_papers({"papers/imtiaz_people.py", "papers/imtiaz.py"})
    assert not are_of_different_papers({"papers/jiang.py", "ui/compare/text.py"})


def test_no_constant_stands_twice() -> None:
    """Same name and value in two files; or one list of four values and more under any name."""
    homes: dict[tuple[str, str], list[str]] = defaultdict(list)
    for path in PRODUCT:
        for name, value in constants(path):
            text = ast.unparse(value)
            homes[name.strip("_"), text].append(str(path))
            if isinstance(value, ast.Tuple | ast.List | ast.Set) and len(value.elts) >= 4:
                homes["a list of", text].append(str(path))
    twice = {key: set(paths) for key, paths in homes.items() if len(set(paths)) > 1}
    assert {key: p for key, p in twice.items() if not are_of_different_papers(p)} == {}


def test_no_shared_name_means_two_constants() -> None:
    """What a package imports from another has a name that no other constant has."""
    homes: dict[str, set[str]] = defaultdict(set)
    for path in PRODUCT:
        for name, _ in constants(path):
            homes[name].add(str(path))
    shared = {
        name.rpartition(".")[2]
        for module, path in MODULES.items()
        for name in imports(path)
        if name.rpartition(".")[0] in MODULES
        and package(name.rpartition(".")[0]) != package(module)
    }
    assert {name: p for name, p in homes.items() if len(p) > 1 and name in shared} == {}
