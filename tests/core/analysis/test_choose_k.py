"""The private choice of k: its probabilities are exact, and bounded between neighbours."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import chisquare

from dpca_core import Adjacency, Problem
from dpca_core.analysis import choose_k as module
from dpca_core.analysis.choose_k import chances, choose_k, draw_k, gaps
from dpca_core.data.dataset import Dataset
from tests.core.mechanisms.every_mechanism import BOTH, REPLACE
from tests.references.worst_person import any_person


def random_problem(seed, d):
    rng = np.random.default_rng(seed)
    q = np.linalg.qr(rng.standard_normal((d, d)))[0]
    return Problem((q * (rng.exponential(3, d) + 2)) @ q.T, 1e3, 1)


@BOTH
@pytest.mark.parametrize(("most", "epsilon"), [(1, 0.3), (2, 5.0), (20, 1e-3), (5, 200.0)])
def test_chances_are_the_integral_over_the_largest_noisy_gap(most, epsilon, adjacency):
    problem = random_problem(most, 22)
    rate, values = epsilon / (3 if adjacency is REPLACE else 2), gaps(problem, most)

    def density(z, k):
        others = 1 - np.exp(-rate * (z - np.delete(values, k)))
        return rate * np.exp(-rate * (z - values[k])) * others.prod()

    ends = values.max() + np.array([0, 60 / rate])
    expected = [quad(density, *ends, (k,), limit=400, epsabs=1e-12)[0] for k in range(most)]
    np.testing.assert_allclose(chances(problem, epsilon, most, adjacency), expected, atol=1e-8)


def loss(before, after, epsilon, most, adjacency):
    """Largest logarithm of a ratio of chances, over every k and both orders."""
    first, second = (chances(Problem(m, 1e3, 1), epsilon, most, adjacency) for m in (before, after))
    return np.abs(np.log(first / second)).max()


@given(st.integers(0, 10**6), st.floats(0.01, 20), st.sampled_from(Adjacency))
def test_one_person_changes_no_chance_by_more_than_e_to_the_epsilon(seed, epsilon, adjacency):
    rng, moment = np.random.default_rng(seed), random_problem(seed, 6).moment
    gone = any_person(rng, 6) * (adjacency is REPLACE)
    assert loss(moment + gone, moment + any_person(rng, 6), epsilon, 5, adjacency) <= epsilon + 1e-6


@BOTH
def test_the_worst_neighbours_spend_all_of_epsilon(adjacency):
    """The person of the document: v₂ comes, or leaves for v₁; the second gap is the larger one."""
    worst = np.diag([40.0 + (adjacency is REPLACE), 30.0, 2.0]), np.diag([40.0, 31.0, 2.0])
    for epsilon in (0.05, 4.0):
        assert loss(*worst, epsilon, 2, adjacency) == pytest.approx(epsilon, rel=1e-9)


@pytest.mark.chance(1e-7)
@BOTH
def test_choices_have_these_chances(adjacency):
    """20,000 choices; χ² at p > 10⁻⁷."""
    problem, rng = random_problem(3, 7), np.random.default_rng(3)
    chosen = [choose_k(problem, 0.9, 6, adjacency, rng) for _ in range(20_000)]
    expected = chances(problem, 0.9, 6, adjacency) * 20_000
    assert chisquare(np.bincount(chosen, minlength=7)[1:], expected).pvalue > 1e-7


def test_a_private_mean_takes_its_share_of_what_k_costs(monkeypatch):
    spent = []
    monkeypatch.setattr(module, "choose_k", lambda _, epsilon, *rest: spent.append(epsilon) or 1)
    for share in (0.0, 0.3):
        data = Dataset("", "x", np.eye(5), tuple("abcde"), mean_share=share)
        draw_k(data, 0.7, 4, Adjacency.REPLACE_ONE)
    assert spent == pytest.approx([0.7, 0.49])
