"""What pages show as an example stays the same whatever is registered before it."""

import ast
import importlib.util
import sys

import pytest

from dpca_core.mechanisms import registry
from dpca_core.mechanisms.base import Mechanism
from tests.paths import ROOT

NAMES = [name for name, value in vars(registry).items() if isinstance(value, Mechanism)]
FIRST = "for mechanism in (\n"


def lookalike(mechanism):
    """Return a mechanism that differs from another by its key only."""
    return type("Lookalike", (type(mechanism),), {"key": f"other_{mechanism.key}"})()


@pytest.fixture
def crowded():
    """The registry's module with a lookalike of every mechanism before all others."""
    source = (ROOT / "dpca_core" / "mechanisms" / "registry.py").read_text("utf-8")
    assert source.count(FIRST) == 1
    module = {"LOOKALIKES": [lookalike(m) for m in registry.MECHANISMS.values()]}
    exec(source.replace(FIRST, FIRST + "        *LOOKALIKES,\n"), module)
    assert len(module["MECHANISMS"]) == 2 * len(registry.MECHANISMS)
    return module


def test_there_are_named_ones():
    assert {"DEFAULT", "PURE_DEFAULT", "LOCAL_DEFAULT", "SMOOTH_DEFAULT"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_mechanism_registered_before_changes_no_name(crowded, name):
    assert crowded[name].key == getattr(registry, name).key


def test_the_named_ones_are_what_they_are_called():
    assert not registry.LOCAL_DEFAULT.needs_curator
    assert not registry.LOCAL_DEFAULT.printed
    assert not registry.LOCAL_DEFAULT.assumes_sparsity
    assert not registry.LOCAL_PRINTED.needs_curator
    assert registry.LOCAL_PRINTED.printed
    assert registry.LOCAL_SPARSE.assumes_sparsity
    assert registry.SMOOTH_DEFAULT.needs_delta
    assert not registry.SMOOTH_PURE_DEFAULT.needs_delta
    assert registry.SMOOTH_PRINTED.printed
    assert registry.SMOOTH_PRINTED.follows_gap
    assert registry.REFUTED_DEFAULT.output_can_prove_absence


def test_the_local_page_keeps_its_lines(crowded, monkeypatch):
    path = ROOT / "ui" / "local_model" / "measurements.py"
    for name in ("MECHANISMS", *NAMES):
        monkeypatch.setattr(registry, name, crowded[name])
    spec = importlib.util.spec_from_file_location("crowded_measurements", path)
    page = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, page)
    spec.loader.exec_module(page)
    found = (page.CURATOR_KEY, page.LOCAL_KEY, page.PRINTED_KEY, page.SPARSE_KEY)
    assert found == ("gaussian", "local_gaussian", "local_printed", "local_sparse")


def of_the_menu(node):
    """Whether an expression goes through the mechanisms in menu order."""
    source = ast.unparse(node)
    return "MECHANISMS.values()" in source or "shown_by_default()" in source


def test_nothing_takes_the_first_of_the_menu():
    for path in [file for room in ("ui", "dpca_core") for file in (ROOT / room).rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="next"), args=[found, *_]):
                    assert not of_the_menu(found), f"{path}:{node.lineno}"
                case ast.Subscript(value=found, slice=ast.Constant(value=int())):
                    assert not of_the_menu(found), f"{path}:{node.lineno}"
