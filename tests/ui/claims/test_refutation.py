"""What is left of one Wishart matrix's guarantee: the same δ, exactly, under both relations.

Probabilities are compared at 4.9 standard errors: a comparison fails by chance once in a million.
"""

from math import exp, inf, sqrt

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, Problem, Standing

BOTH = pytest.mark.parametrize("adjacency", Adjacency)
PROBLEM = Problem.from_moment(np.diag([5.0, 3.0, 1.0]), 20, 1)


@BOTH
@pytest.mark.parametrize(("key", "delta"), [("wishart_sn", 0.6321), ("wishart_jiang", 0.2835)])
def test_delta_is_the_same_whether_a_person_is_added_or_replaced(key, delta, adjacency):
    found = MECHANISMS[key].guarantee(PROBLEM, Budget(1.0, 0.0, adjacency))
    assert found.standing is Standing.REFUTED
    assert (found.epsilon, found.exact) == (0.0, True)
    assert found.delta == pytest.approx(delta, abs=5e-5)


def person(rng, d):
    """One to three rows of any length: positive semi-definite, of trace at most 1."""
    rows = rng.standard_normal((rng.integers(1, 4), d))
    moment = rows.T @ rows
    return moment / np.trace(moment) * rng.choice([0.0, 0.3, 1.0])


def spent(noise, here, there, s, epsilon):
    """Smallest δ at ε of one data set against another, E (1 − e^ε p_there/p_here)₊; its error."""
    apart = np.linalg.eigvalsh(noise + here - there)[:, 0]
    loss = np.where(apart > 0, (np.trace(here) - np.trace(there)) / (2 * s), inf)
    values = np.maximum(0.0, -np.expm1(epsilon - loss))
    return values.mean(), 4.9 * max(values.std(), 1e-3) / sqrt(len(values))


@pytest.mark.parametrize("s", [0.5, 1.5])
def test_no_two_people_are_easier_to_tell_apart_than_one_from_nobody(s):
    rng, bound, largest = np.random.default_rng(8), -np.expm1(-1 / (2 * s)), 0.0
    for _ in range(60):
        d = int(rng.integers(2, 5))
        frames = rng.standard_normal((4000, d, d + 1))
        noise = s * frames @ frames.swapaxes(1, 2)
        first, second = person(rng, d), person(rng, d)
        traces = max(np.trace(first), np.trace(second))
        for pair in ((first, second), (second, first)):
            found, error = spent(noise, *pair, s, 0.0)
            assert found <= 1 - exp(-traces / (2 * s)) + error
            largest = max(largest, found - error)
    assert largest <= bound


@pytest.mark.parametrize("s", [0.5, 1.5])
@pytest.mark.parametrize("epsilon", [0.0, 1.0, 10.0])
def test_a_person_in_the_place_of_a_row_of_zeros_attains_it_at_every_epsilon(s, epsilon):
    frames = np.random.default_rng(9).standard_normal((40_000, 3, 4))
    noise = s * frames @ frames.swapaxes(1, 2)
    x = np.array([0.6, 0.0, 0.8])
    found, error = spent(noise, np.zeros((3, 3)), np.outer(x, x), s, epsilon)
    assert found == pytest.approx(1 - exp(-1 / (2 * s)), abs=error)
