"""Threads in which tests of the server wait for each other."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    """As many threads as a test may want; what one raises its future's result raises, too."""
    with ThreadPoolExecutor(20) as found:
        yield found
