"""PPCA: what is published is a span, and nothing that its spectrum decides is an output.

The law itself is compared with naive draws in tests/references, and every sampler's in
tests/core/sampling.
"""

from math import log, pi

import numpy as np
import pytest
from scipy.stats import laplace

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.linalg.symmetric import orthonormal, symmetrized
from dpca_core.privacy.budget import NotDrawnInTime
from dpca_core.sampling.matrix_bingham import subspace_sampler
from dpca_core.simulation.sweep import sweep
from tests.core.mechanisms.every_mechanism import ADD, BOTH
from tests.core.sampling.laws import ERRORS, assert_law

PPCA = MECHANISMS["ppca"]


def problem(values, k):
    d = len(values)
    q = orthonormal(np.random.default_rng(0).standard_normal((1, d, d)))[0]
    return Problem.from_moment(symmetrized((q * np.array(values)) @ q.T), 1000, k)


@pytest.mark.chance(5e-8)
@pytest.mark.parametrize(("key", "k"), [("ppca", 2), ("ppca", 3), ("ppca_sequential", 2)])
def test_what_is_published_is_the_span_and_nothing_more(key, k):
    """ε covers the span only: within it the basis must be uniform.

    Each column is like the others, and like the diagonal between two: signed shuffles don't do.
    """
    at, draws = problem([30.0, 25, 22, 21, 16, 13, 10], k), 20_000 if key == "ppca" else 4_000
    bases = MECHANISMS[key].release(at, Budget(2.0), 3, draws).bases
    along = at.eigenvectors[:, 0] @ bases
    half = draws // 2
    between = (along[half:, 0] + along[half:, -1]) / np.sqrt(2)
    for other in (along[half:, -1], between):
        assert_law(np.square(along[:half, 0]), np.square(other))
    assert (np.abs(np.sign(along).mean(axis=0)) < ERRORS / np.sqrt(draws)).all()


def test_a_page_does_not_wait_and_the_promise_does_not_look_at_the_spectrum():
    """Eigenvalues that fall by 3 % each, k = 20: at ε = 2 a draw takes 10¹⁰ proposals.

    Guarantee, claim and noise are those of any other data.
    """
    values = 0.97 ** np.arange(80)
    at, budget = problem(values / values.sum() * 900, 20), Budget(2.0)
    for asked in (PPCA.guarantee, PPCA.claim, PPCA.calibrate):
        assert asked(at, budget) == asked(problem(np.ones(80), 20), budget)
    with pytest.raises(NotDrawnInTime, match=r"^Not drawn in time: [^.]*\.$"):
        PPCA.simulate(at, budget, 6)
    table = sweep(["ppca"], at, epsilon=[0.3, 2.0], delta=0.0, trials=2)
    for late in (table.note.str.startswith("Not drawn in time"), table.captured.isna()):
        assert list(late) == [False, False, True, True]
    assert not table.refused.any()


def test_spectra_of_the_papers_are_drawn_soon():
    """One direction far from all others, as means are that nobody took off: 10⁷ proposals before.

    Shares of the insurance data (d = 85, k = 11, n = 6,000) and of KDD Cup 99 (d = 110, k = 4,
    n = 5,000), ε = 0.1, one person replaced.
    """
    insurance = np.r_[0.388, 0.03, 0.0139, 0.0109, 0.0078, 0.0064, 0.005 * 0.95 ** np.arange(79)]
    kddcup = np.r_[0.514, 0.12, 0.055, 0.028, 0.009, 0.004 * 0.9 ** np.arange(105)]
    for values, k, n in ((insurance, 11, 6_000), (kddcup, 4, 5_000)):
        assert subspace_sampler(0.05 * n * (values[0] - values), k)[1] < 60


def across(weight):
    """Log-density, at the second axis of two, of draws of one direction: ∝ exp(weight·cos²)."""
    grid = np.linspace(0, pi, 20_001)[:-1]
    return -weight - log(np.exp(weight * (np.cos(grid) ** 2 - 1)).mean())


@BOTH
@pytest.mark.parametrize("key", ["ppca", "ppca_sequential", "eigenvector_sampling"])
def test_the_exponential_mechanism_comes_as_near_to_epsilon_as_you_like(key, adjacency):
    """Two columns, one direction: everybody along the first axis, and a draw of the second.

    To what is left of ε after the eigenvalue, of which Laplace noise of scale 4/ε shows ε/4.
    """
    people, budget = 20_000.0, Budget(0.8, 0, adjacency)
    alike = Problem.from_moment(np.diag([people, 0.0]), people, 1)
    temperature = 1 / MECHANISMS[key].calibrate(alike, budget).scale
    promise = MECHANISMS[key].guarantee(alike, budget).epsilon
    promise -= 0.8 / 4 if key == "eigenvector_sampling" else 0
    less, more = people, people + (1.0 if adjacency is ADD else 2.0)
    assert 0.999 * promise < across(temperature * less) - across(temperature * more) <= promise


@pytest.mark.chance(1e-8)
def test_eigenvalues_beside_sampled_eigenvectors_have_laplace_noise_of_the_printed_scale():
    """2/ε₀ with half of ε, whoever the neighbours are."""
    at, mechanism = problem([30.0, 20, 10], 2), MECHANISMS["eigenvector_sampling"]
    values = mechanism.release(at, Budget(2.0), 4, 3_000).info["eigenvalues"]
    assert_law((values - [30, 20]).ravel(), laplace(scale=2.0).cdf)
