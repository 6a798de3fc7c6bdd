"""Work done ahead of whoever waits for it, by threads, a few pieces at a time and in order."""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Given = TypeVar("Given")
Made = TypeVar("Made")


def processors() -> int:
    """Return how many processors this process may use."""
    known = hasattr(os, "sched_getaffinity")
    return len(os.sched_getaffinity(0)) if known else os.cpu_count() or 1


def in_order(make: Callable[[Given], Made], pieces: Iterable[Given]) -> Generator[Made]:
    """Yield make(piece) for each piece, in the order of the pieces.

    As many threads work as there are processors; at most one piece more than that waits in memory.
    """
    workers = processors()
    waiting: deque[Future[Made]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        try:
            for piece in pieces:
                waiting.append(pool.submit(make, piece))
                if len(waiting) > workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
