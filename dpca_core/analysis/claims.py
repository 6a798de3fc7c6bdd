"""The claim of each paper beside what really holds, at one budget."""

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from dpca_core.mechanisms.mechanism import Mechanism, Noise
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Budget, Guarantee, InfeasibleBudget, Standing
from dpca_core.problem import Problem

_BROKEN = (Standing.WEAKER, Standing.REFUTED, Standing.UNCERTIFIED)


@dataclass(frozen=True)
class Claim:
    """One mechanism at one budget: what its paper claims (None for our own), and what holds."""

    mechanism: Mechanism
    claim: Guarantee | None = None
    guarantee: Guarantee | None = None
    noise: Noise | None = None
    excess: float | None = None
    """Times the noise of its calibrated counterpart."""
    infeasible: str | None = None
    """Why it cannot run, in one sentence that names the remedy."""

    @property
    def broken(self) -> bool:
        """Whether the paper claims more than holds."""
        return self.guarantee is not None and self.guarantee.standing in _BROKEN


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
    return Claim(mechanism, claim, guarantee, noise, _excess(mechanism, problem, budget))


def _excess(mechanism: Mechanism, problem: Problem, budget: Budget) -> float | None:
    """Noise over that of the calibrated counterpart.

    By the deviation off the diagonal: to first order it turns directions (docs/first-order.md).
    """
    with suppress(InfeasibleBudget):
        if mechanism.counterpart:
            needed = _noise(MECHANISMS[mechanism.counterpart], problem, budget)
            return _noise(mechanism, problem, budget) / needed if needed > 0 else None
    return None


def _noise(mechanism: Mechanism, problem: Problem, budget: Budget) -> float:
    """Standard deviation off the diagonal of noise on S; the scale of all other noise."""
    scale = mechanism.calibrate(problem, budget).scale
    return scale * mechanism.law.std(problem.d)[1] if isinstance(mechanism, NoiseOnS) else scale


def example(d: int, k: int, n: int) -> Problem:
    """Return made-up public data: shares 0.3·0.7^i of n, and 0.05 over the other columns."""
    head = 0.3 * 0.7 ** np.arange(min(d, 10))
    tail = np.full(d - len(head), 0.05 / max(1, d - len(head)))
    shares = np.concatenate([head, np.minimum(tail, head[-1] / 2)])
    return Problem.from_moment(np.diag(n * 0.9 * shares / shares.sum()), n, k)
