"""Thread pools for work that releases the interpreter lock, each thread with one BLAS thread."""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from threading import Lock
from typing import Any, TypeVar

import numpy as np
from threadpoolctl import ThreadpoolController

Given = TypeVar("Given")
Made = TypeVar("Made")


def processors() -> int:
    """Return how many processors this process may use."""
    known = hasattr(os, "sched_getaffinity")
    return len(os.sched_getaffinity(0)) if known else os.cpu_count() or 1


@contextmanager
def thread_pool() -> Generator[ThreadPoolExecutor]:
    """Yield a pool with a thread for each processor, and limit BLAS to one thread meanwhile.

    BLAS has one pool of threads for the whole process; several callers contend for it, which costs
    a factor of two to three (``docs/decisions.md``). Limits that the caller holds by
    threadpoolctl stay; a library loaded after them gets the smallest of them meanwhile.
    """
    with _ONE, ThreadPoolExecutor(processors()) as pool:
        yield pool


def in_parts(make: Callable[[Any], Any], stack: Any) -> Any:
    """Return make(stack) of an array of independent items, made of a part by each processor."""
    parts = np.array_split(stack, max(1, min(len(stack), processors())))
    with thread_pool() as pool:
        return np.concatenate(list(pool.map(make, parts)))


class _OneBlasThread:
    """Limits BLAS to one thread while there are users; then to as many as before.

    By threadpoolctl's rules only the thread that has set the number may restore it, but users come
    and go in any order: a thread of its own does both, and nothing where somebody else holds a
    limit. Libraries loaded after that limit was set, SciPy's usually, have more threads and spin;
    only the holder's thread can lower them, so whoever enters tries to.
    """

    def __init__(self) -> None:
        self._lock, self._users = Lock(), 0
        self._limits: Any = None
        self._lowered: list[tuple[Any, int]] = []

    def __enter__(self) -> None:
        with self._lock:
            if self._users == 0 and blas_threads() > 1:
                self._limits = _owner().submit(_limited).result()
                self._lowered = _lower_what_was_loaded_later()
            self._users += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0 and self._limits is not None:
                _owner().submit(self._limits.__exit__, None, None, None).result()
                self._limits = None
                for library, before in self._lowered:
                    # Setting what is right already would take control for good.
                    if library.num_threads != before:
                        library.set_num_threads(before)


_ONE = _OneBlasThread()


@cache
def _owner() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(1, "blas")


@cache
def _controller() -> Any:
    """Return the controller of NumPy's BLAS and SciPy's; both must be loaded before."""
    import_module("scipy.linalg")
    return ThreadpoolController().select(user_api="blas")


def blas_threads() -> int:
    """Return how many threads BLAS may use now."""
    return max((library["num_threads"] for library in _controller().info()), default=1)


def _limited() -> Any:
    return _controller().limit(limits=1).__enter__()


def _lower_what_was_loaded_later() -> list[tuple[Any, int]]:
    """Give all libraries the fewest threads of any; return what was lowered, with its number."""
    libraries = _controller().lib_controllers
    fewest = min((library.num_threads for library in libraries), default=1)
    above = [(one, one.num_threads) for one in libraries if one.num_threads > fewest]
    for library, _ in above:
        library.set_num_threads(fewest)
    return above


def prefetch(make: Callable[[Given], Made], pieces: Iterable[Given]) -> Generator[Made]:
    """Yield make(piece) in order, computed ahead by threads: one piece more than processors."""
    workers = processors()
    waiting: deque[Future[Made]] = deque()
    with thread_pool() as pool:
        try:
            for piece in pieces:
                waiting.append(pool.submit(make, piece))
                if len(waiting) > workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            # In reverse: a piece may wait for one before it, and would otherwise wait forever.
            for future in reversed(waiting):
                future.cancel()
