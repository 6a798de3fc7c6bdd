"""Matrix-t noise: its accounting against quadrature and Monte Carlo, its sampler.

By a grid that assumes nothing of the law: tests/core/mechanisms/test_matrix_t.py.
"""

from itertools import product
from math import asinh

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import beta, t

from dpca_core.privacy.matrix_t import (
    exponent,
    matrix_t_delta,
    matrix_t_scale,
    pure_scale,
    unit_entry_std,
)
from dpca_core.sampling.matrix_t import matrix_t
from tests.cases import sampled
from tests.core.sampling.laws import ERRORS, assert_law, assert_mean


def log_density(matrices, q):
    """Return −q·ln det(I + F²) of symmetric matrices (t, d, d)."""
    identity = np.eye(matrices.shape[-1])
    return -q * np.linalg.slogdet(identity + matrices @ matrices)[1]


@pytest.mark.chance(2e-8)
def test_four_columns_by_drawing():
    """At d = 4 by the determinants of draws from another law: importance weights of a Gaussian."""
    q, c, epsilon = 6.0, 2.5, 0.5
    rng = np.random.default_rng(4)
    std = 0.5
    size = 400_000
    drawn = rng.standard_normal((size, 4, 4)) * std
    drawn = (drawn + drawn.swapaxes(1, 2)) / 2
    log_drawn = -np.einsum("tij,tij->t", drawn, drawn) / (2 * std**2)
    shift = np.zeros((4, 4))
    shift[0, 0] = 1 / c
    here = log_density(drawn, q)
    weight = np.exp(here - log_drawn)
    spent = np.maximum(-np.expm1(epsilon - here + log_density(drawn + shift, q)), 0)
    found = (weight * spent).sum() / weight.sum()
    # Standard error of the ratio, from the weights.
    error = np.sqrt(((weight * (spent - found)) ** 2).sum()) / weight.sum()
    assert error < 0.002
    assert abs(matrix_t_delta(epsilon, 4, q, c) - found) < ERRORS * error
    assert abs(found - 0.2770) < ERRORS * error


@pytest.mark.parametrize(
    ("d", "epsilon"),
    sampled(product((3, 19, 64), (0.5, 0.01, 5.0)), 3, "a tenth of a second of quadrature each"),
)
def test_against_adaptive_quadrature(d, epsilon):
    """The double integral once more, as differences of distribution functions over B's ranks."""
    q = exponent(d)
    c = matrix_t_scale(epsilon, 1e-3, d, q)
    law, shrink = t(2 * q - 1), beta(2 * q - 1 - (d - 1) / 2, (d - 1) / 2)
    kappa, root = np.expm1(epsilon / q), np.sqrt(2 * q - 1)

    def inner(rank):
        a = shrink.ppf(rank) / c
        inside = a * a * (1 + kappa) - kappa**2
        if inside <= 0:
            return 0.0
        low, high = (a - np.sqrt(inside)) / kappa, (a + np.sqrt(inside)) / kappa
        gone = law.sf(low * root) - law.sf(high * root)
        return gone - np.exp(epsilon) * (law.sf((low + a) * root) - law.sf((high + a) * root))

    found = quad(inner, 0, 1, limit=400, epsabs=1e-10)[0]
    assert matrix_t_delta(epsilon, d, q, c) == pytest.approx(found, rel=2e-5)


@pytest.mark.parametrize("d", [2, 5, 19, 64])
def test_the_scale_is_enough_and_not_much_more(d):
    q = exponent(d)
    for epsilon, delta in product((1e-3, 0.1, 1.0, 10.0), (1e-9, 1e-6, 1e-2)):
        scale = matrix_t_scale(epsilon, delta, d, q)
        assert matrix_t_delta(epsilon, d, q, scale) <= delta
        assert matrix_t_delta(epsilon, d, q, scale * (1 - 1e-6)) > delta
        assert scale <= pure_scale(epsilon, q)


def test_the_pure_scale_ends_delta():
    for epsilon in (0.01, 1.0, 30.0):
        scale = pure_scale(epsilon, exponent(7))
        assert 2 * exponent(7) * asinh(1 / (2 * scale)) <= epsilon
        assert matrix_t_delta(epsilon, 7, exponent(7), scale) == 0
        assert matrix_t_delta(epsilon, 7, exponent(7), scale * 0.999) > 0
        assert matrix_t_scale(epsilon, 0.0, 7, exponent(7)) == scale


def test_the_pure_bound_is_attained():
    """At F = k·e₁e₁ᵀ with k = −½ + √(¼ + c²), in units of S; nowhere is the loss larger."""
    q, c = exponent(4), 3.0
    shift = np.zeros((4, 4))
    shift[0, 0] = 1 / c
    worst = np.zeros((1, 4, 4))
    worst[0, 0, 0] = (-0.5 - np.sqrt(0.25 + c * c)) / c
    attained = float((log_density(worst + shift, q) - log_density(worst, q))[0])
    assert abs(attained) == pytest.approx(2 * q * asinh(1 / (2 * c)), rel=1e-12)
    drawn = np.random.default_rng(0).standard_cauchy((20_000, 4, 4))
    drawn = (drawn + drawn.swapaxes(1, 2)) / 2
    loss = log_density(drawn + shift, q) - log_density(drawn, q)
    assert np.abs(loss).max() <= 2 * q * asinh(1 / (2 * c)) * (1 + 1e-12)


def test_epsilon_zero_is_total_variation():
    """At d = 1, of a Student variable and its shift: 2·T(a/2) − 1."""
    q, c = 3.0, 2.0
    half = 1 / (2 * c) * np.sqrt(2 * q - 1)
    assert matrix_t_delta(0.0, 1, q, c) == pytest.approx(2 * t(2 * q - 1).cdf(half) - 1, rel=1e-6)


# --- The sampler ---


@pytest.mark.chance(1e-8)
def test_one_column_is_a_student_variable():
    drawn = matrix_t(1, 3.0, np.random.default_rng(0), 20_000)[:, 0, 0]
    assert_law(drawn * np.sqrt(5), t(5).cdf)


@pytest.mark.chance(3e-8)
@pytest.mark.parametrize(
    ("d", "q"), sampled([(3, 5.5), (2, 4.0), (6, 9.0)], 3, "200,000 matrices each")
)
def test_a_shift_has_the_right_weight(d, q):
    """E[f(F + H)/f(F)] = 1 for every shift H: it fails for any other law with these moments."""
    rng = np.random.default_rng(d)
    drawn = matrix_t(d, q, rng, 200_000)
    here = log_density(drawn, q)
    rank_one = np.zeros((d, d))
    rank_one[0, 0] = 0.6
    crossed = np.zeros((d, d))
    crossed[0, 1] = crossed[1, 0] = 0.4
    for shift in (rank_one, -rank_one, crossed):
        weight = np.exp(log_density(drawn + shift, q) - here)
        error = weight.std() / np.sqrt(len(weight))
        assert error < 0.02
        assert abs(weight.mean() - 1) < ERRORS * error


@pytest.mark.chance(5e-7)  # squares of Student variables have long tails
@pytest.mark.parametrize(
    ("d", "q"), sampled([(5, 7.0), (2, 4.0), (19, 30.0)], 3, "the widest takes seconds")
)
def test_variances_of_entries(d, q):
    drawn = matrix_t(d, q, np.random.default_rng(d), 20_000)
    diagonal, beside = unit_entry_std(d, q)
    entries = drawn[:, [0, -1, 0, d - 2], [0, -1, 1, d - 1]]
    assert_mean(entries**2, np.square([diagonal, diagonal, beside, beside]))


def test_matrices_are_symmetric_and_one_needs_enough_exponent():
    drawn = matrix_t(7, 9.0, np.random.default_rng(2), 10)
    np.testing.assert_array_equal(drawn, drawn.swapaxes(1, 2))
    with pytest.raises(ValueError, match="above d/2"):
        matrix_t(7, 3.5, np.random.default_rng(2), 10)
