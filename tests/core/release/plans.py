"""Plans and accounts for the tests of releases: nothing in them is anybody's."""

from fractions import Fraction
from pathlib import Path
from typing import Any

from dpca_core.data.recipe import Number, Recipe
from dpca_core.privacy.budget import Adjacency
from dpca_core.release.ledger import Account, Ledger
from dpca_core.release.plan import Plan

ADD = Adjacency.ADD_OR_REMOVE_ONE


def some_recipe(d: int = 5, **choices: Any) -> Recipe:
    """A public recipe of d numbers from 0 to 1."""
    numbers = tuple(Number(f"c{i}", 0.0, 1.0) for i in range(d))
    return Recipe(**{"numbers": numbers, "bounds_are_public": True} | choices)


def some_plan(epsilon: str = "0.25", delta: str = "1e-6", d: int = 5, **settings: Any) -> Plan:
    """A plan with Gaussian noise on the matrix alone, unless settings say otherwise."""
    recipe = settings.pop("recipe", some_recipe(d))
    given: dict[str, Any] = {
        "columns": tuple(f"c{i}" for i in range(d)),
        "recipe": recipe,
        "adjacency": ADD,
        "epsilon": Fraction(epsilon),
        "delta": Fraction(delta),
        "mechanism": "gaussian",
        "reason": "to test",
    }
    return Plan(**given | settings)


def pure_plan(epsilon: str, **settings: Any) -> Plan:
    """A plan with Laplace noise."""
    return some_plan(epsilon, "0", mechanism="laplace", **settings)


def some_account(
    path: Path, epsilon: str = "1", delta: str = "1e-6", pure: str = "0", name: str = "Clinic"
) -> Account:
    """Open an account in a ledger of a folder."""
    ledger = Ledger(path / "ledger.sqlite", patience=30)
    return ledger.open_account(
        name, "Patients", ADD, Fraction(epsilon), Fraction(delta), Fraction(pure)
    )
