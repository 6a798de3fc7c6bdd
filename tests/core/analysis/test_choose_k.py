"""The private choice of k: its probabilities are exact, and bounded between neighbours."""

from itertools import product
from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import chisquare

from dpca_core import Adjacency, Problem
from dpca_core.analysis.choose_k import chances, choose_k, gaps
from sample_data import load_key
from tests.cases import sampled

REPLACE, ADD = Adjacency.REPLACE_ONE, Adjacency.ADD_OR_REMOVE_ONE
BOTH = pytest.mark.parametrize("adjacency", Adjacency)


def random_problem(rng, d=6):
    spectrum = np.sort(rng.exponential(3, d))[::-1] + 2
    q = np.linalg.qr(rng.standard_normal((d, d)))[0]
    return Problem((q * spectrum) @ q.T, 1e3, 1)


def test_gaps_are_those_of_the_spectrum():
    problem = Problem(np.diag([9.0, 7.0, 4.0, 4.0]), 30.0, 1)
    np.testing.assert_allclose(gaps(problem, 3), [2, 3, 0])
    with pytest.raises(ValueError, match="k must be"):
        gaps(problem, 4)


@pytest.mark.parametrize(
    ("most", "epsilon", "adjacency"),
    sampled(product([1, 2, 5, 20], [1e-3, 0.3, 5.0, 200.0], Adjacency), 3, "the same integral"),
)
def test_chances_are_the_integral(most, epsilon, adjacency):
    problem = random_problem(np.random.default_rng(most), 22)
    found = chances(problem, epsilon, most, adjacency)
    assert found.sum() == pytest.approx(1, abs=1e-12)
    values = gaps(problem, most)
    rate = epsilon / (2 if adjacency is ADD else 3)
    for k in range(most):

        def density(z, k=k):
            others = np.prod([1 - exp(-rate * (z - g)) for j, g in enumerate(values) if j != k])
            return rate * exp(-rate * (z - values[k])) * others

        top = values.max()
        expected = quad(density, top, top + 60 / rate, limit=400, epsabs=1e-12)[0]
        assert found[k] == pytest.approx(expected, abs=1e-8)


def loss(before, after, epsilon, most, adjacency):
    """Largest logarithm of a ratio of chances, over every k and both orders."""
    first, second = (chances(Problem(m, 1e3, 1), epsilon, most, adjacency) for m in (before, after))
    return np.abs(np.log(first / second)).max()


def person(rng, d):
    """One row or several, of any length: positive semi-definite, of trace at most 1."""
    rows = rng.standard_normal((rng.integers(1, 4), d)) ** rng.choice([1, 3])
    moment = rows.T @ rows
    return moment / np.trace(moment) * rng.choice([0.3, 1.0])


@settings(max_examples=100, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    epsilon=st.floats(0.01, 20),
    adjacency=st.sampled_from(Adjacency),
    close=st.booleans(),
)
def test_one_person_changes_no_chance_by_more_than_e_to_the_epsilon(
    seed, epsilon, adjacency, close
):
    rng = np.random.default_rng(seed)
    problem = random_problem(rng)
    there, gone = person(rng, 6), person(rng, 6)
    if close:  # the person who closes one gap and opens another
        there, gone = (np.outer(v, v) for v in problem.eigenvectors[:, [2, 1]].T)
    base = problem.moment + gone * (adjacency is REPLACE)
    assert loss(base, problem.moment + there, epsilon, 5, adjacency) <= epsilon + 1e-6


def worst_neighbours(adjacency, d):
    """The person of the document: v₂ comes, or leaves for v₁; the second gap is the larger one."""
    spectrum = np.diag([40.0, 30.0, *np.linspace(2, 1, d - 2)])
    first, second = np.zeros((2, d, d))
    second[1, 1] = 1
    first[0, 0] = adjacency is REPLACE
    return spectrum + second, spectrum + first


@BOTH
@pytest.mark.parametrize("epsilon", [0.05, 4.0])
def test_the_worst_neighbours_spend_all_of_epsilon_and_less_noise_would_spend_more(
    adjacency, epsilon
):
    worst = worst_neighbours(adjacency, 3)
    assert loss(*worst, epsilon, 2, adjacency) == pytest.approx(epsilon, rel=1e-9)
    assert loss(*worst, 1.02 * epsilon, 2, adjacency) > 1.01 * epsilon
    for most in (3, 6):
        worst = worst_neighbours(adjacency, most + 1)
        assert loss(*worst, epsilon, most, adjacency) <= epsilon * (1 + 1e-9)


@pytest.mark.chance(1e-7)
@BOTH
def test_choices_have_these_chances(adjacency):
    """20,000 choices; χ² at p > 10⁻⁷."""
    problem, rng = load_key("rand").problem(1), np.random.default_rng(3)
    chosen = [choose_k(problem, 0.05, 6, adjacency, rng) for _ in range(20_000)]
    counts = np.bincount(chosen, minlength=7)[1:]
    assert chisquare(counts, chances(problem, 0.05, 6, adjacency) * 20_000).pvalue > 1e-7
