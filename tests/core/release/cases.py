"""Plans, accounts, tables and stored releases about made-up people, and bits that repeat."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from dpca_core.data.handover import FOUND, WHOSE_ROWS, Handover
from dpca_core.data.provenance import Unit
from dpca_core.data.recipe import (
    Category,
    CategoryCoding,
    Combine,
    Number,
    Recipe,
    RowLength,
    Scaling,
    Source,
)
from dpca_core.mechanisms.noise_laws import ExactNoise
from dpca_core.mechanisms.registry import DRAWN_EXACTLY
from dpca_core.privacy.budget import Adjacency
from dpca_core.release.drawn import Drawn, to_bytes
from dpca_core.release.grid import GRID
from dpca_core.release.ledger import Account, Ledger
from dpca_core.release.plan import Declaration, Plan, Scores
from dpca_core.release.published_release import PublishedRelease
from dpca_core.release.random_bits import Bits

ADD = Adjacency.ADD_OR_REMOVE_ONE
COLUMNS = ("age", "weight", "height", "pulse")
PUBLIC: Mapping[str, Any] = {
    "bounds_are_public": True,
    "row_length": RowLength.AT_MOST_R,
    "category_coding": CategoryCoding.INDICATORS,
}
"""Of recipes whose means have units: rows keep their lengths."""
RECIPE = Recipe(numbers=tuple(Number(name, 0.0, 200.0) for name in COLUMNS), **PUBLIC)
PRIVATE_MEAN = replace(RECIPE, scaling=Scaling.PRIVATE_MEAN)
PEOPLE = 437
ODD_NAMES = ("#1", '"a, b"', "=1+1", "x\ny", "<b>z</b>")
MARKUP = ("<b>age</b>", '"weight"', "=cmd|' /C calc'!A0", "<img src=x onerror=alert(1)>", "pulse")
HOSTILE = "</blockquote><script>alert(1)</script> & because"


def repeating_bits(seed: int) -> Bits:
    """Return the same bits for the same seed, however they are asked for."""
    return Bits(np.random.default_rng(seed).bytes)


def key_of(noise: ExactNoise) -> str:
    return next(key for key, found in DRAWN_EXACTLY.items() if found is noise)


def some_recipe(d: int = 5, **choices: Any) -> Recipe:
    """A public recipe of d numbers from 0 to 1."""
    numbers = tuple(Number(f"c{i}", 0.0, 1.0) for i in range(d))
    return Recipe(**{"numbers": numbers, **PUBLIC} | choices)


def some_plan(epsilon: str = "0.25", delta: str = "1e-6", d: int = 5, **settings: Any) -> Plan:
    """A plan with Gaussian noise on the matrix alone, unless settings say otherwise."""
    given: dict[str, Any] = {
        "columns": tuple(f"c{i}" for i in range(d)),
        "recipe": some_recipe(d),
        "adjacency": ADD,
        "epsilon": Fraction(epsilon),
        "delta": Fraction(delta),
        "mechanism": "gaussian",
        "reason": "to test",
    }
    return Plan(**given | settings)


def pure_plan(epsilon: str, **settings: Any) -> Plan:
    return some_plan(epsilon, "0", mechanism="laplace", **settings)


def plan(noise: ExactNoise = ExactNoise.GAUSSIAN, recipe: Recipe = RECIPE, **changes: Any) -> Plan:
    """Return a plan about the table of people."""
    columns = recipe.coded_names
    settings = {"columns": columns, "recipe": recipe, "mechanism": key_of(noise)}
    budget = {"epsilon": "0.5", "delta": "1e-6" if noise is ExactNoise.GAUSSIAN else "0"}
    return some_plan(**budget | settings | changes)


def with_everything(noise: ExactNoise = ExactNoise.GAUSSIAN, recipe: Recipe = RECIPE) -> Plan:
    """Return a plan that publishes means and scores too."""
    scores = Scores(Fraction(1, 10), (6, 5), Fraction(3, 4))
    return plan(noise, recipe, means=Fraction(1, 20), scores=scores)


def hostile_plan(columns: int = len(MARKUP), **changes: Any) -> Plan:
    """Return a plan whose texts all hold markup; further columns have harmless names."""
    names = [*MARKUP, *(f"column {j}" for j in range(len(MARKUP), columns))][:columns]
    recipe = Recipe(
        numbers=tuple(Number(name, 0.0, 200.0, unit="<u>kg</u>") for name in names),
        unit=Unit("patient", "patients"),
        **PUBLIC,
    )
    settings = {
        "columns": tuple(names),
        "recipe": recipe,
        "reason": HOSTILE,
        "means": Fraction(1, 20),
        "scores": Scores(Fraction(1, 10)),
        "declarations": (Declaration(f"{HOSTILE}?", answer=False),),
        "practice": "<b>made-up</b> people",
    }
    return some_plan(**{"epsilon": "0.5"} | settings | changes)


def some_account(
    path: Path, epsilon: str = "1", delta: str = "1e-6", pure: str = "0", name: str = "Clinic"
) -> Account:
    ledger = Ledger(path / "ledger.sqlite", patience=30)
    return ledger.open_account(
        name, "Patients", ADD, Fraction(epsilon), Fraction(delta), Fraction(pure)
    )


def table(folder: Path) -> Path:
    """Write a CSV table of people whose four columns move together."""
    rng = np.random.default_rng(5)
    rows = 100 + 25 * rng.normal(size=(PEOPLE, 1)) + 12 * rng.normal(size=(PEOPLE, len(COLUMNS)))
    lines = [",".join(COLUMNS), *(",".join(f"{v:.3f}" for v in row) for row in rows)]
    path = folder / "people.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def made_up(of: Plan) -> Drawn:
    """Draw whole numbers of the right shapes, as a table of some thousand people would give."""
    rng, d = np.random.default_rng(8), of.d
    rows = rng.normal(size=(3000, d)) * GRID / 8
    # Whole before they are multiplied: no BLAS decides a last digit.
    rows = np.rint(rows).astype(np.int64)
    matrix = rows.T @ rows
    means = np.append(rows.sum(axis=0), 3000 * GRID)
    bins = (1, 1) if of.scores is None else of.scores.bins
    counts = np.rint(rng.normal(2000, 400, bins) * GRID).astype(np.int64)
    return Drawn(matrix, means if of.means else None, None if of.scores is None else counts)


def practice_account(of: Plan, epsilon: str = "1") -> Account:
    """Open an account in a ledger in memory, named with markup, for plans like this one."""
    people, limit = "<i>Patients</i> of “A & B”", (Fraction(epsilon), Fraction("1e-4"))
    return Ledger.in_memory().open_account("<b>Clinic</b>", people, of.adjacency, *limit)


def published(of: Plan, times: int = 1) -> PublishedRelease:
    """Store a made-up table in a practice ledger, so many times; return the last."""
    account = practice_account(of, "3000")
    for _ in range(times):
        row = account.begin_drawing(account.spend(of))
        stored = account.publish(row, to_bytes(made_up(of)))
    return PublishedRelease.of(stored)


def plans() -> Mapping[str, Plan]:
    """Return practice plans whose certificates differ in kind: laws, neighbours, budgets, names."""
    several = Recipe(RECIPE.numbers, person=("person",), combine=Combine.AT_MOST, most=5, **PUBLIC)
    hostile = Recipe(tuple(Number(name, 0.0, 1.0) for name in ODD_NAMES), **PUBLIC)
    sex = Category("sex", ("f", "m"), source=Source.LAW)
    coded = Recipe(
        RECIPE.numbers[:2],
        (sex, Category("ward", ("1", "2", "x"))),
        person=("patient", "clinic"),
        combine=Combine.AT_MOST,
        most=3,
        **PUBLIC,
    )
    parts = {"means": Fraction(1, 20), "scores": Scores(Fraction(3, 10), (5, 7))}
    found = {
        "private mean": with_everything(recipe=PRIVATE_MEAN),
        "at most five rows": with_everything(recipe=several),
        "hostile names": with_everything(recipe=hostile),
        "matrix alone": plan(),
        "persons and categories, pure": plan(ExactNoise.LAPLACE, coded, **parts),
        "large budget": plan(epsilon=Fraction(10), **parts),
        "small budget": plan(epsilon=Fraction(1, 1000), **parts),
        "very large pure budget": plan(ExactNoise.LAPLACE, epsilon=Fraction(900), **parts),
    }
    for noise in ExactNoise:
        found[noise.value] = with_everything(noise)
        found[f"{noise.value}, replaced"] = plan(noise, adjacency=Adjacency.REPLACE_ONE, **parts)
    # Ledgers in memory take plans about built-in data alone.
    return {name: replace(of, practice="made-up people") for name, of in found.items()}


def handed_over(columns: tuple[str, ...] = ("a", "b"), **known: Any) -> Handover:
    """A decision about columns of numbers, after looks that are known or without one."""
    unit, seen = Unit("patient", "patients"), known.get("seen", ())
    numbers = tuple(Number(name, 0.0, 200.0, seen=name in seen) for name in columns)
    given: dict[str, Any] = {
        "recipe": Recipe(numbers, person=("id",), unit=unit, **PUBLIC),
        "unit": unit,
        "neighbours": ADD,
        "epsilon": 0.7,
        "delta": 1e-6,
        "mechanism": "gaussian",
        "people_guess": 900.0,
        "sources": MappingProxyType(dict.fromkeys(columns, Source.DECLARED)),
        "whose_rows": Source.DECLARED,
        "seen": (),
        "looked": False,
        "asked": MappingProxyType({WHOSE_ROWS: FOUND}),
        "reason": "54 in 100.",
    }
    return Handover(**given | known)
