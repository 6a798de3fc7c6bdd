"""Built-in data sets that all sessions share: each is loaded once, the least used dropped first."""

from threading import Condition

from cachetools import LRUCache, cached

from dpca_core.data.dataset import Dataset
from dpca_core.runtime.offload import run
from sample_data import load_key, source_of, values_in

MOST_KEPT = 10
"""Data sets; each takes 25 MB at most."""
SECONDS_PER_VALUE = 1e-7
"""That drawing a synthetic data set takes, about."""


@cached(LRUCache[str, Dataset](MOST_KEPT), condition=Condition())
def built_in(key: str) -> Dataset:
    """Return a data set, loaded once for simultaneous requests; ValueError for an unusable key."""
    source = source_of(key)
    values = source.checked(values_in(key)) if source else {}
    size = values.get("n", 0) * values.get("d", values.get("p", 10))
    return run(size * SECONDS_PER_VALUE, load_key, key)
