"""The tasks in which a page measures, cut so that each takes a fraction of a second."""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import NamedTuple

from dpca_core.mechanisms.base import Mechanism

TASK_SECONDS = 0.05
"""Seconds that a task may take."""
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
        Number of columns: what to expect at first, with the mechanism's ``relative_cost``.
    """

    def __init__(self, d: int) -> None:
        self._solve = float(d) ** 2.1 * 4e-8 + 2e-5
        self._seconds: dict[str, float] = {}

    def trials(self, mechanism: Mechanism, points: int) -> int:
        """Return how many trials at so many points are expected to fit into one task."""
        return max(1, int(TASK_SECONDS / (self._solve * mechanism.relative_cost * points)))

    def take_slice(self, task: MeasurementTask) -> tuple[MeasurementTask, MeasurementTask]:
        """Divide a task by points into what fits into a slice and the rest, which may be empty."""
        mechanism, trials, points = task
        unknown = CAUTION * self._solve * mechanism.relative_cost
        seconds = self._seconds.get(mechanism.key, unknown) * len(trials)
        size = max(1, int(TASK_SECONDS / seconds))
        return task._replace(points=points[:size]), task._replace(points=points[size:])

    @contextmanager
    def timed(self, task: MeasurementTask) -> Iterator[None]:
        """Time a task; slow ones are remembered longer, since others may follow."""
        begun = perf_counter()
        yield
        seconds = (perf_counter() - begun) / (len(task.trials) * len(task.points))
        before = self._seconds.get(task.mechanism.key, seconds)
        self._seconds[task.mechanism.key] = max(seconds, before + FORGETTING * (seconds - before))


@contextmanager
def requeue_on_interruption(queue: deque[MeasurementTask], task: MeasurementTask) -> Iterator[None]:
    """Put a task back where it is interrupted: the visitor has asked for something else."""
    try:
        yield
    except BaseException:
        queue.appendleft(task)
        raise
