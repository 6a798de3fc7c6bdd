"""Inverse questions: which ε is enough, and how many people."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import ceil, exp, floor, log, log10

import numpy as np

from dpca_core.analysis.order_statistics import fewest, kept_by, reached
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.base import Mechanism
from dpca_core.metrics import quality
from dpca_core.privacy.budget import Budget, InfeasibleBudget
from dpca_core.privacy.roots import bisect
from dpca_core.problem import Problem
from dpca_core.simulation.draws import TrialDraws

MOST_PEOPLE = 1e12


@dataclass(frozen=True)
class EpsilonNeeded:
    """The ε from which on a share of all releases keeps the target.

    Attributes
    ----------
    epsilon
        None where none of those measured is enough (``certain``: none is shown to be enough, which
        is not the same as shown not to be).
    certain
        Whether it holds with the confidence asked for, the search for ε included. False below 29
        releases, for 9 of 10 at 95 %: an estimate then, to be called "about".
    estimate
        The ε from which on the sample itself keeps it, certain or not; None where none of those
        measured does. At most ``epsilon`` where that is certain.
    releases
        At each ε.
    """

    epsilon: float | None
    certain: bool
    estimate: float | None = None
    releases: int = 0

    @property
    def as_estimate(self) -> "EpsilonNeeded":
        """Return what is known without any confidence."""
        return replace(self, epsilon=self.estimate, certain=False)

    @property
    def stated(self) -> "EpsilonNeeded":
        """Return itself, or the estimate where no ε is certain: that is not to be called none."""
        return self if self.epsilon is not None else self.as_estimate

    def is_sure_at(self, epsilon: float) -> bool:
        """Tell whether the target is kept at this ε with the confidence asked for."""
        return self.certain and self.epsilon is not None and self.epsilon <= epsilon

    def is_estimated_at(self, epsilon: float) -> bool:
        """Tell whether the sample keeps the target at this ε: so it does where that is certain."""
        return self.estimate is not None and self.estimate <= epsilon


@dataclass(frozen=True)
class PeopleNeeded:
    """How many people like these are enough; None where even 10¹² are not, or it is unknown.

    ``certain`` is that of the ε which the number follows from; False where releases on scaled
    spectra were counted instead: an estimate then, to be called "about".
    """

    n: float | None
    certain: bool


def smallest_epsilon(
    epsilons: Sequence[float],
    captured: Array,
    target: float,
    share: float = 0.9,
    confidence: float = 0.95,
) -> EpsilonNeeded:
    """Find the ε from which on a share of the releases keeps the target.

    From the largest ε down, stop by stop, as long as an order statistic shows that the share of
    *all* releases keeps the target there; the answer is the last stop for which it does. If fewer
    keep it at the answer, the first such stop on the way was accepted wrongly, which happens with
    probability at most 1 − confidence: however many stops there are, however their releases
    depend on each other, and whether or not more ε helps (docs/order-statistics.md). Nothing is
    read between stops.

    Beside it, and in its place where T is too small for any order statistic, an estimate: the
    sample's quantile, interpolated in log ε between the stops and rounded up to two digits.

    Parameters
    ----------
    epsilons
        G values, ascending.
    captured
        (G, T) captured shares, NaN where refused, which is a miss.
    target, share
        "keeps 90 % in 9 of 10 releases": 0.9 and 0.9.
    """
    trials = captured.shape[-1]
    estimate = _estimate(epsilons, reached(captured, share), target)
    if trials < fewest(share, confidence):
        return EpsilonNeeded(estimate, False, estimate, trials)
    kept = kept_by(captured, target, share, confidence)
    last = _last_miss(kept)
    found = float(epsilons[last + 1]) if last + 1 < len(kept) else None
    return EpsilonNeeded(found, True, estimate, trials)


def _last_miss(kept: np.ndarray) -> int:
    misses = np.flatnonzero(~kept)
    return int(misses[-1]) if len(misses) else -1


def _estimate(epsilons: Sequence[float], kept: Array, target: float) -> float | None:
    last = _last_miss(kept >= target)
    if last < 0:
        return float(epsilons[0])
    if last == len(kept) - 1:
        return None
    part = (target - kept[last]) / (kept[last + 1] - kept[last])
    low, high = log(epsilons[last]), log(epsilons[last + 1])
    return round_up(exp(low + part * (high - low)))


def round_up(value: float, digits: int = 2) -> float:
    """Round a positive number up to a number of significant digits."""
    unit = 10.0 ** (floor(log10(value)) - digits + 1)
    return float(f"{ceil(value / unit * (1 - 1e-12)) * unit:.12g}")


def people_needed(
    mechanism: Mechanism,
    problem: Problem,
    budget: Budget,
    *,
    epsilon_needed: EpsilonNeeded | None,
    target: float,
    seed: int = 0,
    trials: int = 40,
    share: float = 0.9,
) -> PeopleNeeded:
    """Find how many people like these a budget needs to keep the target in a share of releases.

    Where one number fixes the law of the quality (``Mechanism.relative_noise``), the n at which it
    is what it is at ``epsilon_needed`` now, and as certain; it presumes that less noise never
    keeps less. Else an estimate: releases on the scaled spectrum, by bisection.
    """
    try:
        relative = mechanism.relative_noise(problem, budget)
        if relative is None:
            keeps = _keeps(mechanism, problem, budget, target, seed, trials, share)
            return PeopleNeeded(_smallest_size(keeps), False)
        epsilon_needed = epsilon_needed and epsilon_needed.stated
        if epsilon_needed is None or epsilon_needed.epsilon is None:
            return PeopleNeeded(None, False)
        enough = mechanism.relative_noise(
            problem, Budget(epsilon_needed.epsilon, budget.delta, budget.adjacency)
        )
        assert enough is not None

        def quiet(n: float) -> bool:
            noise = mechanism.relative_noise(problem.scaled(n), budget)
            return noise is not None and noise <= enough

        return PeopleNeeded(_smallest_size(quiet), epsilon_needed.certain)
    except InfeasibleBudget:
        return PeopleNeeded(None, False)


def _keeps(
    mechanism: Mechanism,
    problem: Problem,
    budget: Budget,
    target: float,
    seed: int,
    trials: int,
    share: float,
) -> Callable[[float], bool]:
    draws = TrialDraws(mechanism, seed, range(trials))

    def keeps(n: float) -> bool:
        scaled = problem.scaled(n)
        captured = quality(scaled, draws.release(scaled, budget).bases).captured
        return bool(reached(captured, share) >= target)

    return keeps


def _smallest_size(enough: Callable[[float], bool]) -> float | None:
    """Smallest n with ``enough(n)``, to 0.1 %, between 1 and MOST_PEOPLE."""
    if not enough(MOST_PEOPLE):
        return None
    return exp(bisect(lambda size: enough(exp(size)), 0.0, log(MOST_PEOPLE), absolute=1e-3))
