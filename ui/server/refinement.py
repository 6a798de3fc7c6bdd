"""The loop by which every page measures: one step after another until its time slice is over."""

from collections.abc import Callable, Iterable
from time import perf_counter

from ui.server.scheduler import never_yield


def take_steps(
    steps: Iterable[object],
    seconds: float | Callable[[], float],
    should_yield: Callable[[], bool] = never_yield,
) -> None:
    """Take steps until none is left, the time is over or others are waiting; at least one.

    Parameters
    ----------
    steps
        Does some work each time the next one is asked for.
    seconds
        Length of the slice; called after each step where it depends on what is left.
    should_yield
        Whether others are waiting; asked after each step.
    """
    start = perf_counter()
    for _ in steps:
        slice_seconds = seconds() if callable(seconds) else seconds
        if perf_counter() - start >= slice_seconds or should_yield():
            return
