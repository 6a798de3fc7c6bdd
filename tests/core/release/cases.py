"""Plans, accounts, tables and stored releases about made-up people, and bits that repeat."""

from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dpca_core.data import recipe as recipes
from dpca_core.data.recipe import Category, Number, Recipe, Scale, Source, Unit
from dpca_core.mechanisms.registry import DRAWN_EXACTLY
from dpca_core.privacy.budget import Adjacency
from dpca_core.release.exact_noise import RandomBits
from dpca_core.release.grid import GRID
from dpca_core.release.ledger import Account, Ledger
from dpca_core.release.plan import MATRIX, MEANS, SCORES, Plan, Scores
from dpca_core.release.published_release import Published, to_bytes

ADD = Adjacency.ADD_OR_REMOVE_ONE
NOISES = tuple(DRAWN_EXACTLY)
COLUMNS, PEOPLE = ("age", "weight", "height", "pulse"), 437
PUBLIC = {
    "bounds_are_public": True,
    "row_length": recipes.RowLength.AT_MOST_R,
    "category_coding": recipes.CategoryCoding.INDICATORS,
}
"""Of recipes whose means have units: rows keep their lengths."""
RECIPE = Recipe(tuple(Number(name, 0.0, 200.0) for name in COLUMNS), **PUBLIC)
PRIVATE_MEAN = replace(RECIPE, scaling=recipes.Scaling.PRIVATE_MEAN)
CODED = Recipe(
    (
        Number("age", 0.0, 120.0, typical=50.0, source=Source.LAW),
        Number("pain", 0.0, 10.0, unit="points", missing=("98", "99"), seen=True),
    ),
    (Category("sex", ("1", "2"), source=Source.NOTICED, labels=("f", "m")),),
    scales=(Scale("room", ("1", "2"), missing=("?",), labels=("poor", "good")),),
    unit=Unit("patient", "patients"),
    person=("patient_id",),
    bounds_are_public=True,
)
"""With all that a recipe can say of a column; numbers, the scale and two values are its columns."""
ODD_NAMES = ("#1", '"a, b"', "=1+1", "x\ny", "<b>z</b>")
ODDLY_NAMED = replace(RECIPE, numbers=tuple(Number(name, 0, 1) for name in ODD_NAMES))


def repeating_bits(seed, prefix=63):
    return RandomBits(np.random.default_rng(seed).bytes, prefix)


def some_recipe(d=5, **choices):
    return Recipe(tuple(Number(f"c{i}", 0.0, 1.0) for i in range(d)), **PUBLIC | choices)


def some_plan(epsilon="0.25", delta="1e-6", d=5, **settings):
    """A plan with Gaussian noise on the matrix alone, unless settings say otherwise."""
    usual = {"recipe": some_recipe(d), "neighbours": ADD, "mechanism": "gaussian", "reason": "so"}
    return Plan(epsilon=Fraction(epsilon), delta=Fraction(delta), **usual | settings)


def with_everything(mechanism="gaussian", recipe=RECIPE, epsilon="0.5", **settings):
    scores = Scores(Fraction(1, 10), (6, 5), Fraction(3, 4))
    usual = {"mechanism": mechanism, "recipe": recipe, "means": Fraction(1, 20), "scores": scores}
    return some_plan(epsilon, **usual | settings)


class Clinic(NamedTuple):
    ledger: Ledger
    account: Account

    def rows(self):
        return self.ledger.releases(self.account)

    def statuses(self):
        return [row.status for row in self.rows()]


def opened(folder, epsilon="1", delta="1e-6"):
    ledger = Ledger(folder / "ledger.sqlite")
    return Clinic(ledger, ledger.open_account("Clinic", "Patients", ADD, epsilon, delta))


def table(folder):
    """Write a CSV table of people whose four columns move together."""
    rng = np.random.default_rng(5)
    rows = 100 + 25 * rng.normal(size=(PEOPLE, 1)) + 12 * rng.normal(size=(PEOPLE, len(COLUMNS)))
    path = folder / "people.csv"
    np.savetxt(path, rows, "%.3f", ",", header=",".join(COLUMNS), comments="")
    return path


def made_up(of):
    """Draw whole numbers of the right shapes, as a table of some thousand people would give."""
    rng = np.random.default_rng(8)
    # Whole before they are multiplied: no BLAS decides a last digit.
    rows = np.rint(rng.normal(size=(3000, of.d)) * GRID / 8).astype(np.int64)
    found = {MATRIX: rows.T @ rows}
    if of.means:
        found[MEANS] = np.append(rows.sum(axis=0), 3000 * GRID)
    if of.scores is not None:
        found[SCORES] = np.rint(rng.normal(2000, 400, of.scores.bins) * GRID).astype(np.int64)
    return found


def published(of, times=1, sister=False):
    """Store made-up tables in a practice ledger, so many times; return the last.

    The account is named with markup, and has a sister of the other kind where that is asked for.
    """
    ledger, people = Ledger(None), "<i>Patients</i> of “A & B”"
    delta, other = ("1e-4", "0") if of.gaussian else ("0", "1e-4")
    account = ledger.open_account("<b>Clinic</b>", people, of.neighbours, "3000", delta)
    if sister:
        ledger.open_account("Sister", people, of.neighbours, "2", other, same_people_as=account)
    for _ in range(times):
        row = ledger.begin_drawing(ledger.spend(account, of).id)
        stored = ledger.publish(row.id, to_bytes(made_up(of)))
    return Published(stored)
