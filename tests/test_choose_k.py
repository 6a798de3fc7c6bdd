"""The private choice of k: its probabilities are exact, and bounded between neighbours."""

from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import chisquare

from dpca_core import Adjacency, Problem
from dpca_core.choose_k import chances, choose_k, gaps
from sample_data import load_key

REPLACE, ADD = Adjacency.REPLACE_ONE, Adjacency.ADD_OR_REMOVE_ONE


def random_problem(rng, d=6):
    spectrum = np.sort(rng.exponential(3, d))[::-1] + 2
    q = np.linalg.qr(rng.standard_normal((d, d)))[0]
    return Problem((q * spectrum) @ q.T, 1e3, 1)


def test_gaps_are_those_of_the_spectrum():
    problem = Problem(np.diag([9.0, 7.0, 4.0, 4.0]), 30.0, 1)
    np.testing.assert_allclose(gaps(problem, 3), [2, 3, 0])
    with pytest.raises(ValueError, match="k must be"):
        gaps(problem, 4)


@pytest.mark.parametrize("adjacency", Adjacency)
@pytest.mark.parametrize("epsilon", [1e-3, 0.3, 5.0, 200.0])
@pytest.mark.parametrize("most", [1, 2, 5, 20])
def test_chances_are_the_integral(adjacency, epsilon, most):
    problem = random_problem(np.random.default_rng(most), 22)
    found = chances(problem, epsilon, most, adjacency)
    assert found.sum() == pytest.approx(1, abs=1e-12)
    values = gaps(problem, most)
    rate = epsilon / (2 if adjacency is ADD else 4)
    for k in range(most):

        def density(z, k=k):
            others = np.prod([1 - exp(-rate * (z - g)) for j, g in enumerate(values) if j != k])
            return rate * exp(-rate * (z - values[k])) * others

        top = values.max()
        expected = quad(density, top, top + 60 / rate, limit=400, epsabs=1e-12)[0]
        assert found[k] == pytest.approx(expected, abs=1e-8)


@settings(max_examples=150, deadline=None)
@given(
    seed=st.integers(0, 10**6), epsilon=st.floats(0.01, 20), adjacency=st.sampled_from(Adjacency),
    close=st.booleans(),
)  # fmt: skip
def test_one_person_changes_no_chance_by_more_than_e_to_the_epsilon(
    seed, epsilon, adjacency, close
):
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    x, y = (v / np.linalg.norm(v) for v in rng.standard_normal((2, 6)))
    if close:  # the person who closes one gap and opens another
        x, y = problem.eigenvectors[:, 2], problem.eigenvectors[:, 1]
    moment = problem.moment
    base = moment + np.outer(y, y) if adjacency is REPLACE else moment
    first, second = (
        chances(Problem(m, 1e3, 1), epsilon, 5, adjacency) for m in (base, moment + np.outer(x, x))
    )
    ratio = np.maximum(first / second, second / first)
    assert ratio.max() <= exp(epsilon) * (1 + 1e-6)


def test_noise_half_as_large_would_break_the_promise():
    """The bound is used up: at twice the rate some neighbours have a ratio above e^ε."""
    epsilon, d = 0.5, 4
    first = Problem(np.diag([3.0, 2.0, 1.0, 0.0]), 1e3, 1)
    second = Problem(np.diag([3.0, 2.0, 1.0, 0.0]) + np.diag([0, 1.0, 0, 0]), 1e3, 1)
    ratio = chances(first, 3 * epsilon, d - 1, ADD) / chances(second, 3 * epsilon, d - 1, ADD)
    assert max(ratio.max(), (1 / ratio).max()) > exp(epsilon)


@pytest.mark.parametrize("adjacency", Adjacency)
def test_choices_have_these_chances(adjacency):
    """20,000 choices; χ² at p > 10⁻⁶, the false-failure probability."""
    problem, rng = load_key("rand").problem(1), np.random.default_rng(3)
    chosen = [choose_k(problem, 0.05, 6, adjacency, rng) for _ in range(20_000)]
    counts = np.bincount(chosen, minlength=7)[1:]
    assert chisquare(counts, chances(problem, 0.05, 6, adjacency) * 20_000).pvalue > 1e-6
