"""Where long work is done: here, unless the program has another place for it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import local
from typing import Any, Protocol, TypeVar

R = TypeVar("R")

LONG = 0.2
"""Seconds from which on work is long: who answers many people may not do it between answers."""
CAUTION, ITERATES, WIDE = 20.0, 5.0, 50
"""How much longer than usual a release may take; from which relative cost on, and above how many
columns, that is expected."""


class Place(Protocol):
    """Does work and returns what it found; the work and its arguments can be pickled."""

    def __call__(self, work: Callable[..., Any], *args: Any) -> Any:
        """Do the work now."""
        ...


def here(work: Callable[..., Any], *args: Any) -> Any:
    """Do the work in this thread."""
    return work(*args)


_place: Place = here
_thread = local()


def set_place(place: Place) -> None:
    """Choose where this process does long work from now on."""
    global _place
    _place = place


@contextmanager
def always_here() -> Iterator[None]:
    """Do all work of this thread in it, however long it takes.

    Other places may give up long work. A draw that is to be published must not be cut off: that it
    was would tell of the data.
    """
    before = getattr(_thread, "always_here", False)
    _thread.always_here = True
    try:
        yield
    finally:
        _thread.always_here = before


def done(seconds: float, work: Callable[..., R], *args: Any) -> R:
    """Do some work: at the place for long work where it is expected to take long.

    Parameters
    ----------
    seconds
        Expected, on one processor.
    work
        A function of a module, and what it is called with: both go through ``pickle``.
    """
    if seconds < LONG or getattr(_thread, "always_here", False):
        return work(*args)
    found: R = _place(work, *args)
    return found


def expected(d: int, relative_cost: float = 1.0) -> float:
    """Seconds that a release on d columns takes, about; ``relative_cost`` as mechanisms state it.

    Samplers that iterate may take many times as long where the noise is large: on wide data the
    worst of them counts.
    """
    usual: float = (float(d) ** 2.1 * 4e-8 + 2e-5) * relative_cost
    return usual * CAUTION if relative_cost >= ITERATES and d > WIDE else usual
