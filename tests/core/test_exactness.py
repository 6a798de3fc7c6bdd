"""Which guarantees are attained, not only kept: that of the exponential mechanism.

Whose is in tests/golden. Of triangles: tests/core/privacy/test_sensitivity.py. Of noise on S with a
density: tests/core/mechanisms/test_privacy_loss.py.
"""

from math import log, pi

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, Problem

ADD, REPLACE = Adjacency.ADD_OR_REMOVE_ONE, Adjacency.REPLACE_ONE


def promise(key, adjacency, epsilon=0.5, delta=1e-6, d=6, k=3):
    problem = Problem.from_moment(np.diag(np.linspace(400.0, 20.0, d)), 4000, k)
    return MECHANISMS[key].guarantee(problem, Budget(epsilon, delta, adjacency))


def test_where_a_guarantee_is_attained_elsewhere_or_not():
    """ε = 0 with δ to spare; the fewest degrees of freedom; the triangle of two columns."""
    assert promise("mod_sulq", ADD, delta=0.3).epsilon == 0
    assert not promise("mod_sulq", ADD, delta=0.3).exact
    assert not promise("wishart", ADD, delta=0.5).exact
    assert promise("laplace", REPLACE, d=2, k=1).exact


def across(weight):
    """Log-density, at the second axis of two, of draws of one direction: ∝ exp(weight·cos²)."""
    grid = np.linspace(0, pi, 20_001)[:-1]
    return -weight - log(np.exp(weight * (np.cos(grid) ** 2 - 1)).mean())


@pytest.mark.parametrize("adjacency", Adjacency)
@pytest.mark.parametrize("key", ["ppca", "ppca_sequential"])
def test_the_exponential_mechanism_comes_as_near_to_epsilon_as_you_like(key, adjacency):
    """Two columns, one direction: everybody along the first axis, and a draw of the second."""
    epsilon, people = 0.8, 2000.0
    alike = Problem.from_moment(np.diag([people, 0.0]), people, 1)
    temperature = 1 / MECHANISMS[key].calibrate(alike, Budget(epsilon, 0, adjacency)).scale
    less, more = people, people + (1.0 if adjacency is ADD else 2.0)
    assert 0.999 * epsilon < across(temperature * less) - across(temperature * more) <= epsilon
