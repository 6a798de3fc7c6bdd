"""Settings at which the theorems on sample sizes are compared with releases."""

import pytest

from dpca_core import Adjacency
from dpca_core.theorems.theorem import Case

ADD, REPLACE = Adjacency.ADD_OR_REMOVE_ONE, Adjacency.REPLACE_ONE

CASES = pytest.mark.parametrize(
    "case",
    [
        Case(3, 0.3, 0.53, 1.0, 1e-6, ADD, 0.9, 0.1),
        Case(10, 0.1, 0.19, 0.5, 1e-6, ADD, 0.95, 0.05),
        Case(30, 0.3, 0.32, 2.0, 1e-3, ADD, 0.99, 0.2),
    ],
    ids=lambda case: f"d={case.d}",
)
