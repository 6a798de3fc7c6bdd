"""What the tests of worker processes wait for."""

import time
from collections.abc import Callable

SOON = 60.0


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)
