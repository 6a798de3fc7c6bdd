"""Work done ahead of whoever waits for it, by threads, a few pieces at a time and in order."""

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from typing import TypeVar

from dpca_core.threads import processors, threads

Given = TypeVar("Given")
Made = TypeVar("Made")


def in_order(make: Callable[[Given], Made], pieces: Iterable[Given]) -> Generator[Made]:
    """Yield make(piece) for each piece, in the order of the pieces.

    As many threads work as there are processors; at most one piece more than that waits in memory.
    """
    workers = processors()
    waiting: deque[Future[Made]] = deque()
    with threads() as pool:
        try:
            for piece in pieces:
                waiting.append(pool.submit(make, piece))
                if len(waiting) > workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            # The last one first: a piece may wait for one before it, and would for ever.
            for future in reversed(waiting):
                future.cancel()
