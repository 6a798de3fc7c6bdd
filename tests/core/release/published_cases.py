"""Stored releases to read, certify and verify: plans of every kind, tables drawn by hand."""

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from dpca_core.data.recipe import Category, Combine, Number, Recipe, Source
from dpca_core.mechanisms.exact_noise import ExactNoise
from dpca_core.privacy.budget import Adjacency
from dpca_core.release.drawn import Drawn, to_bytes
from dpca_core.release.grid import GRID
from dpca_core.release.ledger import Ledger
from dpca_core.release.plan import Plan, Scores
from dpca_core.release.published_release import PublishedRelease
from tests.core.release.draw_cases import PRIVATE_MEAN, RECIPE, plan, with_everything

NAMES = ("#1", '"a, b"', "=1+1", "x\ny", "<b>z</b>")
"""Hostile names of columns."""


def published(of: Plan, drawn: Drawn, times: int = 1) -> PublishedRelease:
    """Store a table in a practice ledger, so many times one after another; return the last."""
    ledger = Ledger.in_memory()
    found = ledger.open_account(
        "Clinic", "<i>Patients</i> of “A & B”", of.adjacency, Fraction(3000), Fraction(1, 10**4)
    )
    for _ in range(times):
        row = found.spend(of)
        found.begin_drawing(row)
        stored = found.publish(row, to_bytes(drawn))
    return PublishedRelease.of(stored)


def made_up(of: Plan, seed: int = 8) -> Drawn:
    """Draw whole numbers of the right shapes, as a table of some thousand people would give."""
    rng, d = np.random.default_rng(seed), of.d
    rows = rng.normal(size=(3000, d)) * GRID / 8
    matrix = np.rint(rows.T @ rows).astype(np.int64)
    means = np.append(np.rint(rows.sum(axis=0)), 3000 * GRID).astype(np.int64)
    bins = (1, 1) if of.scores is None else of.scores.bins
    counts = np.rint(rng.normal(2000, 400, bins) * GRID).astype(np.int64)
    return Drawn(matrix, means if of.means else None, None if of.scores is None else counts)


def plans() -> Mapping[str, Plan]:
    """Return practice plans whose certificates differ in kind: laws, neighbours, budgets, names."""
    replaced = {"adjacency": Adjacency.REPLACE_ONE}
    several = Recipe(
        RECIPE.numbers, person=("person",), combine=Combine.AT_MOST, most=5, bounds_are_public=True
    )
    hostile = Recipe(tuple(Number(name, 0.0, 1.0) for name in NAMES), bounds_are_public=True)
    coded = Recipe(
        RECIPE.numbers[:2],
        (Category("sex", ("f", "m"), source=Source.LAW), Category("ward", ("1", "2", "x"))),
        person=("patient", "clinic"), combine=Combine.AT_MOST, most=3, bounds_are_public=True,
    )  # fmt: skip
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
        found[f"{noise.value}, replaced"] = plan(noise, **parts, **replaced)
    return {name: _practice(of) for name, of in found.items()}


def _practice(of: Plan) -> Plan:
    """Return the same plan on built-in data: ledgers in memory take no other."""
    return Plan(**{
        field: getattr(of, field)
        for field in ("columns", "recipe", "adjacency", "epsilon", "delta", "mechanism", "reason",
                      "means", "scores", "k", "declarations")
    }, practice="made-up people")  # fmt: skip
