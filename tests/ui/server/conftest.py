"""Fixtures shared by the tests of this folder."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from dpca_core.runtime.offload import run_here, set_executor
from ui.server.background_processes import WorkerPool


@pytest.fixture
def workers() -> Iterator[WorkerPool]:
    found = WorkerPool(1)
    yield found
    found.end_idle(0.0)


@pytest.fixture
def place() -> Iterator[Callable[[Any], None]]:
    yield set_executor
    set_executor(run_here)
