"""Which released directions can be relied on: one judge, for releases and for plans of them.

A direction is compared with the true one by c = |⟨v̂, v⟩|, Tucker's congruence. Practitioners call
.95 and more equal, .85 to .94 fairly similar (Lorenzo-Seva & ten Berge 2006, Methodology 2,
57-64). Judged is L, what 9 of 10 of all releases reach with 95 % confidence, whatever their law
(docs/order-statistics.md).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise

import numpy as np

from dpca_core.analysis.order_statistics import NINE_OF_TEN, fewest, lower_bound
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem
from dpca_core.runtime.offload import expected_seconds
from dpca_core.runtime.threads import thread_pool
from dpca_core.simulation.trials import TrialDraws

EQUAL, SIMILAR = 0.95, 0.85
"""Congruences from which two directions are called equal (18°) and fairly similar (32°)."""
RELEASES_JUDGED = 1000
"""Releases that settle a level: between seeds L moves by .01, with 200 by .05."""
MOST_PLANNED_COLUMNS = 2000
_TIE, _AT_ONCE, _MOST_ENTRIES = 1e-9, 100, 2**22
_SECONDS, _SECONDS_A_STEP, _SEED = 2.0, 0.05, 0
_REFERENCE = Budget(1.0, 1e-6)
"""Any budget would do: what counts is noise over people, and the people are chosen to fit."""


class Reliability(StrEnum):
    """How far a released direction can be relied on."""

    RELIABLE = "reliable"
    RECOGNISABLE = "recognisable"
    TOGETHER = "only together"
    LOST = "lost"
    UNKNOWN = "not known yet"
    """With fewer than 29 releases nothing can be said of 9 of 10 with 95 % confidence."""


class Goal(StrEnum):
    """Which directions of a plan are to hold."""

    FIRST = "the first direction"
    ALL = "all directions"


@dataclass(frozen=True)
class DirectionReliability:
    """What is known of one direction: the first has number 1."""

    number: int
    level: Reliability
    """TOGETHER where the direction alone is lost and its ``block`` is reliable."""
    bound: float | None
    """L of its congruence; None while unknown, where more than 1 in 10 releases may be refused, and
    where the direction is not defined: in a tie of eigenvalues, and alone without an order."""
    block: tuple[int, int] | None = None
    """First and last number of the directions that are reliable together."""
    held: float = 0.0
    recognised: float = 0.0
    """Shares of the releases with c ≥ .95, and with c ≥ .85."""


@dataclass(frozen=True)
class Reliabilities:
    """What T releases say of all k directions."""

    directions: tuple[DirectionReliability, ...]
    """Without an order they are TOGETHER where the span is reliable, and LOST where it is not."""
    span: Reliability
    span_bound: float | None
    """Level and L of the smallest cosine between both spans of k directions."""
    ordered: bool
    trials: int
    reached: frozenset[Goal] = frozenset()
    """Of a plan: FIRST where the first direction is reliable, and ALL where all k are, alone or
    together with those of their neighbours that are not reliable alone."""


# --- The judge ---


def judged(problem: Problem, cosines: Array, *, ordered: bool) -> Reliabilities:
    """Judge released directions by their ``agreement`` (T, k, k) with the true ones.

    A direction with L ≥ .95 is reliable, with L ≥ .85 recognisable, else lost. Neighbours i…j
    that are each lost are reliable together where the smallest cosine between
    span(v̂_i…v̂_j) and span(v_i…v_j) has L ≥ .95; the smallest such block counts, the first of
    several as small, and no direction is in two. Directions with equal eigenvalues (to 10⁻⁹ of
    the largest) are not defined one by one, so they stand or fall together; where the tie reaches
    past k, not even that. Each statement holds with 95 % confidence; they are not simultaneous.
    Only the span is judged unless directions are ``ordered`` (``Mechanism.publishes_matrix``).
    """
    trials, k = len(cosines), problem.k
    groups = _groups(problem)
    defined = sum(len(group) for group in groups) == k
    span_bound = _bound(cosines, range(k)) if defined else None
    span = _level(span_bound)
    bounds: dict[int, float | None] = {}
    blocks: dict[int, tuple[int, int]] = {}
    if trials < fewest(NINE_OF_TEN):
        span, levels = Reliability.UNKNOWN, [Reliability.UNKNOWN] * k
    elif k > 1 and not ordered:
        levels = [Reliability.LOST] * k
        if span is Reliability.RELIABLE:
            blocks = dict.fromkeys(range(k), (1, k))
    else:
        bounds = {group.start: _bound(cosines, group) for group in groups if len(group) == 1}
        levels = [_level(bounds.get(j)) for j in range(k)]
        lost = [group for group in groups if levels[group.start] is Reliability.LOST]
        blocks = _blocks(cosines, lost)
    own = np.abs(np.diagonal(cosines, axis1=1, axis2=2))
    shares = [(own >= least).mean(axis=0).tolist() for least in (EQUAL, SIMILAR)]
    directions = tuple(
        DirectionReliability(
            j + 1,
            Reliability.TOGETHER if j in blocks else levels[j],
            bounds.get(j),
            blocks.get(j),
            held,
            recognised,
        )
        for j, (held, recognised) in enumerate(zip(*shares, strict=True))
    )
    return Reliabilities(directions, span, span_bound, ordered, trials)


def _bound(cosines: Array, block: range) -> float | None:
    """L of the smallest cosine between the spans of true and of released neighbours."""
    part = cosines[:, block.start : block.stop, block.start : block.stop]
    smallest = np.full(len(part), np.nan)
    given = np.isfinite(part).all(axis=(1, 2))
    smallest[given] = np.linalg.svd(part[given], compute_uv=False)[:, -1]
    return lower_bound(smallest, NINE_OF_TEN)


def _level(bound: float | None) -> Reliability:
    if bound is None or bound < SIMILAR:
        return Reliability.LOST
    return Reliability.RELIABLE if bound >= EQUAL else Reliability.RECOGNISABLE


def _groups(problem: Problem) -> list[range]:
    """Directions by equal eigenvalues, from the first; without those equal to one past k."""
    spectrum, k = problem.true_problem.spectrum, problem.k
    apart = np.append(spectrum[:-1] - spectrum[1:] > _TIE * abs(spectrum[0]), True)
    ends = np.flatnonzero(apart[:k]) + 1
    return [range(start, end) for start, end in pairwise([0, *ends.tolist()])]


def _blocks(cosines: Array, lost: list[range]) -> dict[int, tuple[int, int]]:
    """First and last number of the block of each direction that is in one."""
    found: dict[int, tuple[int, int]] = {}
    each = {j for group in lost for j in group}
    blocks = [range(a.start, b.stop) for i, a in enumerate(lost) for b in lost[i:]]
    for block in sorted(blocks, key=lambda block: (len(block), block.start)):
        free = len(block) > 1 and each.issuperset(block) and found.keys().isdisjoint(block)
        if free and _level(_bound(cosines, block)) is Reliability.RELIABLE:
            found |= dict.fromkeys(block, (block.start + 1, block.stop))
    return found


# --- Simulated releases ---


def agreement(problem: Problem, bases: Array) -> Array:
    """Cosines (T, k, k) between true directions (rows) and released ones; NaN where refused."""
    return np.asarray(problem.true_problem.basis.T @ bases)


def simulated(
    mechanism: Mechanism, problem: Problem, budget: Budget, seed: int, trials: range
) -> Array:
    """Simulate releases and return their ``agreement`` (T, k, k)."""
    size = int(np.clip(_MOST_ENTRIES // problem.d**2, 1, _AT_ONCE))
    parts = [trials[i : i + size] for i in range(0, len(trials), size)]

    def measured(part: range) -> Array:
        return agreement(problem, TrialDraws(mechanism, seed, part).release(problem, budget).bases)

    with thread_pool() as pool:
        return np.concatenate(list(pool.map(measured, parts)))


# --- Plans ---


def judged_plan(problem: Problem, cosines: Array, *, ordered: bool) -> Reliabilities:
    """Judge, and tell which goals are reached: each is reliable alone or ends a block of others."""
    found = judged(problem, cosines, ordered=ordered)
    alone = [direction.level is Reliability.RELIABLE for direction in found.directions]
    reached = 0
    for end in range(1, problem.k + 1):
        block = range(reached, end)
        # A direction that is reliable alone is in no block with others.
        together = len(block) > 1 and not any(alone[reached:end])
        if alone[reached:end] == [True] or (
            together and _level(_bound(cosines, block)) is Reliability.RELIABLE
        ):
            reached = end
    goals = ((Goal.FIRST, reached > 0), (Goal.ALL, reached == problem.k))
    return replace(found, reached=frozenset(goal for goal, holds in goals if holds))


class PlannedReleases:
    """Simulated releases of diag(shares) with a mechanism's noise: nothing is read from data.

    How far noise on S turns its directions depends on the shares λ/n and on noise over people
    alone, so one simulation serves every budget with that quotient. All share the randomness of
    each trial, so that more people never look worse by chance. The first k of the shares (d,),
    descending with sum 1, are judged.
    """

    def __init__(self, mechanism: Mechanism, shares: Array, k: int) -> None:
        self.d = len(shares)
        if self.d > MOST_PLANNED_COLUMNS:
            raise ValueError(
                f"A plan is simulated for at most {MOST_PLANNED_COLUMNS:,} columns after coding, "
                f"not {self.d:,}; leave some out."
            )
        if mechanism.local:
            raise ValueError(
                f"{mechanism.name} cannot be planned by noise over people, since its noise grows "
                "with the people; choose a mechanism with a curator."
            )
        self._mechanism, self._shares, self._k = mechanism, shares, k
        seconds = expected_seconds(self.d, mechanism.cost)
        self.trials = int(np.clip(_SECONDS / seconds, fewest(NINE_OF_TEN), RELEASES_JUDGED))
        """Releases at one noise: as many as levels need, fewer where columns are many."""
        self._at_once = max(1, int(_SECONDS_A_STEP / seconds))
        self._known: dict[float, Reliabilities] = {}
        self._parts: dict[float, dict[int, Array]] = {}

    def scale(self, budget: Budget) -> float:
        """Return the scale of the noise on S: divided by the people it is noise over people."""
        blank = Problem.from_spectrum(np.ones(self.d), self.d, 1)
        return self._mechanism.calibrate(blank, budget).scale

    def at(self, noise: float) -> Reliabilities | None:
        """Return what is known at a noise over people; None until it is simulated."""
        return self._known.get(noise)

    def holds(self, noise: float, goal: Goal) -> bool | None:
        """Whether a goal is reached: it was with more noise, or was not with less; else None."""
        known = self._known.items()
        if any(noise <= at and goal in plan.reached for at, plan in known):
            return True
        if any(noise >= at and goal not in plan.reached for at, plan in known):
            return False
        return None

    def steps_at(self, noise: float) -> Iterator[None]:
        """Simulate and judge releases at a noise; whoever breaks off goes on where it ended."""
        if noise in self._known:
            return
        people = self.scale(_REFERENCE) / noise
        problem = Problem.from_spectrum(self._shares * people, people, self._k, np.eye(self.d))
        parts = self._parts.setdefault(noise, {})
        for start in range(0, self.trials, self._at_once):
            if start not in parts:
                trials = range(start, min(start + self._at_once, self.trials))
                parts[start] = simulated(self._mechanism, problem, _REFERENCE, _SEED, trials)
                yield
        cosines = np.concatenate([parts[start] for start in sorted(parts)])
        self._known[noise] = judged_plan(problem, cosines, ordered=self._mechanism.publishes_matrix)
        self._parts.pop(noise, None)
