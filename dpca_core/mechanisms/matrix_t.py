"""Matrix-t noise on the second-moment sum: between the difference of Wisharts and the Gaussian."""

from dataclasses import dataclass

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.family import Family
from dpca_core.mechanisms.matrix_noise import MatrixNoise
from dpca_core.mechanisms.release import Noise
from dpca_core.privacy.budget import (
    Adjacency,
    Budget,
    Guarantee,
    InfeasibleBudget,
    Notion,
    Standing,
)
from dpca_core.privacy.matrix_t import (
    MOST_MATRIX_T_COLUMNS,
    exponent,
    matrix_t_scale,
    pure_scale,
    unit_entry_std,
)
from dpca_core.privacy.sensitivity import nuclear
from dpca_core.problem import Problem
from dpca_core.sampling.matrix_t import matrix_t


@dataclass(frozen=True)
class MatrixT(MatrixNoise):
    """c·F on S, where symmetric F has density proportional to det(I + F²)^(−q).

    Its tails are heavier than a Gaussian’s and lighter than a Wishart difference’s; q is set by the
    number of columns alone. From 10 columns on it needs up to 16 % less noise than the better of
    the two at the same proved (ε, δ), when one person with one row is added or removed. When a
    person is replaced, or has several rows, the bound is cruder and Gaussian noise is usually
    smaller. Own result, docs/matrix-t.md.
    """

    key = "matrix_t"
    name = "Matrix t"
    family = Family.GAUSSIAN
    document = "matrix-t"
    relative_cost = 8.0

    @classmethod
    def shown_by_default(cls) -> bool:
        """Return False: it pays for one row a person, added or removed, and 10 to 64 columns."""
        return False

    def guarantee(self, problem: Problem, budget: Budget) -> Guarantee:
        """(ε, δ); ε alone where δ = 0 or the scale is that of pure noise."""
        _require_offered(problem.d)
        pure = budget.delta == 0 or problem.rows_per_person > 1
        one_record = budget.adjacency is Adjacency.ADD_OR_REMOVE_ONE
        return Guarantee(
            budget.epsilon,
            0.0 if pure else budget.delta,
            Notion.PURE if pure else Notion.APPROXIMATE,
            Standing.PROVED,
            budget.adjacency,
            "own proof, docs/matrix-t.md",
            exact=one_record and problem.rows_per_person == 1,
        )

    def calibrate(self, problem: Problem, budget: Budget) -> Noise:
        """c: the smallest by the exact profile; the cruder bounds for what it does not cover."""
        d, q = problem.d, exponent(problem.d)
        _require_offered(d)
        replaced = budget.adjacency is Adjacency.REPLACE_ONE
        if problem.rows_per_person > 1:
            # A person's part may have any rank: the ratio is at most e^(q·‖Δ‖_*/c).
            scale = q * nuclear(budget.adjacency) / budget.epsilon
        elif not replaced:
            scale = matrix_t_scale(budget.epsilon, budget.delta, d, q)
        elif budget.delta == 0:
            scale = pure_scale(budget.epsilon / 2, q)
        else:
            # A removal, then an addition: δ = (1 + e^{ε/2})·δ', written to hold at any ε.
            half = budget.epsilon / 2
            each = budget.delta * float(np.exp(-np.logaddexp(0.0, half)))
            scale = matrix_t_scale(half, each, d, q)
        return Noise(scale, "people", "c")

    def matrices(self, d: int, rng: np.random.Generator, trials: int) -> Array:
        """F (trials, d, d)."""
        _require_offered(d)
        return matrix_t(d, exponent(d), rng, trials)

    @staticmethod
    def entry_std(d: int) -> tuple[float, float]:
        """Standard deviations of a diagonal and of an off-diagonal entry of F."""
        return unit_entry_std(d, exponent(d))


def _require_offered(d: int) -> None:
    if d > MOST_MATRIX_T_COLUMNS:
        raise InfeasibleBudget(
            f"Matrix-t noise is offered up to {MOST_MATRIX_T_COLUMNS} columns, and these are {d}: "
            "choose Gaussian noise, which is as small there."
        )
