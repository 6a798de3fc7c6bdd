"""The local model: single reports, what they promise, and the short way to their sum.

Statistical tests have fixed seeds; for fresh ones each fails by chance as often as it says.
"""

from math import exp, log, sqrt

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import chi2, kstest, mannwhitneyu, norm

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget, Notion, Problem, Standing
from dpca_core.analysis.requirements import EpsilonNeeded, people_needed
from dpca_core.audit.audit import audit
from dpca_core.audit.worst_pair import worst_pair
from dpca_core.linalg.symmetric import orthonormal, top_basis
from dpca_core.mechanisms.local import reports
from dpca_core.mechanisms.local_sparse import LocalSparse
from dpca_core.metrics import quality, sin_theta
from dpca_core.simulation.wang_xu import DENSE_K, dense_design, sparse_design, spiked_eigenvalues
from dpca_core.sparse.fantope import solve
from dpca_core.sparse.sparse_pca import recovery, support

KEYS = ("local_gaussian", "local_printed")
BOTH_KINDS = pytest.mark.parametrize("key", KEYS)
BOTH = pytest.mark.parametrize("adjacency", Adjacency)
BUDGET = Budget(4.0, 0.01)


def some_rows(n=40, d=3, seed=0):
    rows = np.random.default_rng(seed).normal(size=(n, d)) * (0.6, 0.3, 0.1)
    return rows / np.maximum(1, np.linalg.norm(rows, axis=1, keepdims=True))


ROWS = some_rows()
PROBLEM = Problem.from_rows(ROWS, 1)


def wide_gap(n=1000):
    return Problem.from_moment(n * np.diag([0.45, 0.3, 0.15, 0.06, 0.03]), n, 2)


# --- Reports ---


@BOTH_KINDS
def test_a_report_is_a_record_with_symmetric_noise_of_its_own(key):
    """Variances of 40,000 entries within 5 of their standard deviations: 1e-6 an entry."""
    sent = reports(MECHANISMS[key], np.tile(ROWS, (1000, 1)), BUDGET, np.random.default_rng(1))
    assert sent.shape == (40_000, 3, 3)
    np.testing.assert_array_equal(sent, sent.swapaxes(1, 2))
    noise = sent - np.tile(np.einsum("ni,nj->nij", ROWS, ROWS), (1000, 1, 1))
    sigma = MECHANISMS[key].calibrate(PROBLEM.scaled(1), BUDGET).scale
    diagonal, beside = MECHANISMS[key].deviations(3)
    spread = sigma * (beside + (diagonal - beside) * np.eye(3))
    assert (np.abs(noise.mean(axis=0)) < 5 * spread / 200).all()
    np.testing.assert_allclose(noise.var(axis=0), spread**2, rtol=5 * sqrt(2 / 40_000))
    upper = noise[:, *np.triu_indices(3)]
    off = np.corrcoef(upper.T) - np.eye(6)
    assert np.abs(off).max() < 5 / 200
    assert np.abs(np.corrcoef(upper[1:, 0], upper[:-1, 0])[0, 1]) < 5 / 200


@BOTH_KINDS
def test_the_sum_of_the_reports_has_the_law_of_the_shortcut(key):
    """Each of the tests below fails by chance once in 10⁶."""
    mechanism, rng, runs = MECHANISMS[key], np.random.default_rng(2), 4000
    summed = np.stack([reports(mechanism, ROWS, BUDGET, rng).sum(axis=0) for _ in range(runs)])
    short = mechanism.release(PROBLEM, BUDGET, rng, 20_000, keep="moment").moment
    for i, j in np.argwhere(np.triu(np.ones((3, 3)))):
        assert kstest(summed[:, i, j], short[:, i, j]).pvalue > 1e-6
    bases = np.linalg.eigh(summed)[1][:, :, -1:]
    kept = quality(PROBLEM, bases).captured
    drawn = quality(PROBLEM, np.linalg.eigh(short)[1][:, :, -1:]).captured
    assert kstest(kept, drawn).pvalue > 1e-6
    assert mannwhitneyu(kept, drawn).pvalue > 1e-6
    scale = mechanism.calibrate(PROBLEM, BUDGET).scale
    diagonal, beside = mechanism.deviations(3)
    whitened = np.triu((summed - PROBLEM.moment) / scale)
    whitened /= beside + (diagonal - beside) * np.eye(3)
    assert chi2.ppf(5e-7, 6 * runs) < np.square(whitened).sum() < chi2.isf(5e-7, 6 * runs)


@BOTH_KINDS
def test_the_noise_of_the_sum_is_root_n_times_that_of_a_report(key):
    one = MECHANISMS[key].calibrate(wide_gap(1), BUDGET).scale
    for n in (4, 100, 10_000):
        assert MECHANISMS[key].calibrate(wide_gap(n), BUDGET).scale == pytest.approx(one * sqrt(n))


@pytest.mark.parametrize("key", ["gaussian", "ppca"])
def test_a_central_mechanism_has_no_reports(key):
    with pytest.raises(ValueError, match=r"has no reports; choose a local Gaussian mechanism\."):
        reports(MECHANISMS[key], ROWS, BUDGET, np.random.default_rng(0))


def test_records_outside_the_ball_are_refused():
    with pytest.raises(ValueError, match="A row has norm 2"):
        reports(MECHANISMS["local_gaussian"], np.eye(3) * 2, BUDGET, np.random.default_rng(0))


# --- What a report promises ---


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
        (1.0, 1e-4, Standing.WEAKER),
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
        assert ("ε ≤ 1 only" in found.erratum) == (epsilon > 1)


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


def test_two_records_differ_by_root_two_at_most_in_either_norm():
    """Random search; attained by two records of one entry, and never by nobody."""
    rng = np.random.default_rng(3)
    x, y = some_rows(20_000, 3, 4), some_rows(20_000, 3, 5)[rng.permutation(20_000)]
    change = np.einsum("ni,nj->nij", x, x) - np.einsum("ni,nj->nij", y, y)
    assert np.linalg.norm(change, axis=(1, 2)).max() <= sqrt(2) + 1e-12
    assert np.linalg.norm(np.triu(change), axis=(1, 2)).max() <= sqrt(2) + 1e-12
    assert np.linalg.norm(np.diag([1.0, -1.0])) == pytest.approx(sqrt(2))
    assert np.linalg.norm(np.einsum("ni,nj->nij", x, x), axis=(1, 2)).max() <= 1 + 1e-12


@BOTH_KINDS
def test_pure_local_privacy_is_not_in_the_paper(key):
    with pytest.raises(InfeasibleBudget, match="the paper has no pure local algorithm"):
        MECHANISMS[key].calibrate(PROBLEM, Budget(1.0))


# --- Audits ---


@BOTH
@BOTH_KINDS
@pytest.mark.parametrize(("d", "k", "n"), [(5, 2, 13), (2, 1, 50)])
def test_the_pair_is_one_person_with_one_record_or_another(key, adjacency, d, k, n):
    pair = worst_pair(MECHANISMS[key], d, k, n, Budget(1.0, 0.01, adjacency))
    change = pair.with_person.moment - pair.without_person.moment
    np.testing.assert_array_equal(change, np.outer(pair.person, pair.person)
                                  - np.outer(pair.stand_in, pair.stand_in))  # fmt: skip
    assert np.linalg.norm(np.triu(change)) == pytest.approx(sqrt(2))
    assert pair.with_person.n == pair.without_person.n == 1


def test_an_attacker_who_sees_a_report_convicts_the_printed_claim():
    """ε = 3 is claimed at δ = 0.5, 3.94 holds; 60 other seeds failed 0 times."""
    budget, mechanism = Budget(3.0, 0.5), MECHANISMS["local_printed"]
    pair = worst_pair(mechanism, 4, 1, 100, budget)
    found = audit(mechanism, pair, budget, releases=20_000)
    assert found.claim_convicted
    assert not found.convicted


# --- How many people ---


@BOTH_KINDS
def test_people_needed_for_a_noise_that_grows_with_them(key):
    """σ/√n is the number that counts: twice the noise of a report takes four times the people."""
    problem, mechanism = wide_gap(), MECHANISMS[key]
    budget, enough = Budget(2.0, 1e-3), Budget(8.0, 1e-3)
    ratio = mechanism.calibrate(problem, budget).scale / mechanism.calibrate(problem, enough).scale
    needed = EpsilonNeeded(8.0, certain=True)
    n = people_needed(mechanism, problem, budget, epsilon_needed=needed, target=0.9).n
    assert n == pytest.approx(problem.n * ratio**2, rel=2e-3)
    there = mechanism.release(problem.scaled(n), budget, np.random.default_rng(0), 200).bases
    here = mechanism.release(problem, enough, np.random.default_rng(0), 200).bases
    np.testing.assert_allclose(
        quality(problem.scaled(n), there).captured, quality(problem, here).captured, atol=2e-3
    )


def test_matching_a_curator_takes_the_square_of_the_people():
    """2n² where people come or go, n² where they are replaced: docs/local.md."""
    local, central = MECHANISMS["local_gaussian"], MECHANISMS["gaussian"]
    for adjacency, people in ((Adjacency.ADD_OR_REMOVE_ONE, 2 * 300**2),
                              (Adjacency.REPLACE_ONE, 300**2)):  # fmt: skip
        budget = Budget(1.0, 1e-5, adjacency)
        assert local.relative_noise(wide_gap(people), budget) == pytest.approx(
            central.relative_noise(wide_gap(300), budget)
        )


# --- Sparse directions ---

SPARSE = sparse_design(4000, 60, 2, 8, strength=200, seed=1)


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


def test_few_columns_are_found_where_dense_directions_are_lost():
    """Two directions on 8 of 60 columns, the same reports by either; 40 other seeds all passed."""
    problem, budget = sparse_problem(), Budget(1.0, 1e-4)
    sparse, dense = (
        m.release(problem, budget, np.random.default_rng(4), 20)
        for m in (LocalSparse(), MECHANISMS["local_gaussian"])
    )
    better, worse = (sin_theta(SPARSE.directions, r.bases) for r in (sparse, dense))
    assert (better < worse).mean() >= 0.75
    assert np.median(better) < 0.9 * np.median(worse)
    found = [recovery(s, SPARSE.support) for s in support(sparse.bases)]
    assert np.mean([r.precision for r in found]) > 0.95
    assert np.mean([r.recall for r in found]) > 0.8
    assert support(dense.bases).sum(axis=1).min() > 50
    np.testing.assert_array_equal(sparse.info["columns"], support(sparse.bases).sum(axis=1))


def test_a_release_says_how_far_it_got():
    info = LocalSparse().release(sparse_problem(), BUDGET, np.random.default_rng(5), 4).info
    assert set(info) == {"iterations", "primal", "change", "converged", "columns"}
    assert (info["converged"] == 1).all()
    assert np.maximum(info["primal"], info["change"]).max() <= 1e-3
    assert info["iterations"].min() >= 1


def test_many_trials_are_those_of_single_ones(monkeypatch):
    """Trials go through the solver in blocks; the block does not matter."""
    problem, budget = sparse_problem(), Budget(1.0, 1e-4)
    whole = LocalSparse().release(problem, budget, np.random.default_rng(6), 5)
    monkeypatch.setattr("dpca_core.mechanisms.local_sparse._ENTRIES", 2 * 60**2)
    parts = LocalSparse().release(problem, budget, np.random.default_rng(6), 5)
    np.testing.assert_allclose(parts.bases, whole.bases, atol=1e-9)
    np.testing.assert_array_equal(parts.info["iterations"], whole.info["iterations"])


def test_turned_data_do_not_give_turned_directions():
    """Same noise, turned along: the dense mechanism does not mind, the penalty does."""
    problem, budget = sparse_problem(), Budget(1.0, 1e-4)
    turn = orthonormal(np.random.default_rng(7).standard_normal((60, 60)))
    moment = turn @ problem.moment @ turn.T
    turned = Problem.from_moment((moment + moment.T) / 2, problem.n, 2)
    (unit,) = LocalSparse().unit(60, 2, np.random.default_rng(8), 1)
    along = turn @ unit @ turn.T
    along = (along + along.swapaxes(1, 2)) / 2
    for mechanism, same in ((MECHANISMS["local_gaussian"], True), (LocalSparse(), False)):
        here = mechanism.apply(problem, budget, (unit,)).bases[0]
        there = mechanism.apply(turned, budget, (along,)).bases[0]
        assert (float(sin_theta(turn @ here, there)) < 1e-6) == same


def test_only_noise_over_people_matters_to_sparse_directions():
    """Four times the people with twice the noise of a report: the same directions."""
    mechanism, problem, budget = LocalSparse(), sparse_problem(), Budget(1.0, 1e-4)
    tau = MECHANISMS["local_gaussian"].calibrate(problem.scaled(1), budget).scale

    def excess(epsilon):
        found = MECHANISMS["local_gaussian"].calibrate(problem.scaled(1), Budget(epsilon, 1e-4))
        return found.scale - 2 * tau

    less = Budget(brentq(excess, 0.1, 1), 1e-4)
    many = problem.scaled(4 * problem.n)
    assert mechanism.relative_noise(many, less) == pytest.approx(
        mechanism.relative_noise(problem, budget)
    )
    here = mechanism.release(problem, budget, np.random.default_rng(9), 3).bases
    there = mechanism.release(many, less, np.random.default_rng(9), 3).bases
    np.testing.assert_allclose(sin_theta(here, there), 0, atol=1e-6)


# --- Numbers the document states ---


@pytest.mark.parametrize(("delta", "stated"), [(1e-6, 1.139), (1e-4, 1.043), (1e-2, 0.811)])
def test_the_true_epsilons_stated(delta, stated):
    found = MECHANISMS["local_printed"].guarantee(wide_gap(), Budget(1.0, delta)).epsilon
    assert stated - 0.001 < found <= stated


@pytest.mark.parametrize("k", DENSE_K)
def test_the_dense_experiment_of_the_paper_shows_random_directions(k):
    """Mean error of 20 releases within 5 standard errors of √(2k(1 − k/p)), 6e-7 by chance."""
    drawn, budget = dense_design(100_000, 40, k, seed=k), Budget(0.5, 1e-4)
    problem, mechanism = Problem.from_rows(drawn.rows, k), MECHANISMS["local_printed"]
    bases = mechanism.release(problem, budget, np.random.default_rng(0), 20).bases
    errors = sqrt(2) * sin_theta(drawn.directions, bases)
    assert drawn.clipped == 0
    random = sqrt(2 * k * (1 - k / 40))
    assert errors.mean() == pytest.approx(random, abs=5 * errors.std() / sqrt(20))
    if k == 5:
        assert errors.mean() == pytest.approx(2.93, abs=0.03)
        central = MECHANISMS["gaussian"].release(problem, budget, np.random.default_rng(0), 20)
        assert sqrt(2) * sin_theta(drawn.directions, central.bases).mean() == pytest.approx(
            0.32, abs=0.02
        )
        crowd = Problem.from_moment(1e10 * np.diag(spiked_eigenvalues(40, 5)), 1e10, 5)
        many = mechanism.release(crowd, budget, np.random.default_rng(0), 20).bases
        assert sqrt(2) * sin_theta(crowd.basis, many).mean() == pytest.approx(0.65, abs=0.05)


def test_the_noise_of_the_dense_experiment_is_as_large_as_stated():
    """400 norms, whose mean has a standard error of 0.2 %: 1 % is five of them."""
    mechanism, crowd = MECHANISMS["local_printed"], Problem.from_moment(np.eye(40), 1e5, 5)
    scale = mechanism.calibrate(crowd, Budget(0.5, 1e-4)).scale
    limit = 2 * scale * sqrt(40)
    assert (limit, limit / 250) == pytest.approx((34_749, 139), abs=0.5)
    norms = np.abs(np.linalg.eigvalsh(mechanism.matrices(40, np.random.default_rng(1), 400)))
    largest = scale * norms.max(axis=1).mean()
    assert (largest, largest / 250) == pytest.approx((33_400, 134), rel=0.01)


def test_the_sparse_experiment_of_the_paper_has_nothing_to_find():
    drawn, budget = sparse_design(2000, 400, 10, 20, seed=1), Budget(1.0, 1e-4)
    problem = Problem.from_rows(drawn.rows, 10)
    noise = MECHANISMS["local_printed"].calibrate(problem, budget).scale / 2000
    assert noise == pytest.approx(0.097, abs=5e-4)
    assert spiked_eigenvalues(400, 10).max() == pytest.approx(0.0005)
    average = problem.moment / 2000
    found = solve(average, 10, spiked_eigenvalues(400, 10)[0] * sqrt(log(400) / 2000))
    assert recovery(support(top_basis(found.sparse, 10)), drawn.support) == (1, 1)


def test_no_error_is_above_the_ceiling():
    """Table 2 prints 4.518 at k = 10."""
    first, second = np.eye(40)[:, :10], np.eye(40)[:, 20:30]
    largest = np.linalg.norm(first @ first.T - second @ second.T)
    assert largest == pytest.approx(sqrt(20))
    assert largest < 4.4722 < 4.518
