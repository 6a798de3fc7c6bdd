"""What a part is booked to cost covers what it gives away: by hostile people, and by whole tables.

No chance is in here. Divergences are summed over all tables; sums leave out numbers beyond nine
standard deviations, under 10⁻¹⁷ of all. The grid's M is made 1 to 4, so that every row and every
change can be tried.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from math import isqrt, sqrt

import numpy as np
import pytest
from scipy.special import log_ndtr

from dpca_core.data.recipe import Combine
from dpca_core.privacy.budget import Adjacency
from dpca_core.privacy.gaussian import gaussian_delta
from dpca_core.release import plan as plans
from dpca_core.release.grid import GRID
from dpca_core.release.plan import MATRIX, MEANS
from tests.core.release.cases import some_plan, some_recipe

EPSILONS = (0.05, 0.5, 1.0, 2.0)
FAR = 9
ADDED, REPLACED = Adjacency.ADD_OR_REMOVE_ONE, Adjacency.REPLACE_ONE
CASES = (
    *((ADDED, *size) for size in ((2, 4), (2, 8), (3, 9), (4, 20))),
    *((REPLACED, *size) for size in ((2, 4), (2, 8), (3, 9))),
)
"""Neighbours, M and a: noise that is hardly wider than one cell, and wider."""


def changes(largest, neighbours):
    """Return |Δ₁₁|, |Δ₂₂| and |Δ₁₂| of all whole rows of two columns, in norm at most M.

    Noise is symmetric and independent in each entry, with one law on the diagonal: neither a sign
    nor the order of the columns changes a divergence.
    """
    whole = range(-largest, largest + 1)
    rows = [(x, y) for x, y in product(whole, whole) if x * x + y * y <= largest**2]
    found = set()
    for (x, y), (u, v) in product(rows, rows if neighbours is REPLACED else [(0, 0)]):
        low, high = sorted((abs(x * x - u * u), abs(y * y - v * v)))
        found.add((low, high, abs(x * y - u * v)))
    return found - {(0, 0, 0)}


def booked(monkeypatch, largest, mechanism, neighbours, **settings):
    """Return a plan of two columns whose grid is M, with the cost that the ledger would book."""
    monkeypatch.setattr(plans, "GRID", largest)
    return some_plan(d=2, k=1, mechanism=mechanism, neighbours=neighbours, **settings)


def losses(scale, change):
    """Return the chances of an entry's values, and ln of their quotient with the entry moved.

    Of ⌊scale·x + ½⌋, x standard normal, with all digits in both tails.
    """
    if change == 0:
        return np.ones(1), np.zeros(1)

    def logarithms(cells):
        inner, outer = (np.abs(cells) - 0.5) / scale, (np.abs(cells) + 0.5) / scale
        return log_ndtr(-inner) + np.log1p(-np.exp(log_ndtr(-outer) - log_ndtr(-inner)))

    cells = np.arange(-FAR * scale - change, FAR * scale + change + 1)
    mine = logarithms(cells)
    return np.exp(mine), mine - logarithms(cells + change)


def divergences(scales, change):
    """Return Σ (P − e^ε·Q)₊ over all tables for each ε; P and Q are a change apart.

    The loss of an entry grows with its value (rounded normal laws are log-concave): for each value
    of two entries, what counts of the third is the tail beyond a threshold.
    """
    (p, lost), (q, lost_too) = losses(scales["b"], change[0]), losses(scales["b"], change[1])
    third, third_loss = losses(scales["a"], change[2])
    assert (np.diff(third_loss) > -1e-9).all()
    tail = np.append(third[::-1].cumsum()[::-1], 0)
    moved = np.append((third * np.exp(-third_loss))[::-1].cumsum()[::-1], 0)
    chance, loss = np.outer(p, q), lost[:, None] + lost_too
    found = []
    for epsilon in EPSILONS:
        first = np.searchsorted(third_loss, epsilon - loss)
        found.append((chance * (tail[first] - np.exp(epsilon - loss) * moved[first])).sum())
    return np.array(found)


def profile(mu2):
    return np.array([gaussian_delta(1 / sqrt(mu2), epsilon, 1.0) for epsilon in EPSILONS])


@pytest.mark.parametrize(("neighbours", "largest", "a"), CASES)
def test_rounded_gaussian_noise_costs_no_more_than_is_booked(monkeypatch, neighbours, largest, a):
    scales = {"a": a, "b": isqrt(2 * a * a) + 1}
    halved = {name: scale // 2 for name, scale in scales.items()}
    plan = booked(monkeypatch, largest, "gaussian", neighbours, scales={MATRIX: scales})
    assert plan.cost == Fraction((2 if neighbours is REPLACED else 1) * largest**4, 2 * a * a)
    promised, worst, with_half = profile(plan.cost), 0.0, 0.0
    for change in changes(largest, neighbours):
        own = (change[0] ** 2 + change[1] ** 2) / scales["b"] ** 2 + change[2] ** 2 / a**2
        found = divergences(scales, change)
        assert (found <= profile(own) * (1 + 1e-9)).all(), change
        worst = max(worst, (found / promised).max())
        with_half = max(with_half, (divergences(halved, change) / promised).max())
    assert 0.3 < worst <= 1
    assert with_half > 1.5


def laplace_cells(s, cells):
    """Return ln P(⌊s·L + ½⌋ = z), L of Laplace's law with scale 2: Wisharts in one column."""
    outside = (0.5 - np.abs(cells)) / (2 * s) + np.log(-np.expm1(-0.5 / s) / 2)
    return np.where(cells == 0, np.log(-np.expm1(-0.25 / s)), outside)


@pytest.mark.parametrize("largest", [1, 2, 3])
@pytest.mark.parametrize("epsilon", ["0.1", "1", "3"])
def test_wisharts_in_one_column_cost_what_is_booked(monkeypatch, largest, epsilon):
    # What one person moves in nuclear norm, and so the scale, is the same for any columns.
    plan = booked(monkeypatch, largest, "wishart_difference", ADDED, epsilon=Fraction(epsilon))
    assert plan.cost <= plan.epsilon
    s, cells = plan.scales[MATRIX]["s"], np.arange(-400, 401)
    lost, with_half = (
        max(
            np.abs(laplace_cells(scale, cells) - laplace_cells(scale, cells + change)).max()
            for change in range(1, largest**2 + 1)
        )
        for scale in (s, s / 2)
    )
    # A cell's neighbour is e^{1/2s} less likely: nothing that is booked is wasted.
    assert lost == pytest.approx(float(plan.cost), rel=1e-9)
    assert with_half > plan.cost * (1 + 1e-9)


@pytest.mark.parametrize("neighbours", Adjacency)
@pytest.mark.parametrize(("largest", "epsilon"), [(2, "1"), (3, "0.5"), (4, "2")])
def test_discrete_laplace_noise_costs_no_more_than_is_booked(
    monkeypatch, largest, epsilon, neighbours
):
    # P(z) ∝ e^{−|z|/w}: the largest quotient of two tables is e to the sum of all |Δ|/w.
    plan = booked(monkeypatch, largest, "laplace", neighbours, epsilon=Fraction(epsilon))
    worst, w = max(map(sum, changes(largest, neighbours))), plan.scales[MATRIX]["w"]
    assert Fraction(worst, w) <= plan.cost <= plan.epsilon
    assert Fraction(2 * worst, w) > plan.cost


def people(d, m, rng):
    for _ in range(60):
        rows = rng.standard_normal((rng.integers(0, m + 1), d)) * rng.choice([0, 1], d)
        norms = np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        yield np.fix(rows / norms * (GRID - d)).astype(object)


@pytest.mark.parametrize("m", [1, 3])
@pytest.mark.parametrize("d", [2, 4])
def test_no_person_moves_a_table_further(d, m):
    recipe = some_recipe(d, person=("id",), combine=Combine.AT_MOST, most=m)
    everybody, nobody = [*people(d, m, np.random.default_rng(5))], np.zeros((0, d), dtype=object)
    pairs = {ADDED: [(one, nobody) for one in everybody], REPLACED: pairwise(everybody)}
    for neighbours in Adjacency:
        plan = some_plan(recipe=recipe, k=1, neighbours=neighbours)
        gaussian, wishart, laplace = (
            replace(plan, mechanism=noise, scales={}).sensitivity_squared
            for noise in ("gaussian", "wishart_difference", "laplace")
        )
        for one, other in pairs[neighbours]:
            moved = one.T @ one - other.T @ other + np.zeros((d, d), dtype=object)
            sums = np.append(one.sum(axis=0) - other.sum(axis=0), GRID * (len(one) - len(other)))
            assert (moved**2).sum() <= gaussian(MATRIX)
            nuclear = np.abs(np.linalg.eigvalsh(moved.astype(float))).sum()
            assert nuclear <= sqrt(wishart(MATRIX)) * (1 + 1e-12)
            assert abs(moved[np.triu_indices(d)]).sum() ** 2 <= laplace(MATRIX)
            assert (sums**2).sum() <= gaussian(MEANS)
            assert abs(sums).sum() ** 2 <= laplace(MEANS)
