"""Single releases of an experiment, by series and place."""

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dpca_core.linalg.arrays import Array

if TYPE_CHECKING:
    from pandas import DataFrame

NO_RESULT = np.empty(0)


class Results:
    """A table of single releases (series, x, trial, value), by series and place."""

    def __init__(self, table: "DataFrame") -> None:
        self.table = table

    @cached_property
    def _values(self) -> dict[tuple[str, float], Array]:
        table, found = self.table, dict[tuple[str, float], list[float]]()
        rows = zip(table["series"], table["x"], table["value"], strict=True)
        for series, x, value in rows:
            if not np.isfinite(value):
                continue
            found.setdefault((str(series), float(x)), []).append(float(value))
        return {place: np.array(values) for place, values in found.items()}

    @cached_property
    def _places(self) -> dict[str, list[float]]:
        found: dict[str, list[float]] = {}
        for series, x in self._values:
            found.setdefault(series, []).append(x)
        return {series: sorted(xs) for series, xs in found.items()}

    def xs(self, series: str) -> Array:
        """Places at which a series has values, ascending."""
        return np.array(self._places.get(series, []))

    def values(self, series: str, x: float) -> Array:
        """Return the single values at a place; none where nothing was released."""
        return self._values.get((series, float(x)), NO_RESULT)

    def mean(self, series: str, x: float) -> float:
        """Mean of a series at a place; NaN without values."""
        values = self.values(series, x)
        return float(values.mean()) if len(values) else float("nan")

    def sd(self, series: str, x: float) -> float:
        """Standard deviation of single values; 0 for one value, NaN without values."""
        values = self.values(series, x)
        if not len(values):
            return float("nan")
        return float(values.std(ddof=1)) if len(values) > 1 else 0.0

    def error(self, series: str, x: float) -> float:
        """Standard error of the mean; 0 for one value."""
        return self.sd(series, x) / float(np.sqrt(max(1, len(self.values(series, x)))))

    def means(self, series: str) -> Array:
        """Means at all places of a series."""
        return np.array([self.mean(series, x) for x in self.xs(series)])
