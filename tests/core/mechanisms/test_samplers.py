"""The law of every sampler against an independent reference.

Sample sizes are such that noise 1.1 times too large or too small fails with a chance of more than
99 %. What releases of each mechanism follow is compared in tests/references; densities with what is
drawn in test_privacy_loss.py.
"""

from math import sqrt

import numpy as np
import pytest
from scipy.stats import beta, laplace

from dpca_core import MECHANISMS, Budget
from dpca_core.analysis.claims import cell_noise
from dpca_core.mechanisms.noise_on_s import NoiseOnS, NoisySum
from dpca_core.privacy.budget import NotDrawnInTime
from dpca_core.simulation.sweep import sweep
from tests.core.mechanisms.every_mechanism import PROBLEM, turned, within
from tests.core.sampling.laws import ERRORS, MANY, assert_frames, assert_law

ON_S = [mechanism for mechanism in MECHANISMS.values() if isinstance(mechanism, NoisySum)]


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("mechanism", ON_S, ids=lambda mechanism: mechanism.key)
def test_noise_on_s_is_uncorrelated_with_the_stated_mean_spread_and_edge(mechanism):
    """Matrix-t entries have no fourth moment: their spread is that of tests/core/privacy."""
    budget = within(mechanism, 0.5, 0.01)
    noise = mechanism.calibrate(PROBLEM, budget)
    published = mechanism.release(PROBLEM, budget, 3, 20_000, keep="moment").moment
    np.testing.assert_array_equal(published, published.swapaxes(1, 2))
    upper = np.triu_indices(5)
    entries, diagonal = (published - PROBLEM.moment)[:, *upper], upper[0] == upper[1]
    std = mechanism.law.std(5) if isinstance(mechanism, NoiseOnS) else (1, sqrt(0.5))
    spread = noise.entry * np.where(diagonal, 1, std[1] / std[0])
    if isinstance(mechanism, NoiseOnS):
        assert cell_noise(mechanism, PROBLEM, budget) == pytest.approx(spread[1])
    error = MANY * spread / sqrt(len(entries))
    assert (np.abs(entries.mean(axis=0) - noise.mean * diagonal) < error).all()
    if mechanism.key != "matrix_t":
        np.testing.assert_allclose(entries.std(axis=0), spread, rtol=0.06)
    correlation = np.corrcoef(entries.T) - np.eye(15)
    if mechanism.key == "nuclear_norm":  # diagonal entries vary together (docs/nuclear-norm.md)
        both = np.outer(diagonal, diagonal) & ~np.eye(15, dtype=bool)
        correlation -= (1 - 2 * (std[1] / std[0]) ** 2) * both
    assert np.abs(correlation).max() < 2 * MANY / sqrt(len(entries))
    if noise.mean == 0:
        wide = mechanism.law.draw(60, np.random.default_rng(4), 20)
        assert np.linalg.eigvalsh(wide)[:, -1].mean() == pytest.approx(
            mechanism.law.edge(60), rel=0.25
        )


@pytest.mark.chance(3e-8)
@pytest.mark.parametrize(("key", "at"), [("smooth_gaussian_printed", 0), ("gap_release", 1)])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_rotations_are_haar_on_the_orthogonal_group(key, at, k):
    rotations = MECHANISMS[key].unit(5, k, np.random.default_rng(10), 40_000)[at]
    assert_frames(rotations, 1e-12)
    assert abs((np.linalg.det(rotations) > 0).mean() - 0.5) < ERRORS * 0.5 / sqrt(40_000)
    u = np.arange(1.0, k + 1) / np.linalg.norm(np.arange(1.0, k + 1))
    for cosine in (rotations[:, 0, -1], np.einsum("tij,i,j->t", rotations, u, u)):
        if k > 1:
            assert_law(cosine**2, beta(0.5, (k - 1) / 2).cdf)


@pytest.mark.chance(1e-8)
def test_eigenvalues_beside_sampled_eigenvectors_have_laplace_noise_of_the_printed_scale():
    """2/ε₀ with half of ε, whoever the neighbours are."""
    at, mechanism = turned([30.0, 20, 10], 2), MECHANISMS["eigenvector_sampling"]
    values = mechanism.release(at, Budget(2.0), 4, 3_000).info["eigenvalues"]
    assert_law((values - [30, 20]).ravel(), laplace(scale=2.0).cdf)


def test_a_page_does_not_wait_and_the_promise_does_not_look_at_the_spectrum():
    """Eigenvalues that fall by 3 % each, k = 20: at ε = 2 a draw takes 10¹⁰ proposals.

    Guarantee, claim and noise are those of any other data.
    """
    ppca, values = MECHANISMS["ppca"], 0.97 ** np.arange(80)
    at, budget = turned(values / values.sum() * 900, 20), Budget(2.0)
    for asked in (ppca.guarantee, ppca.claim, ppca.calibrate):
        assert asked(at, budget) == asked(turned(np.ones(80), 20), budget)
    with pytest.raises(NotDrawnInTime, match=r"^Not drawn in time: [^.]*\.$"):
        ppca.simulate(at, budget, 6)
    table = sweep(["ppca"], at, epsilon=[0.3, 2.0], delta=0.0, trials=2)
    for late in (table.note.str.startswith("Not drawn in time"), table.captured.isna()):
        assert list(late) == [False, False, True, True]
    assert not table.refused.any()
