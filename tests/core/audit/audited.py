"""Budgets and mechanisms that the tests audit."""

from dataclasses import replace

import numpy as np
import pytest

from dpca_core import (
    MECHANISMS,
    Adjacency,
    Budget,
    Notion,
    Problem,
)
from dpca_core.audit.audit import audit
from dpca_core.mechanisms.neighbouring_pairs import worst_pair

ADD, REPLACE = Adjacency.ADD_OR_REMOVE_ONE, Adjacency.REPLACE_ONE
BOTH = pytest.mark.parametrize("adjacency", Adjacency)

D, K, N = 5, 2, 1000
SURE = 1 - 1e-8
"""An audit of this level convicts what keeps its guarantee once in 10⁸, by proof."""


def budget_of(key, epsilon=1.0, adjacency=ADD):
    """The budget that a mechanism is made for: δ = 0 where it is, or claims to be, pure."""
    mechanism = MECHANISMS[key]
    problem = Problem.from_moment(np.diag([400.0, 250.0, 120.0, 90.0, 40.0]), N, K)
    budget = Budget(min(epsilon, 0.9) if key == "wishart_sheffet" else epsilon, 0.01, adjacency)
    promise = mechanism.claim(problem, budget) or mechanism.guarantee(problem, budget)
    return replace(budget, delta=0.0) if promise.notion is Notion.PURE else budget


def audited(mechanism, budget, d=D, k=K, n=N, **options):
    return audit(mechanism, worst_pair(mechanism, d, k, n, budget), budget, **options)
