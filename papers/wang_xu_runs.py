"""Mechanisms and settings of the experiments of Wang & Xu (2020).

δ = 10⁻⁴ throughout: the paper prints it for Figure 3 only. Data, directions and noise are new in
each repetition; every mechanism of a repetition sees the same data, every ε the same unit noise.
"""

from typing import NamedTuple

from dpca_core import MECHANISMS, Adjacency, Budget, Problem
from dpca_core.linalg.arrays import Array
from dpca_core.simulation.trials import TrialDraws

DELTA = 1e-4
PRINTED, LOCAL, SPARSE, CENTRAL, SAMPLE = (
    "local_printed", "local_gaussian", "local_sparse", "gaussian", "none",
)  # fmt: skip


class Setting(NamedTuple):
    """n people, p columns of which V uses some, k directions, ε."""

    n: float
    p: int
    k: int
    columns: int
    epsilon: float


def budget_of(epsilon: float) -> Budget:
    """(ε, δ) between any two records of one person."""
    return Budget(epsilon, DELTA, Adjacency.REPLACE_ONE)


def bases_of(key: str, problem: Problem, epsilon: float, repetition: int) -> Array:
    """Return the directions (1, d, k) that one repetition releases."""
    if key == SAMPLE:
        return problem.basis[None]
    one = range(repetition, repetition + 1)
    return TrialDraws(MECHANISMS[key], 0, one).release(problem, budget_of(epsilon)).bases
