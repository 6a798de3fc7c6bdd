"""Matrix-t noise: its accounting against quadrature and Monte Carlo, its sampler.

By drawing, at the worst pair: tests/core/mechanisms/test_privacy_loss.py.
"""

from itertools import product
from math import asinh

import numpy as np
import pytest

from dpca_core.linalg.symmetric import symmetrized
from dpca_core.mechanisms.noise_laws import MATRIX_T
from dpca_core.privacy.matrix_t import (
    exponent,
    matrix_t_delta,
    matrix_t_scale,
    pure_scale,
    unit_entry_std,
)
from dpca_core.sampling.matrix_t import matrix_t
from tests.cases import sampled
from tests.core.sampling.laws import assert_mean
from tests.references import accounting


@pytest.mark.parametrize(
    ("d", "epsilon"),
    sampled(product((3, 19, 64), (0.5, 0.01, 5.0)), 3, "a tenth of a second of quadrature each"),
)
def test_against_adaptive_quadrature(d, epsilon):
    q = exponent(d)
    c = matrix_t_scale(epsilon, 1e-3, d, q)
    found = accounting.matrix_t_delta(epsilon, d, q, c)
    assert matrix_t_delta(epsilon, d, q, c) == pytest.approx(found, rel=2e-5)


@pytest.mark.parametrize("d", [2, 5, 19, 64])
def test_the_scale_is_enough_and_not_much_more(d):
    q = exponent(d)
    for epsilon, delta in product((1e-3, 0.1, 1.0, 10.0), (1e-9, 1e-6, 1e-2)):
        scale = matrix_t_scale(epsilon, delta, d, q)
        assert matrix_t_delta(epsilon, d, q, scale) <= delta
        assert matrix_t_delta(epsilon, d, q, scale * (1 - 1e-6)) > delta
        assert scale <= pure_scale(epsilon, q)


def test_the_pure_scale_ends_delta_and_its_loss_is_attained():
    """At F = k·e₁e₁ᵀ with k = −½ + √(¼ + c²), in units of S; nowhere is the loss larger."""
    q = exponent(7)
    for epsilon in (0.01, 1.0, 30.0):
        scale = matrix_t_scale(epsilon, 0.0, 7, q)
        assert scale == pure_scale(epsilon, q)
        assert matrix_t_delta(epsilon, 7, q, scale) == 0
        assert matrix_t_delta(epsilon, 7, q, scale * 0.999) > 0
    q, c = exponent(4), 3.0
    shift, worst = np.diag([1 / c, 0, 0, 0]), np.zeros((1, 4, 4))
    worst[0, 0, 0] = (-0.5 - np.sqrt(0.25 + c * c)) / c
    density = MATRIX_T.log_density
    attained = float((density(worst + shift) - density(worst))[0])
    assert abs(attained) == pytest.approx(2 * q * asinh(1 / (2 * c)), rel=1e-12)
    drawn = symmetrized(np.random.default_rng(0).standard_cauchy((20_000, 4, 4)))
    loss = density(drawn + shift) - density(drawn)
    assert np.abs(loss).max() <= abs(attained) * (1 + 1e-12)


# --- The sampler ---


@pytest.mark.chance(5e-7)  # squares of Student variables have long tails
@pytest.mark.parametrize(
    ("d", "q"), sampled([(5, 7.0), (2, 4.0), (19, 30.0)], 3, "the widest takes seconds")
)
def test_variances_of_entries(d, q):
    drawn = matrix_t(d, q, np.random.default_rng(d), 20_000)
    diagonal, beside = unit_entry_std(d, q)
    entries = drawn[:, [0, -1, 0, d - 2], [0, -1, 1, d - 1]]
    assert_mean(entries**2, np.square([diagonal, diagonal, beside, beside]))
