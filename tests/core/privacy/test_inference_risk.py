"""What a guarantee allows an attacker: beliefs, and tests of membership."""

from math import log

import numpy as np

from dpca_core import MECHANISMS, Budget
from dpca_core.analysis.claims import example
from dpca_core.privacy.inference_risk import gaussian_roc, membership_roc, posterior_bounds


def test_posterior_bounds_are_bayes_with_the_largest_likelihood_ratio():
    prior = np.array([0.01, 0.5, 0.9])
    low, high = posterior_bounds(prior, log(3))
    np.testing.assert_allclose(high, 3 * prior / (3 * prior + 1 - prior), rtol=1e-12)
    np.testing.assert_allclose(low, prior / (prior + 3 * (1 - prior)), rtol=1e-12)
    np.testing.assert_allclose(posterior_bounds(np.array([0.0, 1.0]), 1e9), [[0, 1], [0, 1]])


def test_no_gaussian_test_beats_the_bound_and_one_touches_it():
    """The exact Gaussian curve lies below the (ε, δ) one at every ε of its profile, and touches."""
    rates = np.linspace(1e-6, 1 - 1e-6, 20_001)
    promise = MECHANISMS["gaussian"].guarantee(example(10, 2, 60_000), Budget(1.0, 1e-3))
    exact = gaussian_roc(rates, promise.noise_multiplier)
    bound = membership_roc(rates, promise.epsilon, promise.delta)
    assert (exact <= bound + 1e-9).all()
    assert (bound - exact).min() < 1e-6
    np.testing.assert_allclose(membership_roc(rates, 0.0, 0.0), rates, rtol=1e-12)
    assert membership_roc(np.array([0.0]), 1.0, 0.25)[0] == 0.25
