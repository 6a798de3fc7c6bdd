"""How often what is read off a released matrix holds: its exact matrix is known, noise drawn anew.

Noise is drawn as floats: its law is that of the release's own noise but for a rounding of half a
grid unit, 10⁻¹⁰ people.
"""

from typing import NamedTuple

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.noise_laws import ISOTROPIC, LAPLACE, WISHART_DIFFERENCE
from dpca_core.release.plan import MATRIX
from dpca_core.release.reading import Reading

LAWS = {"gaussian": ISOTROPIC, "wishart_difference": WISHART_DIFFERENCE, "laplace": LAPLACE}
NORMAL_WIDTH = 2 * 1.96


class Found(NamedTuple):
    """Of each direction and of all together (k + 1,), in deviations of the estimate."""

    bias: Array
    error: Array
    covered: Array
    """Share of releases whose interval holds the truth."""
    width: Array
    """Over that of a normal interval."""


def released(exact, plan, times, rng):
    """Release a matrix (d, d), in people, so many times."""
    *_, scale = plan.scales[MATRIX].values()
    for _ in range(times):
        noise = scale * LAWS[plan.mechanism].draw(plan.d, rng, 1)[0]
        whole = np.rint(exact / float(plan.unit(MATRIX)) + noise).astype(np.int64)
        yield Reading(plan, {MATRIX: whole})


def shares_found(exact, plan, times, rng):
    """Compare with the truth what the directions are said to hold: in people, and as shares."""
    said, truth = [], []
    for reading in released(exact, plan, times, rng):
        basis = reading.directions(plan.k)
        each = ((exact @ basis) * basis).sum(axis=0)
        truth.append(np.append(each, each.sum()))
        held = [*reading.shares.each, reading.shares.together]
        said.append([[(i.value, i.low, i.high) for i in (one.people, one.share)] for one in held])
    of = np.trace(exact)
    for each, total in zip(np.moveaxis(np.array(said), 2, 0), (1.0, of), strict=True):
        value, low, high = np.moveaxis(each, -1, 0)
        exactly = np.array(truth) / total
        deviation, wrong = value.std(axis=0), value - exactly
        yield Found(
            wrong.mean(axis=0) / deviation,
            wrong.std(axis=0) / deviation / np.sqrt(times),
            ((low <= exactly) & (exactly <= high)).mean(axis=0),
            (high - low).mean(axis=0) / (NORMAL_WIDTH * deviation),
        )


def survey():
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
