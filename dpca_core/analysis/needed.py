"""How many people are needed, and which ε: how much noise an aim bears, and where there is less.

Where one number fixes the law of a release's quality (``Mechanism.relative_noise``, most often
noise over people), releases at one budget say how much of it an aim bears; every budget has so much
at a number of people of its own. Proofs: docs/sample-size.md, docs/order-statistics.md.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, exp, floor, inf, isclose, isfinite, log, log10
from typing import Literal, TypeVar

import numpy as np

from dpca_core.analysis.order_statistics import CONFIDENCE, NINE_OF_TEN, kept_by, rank
from dpca_core.analysis.reliability import Goal, PlannedReleases
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.metrics import quality, random_baseline
from dpca_core.privacy.budget import Budget, InfeasibleBudget
from dpca_core.privacy.roots import bisect
from dpca_core.problem import Problem
from dpca_core.simulation.trials import TrialDraws, run_trials

MOST_PEOPLE = 1e12
COARSE = tuple(float(10 ** (e / 2)) for e in range(2, 25))
"""Numbers of people at which ``FEW`` releases show where an aim could be met."""
FINE, FEW, TRIALS = 26, 8, 100
_AT_ONCE, _SHARP = 3, 0.02

PeopleAt = Callable[[float], float | None]
"""The fewest people with at most so much noise; None where even 10¹² have more."""
Step = TypeVar("Step")


# --- How many people have so little noise ---


def noise_over_people(mechanism: Mechanism, problem: Problem, budget: Budget) -> float:
    """Relative noise; infinite where infeasible, 1/n (at one budget) where no number fixes it."""
    try:
        relative = mechanism.relative_noise(problem, budget)
    except InfeasibleBudget:
        return inf
    return 1 / problem.n if relative is None else relative


def people_at(mechanism: Mechanism, problem: Problem, budget: Budget) -> PeopleAt:
    """How many people have at most a noise: in closed form where it falls as 1/n or 1/√n."""

    def noise(n: float) -> float:
        return noise_over_people(mechanism, problem.scaled(n), budget)

    few, more, many = noise(10.0), noise(1e4), noise(1e7)
    for power in (1.0, 0.5) if 0 < many < few < inf else ():
        fall = 1000**power
        if isclose(few / more, fall, rel_tol=1e-9) and isclose(more / many, fall, rel_tol=1e-9):
            return lambda most: _within(10 * (few / most) ** (1 / power))
    # Just enough counts as enough: on a step the first number is looked for, not any.
    return lambda most: fewest_people(lambda n: noise(n) <= most * (1 + 1e-12))


def _within(people: float) -> float | None:
    """Return at least one person, and none above ``MOST_PEOPLE``."""
    return None if people > MOST_PEOPLE else float(f"{max(people, 1.0):.12g}")


def fewest_people(enough: Callable[[float], bool]) -> float | None:
    """Smallest n with ``enough(n)``, to 0.1 %, between 1 and ``MOST_PEOPLE``; None for no such."""
    if not enough(MOST_PEOPLE):
        return None
    return exp(bisect(lambda size: enough(exp(size)), 0.0, log(MOST_PEOPLE), absolute=1e-3))


# --- How much noise an aim bears ---


@dataclass(frozen=True)
class Aim:
    """Lose at most so much in a share of all releases."""

    loss: Literal["captured", "sin"]
    """1 − captured share of what PCA captures, or ‖sin Θ‖_F."""
    most: float
    share: float


@dataclass(frozen=True)
class Needed:
    """People needed: an estimate, and limits that hold the truth with 95 % confidence.

    None: not within what was measured (``low``: perhaps no one; ``high``: perhaps far more).
    """

    n: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class NoiseTable:
    """Losses (G, T) of T releases at falling noise (G,); infinite where nothing was released."""

    noise: Array
    captured: Array
    sin: Array

    @property
    def trials(self) -> int:
        """T."""
        return int(self.sin.shape[1])

    def needed(self, aim: Aim, people: PeopleAt) -> Needed:
        """Read the people needed for an aim, at the budget of ``people_at``."""
        return Needed(*(None if noise is None else people(noise) for noise in self.borne(aim)))

    def borne(self, aim: Aim) -> list[float | None]:
        """Read the noise that an aim bears: the estimate, and its limits."""
        each, share, trials = (1 + CONFIDENCE) / 2, aim.share, self.trials
        low, high = rank(trials, 1 - share, each), rank(trials, share, each)
        middle = min(trials, ceil(share * trials - 1e-9))
        ranks = (middle, low or None, trials + 1 - high if high else None)
        return [None if r is None else self._borne(aim, r - 1) for r in ranks]

    def _borne(self, aim: Aim, place: int) -> float | None:
        """Noise below which the losses at a place stay within the aim, by a line in log-log."""
        losses = np.partition(getattr(self, aim.loss), place, axis=1)[:, place]
        after = _last_miss(losses <= aim.most) + 1
        if after == len(losses):
            return None
        if after == 0 or not isfinite(losses[after - 1]):
            return float(self.noise[after])
        above, under = losses[after - 1], max(losses[after], 1e-15)
        part = log(above / aim.most) / log(above / under)
        return float(self.noise[after - 1] * (self.noise[after] / self.noise[after - 1]) ** part)


def _last_miss(holds: np.ndarray) -> int:
    """Last place at which it does not hold; −1 where it holds everywhere."""
    return int(np.max(np.flatnonzero(~holds), initial=-1))


def measure(
    mechanism: Mechanism, problem: Problem, budget: Budget, seed: int = 0, trials: int = TRIALS
) -> Iterator[NoiseTable | None]:
    """Measure a mechanism where its releases turn from useless to exact; a better table each time.

    After every few releases, on coarse sizes, then on a grid of its own with up to ``trials``. None
    while there are fewer than ``FEW``. InfeasibleBudget where there is no release at any size.
    """

    def tables(
        people: Sequence[float], most: int
    ) -> Generator[NoiseTable | None, None, NoiseTable]:
        points = [(problem.scaled(n), budget) for n in people]
        noise = np.array([noise_over_people(mechanism, *point) for point in points])
        table = NoiseTable(noise, *np.empty((2, len(points), 0)))
        for start in range(0, most, _AT_ONCE):
            draws = TrialDraws(mechanism, seed, range(start, min(start + _AT_ONCE, most)))
            found = run_trials(draws, points)
            if all(found.notes):
                raise InfeasibleBudget(found.notes[-1])
            captured = np.hstack([table.captured, _losses(1 - found.captured)])
            table = NoiseTable(noise, captured, np.hstack([table.sin, _losses(found.sin_theta)]))
            yield table if table.trials >= FEW else None
        return table

    coarse = yield from tables(COARSE, FEW)
    yield from tables(_window(coarse, random_baseline(problem).sin_theta), trials)


def _losses(values: Array) -> Array:
    return np.where(np.isnan(values), inf, np.maximum(values, 0.0))


def _window(coarse: NoiseTable, random: float) -> Sequence[float]:
    """Sizes from the last at which all is lost to the first at which more people hardly help."""
    low = _last_miss(np.median(coarse.sin, axis=1) < 0.9 * random)
    low = min(max(low, 0), len(COARSE) - 2)
    limit = np.where(np.isfinite(coarse.sin[-1]), coarse.sin[-1], 0.0)
    exact = np.flatnonzero(np.max(coarse.sin - limit, axis=1) <= _SHARP)
    high = next((i for i in exact if i > low), len(COARSE) - 1)
    return tuple(np.geomspace(COARSE[low], COARSE[high], FINE).tolist())


# --- The first of several numbers that is enough ---

ROUND_STEPS = (1, 1.5, 2, 3, 5, 7)
"""Round numbers of a decade."""
_NUMBERS = (step * 10**decade for decade in range(7) for step in ROUND_STEPS)
ROUND_PEOPLE = (*(int(n) for n in _NUMBERS if n == int(n)), 10_000_000)
"""Numbers of people that a plan's answer may name; above, it is "more than 10 million"."""


def first_enough(
    count: int, enough: Callable[[int], Generator[Step, None, bool]]
) -> Generator[Step, None, int | None]:
    """Search the first of ``count`` places from which on it is enough; None if it never is."""
    low, high = 0, count
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if (yield from enough(middle)) else (middle + 1, high)
    return low if low < count else None


def steps_to_people(
    releases: PlannedReleases, budget: Budget, goal: Goal
) -> Generator[None, None, int | None]:
    """Search the fewest of ``ROUND_PEOPLE`` who reach a goal."""
    scale = releases.scale(budget)

    def enough(place: int) -> Generator[None, None, bool]:
        noise = scale / ROUND_PEOPLE[place]
        if releases.holds(noise, goal) is None:
            yield from releases.steps_at(noise)
        return bool(releases.holds(noise, goal))

    place = yield from first_enough(len(ROUND_PEOPLE), enough)
    return None if place is None else ROUND_PEOPLE[place]


# --- Which ε keeps a target in 9 of 10 releases, and then how many people ---


@dataclass(frozen=True)
class EpsilonNeeded:
    """The ε from which on 9 of 10 releases keep the target; None where none measured is enough."""

    epsilon: float | None
    certain: bool
    """Whether it holds with 95 % confidence, the search for ε included; else "about" that much."""
    estimate: float | None = None
    """From which on the sample itself keeps it, at most ``epsilon`` where that is certain."""
    releases: int = 0
    """At each ε."""

    @property
    def as_estimate(self) -> "EpsilonNeeded":
        """What is known without any confidence."""
        return replace(self, epsilon=self.estimate, certain=False)

    @property
    def stated(self) -> "EpsilonNeeded":
        """Itself, or the estimate where no ε is certain: that is not to be called none."""
        return self if self.epsilon is not None else self.as_estimate

    def is_sure_at(self, epsilon: float) -> bool:
        """Tell whether the target is kept at this ε with 95 % confidence."""
        return self.certain and self.epsilon is not None and self.epsilon <= epsilon

    def is_estimated_at(self, epsilon: float) -> bool:
        """Tell whether the sample keeps the target at this ε, certainly or not."""
        return self.estimate is not None and self.estimate <= epsilon


def smallest_epsilon(epsilons: Sequence[float], captured: Array, target: float) -> EpsilonNeeded:
    """Find, among G ascending stops, the ε from which on 9 of 10 releases keep the target.

    The last stop, from the largest ε down, for which an order statistic still shows that 9 of 10 of
    *all* releases keep it: wrong with probability at most .05, however many stops there are and
    whether or not more ε helps. Beside it, and in its place where T is too small, an estimate: the
    quantile of ``captured`` (G, T), a refusal a miss, interpolated in log ε and rounded up.
    """
    trials = captured.shape[-1]
    estimate = _estimate(epsilons, _reached(captured), target)
    if not rank(trials, NINE_OF_TEN, CONFIDENCE):
        return EpsilonNeeded(estimate, False, estimate, trials)
    first = _last_miss(kept_by(captured, target)) + 1
    sure = float(epsilons[first]) if first < len(epsilons) else None
    return EpsilonNeeded(sure, True, estimate, trials)


def _reached(captured: Array) -> Array:
    """What 9 of 10 of the sample (…, T) reach, a refusal counted as 0."""
    return np.asarray(np.quantile(np.nan_to_num(captured, nan=0.0), 1 - NINE_OF_TEN, axis=-1))


def _estimate(epsilons: Sequence[float], kept: Array, target: float) -> float | None:
    last = _last_miss(kept >= target)
    if last < 0:
        return float(epsilons[0])
    if last == len(kept) - 1:
        return None
    part = (target - kept[last]) / (kept[last + 1] - kept[last])
    low, high = log(epsilons[last]), log(epsilons[last + 1])
    return round_up(exp(low + part * (high - low)))


def round_up(value: float) -> float:
    """Round a positive number up to two significant digits."""
    unit = 10.0 ** (floor(log10(value)) - 1)
    return float(f"{ceil(value / unit * (1 - 1e-12)) * unit:.12g}")


@dataclass(frozen=True)
class PeopleNeeded:
    """How many people like these are enough; None where even 10¹² are not, or it is unknown."""

    n: float | None
    certain: bool
    """That of the ε the number follows from; False, so "about", where releases were counted."""


def people_needed(
    mechanism: Mechanism,
    problem: Problem,
    budget: Budget,
    *,
    epsilon_needed: EpsilonNeeded | None,
    target: float,
    seed: int = 0,
    trials: int = 40,
) -> PeopleNeeded:
    """Find how many people like these a budget needs to keep the target in 9 of 10 releases.

    Those who have as much of the one number that fixes the law as there is at ``epsilon_needed``
    now; without such a number an estimate, of releases on the scaled spectrum.
    """
    try:
        if mechanism.relative_noise(problem, budget) is None:
            draws = TrialDraws(mechanism, seed, range(trials))

            def keeps(n: float) -> bool:
                scaled = problem.scaled(n)
                captured = quality(scaled, draws.release(scaled, budget).bases).captured
                return bool(_reached(captured) >= target)

            return PeopleNeeded(fewest_people(keeps), False)
        known = epsilon_needed and epsilon_needed.stated
        if known is None or known.epsilon is None:
            return PeopleNeeded(None, False)
        enough = noise_over_people(mechanism, problem, replace(budget, epsilon=known.epsilon))
        return PeopleNeeded(people_at(mechanism, problem, budget)(enough), known.certain)
    except InfeasibleBudget:
        return PeopleNeeded(None, False)
