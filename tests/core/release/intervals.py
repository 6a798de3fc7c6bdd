"""How often what is read off a released matrix holds: its exact matrix is known, noise drawn anew.

Noise is drawn as floats: its law is that of the release's own noise but for a rounding of half a
grid unit, 10⁻¹⁰ people.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dpca_core.data.recipe import Number, Recipe
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.noise_laws import ISOTROPIC, LAPLACE, WISHART_DIFFERENCE
from dpca_core.privacy.budget import Adjacency
from dpca_core.release.plan import MATRIX, Plan
from dpca_core.release.reading import Reading
from dpca_core.release.shares import Interval

LAWS = {"gaussian": ISOTROPIC, "wishart_difference": WISHART_DIFFERENCE, "laplace": LAPLACE}
DELTA = Fraction(1, 10**6)
NORMAL = 1.96


class SharesFound(NamedTuple):
    """How well it is said what directions hold: (k + 1,), for each and for all together.

    Mean of estimate − truth in deviations of the estimate, its standard error, the releases whose
    interval holds the truth, and its mean width over that of a normal one, 3.92 deviations.
    """

    bias: Array
    error: Array
    covered: Array
    width: Array


def plan_of(d: int, mechanism: str, epsilon: Fraction, k: int) -> Plan:
    """Return a plan that spends its whole budget on the matrix of d numbers."""
    recipe = Recipe(tuple(Number(f"c{i}", 0.0, 1.0) for i in range(d)), bounds_are_public=True)
    return Plan(recipe, Adjacency.ADD_OR_REMOVE_ONE, epsilon, DELTA, mechanism, "", k=k)


def released(exact: Array, plan: Plan, times: int, rng: np.random.Generator) -> Iterator[Reading]:
    """Release a matrix (d, d), in people, so many times."""
    *_, scale = plan.scales[MATRIX].values()
    for _ in range(times):
        noise = scale * LAWS[plan.mechanism].draw(plan.d, rng, 1)[0]
        whole = np.rint(exact / float(plan.unit(MATRIX)) + noise).astype(np.int64)
        yield Reading(plan, {MATRIX: whole})


def shares_found(
    exact: Array, plan: Plan, times: int, rng: np.random.Generator
) -> tuple[SharesFound, SharesFound]:
    """Compare with the truth what the directions are said to hold: in people, and as shares."""
    people, shares, truth = list[list[Interval]](), list[list[Interval]](), list[Array]()
    for reading in released(exact, plan, times, rng):
        basis = reading.directions(plan.k)
        each = ((exact @ basis) * basis).sum(axis=0)
        truth.append(np.append(each, each.sum()))
        said = [*reading.shares.each, reading.shares.together]
        people.append([held.people for held in said])
        shares.append([held.share for held in said])
    exactly = np.array(truth)
    return _compared(people, exactly), _compared(shares, exactly / np.trace(exact))


def _compared(said: list[list[Interval]], truth: Array) -> SharesFound:
    """Compare intervals, k + 1 a release, with the truth (releases, k + 1)."""
    value, low, high = (
        np.array([[getattr(interval, end) for interval in row] for row in said])
        for end in ("value", "low", "high")
    )
    deviation, wrong = value.std(axis=0), value - truth
    return SharesFound(
        wrong.mean(axis=0) / deviation,
        wrong.std(axis=0) / deviation / np.sqrt(len(truth)),
        ((low <= truth) & (truth <= high)).mean(axis=0),
        (high - low).mean(axis=0) / (2 * NORMAL * deviation),
    )


def survey() -> Array:
    """Make up rows (1,200, 34) of length 1: what one looks like who visits, answers and pays.

    Four habits lie behind 14 numbers, cut to −1 … 1, and behind four questions of five answers,
    coded 0 or 1 minus 1/5. Of all variation the top directions hold 11, 11, 10 and 8 %.
    """
    rng = np.random.default_rng(34)
    habits = rng.standard_normal((1200, 4))
    weights = np.kron(np.eye(4), np.full(4, 0.75))[:, :14]
    numbers = (habits @ weights + 0.7 * rng.standard_normal((1200, 14))) / 2
    parts = [np.clip(numbers, -1, 1)]
    for habit in habits.T:
        leaning = np.outer(habit, np.linspace(-1.5, 1.5, 5)) + rng.gumbel(size=(1200, 5))
        parts.append(np.eye(5)[leaning.argmax(axis=1)] - 1 / 5)
    rows = np.concatenate(parts, axis=1)
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))
