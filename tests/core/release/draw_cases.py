"""A made-up table of people with its recipe, plans about it, and random bits that repeat."""

import hashlib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np

from dpca_core.data.encoding import encoded_names
from dpca_core.data.recipe import Number, Recipe, Scaling
from dpca_core.mechanisms.exact_noise import ExactNoise
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Adjacency
from dpca_core.release.ledger import Account, Ledger
from dpca_core.release.plan import Plan, Scores

COLUMNS = ("age", "weight", "height", "pulse")
RECIPE = Recipe(numbers=tuple(Number(name, 0.0, 200.0) for name in COLUMNS), bounds_are_public=True)
PRIVATE_MEAN = Recipe(numbers=RECIPE.numbers, bounds_are_public=True, scaling=Scaling.PRIVATE_MEAN)
PEOPLE = 437


def key_of(noise: ExactNoise) -> str:
    """Return the key of the mechanism with this noise."""
    return next(key for key, found in MECHANISMS.items() if found.exact_noise is noise)


def table(folder: Path, people: int = PEOPLE, seed: int = 5) -> Path:
    """Write a CSV table of people whose four columns move together."""
    rng = np.random.default_rng(seed)
    rows = 100 + 25 * rng.normal(size=(people, 1)) + 12 * rng.normal(size=(people, len(COLUMNS)))
    lines = [",".join(COLUMNS), *(",".join(f"{v:.3f}" for v in row) for row in rows)]
    path = folder / "people.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def plan(
    noise: ExactNoise = ExactNoise.GAUSSIAN, recipe: Recipe = RECIPE, **changes: object
) -> Plan:
    """Return a plan about the table."""
    delta = Fraction(1, 10**6) if noise is ExactNoise.GAUSSIAN else Fraction(0)
    settings: dict[str, object] = {
        "columns": encoded_names(recipe.numbers, recipe.categories),
        "recipe": recipe,
        "adjacency": Adjacency.ADD_OR_REMOVE_ONE,
        "epsilon": Fraction(1, 2),
        "delta": delta,
        "mechanism": key_of(noise),
        "reason": "a test",
    }
    return Plan(**(settings | changes))  # type: ignore[arg-type]


def with_everything(noise: ExactNoise = ExactNoise.GAUSSIAN, recipe: Recipe = RECIPE) -> Plan:
    """Return a plan that publishes means and scores too."""
    scores = Scores(Fraction(1, 10), (6, 5), Fraction(3, 4))
    return plan(noise, recipe, means=Fraction(1, 20), scores=scores)


def account(folder: Path, epsilon: Fraction = Fraction(1)) -> Account:
    """Open an account in a ledger of its own."""
    return Ledger(folder / "ledger.sqlite").open_account(
        "Made-up people",
        "437 people who do not exist",
        Adjacency.ADD_OR_REMOVE_ONE,
        epsilon,
        Fraction(1, 10**5),
    )


def repeating_bytes(seed: int) -> Callable[[int], bytes]:
    """Return a source of the same bytes for the same seed, however they are asked for."""
    place = 0

    def source(size: int) -> bytes:
        nonlocal place
        first, last = place // 64, (place + size) // 64
        blocks = b"".join(
            hashlib.sha512(f"{seed} {number}".encode()).digest()
            for number in range(first, last + 1)
        )
        start = place - 64 * first
        place += size
        return blocks[start : start + size]

    return source
