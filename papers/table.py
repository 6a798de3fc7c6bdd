"""Single releases by series and place, and what a paper's sentence says of them.

Sampling error is never a finding: a difference counts beyond ``SURE`` standard errors.
"""

from collections.abc import Collection, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from dpca_core.linalg.arrays import Array

if TYPE_CHECKING:
    from pandas import DataFrame

SURE = 3.0
"""Standard errors beyond which a difference is no accident: one in 740 by chance, for a normal."""


class Table:
    """A table of single releases: series, x, trial, value.

    ``exact`` are keys of series without randomness, of which one value is all there is to know.
    """

    def __init__(self, rows: "DataFrame", exact: Collection[str] = ()) -> None:
        self.rows, self.exact = rows, exact

    @cached_property
    def _cells(self) -> dict[str, dict[float, Array]]:
        """Values by series and place, both in order."""
        found = dict[str, dict[float, Array]]()
        for series, rows in self.rows.groupby("series"):
            places = rows.groupby("x")["value"]
            found[str(series)] = {float(str(x)): own.to_numpy() for x, own in places}
        return found

    def xs(self, series: str) -> list[float]:
        """Places at which a series has values, ascending."""
        return list(self._cells.get(series, ()))

    def values(self, series: str, x: float) -> Array:
        """Return the single values at a place; none where nothing was released."""
        return self._cells.get(series, {}).get(x, np.empty(0))

    def mean(self, series: str, x: float) -> float:
        """Mean at a place; NaN without values."""
        values = self.values(series, x)
        return float(values.mean()) if len(values) else float("nan")

    def sd(self, series: str, x: float) -> float:
        """Standard deviation at a place; NaN of one release, 0 of what has no randomness."""
        values = self.values(series, x)
        if len(values) > 1:
            return float(values.std(ddof=1))
        return 0.0 if len(values) and series in self.exact else float("nan")

    def error(self, series: str, x: float) -> float:
        """Standard error of the mean; NaN of one release, 0 of what has no randomness."""
        return self.sd(series, x) / float(np.sqrt(max(1, len(self.values(series, x)))))

    def means(self, series: str) -> Array:
        """Means at all places of a series."""
        return np.array([self.mean(series, x) for x in self.xs(series)])

    def below(self, first: str, second: str, x: float, slack: float = 0.0) -> bool:
        """Whether ``first`` is surely below ``second`` at a place, by more than ``slack``."""
        error = float(np.hypot(self.error(first, x), self.error(second, x)))
        return self.mean(first, x) - self.mean(second, x) + slack < -SURE * error

    def above(self, first: str, second: str, x: float, slack: float = 0.0) -> bool:
        """Whether ``first`` is surely above ``second`` at a place, by more than ``slack``."""
        return self.below(second, first, x, slack)

    def apart(self, first: str, second: str, x: float, slack: float) -> bool:
        """Whether two are surely more than ``slack`` apart at a place, whichever is above."""
        return self.below(first, second, x, slack) or self.above(first, second, x, slack)

    def never_below(self, first: str, second: str, xs: Iterable[float] | None = None) -> bool:
        """Whether ``first`` is surely below ``second`` nowhere, and surely above it somewhere.

        Places are those of ``first``, where none are given.
        """
        places = self.xs(first) if xs is None else list(xs)
        somewhere = any(self.above(first, second, x) for x in places)
        return somewhere and not any(self.below(first, second, x) for x in places)

    def rises(self, series: str, sign: float = 1.0) -> bool:
        """Whether means never surely fall from one place to the next, and rise from end to end.

        With a sign of −1 the other way round.
        """
        means = sign * self.means(series)
        errors = np.array([self.error(series, x) for x in self.xs(series)])
        steps = np.diff(means) >= -SURE * np.hypot(errors[1:], errors[:-1])
        whole = means[-1] - means[0] > SURE * np.hypot(errors[-1], errors[0])
        return bool(whole and steps.all())

    def change(self, series: str) -> tuple[float, float]:
        """Change of means from end to end, as a share of the first, and its standard error."""
        first, *_, last = self.xs(series)
        start = self.mean(series, first)
        error = np.hypot(self.error(series, first), self.error(series, last))
        return self.mean(series, last) / start - 1, float(error / start)

    def crossing(self, series: str, level: float) -> float:
        """Place at which means first reach a level, between places on a logarithmic axis.

        NaN where they never do; the first place where they are there from the start.
        """
        xs, means = self.xs(series), self.means(series)
        reached = np.flatnonzero(means >= level)
        if not len(reached):
            return float("nan")
        i = int(reached[0])
        if i == 0:
            return xs[0]
        share = (level - means[i - 1]) / (means[i] - means[i - 1])
        return float(np.exp(np.log(xs[i - 1]) + share * np.log(xs[i] / xs[i - 1])))

    def exponent(self, series: str, least: float) -> float:
        """Power of x with which means grow: the least-squares slope of logs from a place on."""
        xs, means = np.array(self.xs(series)), self.means(series)
        some = xs >= least
        return float(np.polyfit(np.log(xs[some]), np.log(means[some]), 1)[0])
