"""The law of every sampler against an independent reference.

Sample sizes are such that noise 1.1 times too large or too small fails with a chance of more than
99 %. What releases of each mechanism follow is compared in tests/references.
"""

from math import log, sqrt

import numpy as np
import pytest
from scipy.special import kve
from scipy.stats import beta, chi2, laplace, norm, wishart

from dpca_core import MECHANISMS, Adjacency, Budget, Problem, Release
from dpca_core.mechanisms.noise_laws import ISOTROPIC, LAPLACE, MATRIX_T, TRIANGLE, WISHART
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.privacy.matrix_t import exponent
from tests.core.sampling.laws import ERRORS, MANY, assert_frames, assert_law

ADD = Adjacency.ADD_OR_REMOVE_ONE
PROBLEM = Problem.from_moment(np.diag([60.0, 20.0, 15.0, 5.0]), 100, 1)


def noise_of(key, d, trials, seed):
    """Unit noise (trials, d, d) of a mechanism that publishes S + scale·E."""
    (matrices,) = MECHANISMS[key].unit(d, 1, np.random.default_rng(seed), trials)
    np.testing.assert_array_equal(matrices, matrices.swapaxes(1, 2))
    return matrices


def direction(d):
    """A fixed unit vector without symmetry."""
    u = np.arange(1.0, d + 1)
    return u / np.linalg.norm(u)


@pytest.mark.chance(3e-7)
@pytest.mark.parametrize(
    ("key", "law", "beside"),
    [("gaussian", norm, sqrt(0.5)), ("analyze_gauss", norm, 1), ("laplace", laplace, 1)],
)
def test_entries_of_a_triangle_are_drawn_one_by_one(key, law, beside):
    """Isotropic noise has variance ½ off the diagonal: N(0, 1) along every unit matrix."""
    e = noise_of(key, 3, 60_000, 1)
    for i, j in zip(*np.triu_indices(3), strict=True):
        assert_law(e[:, i, j], law(scale=1 if i == j else beside).cdf)
    if key == "gaussian":
        u = direction(3)
        assert_law(np.einsum("tij,i,j->t", e, u, u), norm.cdf)
        assert_law((e**2).sum(axis=(1, 2)), chi2(6).cdf)


LAWS = {m.law: m.key for m in MECHANISMS.values() if isinstance(m, NoiseOnS)}


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
def test_entries_are_uncorrelated_and_have_the_stated_mean_spread_and_edge(law):
    """Matrix-t entries have no fourth moment: their spread is that of tests/core/privacy."""
    e, upper = law.draw(6, np.random.default_rng(3), 20_000), np.triu_indices(6)
    entries = e[:, *upper]
    spread = np.where(upper[0] == upper[1], *law.std(6))
    error = MANY * spread / sqrt(len(e))
    assert (np.abs(entries.mean(axis=0) - law.mean(6) * (upper[0] == upper[1])) < error).all()
    if law is not MATRIX_T:
        np.testing.assert_allclose(entries.std(axis=0), spread, rtol=0.1)
    correlation = np.corrcoef(entries.T) - np.eye(21)
    assert np.abs(correlation).max() < 2 * MANY / sqrt(len(e))
    if law.mean(6) == 0:
        largest = np.linalg.eigvalsh(law.draw(60, np.random.default_rng(4), 20))[:, -1].mean()
        assert largest == pytest.approx(law.edge(60), rel=0.25)


def scipy_log_densities(e):
    """Of the laws that SciPy knows, at stacks of positive definite matrices (T, 3, 3)."""
    i, j = np.triu_indices(3)
    spread = np.where(i == j, 1, sqrt(0.5))
    return {
        ISOTROPIC: norm.logpdf(e[:, i, j], scale=spread).sum(axis=1),
        TRIANGLE: norm.logpdf(e[:, i, j]).sum(axis=1),
        LAPLACE: laplace.logpdf(e[:, i, j]).sum(axis=1),
        WISHART: wishart(4, np.eye(3)).logpdf(np.moveaxis(e, 0, -1)),
        MATRIX_T: -exponent(3) * np.linalg.slogdet(np.eye(3) + e @ e)[1],
    }


def test_log_densities_are_those_of_scipy_but_for_a_constant():
    e = wishart(9, np.eye(3)).rvs(50, random_state=np.random.default_rng(1))
    for law, expected in scipy_log_densities(e).items():
        difference = law.log_density(e) - expected
        np.testing.assert_allclose(difference, difference[0], atol=1e-9)
    assert WISHART.log_density(-e[:1]) == -np.inf
    # One Wishart matrix of many degrees of freedom, as a mechanism.
    mechanism, at = MECHANISMS["wishart"], Problem.from_moment(np.eye(3), 9, 1)
    budget = Budget(0.5, 1e-2)
    degrees = mechanism.degrees_of_freedom(3, budget)
    found = mechanism.log_likelihood(at, budget, Release(e, moment=np.eye(3) + e))
    difference = found - wishart(degrees, np.eye(3)).logpdf(np.moveaxis(e, 0, -1))
    np.testing.assert_allclose(difference, difference[0], rtol=1e-9)


@pytest.mark.parametrize("key", ["wishart", "wishart_sheffet"])
def test_one_wishart_draw_at_every_budget_is_bartletts_product(key):
    """S + s·L·Lᵀ, multiplied out: L has χ on its diagonal, and below it the same at every ε."""
    mechanism, d = MECHANISMS[key], 30
    at = Problem.from_moment(np.diag(np.linspace(9.0, 1.0, d)), 1_000, 2)
    unit = mechanism.unit(d, 2, np.random.default_rng(15), 4)
    rng = np.random.default_rng(15)
    normals, ranks = rng.standard_normal((4, d, d)), rng.random((4, d))
    for epsilon in (0.01, 0.5):
        budget = Budget(epsilon, 1e-6)
        degrees = mechanism.degrees_of_freedom(d, budget) - np.arange(d)
        root = np.tril(normals, -1) + np.sqrt(chi2(degrees).ppf(ranks))[..., None] * np.eye(d)
        expected = at.moment + mechanism.matrix_scale * root @ root.swapaxes(1, 2)
        found = mechanism.published(at, budget, unit)
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * np.sqrt(degrees[0]))
        raised = np.trace(expected - at.moment, axis1=1, axis2=2).mean() / d
        assert mechanism.calibrate(at, budget).mean == pytest.approx(raised, rel=0.03)


def log_gamma_difference(x, shape, scale):
    """Log density, up to a constant, of the difference of two Gamma(shape, scale) variables."""
    z, order = np.abs(x) / scale, shape - 0.5
    return order * np.log(z) + np.log(kve(order, z)) - z


@pytest.mark.chance(1e-8)
@pytest.mark.parametrize("adjacency", Adjacency)
@pytest.mark.parametrize("d", [2, 6])
def test_wishart_difference_is_pure_along_the_worst_change(d, adjacency):
    """Along Δ = xxᵀ, or e₁e₁ᵀ − e₂e₂ᵀ, tr(ΔE) is a difference of Gammas: losses below ε, up to ε.

    tr(ΔE)/s is a difference of χ²_{d+1}, or of χ²_{2(d+1)}, and a person moves it by ‖Δ‖_F²/s.
    """
    epsilon = 0.7
    s = MECHANISMS["wishart_difference"].calibrate(PROBLEM, Budget(epsilon, 0, adjacency)).scale
    pairs, moved = (1, 1) if adjacency is ADD else (2, 2)
    x = np.linspace(-5000, 5000, 40001) + 1e-3
    losses = log_gamma_difference(x, pairs * (d + 1) / 2, 2 * s) - log_gamma_difference(
        x - moved, pairs * (d + 1) / 2, 2 * s
    )
    assert 0.98 * epsilon < np.abs(losses).max() <= epsilon * (1 + 1e-9)
    e = noise_of("wishart_difference", d, 20_000, 6)
    form = e[:, 0, 0] if adjacency is ADD else e[:, 0, 0] - e[:, 1, 1]
    rng = np.random.default_rng(7)
    first, second = rng.chisquare(pairs * (d + 1), (2, 200_000))
    assert_law(form, first - second)


@pytest.mark.chance(3e-8)
@pytest.mark.parametrize(("key", "at"), [("smooth_gaussian_printed", 0), ("gap_release", 1)])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_rotations_are_haar_on_the_orthogonal_group(key, at, k):
    rotations = MECHANISMS[key].unit(5, k, np.random.default_rng(10), 40_000)[at]
    assert_frames(rotations, 1e-12)
    assert abs((np.linalg.det(rotations) > 0).mean() - 0.5) < ERRORS * 0.5 / sqrt(40_000)
    if k > 1:
        assert_law(rotations[:, 0, 1] ** 2, beta(0.5, (k - 1) / 2).cdf)
        u = direction(k)
        assert_law(np.einsum("tij,i,j->t", rotations, u, u) ** 2, beta(0.5, (k - 1) / 2).cdf)
    else:
        assert set(np.unique(rotations)) == {-1.0, 1.0}


@pytest.mark.chance(2e-8)
@pytest.mark.parametrize("adjacency", Adjacency)
def test_gap_release_certifies_a_gap_below_the_true_one(adjacency):
    """It exceeds the true gap, 40, with probability δ₁ = δ/2, and refuses where it is too small."""
    epsilon, delta, change = 1.5, 0.02, 1 if adjacency is ADD else 2
    release = MECHANISMS["gap_release"].release(
        PROBLEM, Budget(epsilon, delta, adjacency), 11, 60_000
    )
    width = change / (0.1 * epsilon)
    law, certified = laplace(40 - width * log(1 / delta), width), release.info["certified_gap"]
    assert_law(certified, law.cdf)
    assert law.sf(40) == pytest.approx(delta / 2)
    assert ((certified <= change) == release.refused).all()
    assert 0.05 < release.refused.mean() < 0.9
    assert (np.isnan(release.bases).all(axis=(1, 2)) == release.refused).all()
