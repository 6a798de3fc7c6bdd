"""Exact PPCA against importance sampling and against the Gibbs sampler that the paper runs.

Costs 1.1 times too large shift the scores compared by at least 9 standard errors (d ≤ 7) and by two
standard deviations of a single draw (d = 100), so they fail with a chance of more than 99 %.
"""

from itertools import islice

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, Problem
from dpca_core.linalg.symmetric import orthonormal, symmetrized
from dpca_core.mechanisms import exponential, ppca_gibbs
from dpca_core.mechanisms.exponential import WIDE_COLUMNS, inverse_temperature
from dpca_core.mechanisms.ppca_gibbs import gibbs, r_hat
from dpca_core.privacy.budget import NotDrawnInTime
from dpca_core.sampling.column_gibbs import sweeps_beside
from dpca_core.sampling.matrix_bingham_sampler_choice import subspace_sampler
from dpca_core.simulation.sweep import sweep
from tests.cases import sampled
from tests.core.sampling.laws import ERRORS, assert_frames, assert_law, diagonals

SPECTRA = {
    2: [12.0, 9.0],
    3: [14.0, 12.0, 9.0],
    5: [30.0, 24.0, 21.0, 15.0, 10.0],
    7: [30.0, 25.0, 22.0, 21.0, 16.0, 13.0, 10.0],
}


def problem(values, k, seed=0, n=1000):
    d = len(values)
    q = orthonormal(np.random.default_rng(seed).standard_normal((1, d, d)))[0]
    return Problem.from_moment(symmetrized((q * np.array(values)) @ q.T), n, k)


@pytest.mark.chance(9e-8)
@pytest.mark.parametrize("adjacency", Adjacency)
@pytest.mark.parametrize(
    ("d", "k"),
    sampled([(5, 2), (2, 1), (3, 1), (3, 2), (5, 3), (7, 2), (7, 3)], 4, "half a second each"),
)
def test_exact_draws_against_importance_sampling(d, k, adjacency):
    """In more dimensions weighted uniform draws are worth far fewer than exact ones.

    Where ε is 1.1 times too large or too small, at least one of the comparisons fails.
    """
    at, budget = problem(SPECTRA[d], k), Budget(0.5, 0.0, adjacency)
    rng, draws = np.random.default_rng(1), 50_000 if d > 3 else 200_000
    heat = inverse_temperature(budget)
    haar = orthonormal(rng.standard_normal((200_000, d, k)))
    scores = heat * ((at.moment @ haar) * haar).sum(axis=(1, 2))
    weights = np.exp(scores - scores.max())
    exact = MECHANISMS["ppca"].release(at, budget, rng, draws).bases
    exact_scores = heat * ((at.moment @ exact) * exact).sum(axis=(1, 2))
    for power in (1, 2):
        statistic = scores**power
        mean = np.average(statistic, weights=weights)
        own = exact_scores**power
        spread = weights * (statistic - mean)
        error = np.sqrt((spread**2).sum()) / weights.sum() + own.std() / np.sqrt(draws)
        assert abs(own.mean() - mean) < ERRORS * error
    # The direction, not only the score: where the span lies among the eigenvectors.
    inside = np.square(at.eigenvectors.T @ haar).sum(axis=2)
    expected = np.average(inside, axis=0, weights=weights)
    found = np.square(at.eigenvectors.T @ exact).sum(axis=2)
    spread = weights[:, None] * (inside - expected)
    error = np.sqrt((spread**2).sum(axis=0)) / weights.sum() + found.std(axis=0) / np.sqrt(draws)
    assert (np.abs(found.mean(axis=0) - expected) < ERRORS * error).all()


@pytest.mark.chance(5e-8)
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
    assert_law(first, last)
    assert_law(first, diagonal)
    assert (np.abs(np.sign(along).mean(axis=0)) < ERRORS / np.sqrt(20_000)).all()


# --- Nothing that is decided from the spectrum is an output ---


def line(f):
    """S = diag(15 × (f + 3), 25 × 3), k = 10: fifteen equal directions, f people above the rest."""
    values = np.r_[np.full(15, f + 3.0), np.full(25, 3.0)]
    return Problem.from_moment(np.diag(values), 2_000, 10)


@pytest.mark.parametrize("near", [18.0, 21.0, 24.77, 60.0])
def test_no_small_change_of_the_data_turns_a_release_into_a_refusal(near):
    """f = 24.76 and 24.78 were "always released" and "always refused" (ε = 1)."""
    for f in (near - 0.01, near + 0.01):
        at, budget = line(f), Budget(1.0)
        assert MECHANISMS["ppca"].guarantee(at, budget).meets(budget)
        release = MECHANISMS["ppca"].release(at, budget, np.random.default_rng(21))
        assert not release.refused.any()
        assert_frames(release.bases)


def hard():
    """Eigenvalues that fall by 3 % each, k = 20, ε = 2: 10¹⁰ proposals a draw."""
    values = 0.97 ** np.arange(80)
    return problem(values / values.sum() * 900, 20), Budget(2.0)


def test_the_promise_and_the_noise_do_not_look_at_the_spectrum():
    """Where drawing would take for ever guarantee, claim and noise are those of any other data."""
    (at, budget), ppca = hard(), MECHANISMS["ppca"]
    flat = problem(np.ones(80), 20)
    for asked in (ppca.guarantee, ppca.claim, ppca.calibrate):
        assert asked(at, budget) == asked(flat, budget)


def test_a_page_says_that_it_does_not_wait():
    at, budget = hard()
    with pytest.raises(NotDrawnInTime) as said:
        MECHANISMS["ppca"].simulate(at, budget, np.random.default_rng(6))
    assert str(said.value).startswith("Not drawn in time: ")
    assert str(said.value).count(".") == 1
    for other in ("sequential", "Gibbs"):
        assert other not in str(said.value)
    table = sweep(["ppca"], at, epsilon=[0.3, 2.0], delta=0.0, trials=2)
    assert list(table.note.str.startswith("Not drawn in time")) == [False, False, True, True]
    assert list(table.captured.isna()) == [False, False, True, True]
    assert not table.refused.any()


class Interrupted(np.random.Generator):
    """Normals until somebody presses Ctrl-C."""

    left = 8

    def standard_normal(self, size=None):
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt
        return super().standard_normal(size)


def test_a_release_that_takes_long_can_be_stopped_and_hands_out_nothing():
    at, budget = hard()
    release = None
    with pytest.raises(KeyboardInterrupt):
        release = MECHANISMS["ppca"].release(at, budget, Interrupted(np.random.PCG64(8)))
    assert release is None


def test_spectra_of_the_papers_are_drawn_soon():
    """One direction far from all others, as means are that nobody took off: 10⁷ proposals before.

    Shares of the insurance data (d = 85, k = 11, n = 6,000) and of KDD Cup 99 (d = 110, k = 4,
    n = 5,000), ε = 0.1, one person replaced.
    """
    insurance = np.r_[0.388, 0.03, 0.0139, 0.0109, 0.0078, 0.0064, 0.005 * 0.95 ** np.arange(79)]
    kddcup = np.r_[0.514, 0.12, 0.055, 0.028, 0.009, 0.004 * 0.9 ** np.arange(105)]
    for values, k, n in ((insurance, 11, 6_000), (kddcup, 4, 5_000)):
        costs = 0.05 * n * (values[0] - values)
        sampler, proposals = subspace_sampler(costs, k)
        assert proposals < 60
        assert sampler.draw(np.random.default_rng(23), 20).shape == (20, len(values), k)


@pytest.mark.parametrize("seed", [50, 140])
def test_gaps_near_the_smallest_number_there_is_are_drawn(seed):
    """Both overflowed: an entry of Y has variance 1/(2·gap), and a solver met ∞."""
    rng = np.random.default_rng(seed)
    d = int(rng.integers(3, 9))
    k = int(rng.integers(1, d))
    at = Problem.from_moment(np.diag(10.0 ** -rng.uniform(290, 322, d)), 10, k)
    budget = Budget(float(10 ** rng.uniform(-3, 3)))
    assert_frames(MECHANISMS["ppca"].release(at, budget, np.random.default_rng(seed), 2).bases)


@pytest.mark.chance(8e-8)
@pytest.mark.parametrize("epsilon", sampled([0.5, 0.05, 20.0], 3, "two seconds each"))
def test_directions_beside_each_other_have_the_law_of_those_in_eigenvectors(monkeypatch, epsilon):
    """The sequential mechanism on wide tables and on narrow ones, on the same narrow table."""
    at = problem(SPECTRA[7], 3)
    found = []
    for fewest in (0, 8):
        monkeypatch.setattr(exponential, "WIDE_COLUMNS", fewest)
        rng = np.random.default_rng(31 + fewest)
        bases = MECHANISMS["ppca_sequential"].release(at, Budget(epsilon), rng, 2_000).bases
        assert_frames(bases)
        found.append(diagonals(at.eigenvectors.T @ bases))
    for beside, in_eigenvectors in zip(found[0].T, found[1].T, strict=True):
        assert_law(beside, in_eigenvectors)
    assert_law(*(shares @ at.spectrum for shares in found))


# --- Gibbs sampling without eigenvectors of what is left, and with them ---


@pytest.mark.chance(1e-8)
def test_r_hat_tells_a_chain_that_has_mixed():
    assert r_hat(problem(SPECTRA[7], 2), Budget(0.2), np.random.default_rng(9)) < 1.3


def generators(count):
    return [np.random.default_rng(seed) for seed in range(count)]


@pytest.mark.parametrize("k", [1, 3])
def test_the_mechanism_draws_so_on_wide_tables(k):
    weights, start = np.linspace(40, 0, WIDE_COLUMNS), np.eye(WIDE_COLUMNS)[:, :k]
    frames, scores = gibbs(weights, np.stack([start] * 2), 3, generators(2))
    for frame, score, rng in zip(frames, scores, generators(2), strict=True):
        chain = [sweep.copy() for sweep in islice(sweeps_beside(weights, start, rng), 3)]
        np.testing.assert_array_equal(frame, chain[-1])
        assert score == pytest.approx([(np.square(f).T @ weights).sum() for f in chain])
    narrow, few = weights[1:], start[:-1]
    eigen = gibbs(narrow, few[None], 3, generators(1))[0][0]
    other = next(islice(sweeps_beside(narrow, few, *generators(1)), 2, None))
    assert not np.allclose(eigen, other), "and otherwise on others"


@pytest.mark.parametrize("k", [1, 4])
def test_each_chain_has_its_own_start_and_generator(k, monkeypatch):
    """However many run together, and whichever: a chain is what it is alone."""
    weights = np.array([9.0, 7, 4, 3, 1, 0])
    starts = np.linalg.qr(np.random.default_rng(7).standard_normal((5, 6, k)))[0]
    monkeypatch.setattr(ppca_gibbs, "ENTRIES_AT_ONCE", 3 * 36)
    frames, scores = gibbs(weights, starts, 4, generators(5))
    for i, rng in enumerate(generators(5)):
        alone = gibbs(weights, starts[[i]], 4, [rng])
        np.testing.assert_allclose(frames[i], alone[0][0], rtol=0, atol=1e-10)
        assert scores[i] == pytest.approx(alone[1][0])
    assert frames.swapaxes(1, 2) @ frames == pytest.approx(np.stack([np.eye(k)] * 5), abs=1e-12)


@pytest.mark.chance(1e-7)
def test_chains_capture_what_the_mechanisms_do():
    """Scores of 40 chains after 10 sweeps each; six errors of few chains: Student's t."""
    weights, k = np.array([30.0, 22, 15, 9, 4, 2, 1, 0]), 3
    start = np.eye(8)[:, :k]
    found = np.empty((2, 40))
    for i, rng in enumerate(generators(40)):
        frame = next(islice(sweeps_beside(weights, start, rng), 9, None))
        assert frame.T @ frame == pytest.approx(np.eye(k), abs=1e-9)
        found[0, i] = (np.square(frame).T @ weights).sum()
    rngs = [np.random.default_rng(1000 + i) for i in range(40)]
    found[1] = gibbs(weights, np.stack([start] * 40), 10, rngs)[1][:, -1]
    error = np.sqrt(found.var(axis=1).sum() / 40)
    assert abs(found[0].mean() - found[1].mean()) < 6 * error
