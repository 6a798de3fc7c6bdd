"""Threads of ours with one BLAS thread each, and as many as before afterwards."""

import json
import os
import subprocess
import sys
from concurrent.futures import Future
from contextlib import nullcontext
from threading import Barrier, Thread
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import linalg
from threadpoolctl import threadpool_info, threadpool_limits

from dpca_core.runtime import threads
from dpca_core.runtime.threads import in_parts, prefetch, thread_pool

HELD_BEFORE_SCIPY_IS_LOADED = """
import json, numpy
from threadpoolctl import threadpool_info, threadpool_limits
from dpca_core.runtime.threads import thread_pool

def count():
    blas = [found for found in threadpool_info() if found["user_api"] == "blas"]
    seen.append(sorted(found["num_threads"] for found in blas))

seen = []
count()
with threadpool_limits(1):
    for _ in range(2):
        with thread_pool():
            count()
    count()
count()
with thread_pool():
    count()
count()
print(json.dumps(seen))
"""


def blas() -> int:
    """How many threads NumPy's BLAS and SciPy's use at most; other libraries' may have one only."""
    assert linalg.norm([3.0, 4.0]) == 5.0
    return max(found["num_threads"] for found in threadpool_info() if found["user_api"] == "blas")


def set_blas(count: int) -> None:
    """From a thread that ends: only the one that set the number may set it while it lives."""
    setter = Thread(target=threadpool_limits, args=(count,))
    setter.start()
    setter.join()
    assert blas() == count


@pytest.fixture(autouse=True)
def _two_blas_threads():
    """Set as if from outside: a limit that somebody holds would be left alone."""
    before = blas()
    set_blas(2)
    yield
    set_blas(before)


def test_the_last_of_several_users_gives_the_threads_back():
    both_in, first_is_out = Barrier(2, timeout=10), Barrier(2, timeout=10)
    seen = []

    def second() -> None:
        with thread_pool():
            both_in.wait()
            first_is_out.wait()
            seen.append(blas())

    other = Thread(target=second)
    with thread_pool():
        other.start()
        both_in.wait()
    first_is_out.wait()
    other.join()
    assert seen == [1]
    assert blas() == 2


def test_an_error_and_work_that_is_left_give_the_threads_back():
    with pytest.raises(ZeroDivisionError):
        list(prefetch(lambda i: 1 / i, [1, 0, 3]))
    assert blas() == 2
    work = prefetch(lambda i: (i, blas()), range(20))
    assert next(work) == (0, 1)
    work.close()
    assert blas() == 2
    stack = np.arange(21.0).reshape(7, 3)
    for some in (stack, stack[:1], stack[:0]):
        np.testing.assert_array_equal(in_parts(lambda part: part ** blas(), some), some)


def test_a_piece_never_waits_for_one_that_was_cancelled(monkeypatch):
    """Each piece waits for the one before it: were that one cancelled first, it would for ever."""
    cancelled = []

    class Pending(Future):
        def __init__(self, make, piece) -> None:
            super().__init__()
            self.piece = piece
            if piece == 0:
                self.set_result(make(piece))

        def cancel(self) -> bool:
            cancelled.append(self.piece)
            return super().cancel()

    pool = SimpleNamespace(submit=Pending)
    monkeypatch.setattr(threads, "thread_pool", lambda: nullcontext(pool))
    monkeypatch.setattr(threads, "processors", lambda: 3)
    work = prefetch(str, range(9))
    assert next(work) == "0"
    work.close()
    assert cancelled == [3, 2, 1]


def test_a_limit_that_somebody_holds_is_left_alone():
    with threadpool_limits(2, user_api="blas"), thread_pool():
        assert blas() == 2
    with thread_pool() as pool:
        assert pool.submit(blas).result() == blas() == 1
    assert blas() == 2


def test_a_limit_reaches_scipy_where_it_is_loaded_later():
    """In a new interpreter, as SciPy is loaded here; NumPy and SciPy bring a BLAS each."""
    found = subprocess.run(
        [sys.executable, "-c", HELD_BEFORE_SCIPY_IS_LOADED],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "2"},
        check=True,
        capture_output=True,
        text=True,
    )
    alone, first, second, held, left, inside, after = json.loads(found.stdout)
    assert (alone, held) == ([2], [1, 2])
    assert first == second == inside == [1, 1]
    assert left == after == [2, 2]
