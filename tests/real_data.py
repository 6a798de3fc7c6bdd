"""Real data sets that are not part of the project, in the folder that DPCA_DATA names."""

from collections.abc import Callable
from typing import Any

import pytest

from papers.data import path_of as path_of


def marks(name: str) -> list[pytest.MarkDecorator]:
    """Say of a test that it is long, and needs this file."""
    reason = f"{name} is not part of the project: set DPCA_DATA to its folder"
    return [
        pytest.mark.long("on a real data set"),
        pytest.mark.skipif(path_of(name) is None, reason=reason),
    ]


def needs(name: str) -> Callable[[Any], Any]:
    """Mark a test as one that needs this file."""
    long, skipif = marks(name)
    return lambda test: long(skipif(test))
