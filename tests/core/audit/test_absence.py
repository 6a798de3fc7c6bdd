"""One Wishart matrix that only adds proves absence, as often as is computed and no more.

Counts are compared with exact probabilities at six standard errors: each fails by chance twice in
10⁹ runs.
"""

from math import exp, inf, sqrt

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, Problem, Standing
from dpca_core.analysis.claims import claim_of, example
from dpca_core.audit.absence import released_remainders, sticks_out


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 3.0])
def test_one_wishart_is_refuted_by_as_much_as_is_computed(epsilon):
    """At ε = 1 and d = 10: 632 in 1,000 results of Sheffet and Nissim's."""
    for key, part in (("wishart_sn", 1), ("wishart_jiang", 3)):
        found = claim_of(MECHANISMS[key], example(10, 2, 60_000), Budget(epsilon, 1e-6))
        assert found.claim.epsilon == epsilon
        assert found.guarantee.delta == pytest.approx(1 - exp(-epsilon / part), rel=1e-12)
        assert found.guarantee.standing is Standing.REFUTED


@pytest.mark.parametrize("adjacency", Adjacency)
def test_a_refuted_delta_is_the_same_whether_a_person_is_added_or_replaced(adjacency):
    problem = Problem.from_moment(np.diag([5.0, 3.0, 1.0]), 20, 1)
    for key, delta in (("wishart_sn", 0.6321), ("wishart_jiang", 0.2835)):
        found = MECHANISMS[key].guarantee(problem, Budget(1.0, 0.0, adjacency))
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
    return values.mean(), 6 * max(values.std(), 1e-3) / sqrt(len(values))


def noise_of(rng, draws, d, s):
    frames = rng.standard_normal((draws, d, d + 1))
    return s * frames @ frames.swapaxes(1, 2)


@pytest.mark.chance(2e-7)
@pytest.mark.parametrize("s", [0.5, 1.5])
def test_no_two_people_are_easier_to_tell_apart_than_one_from_nobody(s):
    """A hundred comparisons."""
    rng, bound = np.random.default_rng(8), -np.expm1(-1 / (2 * s))
    for _ in range(25):
        d = int(rng.integers(2, 5))
        noise = noise_of(rng, 4000, d, s)
        first, second = person(rng, d), person(rng, d)
        traces = max(np.trace(first), np.trace(second))
        for pair in ((first, second), (second, first)):
            found, error = spent(noise, *pair, s, 0.0)
            assert found - error <= 1 - exp(-traces / (2 * s)) <= bound + 1e-12


@pytest.mark.chance(2e-9)
@pytest.mark.parametrize("s", [0.5, 1.5])
@pytest.mark.parametrize("epsilon", [0.0, 1.0, 10.0])
def test_a_person_in_the_place_of_a_row_of_zeros_attains_it_at_every_epsilon(s, epsilon):
    noise = noise_of(np.random.default_rng(9), 40_000, 3, s)
    x = np.array([0.6, 0.0, 0.8])
    found, error = spent(noise, np.zeros((3, 3)), np.outer(x, x), s, epsilon)
    assert found == pytest.approx(1 - exp(-1 / (2 * s)), abs=error)


@pytest.mark.chance(2e-9)
@pytest.mark.parametrize("key", ["wishart_sn", "wishart_jiang"])
def test_needles_stick_out_as_often_as_proved(key):
    mechanism, budget, trials = MECHANISMS[key], Budget(1.0), 40_000
    share = 1 - exp(-1 / (2 * mechanism.printed_scale(2, budget)))
    x = np.array([0.5, sqrt(0.75)])
    absent = released_remainders(mechanism, budget, present=False, trials=trials, seed=1)
    present = released_remainders(mechanism, budget, present=True, trials=trials, seed=1)
    error = 6 * sqrt(share * (1 - share) / trials)
    assert sticks_out(absent, x).mean() == pytest.approx(share, abs=error)
    assert not sticks_out(present, x).any()
    beyond = x @ np.linalg.solve(absent, np.tile(x[:, None], (trials, 1, 1)))[..., 0].T - 1
    clear = np.abs(beyond) > 1e-6
    np.testing.assert_array_equal(sticks_out(absent, x)[clear], beyond[clear] > 0)
