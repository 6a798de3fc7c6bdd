"""Accounting of Gaussian noise scaled by a smooth bound, against quadrature and quantiles."""

from itertools import product
from math import exp, log, sqrt

import numpy as np
import pytest
from scipy.stats import chi2, norm

from dpca_core.privacy.gaussian import gaussian_delta
from dpca_core.privacy.smooth_gaussian import smooth_gaussian_delta
from tests.cases import sampled
from tests.references.accounting import scaled_gaussian_delta


@pytest.mark.parametrize("m", [2, 3, 10])
@pytest.mark.parametrize(("beta", "epsilon", "c"), [(0.05, 0.5, 1.5), (0.01, 1.0, 1.0)])
def test_smooth_delta_is_the_worst_hockey_stick_divergence(m, beta, epsilon, c):
    ratios = (-beta, -beta / 2, 0, beta / 2, beta)
    worst = max(scaled_gaussian_delta(min(1, exp(t)) / c, exp(t), epsilon, m) for t in ratios)
    assert smooth_gaussian_delta(c, epsilon, beta, m) == pytest.approx(worst, rel=1e-4)


@pytest.mark.parametrize(
    ("c", "epsilon", "beta", "m"),
    sampled(
        [(0.76, 3e-3, 6.5e-6, 87), (4.0, 1e-6, 5e-8, 2), (9.0, 1e-6, 1e-9, 6)],
        2,
        "half a second of quantiles each",
    ),
)
def test_smooth_delta_where_the_centre_of_the_distances_is_remote(c, epsilon, beta, m):
    """Naive: a midpoint rule over quantiles of the m − 1 directions without shift and of the rest.

    SciPy's noncentral χ² is NaN there: noncentralities of 1e11 to 2e17 on the grid of scales.
    """
    others = chi2.ppf((np.arange(400) + 0.5) / 400, m - 1)[:, None]
    along = norm.ppf((np.arange(20_000) + 0.5) / 20_000)
    worst = gaussian_delta(c, epsilon, 1.0)
    for t in (-beta, beta):
        shift = min(1.0, exp(t)) / c
        squares = ((along - shift) ** 2 + others) * exp(-2 * t) - along**2 - others
        worst = max(worst, np.maximum(0.0, -np.expm1(epsilon - squares / 2 - m * t)).mean())
    assert smooth_gaussian_delta(c, epsilon, beta, m) == pytest.approx(worst, rel=2e-4)


def test_smooth_delta_where_the_scales_are_as_far_apart_as_numbers_go_or_the_same():
    """Noise e^28 times smaller at the neighbour gives nearly every release away, quietly."""
    epsilon, delta = 10**2.75, 0.1
    beta = epsilon / (4 * (2 + log(2 / delta)))
    printed = 5 * sqrt(2 * log(2 / delta)) / epsilon
    assert smooth_gaussian_delta(printed, epsilon, beta, 2) == pytest.approx(1.0, abs=1e-9)
    assert smooth_gaussian_delta(2.0, 1.0, 0.0, 10) == gaussian_delta(2.0, 1.0, 1.0)


def test_printed_smooth_noise_is_private_where_it_is_stated():
    for m, epsilon, delta in product((2, 20, 1000), (0.001, 0.1, 0.99), (1e-2, 1e-6, 1e-9)):
        beta = epsilon / (4 * (m + log(2 / delta)))
        c = 5 * sqrt(2 * log(2 / delta)) / epsilon
        assert smooth_gaussian_delta(c, epsilon, beta, m) <= delta
