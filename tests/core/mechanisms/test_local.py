"""The local model: single reports, what they promise, the way to their sum; sparse directions."""

from math import exp, log, sqrt

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import chi2, mannwhitneyu, norm

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget, Notion, Problem, Standing
from dpca_core.mechanisms.local_sparse import LocalSparse
from dpca_core.mechanisms.neighbouring_pairs import worst_pair
from dpca_core.mechanisms.noise_on_s import reports
from dpca_core.metrics import quality, sin_theta
from dpca_core.sparse.sparse_pca import recovery, support
from sample_data.wang_xu import sample_rows
from tests.core.mechanisms.every_mechanism import BOTH
from tests.core.sampling.laws import CERTAIN, ERRORS, MANY, assert_law

BUDGET = Budget(4.0, 0.01)
BOTH_KINDS = pytest.mark.parametrize("key", ["local_gaussian", "local_printed"])


def wide_gap(n=1000):
    return Problem.from_moment(n * np.diag([0.45, 0.3, 0.15, 0.06, 0.03]), n, 2)


ROWS = np.random.default_rng(0).normal(size=(40, 3)) * (0.6, 0.3, 0.1)
ROWS /= np.maximum(1, np.linalg.norm(ROWS, axis=1, keepdims=True))
PROBLEM = Problem.from_rows(ROWS, 1)


@BOTH_KINDS
@pytest.mark.chance(2e-8)
def test_a_report_is_a_record_with_symmetric_noise_of_its_own(key):
    """Mean, variance and correlations of the six different entries of 40,000 reports."""
    sent = reports(MECHANISMS[key], np.tile(ROWS, (1000, 1)), BUDGET, np.random.default_rng(1))
    assert sent.shape == (40_000, 3, 3)
    np.testing.assert_array_equal(sent, sent.swapaxes(1, 2))
    noise = sent - np.tile(np.einsum("ni,nj->nij", ROWS, ROWS), (1000, 1, 1))
    sigma = MECHANISMS[key].calibrate(PROBLEM.scaled(1), BUDGET).scale
    diagonal, beside = MECHANISMS[key].law.std(3)
    spread = sigma * (beside + (diagonal - beside) * np.eye(3))
    assert (np.abs(noise.mean(axis=0)) < MANY * spread / 200).all()
    np.testing.assert_allclose(noise.var(axis=0), spread**2, rtol=MANY * sqrt(2 / 40_000))
    upper = noise[:, *np.triu_indices(3)]
    off = np.corrcoef(upper.T) - np.eye(6)
    assert np.abs(off).max() < MANY / 200
    assert np.abs(np.corrcoef(upper[1:, 0], upper[:-1, 0])[0, 1]) < ERRORS / 200


@BOTH_KINDS
@pytest.mark.chance(9e-8)
def test_the_sum_of_the_reports_has_the_law_of_the_shortcut(key):
    mechanism, rng, runs = MECHANISMS[key], np.random.default_rng(2), 4000
    summed = np.stack([reports(mechanism, ROWS, BUDGET, rng).sum(axis=0) for _ in range(runs)])
    short = mechanism.release(PROBLEM, BUDGET, rng, 20_000, keep="moment").moment
    for i, j in np.argwhere(np.triu(np.ones((3, 3)))):
        assert_law(summed[:, i, j], short[:, i, j])
    bases = np.linalg.eigh(summed)[1][:, :, -1:]
    kept = quality(PROBLEM, bases).captured
    drawn = quality(PROBLEM, np.linalg.eigh(short)[1][:, :, -1:]).captured
    assert_law(kept, drawn)
    assert mannwhitneyu(kept, drawn).pvalue > CERTAIN
    scale = mechanism.calibrate(PROBLEM, BUDGET).scale
    diagonal, beside = mechanism.law.std(3)
    whitened = np.triu((summed - PROBLEM.moment) / scale)
    whitened /= beside + (diagonal - beside) * np.eye(3)
    assert chi2.ppf(CERTAIN, 6 * runs) < np.square(whitened).sum() < chi2.isf(CERTAIN, 6 * runs)


@pytest.mark.parametrize("key", ["gaussian", "ppca"])
def test_a_central_mechanism_has_no_reports(key):
    with pytest.raises(ValueError, match=r"has no reports: choose a local Gaussian mechanism\."):
        reports(MECHANISMS[key], ROWS, BUDGET, np.random.default_rng(0))


def test_records_outside_the_ball_are_refused():
    with pytest.raises(ValueError, match="A row has norm 2"):
        reports(MECHANISMS["local_gaussian"], np.eye(3) * 2, BUDGET, np.random.default_rng(0))


def true_epsilon(sigma, delta):
    """Balle & Wang 2018, Theorem 8, at √2."""

    def excess(epsilon):
        half, shift = 1 / (sqrt(2) * sigma), epsilon * sigma / sqrt(2)
        return norm.cdf(half - shift) - exp(epsilon) * norm.cdf(-half - shift) - delta

    return brentq(excess, 0, 100) if excess(0) > 0 else 0.0


@BOTH
@pytest.mark.parametrize(
    ("epsilon", "delta", "standing"),
    [
        (0.5, 1e-4, Standing.PROVED),
        (1.0, 1e-6, Standing.WEAKER),
        (1.0, 1e-2, Standing.PROVED),
        (10.0, 1e-2, Standing.WEAKER),
    ],
)
def test_the_true_epsilon_of_the_printed_noise(epsilon, delta, standing, adjacency):
    budget = Budget(epsilon, delta, adjacency)
    found = MECHANISMS["local_printed"].guarantee(wide_gap(), budget)
    sigma = sqrt(2 * log(1.25 / delta)) / epsilon
    assert found.epsilon == pytest.approx(true_epsilon(sigma, delta), rel=1e-9)
    assert (found.notion, found.standing) == (Notion.LOCAL, standing)
    assert found.noise_multiplier == pytest.approx(sigma / sqrt(2))
    if standing is Standing.WEAKER:
        assert found.erratum.endswith(f"true ε = {found.epsilon:.3g}.")
        assert ("only for ε ≤ 1" in found.erratum) == (epsilon > 1)


@BOTH
def test_the_calibrated_report_spends_all_of_epsilon(adjacency):
    for epsilon in (0.1, 1.0, 8.0):
        budget = Budget(epsilon, 1e-5, adjacency)
        tau = MECHANISMS["local_gaussian"].calibrate(wide_gap(1), budget).scale
        found = MECHANISMS["local_gaussian"].guarantee(wide_gap(), budget)
        assert (found.epsilon, found.notion) == (epsilon, Notion.LOCAL)
        assert true_epsilon(tau, 1e-5) == pytest.approx(epsilon, rel=1e-9)


@BOTH_KINDS
def test_what_a_report_promises_depends_on_nobody_else(key):
    promised = {
        (g.epsilon, g.delta, g.standing)
        for n in (1, 50, 10**6)
        for a in Adjacency
        for g in [MECHANISMS[key].guarantee(wide_gap(n), Budget(2.0, 1e-3, a))]
    }
    assert len(promised) == 1


@BOTH_KINDS
def test_pure_local_privacy_is_not_in_the_paper(key):
    with pytest.raises(InfeasibleBudget, match="pure mechanism with a trusted curator"):
        MECHANISMS[key].calibrate(PROBLEM, Budget(1.0))


@BOTH
@BOTH_KINDS
@pytest.mark.parametrize(("d", "k", "n"), [(5, 2, 13), (2, 1, 50)])
def test_the_pair_is_one_person_with_one_record_or_another(key, adjacency, d, k, n):
    pair = worst_pair(MECHANISMS[key], d, k, n, Budget(1.0, 0.01, adjacency))
    change = pair.with_person.moment - pair.without_person.moment
    np.testing.assert_array_equal(
        change, np.outer(pair.person, pair.person) - np.outer(pair.stand_in, pair.stand_in)
    )
    assert np.linalg.norm(np.triu(change)) == pytest.approx(sqrt(2))
    assert pair.with_person.n == pair.without_person.n == 1


# --- Sparse directions ---

SPARSE = sample_rows(4000, 60, 2, 8, strength=200, seed=1)


def sparse_problem(n=2e8):
    return Problem.from_rows(SPARSE.rows, 2).scaled(n)


def test_the_penalty_is_a_multiple_of_the_noise_and_reads_no_data():
    """λ = c·s·√(ln d), s the standard deviation of an off-diagonal entry of the average noise."""
    budget, problem = Budget(1.0, 1e-4), sparse_problem(5000)
    tau = MECHANISMS["local_gaussian"].calibrate(problem.scaled(1), budget).scale
    expected = tau / sqrt(2 * 5000) * sqrt(log(60))
    assert LocalSparse().penalty(problem, budget) == pytest.approx(expected)
    assert LocalSparse(sparsity=2.5).penalty(problem, budget) == pytest.approx(2.5 * expected)
    other = Problem.from_moment(np.diag(np.linspace(80, 1, 60)), 5000, 2)
    assert LocalSparse().penalty(other, budget) == LocalSparse().penalty(problem, budget)


def test_without_a_penalty_it_is_the_local_gaussian():
    problem, budget = sparse_problem(), Budget(1.0, 1e-4)
    sparse, dense = (
        m.release(problem, budget, np.random.default_rng(3), 3, keep="moment")
        for m in (LocalSparse(sparsity=0.0), MECHANISMS["local_gaussian"])
    )
    np.testing.assert_array_equal(sparse.moment, dense.moment)
    np.testing.assert_allclose(sin_theta(sparse.bases, dense.bases), 0, atol=1e-9)


@pytest.mark.chance(1e-7)
def test_few_columns_are_found_where_dense_directions_are_lost():
    """Two directions on 8 of 60 columns, the same reports by either; six errors from each limit."""
    problem, budget = sparse_problem(), Budget(1.0, 1e-4)
    sparse, dense = (
        m.release(problem, budget, np.random.default_rng(4), 20)
        for m in (LocalSparse(), MECHANISMS["local_gaussian"])
    )
    better, worse = (sin_theta(SPARSE.directions, r.bases) for r in (sparse, dense))
    assert better.mean() < worse.mean()
    found = [recovery(s, SPARSE.support) for s in support(sparse.bases)]
    assert np.mean([r.precision for r in found]) > 0.9
    assert np.mean([r.recall for r in found]) > 0.75
    assert support(dense.bases).sum(axis=1).min() > 50
    np.testing.assert_array_equal(sparse.info["columns"], support(sparse.bases).sum(axis=1))
    assert (sparse.info["converged"] == 1).all()
    assert np.maximum(sparse.info["primal"], sparse.info["change"]).max() <= 1e-3
    assert sparse.info["iterations"].min() >= 1


def test_many_trials_are_those_of_single_ones(monkeypatch):
    """Trials go through the solver in blocks; the block does not matter."""
    problem, budget = sparse_problem(), Budget(1.0, 1e-4)
    whole = LocalSparse().release(problem, budget, np.random.default_rng(6), 5)
    monkeypatch.setattr("dpca_core.mechanisms.local_sparse._ENTRIES", 2 * 60**2)
    parts = LocalSparse().release(problem, budget, np.random.default_rng(6), 5)
    np.testing.assert_allclose(parts.bases, whole.bases, atol=1e-9)
