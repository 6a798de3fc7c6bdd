"""Inverse questions: what a sample of releases can promise, which ε is enough, how many people."""

from collections.abc import Callable, Sequence
from math import ceil, exp, floor, log, log10

import numpy as np
from scipy.special import bdtr

from dpca_core.budget import Budget, InfeasibleBudget
from dpca_core.linalg import Array
from dpca_core.mechanism import Mechanism
from dpca_core.metrics import quality
from dpca_core.problem import Problem
from dpca_core.trace import Draws

MOST_PEOPLE = 1e12
_STEPS = 60


def lower_bound(values: Array, share: float = 0.95, confidence: float = 0.95) -> float | None:
    """Return what at least ``share`` of all releases reach, with the confidence given.

    The r-th smallest of T values, r the largest with P(Binomial(T, 1 − share) ≥ r) ≥ confidence:
    distribution-free. None where T is too small (below 59 for 19 of 20) or where too many releases
    were refused (NaN counts as a miss).

    Notes
    -----
    docs/order-statistics.md.
    """
    trials = len(values)
    ranks = np.arange(1, trials + 1)
    certain = 1 - bdtr(ranks - 1, trials, 1 - share) >= confidence
    if not certain.any():
        return None
    bound = float(np.sort(np.nan_to_num(values, nan=-np.inf))[certain.sum() - 1])
    return bound if bound > -np.inf else None


def reached(captured: Array, share: float) -> Array:
    """Return what ``share`` of the releases (…, T) reach at each point; a refusal counts as 0."""
    return np.asarray(np.quantile(np.nan_to_num(captured, nan=0.0), 1 - share, axis=-1))


def smallest_epsilon(
    epsilons: Sequence[float], captured: Array, target: float, share: float = 0.9
) -> float | None:
    """Return the ε from which on a share of the releases keeps the target; None if never.

    Parameters
    ----------
    epsilons
        G values, ascending.
    captured
        (G, T) captured shares, NaN where refused.
    target, share
        "keeps 90 % in 9 of 10 releases": 0.9 and 0.9.

    Returns
    -------
    float or None
        Interpolated in log ε between the points, rounded up to two digits.
    """
    kept = reached(captured, share)
    misses = np.flatnonzero(~(kept >= target))
    if len(misses) == 0:
        return float(epsilons[0])
    last = int(misses[-1])
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
    epsilon_needed: float | None,
    target: float,
    seed: int = 0,
    trials: int = 40,
    share: float = 0.9,
) -> float | None:
    """Return how many people like these a budget needs to keep the target in a share of releases.

    Where one number fixes the law of the quality (``Mechanism.relative_noise``), the n at which it
    is what it is at ``epsilon_needed`` now; else releases on the scaled spectrum, by bisection.
    None where even 10¹² people are not enough, or ``epsilon_needed`` is unknown.
    """
    try:
        relative = mechanism.relative_noise(problem, budget)
        if relative is None:
            return _bisect(_keeps(mechanism, problem, budget, target, seed, trials, share))
        if epsilon_needed is None:
            return None
        enough = mechanism.relative_noise(
            problem, Budget(epsilon_needed, budget.delta, budget.adjacency)
        )
        assert enough is not None

        def quiet(n: float) -> bool:
            noise = mechanism.relative_noise(problem.scaled(n), budget)
            return noise is not None and noise <= enough

        return _bisect(quiet)
    except InfeasibleBudget:
        return None


def _keeps(
    mechanism: Mechanism,
    problem: Problem,
    budget: Budget,
    target: float,
    seed: int,
    trials: int,
    share: float,
) -> Callable[[float], bool]:
    draws = Draws(mechanism, seed, range(trials))

    def keeps(n: float) -> bool:
        scaled = problem.scaled(n)
        captured = quality(scaled, draws.release(scaled, budget).bases).captured
        return bool(reached(captured, share) >= target)

    return keeps


def _bisect(enough: Callable[[float], bool]) -> float | None:
    """Smallest n with ``enough(n)``, to 0.1 %, between 1 and MOST_PEOPLE."""
    low, high = 0.0, log(MOST_PEOPLE)
    if not enough(MOST_PEOPLE):
        return None
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(exp(middle)) else (middle, high)
        if high - low < 1e-3:
            break
    return exp(high)
