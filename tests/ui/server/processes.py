"""What the tests of worker processes wait for, and a clock that they set."""

import time
from collections.abc import Callable

SOON = 60.0


class Clock:
    """Seconds that pass only when a test says so."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def nobody_minds(begun: bool, seconds: float) -> None:
    """Whoever waits goes on waiting."""


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)
