"""Nothing but the registry knows a mechanism by its module, its key or its family's name."""

import re
from pathlib import Path

import pytest

from dpca_core import MECHANISMS
from tests.product_source import IMPORTED, MODULES, PRODUCT, SCREENS, imports, strings, within

PACKAGE = "dpca_core.mechanisms"
REGISTRY = f"{PACKAGE}.registry"
FOR_SCREENS = (f"{PACKAGE}.base", f"{PACKAGE}.equalise", REGISTRY)
CONCRETE = {type(mechanism).__module__ for mechanism in MECHANISMS.values()}

NAMES = {*MECHANISMS, *(str(mechanism.family) for mechanism in MECHANISMS.values())}
LONG_KEYS = {key for key in MECHANISMS if "_" in key}
"""Keys that no sentence holds by chance. A sentence may well hold the word gaussian or power."""

LOCAL = {
    Path("dpca_core/privacy/budget.py"): "a notion of privacy: pure, approximate, local or none",
    Path("app.py"): "the Local model page's address",
    Path("ui/data/page.py"): "the session key of the Local model page's settings",
    Path("ui/local_model/controls.py"): "the same session key, where it is read and written",
    Path("ui/local_model/page.py"): "the key of that page's charts",
}
"""Where the whole string "local" is something else than the family of that name."""


@pytest.mark.parametrize("module", [m for m in MODULES if m not in {*CONCRETE, REGISTRY}])
def test_only_the_registry_imports_mechanisms(module: str) -> None:
    """What mechanisms build upon, and everything outside their package, knows none of them."""
    assert IMPORTED[module] & CONCRETE == set()
    # Every mechanism could be had as an attribute of the package.
    assert PACKAGE not in set(imports(MODULES[module]))


@pytest.mark.parametrize("path", SCREENS, ids=str)
def test_screens_know_the_abstraction_and_the_registry(path: Path) -> None:
    named = [name for name in imports(path) if within(name, PACKAGE)]
    assert [name for name in named if not within(name, *FOR_SCREENS)] == []


@pytest.mark.parametrize(
    "path", [p for p in PRODUCT if p.parts[:2] != ("dpca_core", "mechanisms")], ids=str
)
def test_no_mechanism_is_known_by_its_key(path: Path) -> None:
    """Neither key nor family stands in a string: what a mechanism is, its class says."""
    names = NAMES - {"local"} if path in LOCAL else NAMES
    assert [text for text in strings(path) if text in names] == []
    words = {word for text in strings(path) for word in re.findall(r"[a-z_]+", text)}
    assert words & LONG_KEYS == set()


@pytest.mark.parametrize("path", LOCAL, ids=str)
def test_an_exception_is_still_needed(path: Path) -> None:
    assert "local" in strings(path)
