"""Threads of ours with one BLAS thread each, as many as before afterwards; and free memory."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from unittest.mock import Mock

import numpy as np
import pytest
from scipy import linalg
from threadpoolctl import threadpool_info, threadpool_limits

from dpca_core.runtime import threads
from dpca_core.runtime.memory import free_memory
from dpca_core.runtime.threads import in_parts, prefetch, thread_pool


def blas() -> int:
    """How many threads NumPy's BLAS and SciPy's use at most; other libraries' may have one only."""
    assert linalg.norm([3.0, 4.0]) == 5.0
    return max(one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas")


@pytest.fixture(autouse=True)
def _two_blas_threads():
    """Set by a thread that ends: only who has set the number may set it while it lives."""
    before = blas()
    with ThreadPoolExecutor(1) as setter:
        setter.submit(threadpool_limits, 2)
    assert blas() == 2
    yield
    with ThreadPoolExecutor(1) as setter:
        setter.submit(threadpool_limits, before)
    assert blas() == before


def test_the_last_of_several_users_gives_the_threads_back_from_whatever_thread():
    first, second = thread_pool(), thread_pool()
    with ThreadPoolExecutor(1) as other:
        first.__enter__()
        other.submit(second.__enter__).result()
        first.__exit__(None, None, None)
        assert blas() == 1
        other.submit(second.__exit__, None, None, None).result()
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


def test_what_is_left_is_cancelled_from_the_last_piece_on(monkeypatch):
    """A piece may wait for the one before it: were that one cancelled first, it would for ever."""
    cancelled = []

    def submit(make, piece):
        return Mock(result=lambda: make(piece), cancel=lambda: cancelled.append(piece))

    monkeypatch.setattr(threads, "thread_pool", lambda: nullcontext(Mock(submit=submit)))
    monkeypatch.setattr(threads, "processors", lambda: 3)
    work = prefetch(str, range(9))
    assert next(work) == "0"
    work.close()
    assert cancelled == [3, 2, 1]


def test_a_limit_that_somebody_holds_is_left_alone():
    with threadpool_limits(2, user_api="blas"), thread_pool():
        assert blas() == 2


def test_free_memory_is_the_machines_or_the_containers(tmp_path):
    assert free_memory(tmp_path) is None
    group = tmp_path / "sys/fs/cgroup"
    for folder in (tmp_path / "proc", group):
        folder.mkdir(parents=True)
    (tmp_path / "proc/meminfo").write_text("MemTotal: 9000 kB\nMemAvailable: 5000 kB\n")
    assert free_memory(tmp_path) == 5000 * 1024
    (group / "memory.current").write_text("900000")
    (group / "memory.stat").write_text("anon 5\ninactive_file 300000\n")
    for most, free in (("max", 5000 * 1024), ("1000000", 400_000), ("100000", 0)):
        (group / "memory.max").write_text(f"{most}\n")
        assert free_memory(tmp_path) == free
