"""Built-in sets that tests of every page go through."""

from functools import cache

from dpca_core.data.dataset import Dataset
from sample_data import CATALOGUE, load_key

LARGE_SUMS = {"kddcup", "covtype_ranged", "covtype_unit", "census"}
"""Like ``covtype`` in all that a page can tell, and with up to 503 columns slow to measure."""
QUICK_SETS = tuple(key for key in CATALOGUE if key not in LARGE_SUMS)


@cache
def loaded(key: str) -> Dataset:
    """Return a built-in set, loaded once for all tests of a process: nobody changes it."""
    return load_key(key)
