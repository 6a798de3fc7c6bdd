"""Where long work is done: in the calling thread, unless the program has set an executor."""

from collections.abc import Callable
from typing import Any, TypeVar

R = TypeVar("R")

LONG_SECONDS = 0.2
"""Work expected to take as long as this is offloaded: a server must answer others meanwhile."""
ITERATIVE_COST, WIDE_COLUMNS, SLOW_FACTOR = 5.0, 50, 20.0
"""A sampler that iterates, one of at least this relative cost, may take so many times longer than
usual on more than so many columns."""


_executor: Callable[..., Any] | None = None


def set_executor(executor: Callable[..., Any] | None) -> None:
    """Choose what does this process's long work, given as something picklable; None for itself."""
    global _executor
    _executor = executor


def run(seconds: float, work: Callable[..., R], *args: Any) -> R:
    """Do some work: by the executor where it is expected to take long, seconds of one processor."""
    if seconds < LONG_SECONDS or _executor is None:
        return work(*args)
    result: R = _executor(work, *args)
    return result


def expected_seconds(d: int, cost: float = 1.0) -> float:
    """Seconds that a release on d columns takes, about; ``cost`` as mechanisms state it."""
    usual: float = (float(d) ** 2.1 * 4e-8 + 2e-5) * cost
    slow = cost >= ITERATIVE_COST and d > WIDE_COLUMNS
    return usual * SLOW_FACTOR if slow else usual
