"""Real data sets that are not part of the project, in the folder that DPCA_DATA names."""

import pytest

from papers.data import path_of


def needs(name):
    """Mark a test as a long one that needs this file."""
    reason = f"{name} is not part of the project: set DPCA_DATA to its folder"
    absent = pytest.mark.skipif(path_of(name) is None, reason=reason)
    return lambda test: pytest.mark.long("on a real data set")(absent(test))
