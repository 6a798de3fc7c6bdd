"""Built-in data sets that sessions share: each loaded once, the least used let go."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

import numpy as np

from dpca_core.data.dataset import Dataset
from dpca_core.runtime.offload import done
from sample_data import load_key, source_of
from sample_data.source import values_in

MOST, SECONDS = 256 << 20, 1e-7
"""Bytes that all sets kept for the next who asks may take: who looks at one keeps it besides.
Seconds that drawing one value of a synthetic set takes, about."""


class BuiltInCache:
    """Sets by key, within a number of bytes.

    Parameters
    ----------
    most
        Bytes kept; a set that is larger alone is made anew for everybody who asks.
    load
        Makes a set of a key; for tests.
    """

    def __init__(self, most: int = MOST, load: Callable[[str], Dataset] | None = None) -> None:
        self._most, self._load = most, load or _loaded
        self._kept: OrderedDict[str, Dataset] = OrderedDict()
        self._loading: dict[str, Lock] = {}
        self._lock = Lock()

    def get(self, key: str) -> Dataset:
        """Return a set, loaded now unless it is here; two who ask at once wait for one loading.

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

    def forget(self) -> None:
        """Let all sets go, as when nobody is there any more."""
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
            # Sizes are taken again: a set grows when its eigenvectors are first asked for.
            while self._kept and sum(map(bytes_of, self._kept.values())) > self._most:
                self._kept.popitem(last=False)


def _loaded(key: str) -> Dataset:
    """Make a set; a large one where long work is done."""
    source = source_of(key)
    values = source.checked(values_in(key)) if source else {}
    size = values.get("n", 0) * values.get("d", values.get("p", 10))
    return done(size * SECONDS, load_key, key)


def bytes_of(data: Dataset) -> int:
    """Bytes of all arrays that a set holds, its problem's included."""
    held = [*vars(data).values(), *vars(data.__dict__.get("_problem", data)).values()]
    arrays = {id(array): array for array in held if isinstance(array, np.ndarray)}
    return sum(int(array.nbytes) for array in arrays.values())


BUILT_IN_CACHE = BuiltInCache()
"""Those of this process."""
