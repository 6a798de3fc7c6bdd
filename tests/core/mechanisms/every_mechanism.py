"""What the contract tests ask of every mechanism: one problem, budgets, adjacencies."""

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, Problem
from dpca_core.linalg.symmetric import orthonormal, rows_with_sum, symmetrized

ADD, REPLACE = Adjacency.ADD_OR_REMOVE_ONE, Adjacency.REPLACE_ONE
EVERY = pytest.mark.parametrize("mechanism", MECHANISMS.values(), ids=MECHANISMS)
BOTH = pytest.mark.parametrize("adjacency", Adjacency)

_Q = np.linalg.qr(np.random.default_rng(0).standard_normal((5, 5)))[0]
_S = _Q @ np.diag([400.0, 250.0, 120.0, 90.0, 40.0]) @ _Q.T
PROBLEM = Problem.from_moment((_S + _S.T) / 2, 1000, 2, rows=rows_with_sum(_S))
for _array in (PROBLEM.moment, PROBLEM.rows, PROBLEM.spectrum, PROBLEM.eigenvectors):
    _array.setflags(write=False)  # what a mechanism reads it may not write


def within(mechanism, epsilon, delta=1e-6, adjacency=ADD):
    """Return a budget in the range that the mechanism serves."""
    top = 0.9 if mechanism.key == "wishart_sheffet" else epsilon
    return Budget(min(epsilon, top), delta, adjacency)


def turned(values, k):
    """Return a problem of 1,000 people with these eigenvalues, eigenvectors in no axis."""
    q = orthonormal(np.random.default_rng(0).standard_normal((1, len(values), len(values))))[0]
    return Problem.from_moment(symmetrized((q * np.array(values)) @ q.T), 1000, k)
