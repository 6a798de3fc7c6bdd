"""Accounting of matrix-t noise against quadrature, grids, Monte Carlo and its own inverse."""

from itertools import pairwise
from math import asinh, log

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtr
from scipy.stats import beta, t

from dpca_core.privacy.gaussian import gaussian_sigma
from dpca_core.privacy.matrix_t import (
    exponent,
    matrix_t_delta,
    matrix_t_scale,
    pure_epsilon,
    pure_scale,
    unit_entry_std,
)

ROUNDED_UP = 1e-7
"""δ is rounded up by this much of itself."""


def log_density(matrices, q):
    """Return −q·ln det(I + F²) of symmetric matrices (t, d, d)."""
    identity = np.eye(matrices.shape[-1])
    return -q * np.linalg.slogdet(identity + matrices @ matrices)[1]


def test_one_column_by_quadrature():
    """At d = 1 the noise is a Student variable: the positive part, integrated as it stands."""
    q, c, epsilon = 2.0, 1.0, 0.3
    law = t(2 * q - 1, scale=1 / np.sqrt(2 * q - 1))

    def excess(y):
        return max(law.pdf(y) - np.exp(epsilon) * law.pdf(y + 1 / c), 0.0)

    kappa = np.expm1(epsilon / q)
    roots = np.roots([kappa, -2 / c, kappa - 1 / c**2])
    found = sum(quad(excess, a, b, epsabs=1e-12)[0] for a, b in [sorted(roots)])
    assert matrix_t_delta(epsilon, 1, q, c) == pytest.approx(found, rel=3 * ROUNDED_UP)
    assert found == pytest.approx(0.477750, abs=5e-7)


@pytest.mark.parametrize(("length", "expected"), [(1.0, 0.29712), (0.75, 0.1731), (0.5, 0.0541)])
def test_two_columns_by_a_grid(length, expected):
    """At d = 2 over (E₁₁, E₁₂, E₂₂), nothing assumed of the law; shorter records show less."""
    q, c, epsilon = 3.0, 1.5, 0.6
    at = np.linspace(-1.42, 1.42, 161)
    axis, step = np.tan(at), (at[1] - at[0]) / np.cos(at) ** 2
    f11, f12, f22 = axis[:, None, None], axis[None, :, None], axis[None, None, :]
    weight = step[:, None, None] * step[None, :, None] * step[None, None, :]

    def density(shift):
        a = f11 + shift
        determinant = (a * f22 - f12**2 - 1) ** 2 + (a + f22) ** 2
        return determinant**-q

    here, there = density(0.0), density(length / c)
    total = float((here * weight).sum())
    found = float((np.maximum(here - np.exp(epsilon) * there, 0) * weight).sum()) / total
    assert found == pytest.approx(expected, abs=3e-4)
    # A record of squared length L is one of length 1 under noise 1/L times as large.
    assert matrix_t_delta(epsilon, 2, q, c / length) == pytest.approx(found, abs=3e-4)


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
    # Standard error of the ratio, from the weights; a false failure at 5 of them has p < 10⁻⁶.
    error = np.sqrt(((weight * (spent - found)) ** 2).sum()) / weight.sum()
    assert error < 0.002
    assert abs(matrix_t_delta(epsilon, 4, q, c) - found) < 5 * error
    assert abs(found - 0.2770) < 5 * error


@pytest.mark.parametrize("d", [2, 3, 10, 19, 64])
@pytest.mark.parametrize("epsilon", [0.01, 0.5, 5.0])
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


@pytest.mark.parametrize("d", [2, 3, 5, 10, 19, 64])
@pytest.mark.parametrize("delta", [1e-9, 1e-6, 1e-2])
@pytest.mark.parametrize("epsilon", [1e-3, 0.1, 1.0, 10.0])
def test_the_scale_is_enough_and_not_much_more(d, delta, epsilon):
    q = exponent(d)
    scale = matrix_t_scale(epsilon, delta, d, q)
    assert matrix_t_delta(epsilon, d, q, scale) <= delta
    assert matrix_t_delta(epsilon, d, q, scale * (1 - 1e-6)) > delta
    assert scale <= pure_scale(epsilon, q)


def test_the_pure_scale_ends_delta():
    for epsilon in (0.01, 1.0, 30.0):
        scale = pure_scale(epsilon, exponent(7))
        assert pure_epsilon(exponent(7), scale) <= epsilon
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
    assert np.abs(loss).max() <= pure_epsilon(q, c) * (1 + 1e-12)


def test_delta_falls_with_epsilon_and_scale():
    q = exponent(10)
    by_epsilon = [matrix_t_delta(e, 10, q, 8.0) for e in np.linspace(0, 4, 41)]
    by_scale = [matrix_t_delta(0.5, 10, q, c) for c in np.geomspace(0.1, 100, 41)]
    for found in (by_epsilon, by_scale):
        assert all(a >= b for a, b in pairwise(found))
        assert found[0] > found[-1]
        assert 0 <= min(found) <= max(found) <= 1


def test_epsilon_zero_is_total_variation():
    """At d = 1, of a Student variable and its shift: 2·T(a/2) − 1."""
    q, c = 3.0, 2.0
    half = 1 / (2 * c) * np.sqrt(2 * q - 1)
    assert matrix_t_delta(0.0, 1, q, c) == pytest.approx(2 * t(2 * q - 1).cdf(half) - 1, rel=1e-6)


def test_a_large_exponent_is_gaussian_noise():
    """At q = 10⁴ the diagonal's standard deviation and δ are those of isotropic Gaussian noise."""
    q, d = 1e4, 6
    scale = matrix_t_scale(0.5, 1e-6, d, q)
    diagonal, beside = (scale * std for std in unit_entry_std(d, q))
    assert diagonal == pytest.approx(gaussian_sigma(0.5, 1e-6, 1.0), rel=2e-3)
    assert beside == pytest.approx(diagonal / np.sqrt(2), rel=2e-3)
    half, shift = 0.5 / diagonal, 0.5 * diagonal
    profile = ndtr(half - shift) - np.exp(0.5) * ndtr(-half - shift)
    assert log(profile / 1e-6) == pytest.approx(0, abs=0.2)


@pytest.mark.parametrize(
    ("d", "q", "diagonal", "beside"), [(2, 4.0, 0.25, 0.11364), (19, 30.0, 0.025641, 0.012662)]
)
def test_variances_by_recursion(d, q, diagonal, beside):
    found = [std**2 for std in unit_entry_std(d, q)]
    assert found == pytest.approx([diagonal, beside], rel=5e-5)


@pytest.mark.parametrize(
    ("d", "expected"),
    [(5, (0.945, 0.997, 1.03, 1.03)), (10, (0.86, 0.88, 0.94, 0.97)),
     (19, (0.93, 0.89, 0.85, 0.85)), (30, (0.96, 0.94, 0.91, 0.89)),
     (64, (0.99, 0.98, 0.97, 0.96))],
)  # fmt: skip
def test_noise_beside_the_better_of_gaussian_and_wishart(d, expected):
    """Deviation off the diagonal at ε = .01, .1, 1, 3 and δ = 10⁻⁶, as the document states it."""
    q, found = exponent(d), []
    for epsilon in (0.01, 0.1, 1.0, 3.0):
        own = matrix_t_scale(epsilon, 1e-6, d, q) * unit_entry_std(d, q)[1]
        gaussian = gaussian_sigma(epsilon, 1e-6, 1.0) / np.sqrt(2)
        wishart = np.sqrt(2 * (d + 1)) / (2 * epsilon)
        found.append(own / min(gaussian, wishart))
    assert found == pytest.approx(expected, abs=0.006)
