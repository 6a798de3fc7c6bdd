"""Exact PPCA against importance sampling and against the Gibbs sampler that the paper runs.

Seeds are fixed. For fresh ones each comparison fails by chance at most once in a million: means at
five standard errors, Kolmogorov–Smirnov tests at p < 10⁻⁶. Costs 1.1 times too large shift the
scores compared by at least 9 standard errors (d ≤ 7) and by two standard deviations of a single
draw (d = 100), so they fail with a chance of more than 99 %.
"""

import numpy as np
import pytest
from scipy.stats import ks_2samp

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget, Problem
from dpca_core.linalg import orthonormal, symmetrized
from dpca_core.mechanisms.exponential import gibbs, inverse_temperature, r_hat
from dpca_core.subspace_bingham import Split, split_sampler, subspace_sampler

SPECTRA = {
    2: [12.0, 9.0], 3: [14.0, 12.0, 9.0], 5: [30.0, 24.0, 21.0, 15.0, 10.0],
    7: [30.0, 25.0, 22.0, 21.0, 16.0, 13.0, 10.0],
}  # fmt: skip


def problem(values, k, seed=0, n=1000):
    d = len(values)
    q = orthonormal(np.random.default_rng(seed).standard_normal((1, d, d)))[0]
    return Problem.from_moment(symmetrized((q * np.array(values)) @ q.T), n, k)


def large():
    """Shares 0.3·0.7^i of n = 60,000 and a flat tail of 0.05, total 0.9; d = 100, k = 10."""
    shares = np.concatenate([0.3 * 0.7 ** np.arange(10), np.full(90, 0.05 / 90)])
    values = 60_000 * 0.9 * shares / shares.sum()
    return problem(values, 10, n=60_000)


@pytest.mark.parametrize(("d", "k"), [(d, k) for d in SPECTRA for k in (1, 2, 3) if k < d])
@pytest.mark.parametrize("adjacency", Adjacency)
def test_exact_draws_against_importance_sampling(d, k, adjacency):
    at, budget = problem(SPECTRA[d], k), Budget(0.5, 0.0, adjacency)
    rng, draws = np.random.default_rng(1), 200_000
    heat = inverse_temperature(budget)
    haar = orthonormal(rng.standard_normal((draws, d, k)))
    scores = heat * np.einsum("tdk,de,tek->t", haar, at.moment, haar)
    weights = np.exp(scores - scores.max())
    exact = MECHANISMS["ppca"].release(at, budget, rng, draws).bases
    for power in (1, 2):
        statistic = scores**power
        mean = np.average(statistic, weights=weights)
        own = (heat * np.einsum("tdk,de,tek->t", exact, at.moment, exact)) ** power
        spread = weights * (statistic - mean)
        error = np.sqrt((spread**2).sum()) / weights.sum() + own.std() / np.sqrt(draws)
        assert abs(own.mean() - mean) < 5 * error
    # The direction, not only the score: where the span lies among the eigenvectors.
    inside = np.square(at.eigenvectors.T @ haar).sum(axis=2)
    expected = np.average(inside, axis=0, weights=weights)
    found = np.square(at.eigenvectors.T @ exact).sum(axis=2)
    spread = weights[:, None] * (inside - expected)
    error = np.sqrt((spread**2).sum(axis=0)) / weights.sum() + found.std(axis=0) / np.sqrt(draws)
    assert (np.abs(found.mean(axis=0) - expected) < 5 * error).all()


def test_gibbs_leaves_the_law_of_exact_draws_alone_and_leads_to_it():
    """At d = 100, k = 10; that the dual sampler agrees there is tested in test_bingham.py.

    The score has about the law of ½χ² with 900 degrees of freedom, so costs 1.1 times too large
    move it by two standard deviations.
    """
    at, rng = large(), np.random.default_rng(2)
    costs = np.sort(at.spectrum[0] - at.spectrum)
    primal = split_sampler(costs, 10)
    assert isinstance(primal, Split)
    exact = score(primal.draw(rng, 3000), costs)
    swept = [gibbs(-costs, v, 1, rng)[0] for v in primal.draw(rng, 60)]
    assert ks_2samp(exact, score(np.array(swept), costs)).pvalue > 1e-6
    from_truth = [gibbs(-costs, np.eye(100)[:, :10], 3, rng)[0] for _ in range(30)]
    assert ks_2samp(exact, score(np.array(from_truth), costs)).pvalue > 1e-6
    wrong = score(primal.draw(rng, 60), costs) / 1.1
    assert ks_2samp(exact, wrong).pvalue < 1e-6


def score(frames, costs):
    return (np.square(frames).sum(axis=2) @ costs).astype(float)


@pytest.mark.parametrize("k", [2, 3])
def test_what_is_published_is_the_span_and_nothing_more(k):
    """ε covers the span only: within it the basis must be uniform.

    Each column is like the others, and like the diagonal between two: signed shuffles don't do.
    """
    at = problem(SPECTRA[7], k)
    bases = MECHANISMS["ppca"].release(at, Budget(2.0), np.random.default_rng(3), 20_000).bases
    along = at.eigenvectors[:, 0] @ bases
    first, last = np.square(along[:10_000, 0]), np.square(along[10_000:, -1])
    diagonal = np.square(along[10_000:, 0] + along[10_000:, -1]) / 2
    assert ks_2samp(first, last).pvalue > 1e-6
    assert ks_2samp(first, diagonal).pvalue > 1e-6
    assert (np.abs(np.sign(along).mean(axis=0)) < 5 / np.sqrt(20_000)).all()


@pytest.mark.parametrize("epsilon", [1e-12, 1e-3, 1e3, 1e7])
@pytest.mark.parametrize("k", [1, 3, 6])
def test_no_and_enormous_temperatures_work(epsilon, k):
    at = problem(SPECTRA[7], k)
    bases = MECHANISMS["ppca"].release(at, Budget(epsilon), np.random.default_rng(5), 50).bases
    np.testing.assert_allclose(
        bases.swapaxes(1, 2) @ bases, np.broadcast_to(np.eye(k), (50, k, k)), atol=1e-9
    )
    captured = np.einsum("tdk,de,tek->t", bases, at.moment, bases) / at.spectrum[:k].sum()
    if epsilon >= 1e7:
        assert captured.min() > 1 - 1e-6


def test_too_rare_draws_are_said_in_one_sentence_with_the_alternatives():
    values = 1000 * 0.97 ** np.arange(80)
    at = problem(values / values.sum() * 900, 20)
    refused = []
    for epsilon in np.geomspace(0.05, 50, 13):
        try:
            MECHANISMS["ppca"].release(at, Budget(epsilon), np.random.default_rng(6))
        except InfeasibleBudget as error:
            refused.append(str(error))
    assert refused
    for message in refused:
        assert "sequential PPCA" in message
        assert "not certified" in message
        assert message.count(".") == 1
    assert (
        MECHANISMS["ppca_sequential"].release(at, Budget(1.0), np.random.default_rng(7)).bases.shape
    )


def test_the_choice_of_sampler_does_not_depend_on_the_clock():
    costs = np.sort(np.random.default_rng(8).random(30)) * 40
    shares = {subspace_sampler(costs, 5)[1] for _ in range(3)}
    assert len(shares) == 1


def test_r_hat_tells_a_chain_that_has_mixed():
    at = problem(SPECTRA[7], 2)
    assert r_hat(at, Budget(0.2), np.random.default_rng(9)) < 1.2
