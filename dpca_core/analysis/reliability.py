"""Which released directions can be relied on: one definition for all pages.

A direction is compared with the true one by c = |⟨v̂, v⟩|, Tucker's congruence. Practitioners call
.95 and more equal, .85 to .94 fairly similar (Lorenzo-Seva & ten Berge 2006, Methodology 2,
57-64). Judged is L, what 9 of 10 of all releases reach with 95 % confidence, whatever their law
(docs/order-statistics.md).
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from dpca_core.analysis.order_statistics import fewest, lower_bound
from dpca_core.data.dataset import Dataset
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.base import Mechanism
from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem
from dpca_core.runtime.threads import thread_pool
from dpca_core.simulation.draws import TrialDraws
from dpca_core.simulation.private_means import releases_with_means

EQUAL, SIMILAR = 0.95, 0.85
"""Congruences from which two directions are called equal (18°) and fairly similar (32°)."""

RELEASES_JUDGED = 1000
"""Releases that settle a level: between seeds L moves by .01, with 200 by .05."""

_TIE = 1e-9
_AT_ONCE, _MOST_ENTRIES = 100, 2**22


class Reliability(StrEnum):
    """How far a released direction can be relied on."""

    RELIABLE = "reliable"
    RECOGNISABLE = "recognisable"
    TOGETHER = "only together"
    LOST = "lost"
    UNKNOWN = "not known yet"
    """With fewer than 29 releases nothing can be said of 9 of 10 with 95 % confidence."""


@dataclass(frozen=True)
class DirectionReliability:
    """What is known of one direction.

    Attributes
    ----------
    number
        1 for the first.
    level
        TOGETHER where the direction alone is lost and its ``block`` is reliable.
    bound
        L of its congruence; None while unknown, where more than 1 in 10 releases may be refused,
        and where the direction is not defined: in a tie of eigenvalues, and alone without an order.
    block
        First and last number of the directions that are reliable together; None without such.
    """

    number: int
    level: Reliability
    bound: float | None
    block: tuple[int, int] | None = None


@dataclass(frozen=True)
class Reliabilities:
    """What is known of all directions of a release.

    Attributes
    ----------
    directions
        One for each of the k. Without an order they are TOGETHER where the span is reliable, and
        LOST where it is not.
    span, span_bound
        The same two levels, and L, for the smallest cosine between both spans of k directions.
    ordered
        Whether released directions come in an order at all.
    trials
        T.
    """

    directions: tuple[DirectionReliability, ...]
    span: Reliability
    span_bound: float | None
    ordered: bool
    trials: int


def reliability(
    problem: Problem,
    bases: Array,
    *,
    ordered: bool,
    share: float = 0.9,
    confidence: float = 0.95,
) -> Reliabilities:
    """Judge released directions against the true ones.

    A direction with L ≥ .95 is reliable, with L ≥ .85 recognisable, else lost. Neighbours i…j
    that are each lost are reliable together where the smallest cosine between
    span(v̂_i…v̂_j) and span(v_i…v_j) has L ≥ .95; the smallest such block counts, the first of
    several as small, and no direction is in two. Directions with equal eigenvalues (to 10⁻⁹ of
    the largest) are not defined one by one, so they stand or fall together; where the tie reaches
    past k, not even that.

    Parameters
    ----------
    bases
        (T, d, k) of independent releases; NaN where refused, which is a miss.
    ordered
        ``Mechanism.publishes_matrix``: else only the span is judged.

    Notes
    -----
    Each statement holds with the confidence; they are not simultaneous.
    """
    found = agreement(problem, bases)
    return judged(problem, found, ordered=ordered, share=share, confidence=confidence)


def agreement(problem: Problem, bases: Array) -> Array:
    """Cosines (T, k, k) between true directions (rows) and released ones (columns)."""
    return np.asarray(problem.true_problem.basis.T @ bases)


def simulated(
    mechanism: Mechanism, problem: Problem, budget: Budget, seed: int, trials: range
) -> Array:
    """Simulate releases and return their ``agreement`` (T, k, k), which is all that is needed.

    Trials are those of ``draws.trial_generator``, so that parts may be put together. Never for
    releases under a guarantee.

    Raises
    ------
    InfeasibleBudget
        Where the mechanism cannot serve the budget, or not in a page's time.
    """
    size = int(np.clip(_MOST_ENTRIES // problem.d**2, 1, _AT_ONCE))
    parts = [trials[i : i + size] for i in range(0, len(trials), size)]

    def measured(part: range) -> Array:
        return agreement(problem, TrialDraws(mechanism, seed, part).release(problem, budget).bases)

    with thread_pool() as pool:
        return np.concatenate(list(pool.map(measured, parts)))


def simulated_with_means(
    dataset: Dataset,
    mechanism: Mechanism,
    k: int,
    n: float | None,
    budget: Budget,
    seed: int,
    trials: range,
) -> Array:
    """Return the ``agreement`` (T, k, k) of releases that each paid for a mean of their own.

    With rows less their exact mean, as ``releases_with_means`` draws them. ``budget`` is for mean
    and mechanism together.

    Raises
    ------
    InfeasibleBudget
        Where the mechanism cannot serve the budget, or not in a page's time.
    """
    bases = releases_with_means(dataset, mechanism, k, budget, seed, trials, n)
    return agreement(dataset.true_problem(k, n), bases)


def judged(
    problem: Problem,
    cosines: Array,
    *,
    ordered: bool,
    share: float = 0.9,
    confidence: float = 0.95,
) -> Reliabilities:
    """Judge by the ``agreement`` (T, k, k) of releases: see ``reliability``."""
    trials, k = len(cosines), problem.k
    if trials < fewest(share, confidence):
        unknown = tuple(DirectionReliability(j + 1, Reliability.UNKNOWN, None) for j in range(k))
        return Reliabilities(unknown, Reliability.UNKNOWN, None, ordered, trials)

    def bound(first: int, last: int) -> float | None:
        return lower_bound(_smallest_cosine(cosines, first, last), share, confidence)

    groups = _groups(problem)
    whole = {j for group in groups for j in group}
    span_bound = bound(0, k - 1) if len(whole) == k else None
    span = _level(span_bound)
    if k > 1 and not ordered:
        level = Reliability.TOGETHER if span is Reliability.RELIABLE else Reliability.LOST
        block = (1, k) if level is Reliability.TOGETHER else None
        same = tuple(DirectionReliability(j + 1, level, None, block) for j in range(k))
        return Reliabilities(same, span, span_bound, ordered, trials)
    single = {group[0] for group in groups if len(group) == 1}
    bounds = [bound(j, j) if j in single else None for j in range(k)]
    levels = [_level(b) for b in bounds]
    lost = [group for group in groups if levels[group[0]] is Reliability.LOST]
    blocks = _blocks(lost, lambda first, last: (bound(first, last) or 0.0) >= EQUAL)
    return Reliabilities(
        tuple(
            DirectionReliability(
                j + 1,
                Reliability.TOGETHER if j in blocks else levels[j],
                bounds[j],
                blocks.get(j),
            )
            for j in range(k)
        ),
        span,
        span_bound,
        ordered,
        trials,
    )


def _level(bound: float | None) -> Reliability:
    if bound is None or bound < SIMILAR:
        return Reliability.LOST
    return Reliability.RELIABLE if bound >= EQUAL else Reliability.RECOGNISABLE


def _smallest_cosine(cosines: Array, first: int, last: int) -> Array:
    """Smallest cosine (T,) between true and released directions first…last; NaN where refused."""
    block = cosines[:, first : last + 1, first : last + 1]
    if first == last:
        return np.abs(block[:, 0, 0])
    smallest = np.full(len(block), np.nan)
    given = np.isfinite(block).all(axis=(1, 2))
    smallest[given] = np.linalg.svd(block[given], compute_uv=False)[:, -1]
    return smallest


def _groups(problem: Problem) -> list[range]:
    """Directions by equal eigenvalues, from the first; without those equal to one past k."""
    spectrum, k = problem.true_problem.spectrum, problem.k
    apart = spectrum[:-1] - spectrum[1:] > _TIE * abs(spectrum[0])
    ends = [j + 1 for j in range(k) if apart[j]]
    return [range(start, end) for start, end in zip([0, *ends], ends, strict=False)]


def _blocks(lost: list[range], holds: Callable[[int, int], bool]) -> dict[int, tuple[int, int]]:
    """First and last number of the block of each direction that is in one."""
    found: dict[int, tuple[int, int]] = {}
    runs = [lost[i:j] for i in range(len(lost)) for j in range(i + 1, len(lost) + 1)]
    blocks = [
        range(run[0].start, run[-1].stop)
        for run in runs
        if sum(len(group) for group in run) == run[-1].stop - run[0].start
    ]
    for block in sorted(blocks, key=lambda b: (len(b), b.start)):
        free = len(block) > 1 and not any(j in found for j in block)
        if free and holds(block.start, block.stop - 1):
            found |= {j: (block.start + 1, block.stop) for j in block}
    return found
