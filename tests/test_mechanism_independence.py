"""Nothing but the registry knows a mechanism by its module, its key or its family's name."""

import re
from pathlib import Path

import pytest

from dpca_core import MECHANISMS
from tests.product_source import MODULES, PRODUCT, SCREENS, imports, imports_of_all, strings, within

PACKAGE = "dpca_core.mechanisms"
REGISTRY = f"{PACKAGE}.registry"
FOR_SCREENS = (
    f"{PACKAGE}.base",
    f"{PACKAGE}.equalise",
    f"{PACKAGE}.exact_noise",
    f"{PACKAGE}.matrix_noise",
    REGISTRY,
)
CONCRETE = {type(mechanism).__module__ for mechanism in MECHANISMS.values()}

NAMES = {*MECHANISMS, *(str(mechanism.family) for mechanism in MECHANISMS.values())}
LONG_KEYS = {key for key in MECHANISMS if "_" in key}
"""Keys that no sentence holds by chance. A sentence may well hold the word gaussian or power."""

LESSONS = "ui.learn.lessons"
"""A lesson tells of one mechanism by name, as a document does."""
LESSON_FILES = LESSONS.replace(".", "/")
PAPERS = "papers"
"""An experiment tells of the mechanisms that its paper compares by name, as a lesson does."""

LOCAL = {
    Path("dpca_core/privacy/budget.py"): "a notion of privacy: pure, approximate, local or none",
    Path("app.py"): "the Local model page's address",
    Path("ui/local_model/page.py"): "the key of that page's charts",
    Path("ui/papers/theorems.py"): "the Local model page's address",
    Path("ui/text/page_titles.py"): "the Local model page's name beside its address",
}
"""Where the whole string "local" is something else than the family of that name."""


def test_only_the_registry_imports_mechanisms() -> None:
    """What mechanisms build upon, and everything outside their package, knows none of them."""
    others = [
        module
        for module in MODULES
        if module not in {*CONCRETE, REGISTRY} and not within(module, LESSONS, PAPERS)
    ]
    assert others
    knows = {module: imports_of_all()[module] & CONCRETE for module in others}
    assert {module: concrete for module, concrete in knows.items() if concrete} == {}
    # Every mechanism could be had as an attribute of the package.
    assert [module for module in others if PACKAGE in set(imports(MODULES[module]))] == []


def test_screens_know_the_abstraction_and_the_registry() -> None:
    named = [(str(path), name) for path in SCREENS for name in imports(path)]
    of_mechanisms = [
        (path, name)
        for path, name in named
        if within(name, PACKAGE) and not path.startswith(LESSON_FILES)
    ]
    assert of_mechanisms
    assert [(path, name) for path, name in of_mechanisms if not within(name, *FOR_SCREENS)] == []


def names_of_mechanisms(path: Path) -> list[str]:
    """Return the keys and families in a file's strings: as whole strings, and long keys as words.

    ``["wishart_difference"]``
    """
    names = NAMES - {"local"} if path in LOCAL else NAMES
    words = {word for text in strings(path) for word in re.findall(r"[a-z_]+", text)}
    return [*(text for text in strings(path) if text in names), *sorted(words & LONG_KEYS)]


def test_no_mechanism_is_known_by_its_key() -> None:
    """Neither key nor family stands in a string: what a mechanism is, its class says."""
    found = {
        str(path): names_of_mechanisms(path)
        for path in PRODUCT
        if path.parts[:2] != ("dpca_core", "mechanisms")
        and not str(path).startswith((LESSON_FILES, f"{PAPERS}/"))
    }
    assert found
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize("path", LOCAL, ids=str)
def test_an_exception_is_still_needed(path: Path) -> None:
    assert "local" in strings(path)
