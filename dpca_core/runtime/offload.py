"""Where long work is done: in the calling thread, unless the program has set an executor."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import local
from typing import Any, TypeVar

R = TypeVar("R")

LONG_SECONDS = 0.2
"""Work expected to take as long as this is offloaded: a server must answer others meanwhile."""
SLOW_FACTOR = 20.0
"""How much longer than usual a release may take on wide data by a sampler that iterates."""
ITERATIVE_COST, WIDE_COLUMNS = 5.0, 50
"""The relative cost from which on, and the columns above which, that is expected."""


Executor = Callable[..., Any]
"""Does work(*args) and returns its result; the work and its arguments can be pickled."""


def run_here(work: Callable[..., Any], *args: Any) -> Any:
    """Do the work in the calling thread."""
    return work(*args)


_executor: Executor = run_here
_thread = local()


def set_executor(executor: Executor) -> None:
    """Choose what does this process's long work from now on."""
    global _executor
    _executor = executor


@contextmanager
def always_local() -> Iterator[None]:
    """Do all work of this thread in it, however long it takes.

    Executors may give up long work. A draw that is to be published must not be cut off: that it
    was would tell of the data.
    """
    before = getattr(_thread, "always_local", False)
    _thread.always_local = True
    try:
        yield
    finally:
        _thread.always_local = before


def run(seconds: float, work: Callable[..., R], *args: Any) -> R:
    """Do some work: by the executor where it is expected to take long, seconds of one processor."""
    if seconds < LONG_SECONDS or getattr(_thread, "always_local", False):
        return work(*args)
    result: R = _executor(work, *args)
    return result


def expected_seconds(d: int, cost: float = 1.0) -> float:
    """Seconds that a release on d columns takes, about; ``cost`` as mechanisms state it.

    Samplers that iterate may take many times as long where the noise is large: on wide data the
    worst of them counts.
    """
    usual: float = (float(d) ** 2.1 * 4e-8 + 2e-5) * cost
    slow = cost >= ITERATIVE_COST and d > WIDE_COLUMNS
    return usual * SLOW_FACTOR if slow else usual
