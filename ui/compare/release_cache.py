"""Metrics of releases that were measured once, kept while the controls change."""

import numpy as np
from cachetools import FIFOCache

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism

MOST_ENTRIES = 20_000

Key = tuple[object, ...]
Metrics = tuple[Array, Array, np.ndarray]
"""Captured shares, ‖sin Θ‖_F and refusals of some trials at one point, each (trials,)."""


class ReleaseCache:
    """Metrics by what their law depends on; the oldest are dropped.

    Attributes
    ----------
    milliseconds
        Time per release of each mechanism, the shortest that was seen.
    """

    def __init__(self) -> None:
        self._entries: FIFOCache[Key, Metrics] = FIFOCache(MOST_ENTRIES)
        self.milliseconds: dict[Mechanism, float] = {}

    def get(self, key: Key) -> Metrics | None:
        """Return what is known of some trials at a point."""
        return self._entries.get(key)

    def put(self, key: Key, metrics: Metrics) -> None:
        """Keep the metrics of some trials at a point."""
        self._entries[key] = metrics
