"""Built-in data sets that all sessions share: each is loaded once, the least used dropped first."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

import numpy as np

from dpca_core.data.dataset import Dataset
from dpca_core.runtime.offload import run
from sample_data import load_key, source_of
from sample_data.source import values_in

MOST_BYTES = 256 << 20
"""Bytes that all kept data sets may take; a session also keeps the one it shows."""

SECONDS_PER_VALUE = 1e-7
"""Seconds that drawing one value of a synthetic data set takes, about."""


class BuiltInCache:
    """Data sets by key, within a number of bytes.

    Parameters
    ----------
    most_bytes
        Bytes kept; a data set that is larger by itself is loaded again for everybody who asks.
    load
        Loads the data set of a key; replaced in tests.
    """

    def __init__(
        self, most_bytes: int = MOST_BYTES, load: Callable[[str], Dataset] | None = None
    ) -> None:
        self._most_bytes = most_bytes
        self._load = load or _load
        self._kept: OrderedDict[str, Dataset] = OrderedDict()
        self._loading: dict[str, Lock] = {}
        self._lock = Lock()

    def get(self, key: str) -> Dataset:
        """Return a data set, loaded now unless it is kept; simultaneous requests load it once.

        Raises
        ------
        ValueError
            Where there is none of this key: ``sample_data.load_key`` says why.
        """
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            loading = self._loading.setdefault(key, Lock())
        with loading:
            with self._lock:
                if key in self._kept:
                    return self._kept[key]
            try:
                found = self._load(key)
                self._keep(key, found)
            finally:
                with self._lock:
                    self._loading.pop(key, None)
        return found

    def clear(self) -> None:
        """Drop all data sets."""
        with self._lock:
            self._kept.clear()

    @property
    def size(self) -> int:
        """Bytes that are kept now."""
        with self._lock:
            return sum(map(bytes_of, self._kept.values()))

    def _keep(self, key: str, found: Dataset) -> None:
        with self._lock:
            self._kept[key] = found
            # Sizes are measured again: a data set grows when its eigenvectors are first asked for.
            while self._kept and sum(map(bytes_of, self._kept.values())) > self._most_bytes:
                self._kept.popitem(last=False)


def _load(key: str) -> Dataset:
    """Load a data set; a large one where long work is done."""
    source = source_of(key)
    values = source.checked(values_in(key)) if source else {}
    size = values.get("n", 0) * values.get("d", values.get("p", 10))
    return run(size * SECONDS_PER_VALUE, load_key, key)


def bytes_of(data: Dataset) -> int:
    """Return the bytes of all arrays that a data set holds, its problem's included."""
    held = [*vars(data).values(), *vars(data.__dict__.get("_problem", data)).values()]
    arrays = {id(array): array for array in held if isinstance(array, np.ndarray)}
    return sum(int(array.nbytes) for array in arrays.values())


BUILT_IN_CACHE = BuiltInCache()
"""The one of this process."""
