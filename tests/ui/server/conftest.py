"""Threads in which tests of the server wait for each other, and what they wait for."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

SOON = 60.0


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    """As many threads as a test may want; what one raises its future's result raises, too."""
    with ThreadPoolExecutor(20) as found:
        yield found
