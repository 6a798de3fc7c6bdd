"""The claim of each paper beside what really holds, at one budget."""

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from dpca_core.mechanisms.mechanism import Mechanism, Noise
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Budget, Guarantee, InfeasibleBudget
from dpca_core.problem import Problem


@dataclass(frozen=True)
class Claim:
    """One mechanism at one budget: what its paper claims (None for our own), and what holds."""

    mechanism: Mechanism
    claim: Guarantee | None = None
    guarantee: Guarantee | None = None
    noise: Noise | None = None
    cell: float | None = None
    """Standard deviation of a cell of the noise on S off the diagonal, in people: to first order
    it is what turns directions (docs/first-order.md). None for noise on anything else."""
    excess: float | None = None
    """Times the noise of its calibrated counterpart: of cells, or of the scales of other noise."""
    infeasible: str | None = None
    """Why it cannot run, in one sentence that names the remedy."""

    @property
    def is_printed(self) -> bool:
        """Whether it is of a mechanism as its paper prints it, which can run."""
        return self.mechanism.role == "printed" and self.guarantee is not None


def claims(problem: Problem, budget: Budget) -> list[Claim]:
    """Return all mechanisms in menu order."""
    return [claim_of(mechanism, problem, budget) for mechanism in MECHANISMS.values()]


def claim_of(mechanism: Mechanism, problem: Problem, budget: Budget) -> Claim:
    """Return a mechanism's claim and guarantee at a budget."""
    try:
        noise = mechanism.calibrate(problem, budget)
        guarantee = mechanism.guarantee(problem, budget)
        claim = mechanism.claim(problem, budget)
    except InfeasibleBudget as error:
        return Claim(mechanism, infeasible=str(error))
    cell = cell_noise(mechanism, problem, budget)
    return Claim(
        mechanism, claim, guarantee, noise, cell, _excess(mechanism, problem, budget, cell)
    )


def cell_noise(mechanism: Mechanism, problem: Problem, budget: Budget) -> float | None:
    """Return the noise of a cell of S off the diagonal, in people; None for other mechanisms."""
    if not isinstance(mechanism, NoiseOnS):
        return None
    return mechanism.calibrate(problem, budget).scale * mechanism.law.std(problem.d)[1]


def _excess(
    mechanism: Mechanism, problem: Problem, budget: Budget, cell: float | None
) -> float | None:
    """Return the noise over that of the calibrated counterpart, where there is one."""
    with suppress(InfeasibleBudget):
        if mechanism.counterpart:
            other = MECHANISMS[mechanism.counterpart]
            needed = cell_noise(other, problem, budget) or other.calibrate(problem, budget).scale
            own = cell or mechanism.calibrate(problem, budget).scale
            return own / needed if needed > 0 else None
    return None


def example(d: int, k: int, n: int) -> Problem:
    """Return made-up public data: shares 0.3·0.7^i of n, and 0.05 over the other columns."""
    head = 0.3 * 0.7 ** np.arange(min(d, 10))
    tail = np.full(d - len(head), 0.05 / max(1, d - len(head)))
    shares = np.concatenate([head, np.minimum(tail, head[-1] / 2)])
    return Problem.from_moment(np.diag(n * 0.9 * shares / shares.sum()), n, k)
