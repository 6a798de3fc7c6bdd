"""Built-in sets that tests of every page go through."""

from functools import cache

import pytest

from dpca_core.data.dataset import Dataset
from sample_data import CATALOGUE, load_key

LARGE_SUMS = {"kddcup", "covtype_ranged", "covtype_unit", "census"}
"""Like ``covtype`` in all that a page can tell, and with up to 503 columns slow to measure."""
QUICK_SETS = tuple(key for key in CATALOGUE if key not in LARGE_SUMS)


@cache
def loaded(key: str) -> Dataset:
    """Return a built-in set, loaded once for all tests of a process: nobody changes it."""
    return load_key(key)


FIRST = [("rand", 2), ("digits", 6), ("wine", 1), ("covtype", 3)]
REST = [(key, k) for key in QUICK_SETS for k in range(1, 7) if (key, k) not in FIRST]
EVERY_SET_AND_K = pytest.mark.parametrize(
    ("key", "k"),
    [*FIRST, *(pytest.param(*c, marks=pytest.mark.long("every set and k")) for c in REST)],
)
"""Those with the most different charts in the gate, all in the long run."""
