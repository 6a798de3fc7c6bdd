"""The tasks in which a page measures, cut so that each takes a fraction of a second."""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import NamedTuple

from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.runtime.offload import ITERATIVE_COST, LONG_SECONDS, expected_seconds
from dpca_core.simulation.trials import TrialDraws

TASK_SECONDS = 0.02
"""Seconds that a task may take: whoever presses a key waits for the one that is being done."""
WIDE_TASK, MOST_TASK_SECONDS = 12, 0.15
"""On wide tables a task may take as long as so many releases of noise on S, but no longer than
this: what all points of a trial share is found once a task."""
CAUTION = 20.0
"""How much slower than expected the first release of a mechanism may be."""
FORGETTING = 0.15
"""Weight of the latest time where it is shorter than the times before."""


class MeasurementTask(NamedTuple):
    """Some trials of a mechanism at some values of ε, by index."""

    mechanism: Mechanism
    trials: range
    points: Sequence[int]


class Pace:
    """Time per release, learnt from the tasks done: a task cannot be stopped once it runs.

    Parameters
    ----------
    d
        Number of columns: what to expect at first, with the mechanism's ``cost``.

    Attributes
    ----------
    spent
        Seconds that all tasks took so far.
    """

    def __init__(self, d: int) -> None:
        self._d, self._solve = d, expected_seconds(d)
        self._seconds: dict[str, float] = {}
        self._totals: dict[str, tuple[float, int]] = {}
        self.spent = 0.0

    def learn_from(self, other: "Pace") -> None:
        """Expect what releases took in another study, where it had as many columns."""
        if other._d == self._d:
            self._seconds |= other._seconds
            self._totals |= other._totals

    @property
    def task_seconds(self) -> float:
        """Seconds that a task may take at so many columns."""
        return max(TASK_SECONDS, min(MOST_TASK_SECONDS, WIDE_TASK * self._solve))

    def trials(self, mechanism: Mechanism, points: int, most: int) -> int:
        """Return how many trials, of ``most``, at so many points fit into one task, as expected.

        All of them for a sampler whose every release is drawn by another process: that one keeps
        nothing between tasks, and to prepare for a point takes longer than a release there.
        """
        iterates = mechanism.cost >= ITERATIVE_COST
        if iterates and expected_seconds(self._d, mechanism.cost) >= LONG_SECONDS:
            return most
        seconds = self._solve * mechanism.cost * points
        return max(1, min(most, int(self.task_seconds / seconds)))

    def average(self, mechanism: Mechanism) -> float:
        """Return the seconds of a release: the mean so far, what to expect before the first."""
        seconds, releases = self._totals.get(mechanism.key, (0.0, 0))
        return seconds / releases if releases else self._solve * mechanism.cost

    def take_slice(self, task: MeasurementTask) -> tuple[MeasurementTask, MeasurementTask]:
        """Divide a task by points into what fits into a slice and the rest, which may be empty."""
        mechanism, trials, points = task
        unknown = CAUTION * self._solve * mechanism.cost
        seconds = self._seconds.get(mechanism.key, unknown) * len(trials)
        size = max(1, int(self.task_seconds / seconds))
        return task._replace(points=points[:size]), task._replace(points=points[size:])

    @contextmanager
    def timed(self, task: MeasurementTask) -> Iterator[None]:
        """Time a task; slow ones are remembered longer, since others may follow."""
        begun = perf_counter()
        yield
        taken, releases = perf_counter() - begun, len(task.trials) * len(task.points)
        total, count = self._totals.get(task.mechanism.key, (0.0, 0))
        self._totals[task.mechanism.key] = total + taken, count + releases
        self.spent += taken
        seconds = taken / releases
        before = self._seconds.get(task.mechanism.key, seconds)
        self._seconds[task.mechanism.key] = max(seconds, before + FORGETTING * (seconds - before))


class LatestDraws:
    """The randomness of the latest task, for the next one with the same trials.

    Parameters
    ----------
    seed
        Of all trials.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._draws: TrialDraws | None = None

    def of(self, mechanism: Mechanism, trials: range) -> TrialDraws:
        """Return the randomness of some trials, the same as before where they were the latest."""
        kept = self._draws
        if kept is None or kept.mechanism is not mechanism or kept.trials != trials:
            kept = self._draws = TrialDraws(mechanism, self._seed, trials)
        return kept

    def forget(self) -> None:
        """Free the memory: between two requests of a page it would be held for nothing."""
        self._draws = None


@contextmanager
def requeue_on_interruption(queue: deque[MeasurementTask], task: MeasurementTask) -> Iterator[None]:
    """Put a task back where it is interrupted: the visitor has asked for something else."""
    try:
        yield
    except BaseException:
        queue.appendleft(task)
        raise
