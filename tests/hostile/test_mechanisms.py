"""Whatever data and budget a mechanism meets: orthonormal bases or one sentence, in time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget, Problem
from dpca_core.linalg.symmetric import rows_with_sum
from dpca_core.metrics import quality
from tests.hostile.one_sentence import bounded, require_sentence

SPECTRA = {
    "nothing": lambda d: (np.zeros(d), 1.0),
    "no gap at all": lambda d: (np.full(d, 100.0), 1000.0),
    "two equal": lambda d: (np.r_[300.0, 300.0, np.ones(d - 2)], 1000.0),
    "a gap of rounding": lambda d: (np.r_[100 * (1 + 1e-15), np.full(d - 1, 100.0)], 1000.0),
    "rank one": lambda d: (np.r_[500.0, np.zeros(d - 1)], 1000.0),
    "one person": lambda d: (np.r_[1.0, np.zeros(d - 1)], 1.0),
    "tiny": lambda d: (np.r_[1e-300, np.zeros(d - 1)], 1.0),
    "a fraction of a person": lambda d: (np.geomspace(1e-3, 1e-9, d), 0.01),
    "many people": lambda d: (np.geomspace(1e14, 1e3, d), 1e15),
    "ordinary": lambda d: (np.linspace(900.0, 100.0, d) / d, 1000.0),
}
LOG = st.floats(-6, 3).map(lambda e: 10.0**e)
DELTAS = st.one_of(st.just(0.0), st.floats(-12, -1).map(lambda e: 10.0**e))
EXAMPLES, FEW = 40, 12
MOST_ROWS = 10_000
SLOW = ("ppca_gibbs", "local_sparse", "smooth_gaussian")


@st.composite
def problems(draw):
    d = draw(st.integers(2, 6))
    values, n = SPECTRA[draw(st.sampled_from(sorted(SPECTRA)))](d)
    k = draw(st.sampled_from([1, d - 1]))
    if draw(st.booleans()):
        return Problem.from_moment(np.diag(values), n, k)
    turn = np.linalg.qr(np.random.default_rng(draw(st.integers(0, 9))).standard_normal((d, d)))[0]
    moment = (turn * values) @ turn.T
    return Problem.from_moment((moment + moment.T) / 2, n, k)


def with_few_rows(mechanism, problem):
    """Give rows to a mechanism that reads them, where a few thousand are enough."""
    if mechanism.reads_rows and problem.spectrum.sum() < MOST_ROWS:
        return problem.with_rows(rows_with_sum(problem.moment))
    return problem


@pytest.mark.parametrize("mechanism", MECHANISMS.values(), ids=MECHANISMS)
def test_a_mechanism_gives_orthonormal_bases_or_says_why_not(mechanism):
    """Warnings are errors in this suite, so none of it may overflow or divide by zero."""

    @settings(deadline=None, max_examples=FEW if mechanism.key in SLOW else EXAMPLES)
    @given(problems(), LOG, DELTAS, st.sampled_from(Adjacency), st.integers(0, 2**32))
    def check(problem, epsilon, delta, adjacency, seed):
        budget = Budget(epsilon, delta, adjacency)
        with bounded():
            try:
                guarantee = mechanism.guarantee(problem, budget)
                noise = mechanism.calibrate(problem, budget)
                problem = with_few_rows(mechanism, problem)
                release = mechanism.release(problem, budget, np.random.default_rng(seed), 2)
            except InfeasibleBudget as error:
                require_sentence(error)
                return
        assert guarantee.epsilon >= 0
        assert 0 <= guarantee.delta <= 1
        assert 0.5 <= guarantee.guess_probability() <= 1
        assert noise.scale >= 0
        for basis, refused in zip(release.bases, release.refused, strict=True):
            if refused:
                assert np.isnan(basis).all()
            else:
                np.testing.assert_allclose(basis.T @ basis, np.eye(problem.k), atol=1e-9)
        measured = quality(problem, release.bases[~release.refused])
        assert ((measured.sin_theta >= 0) & (measured.sin_theta < problem.d)).all()
        if problem.spectrum[0] > 0:
            shares = np.r_[measured.captured, measured.captured_of_all]
            assert ((shares > -1e-9) & (shares < 1 + 1e-9)).all()

    check()


def test_the_slowest_corner_of_each_mechanism_is_bounded():
    """The smallest ε with the largest δ and the other way round, on ties: ten seconds each."""
    values, n = SPECTRA["no gap at all"](6)
    for mechanism in MECHANISMS.values():
        for epsilon, delta in ((1e-6, 0.1), (1e3, 1e-12), (1e-6, 0.0), (1e3, 0.0)):
            problem = with_few_rows(mechanism, Problem.from_moment(np.diag(values), n, 5))
            with bounded():
                try:
                    release = mechanism.release(
                        problem, Budget(epsilon, delta), np.random.default_rng(0)
                    )
                except InfeasibleBudget as error:
                    require_sentence(error)
                    continue
            assert np.isfinite(release.bases[~release.refused]).all()


def test_one_column_leaves_nothing_to_choose():
    with pytest.raises(ValueError, match="With one column there is no direction to choose"):
        Problem.from_rows([[0.5], [0.2]], 1)
