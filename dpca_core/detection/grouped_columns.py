"""Columns of a table as numbered values, and how they behave within the groups of another one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from dpca_core.runtime.cached_property import cached_property

if TYPE_CHECKING:
    from pandas import DataFrame, Series

_SHUFFLE_SEED = 1
_LARGEST = 10**9
CONSTANT_SHARE, MOST_SHUFFLED, LEFT_OVER = 0.97, 0.6, 0.05
"""Groups within which a fixed column does not vary: at least; at most after shuffling its rows; and
what may vary of what varies then.
"""


@dataclass(frozen=True)
class NumberedColumn:
    """A column whose distinct values are numbered.

    Attributes
    ----------
    codes
        (n,) from 0 on, −1 where there is no value.
    distinct
        How many values there are.
    whole
        Whether it holds whole numbers.
    text
        Whether it holds text.
    values
        The distinct numbers (v,); None of text.
    """

    name: str
    codes: NDArray[np.intp]
    distinct: int
    whole: bool
    text: bool
    values: NDArray[np.float64] | None = None

    @cached_property
    def numbers(self) -> NDArray[np.intp]:
        """Return whole numbers (n,), 0 where there is none."""
        if self.values is None or not self.whole:
            return np.zeros(len(self.codes), dtype=np.intp)
        whole = np.append(np.clip(self.values, 0, _LARGEST), 0).astype(np.intp)
        return np.asarray(whole[self.codes])

    @cached_property
    def shuffled(self) -> NDArray[np.intp]:
        """Return the codes in another order, always the same: what chance would give."""
        return np.random.default_rng(_SHUFFLE_SEED).permutation(self.codes)


def numbered_columns(table: "DataFrame", most: int) -> list[NumberedColumn]:
    """Number the values of the first columns of a table, each once."""
    return [
        _numbered(str(name), table.iloc[:, place])
        for place, name in enumerate(table.columns[:most])
    ]


def _numbered(name: str, column: "Series") -> NumberedColumn:
    from pandas import factorize

    codes, values = factorize(column)
    number = column.dtype.kind in "iuf"
    whole = number and bool((np.asarray(values, dtype=float) % 1 == 0).all())
    text = column.dtype.kind in "OTU" or str(column.dtype) == "category"
    numbers = np.asarray(values, dtype=np.float64) if number else None
    return NumberedColumn(name, np.asarray(codes, dtype=np.intp), len(values), whole, text, numbers)


class Groups:
    """Rows brought together by a value of a column, or by values of two.

    Parameters
    ----------
    codes
        (n,) from 0 on, −1 for rows in no group.
    """

    def __init__(self, codes: NDArray[np.intp]) -> None:
        self._order = np.argsort(codes, kind="stable")[int((codes < 0).sum()) :]
        self._groups = codes[self._order]
        self.rows, self.without = len(codes), int((codes < 0).sum())
        self.sizes = np.bincount(self._groups) if len(self._groups) else np.zeros(0, np.intp)
        self.sizes = self.sizes[self.sizes > 0]
        self.count = len(self.sizes)
        self.largest = int(self.sizes.max(initial=0))

    @property
    def several(self) -> int:
        """Return how many groups have several rows."""
        return int((self.sizes > 1).sum())

    def fixes(self, column: NumberedColumn) -> bool:
        """Tell whether a column hardly ever varies within a group, and would if rows were mixed."""
        constant = self._constant_share(column.codes)
        if constant is None or constant < CONSTANT_SHARE:
            return False
        chance = self._constant_share(column.shuffled)
        if chance is None:
            return False
        return chance <= MOST_SHUFFLED or 1 - constant <= LEFT_OVER * (1 - chance)

    def _constant_share(self, values: NDArray[np.intp]) -> float | None:
        """Share of the groups of several values within which all are the same; None without any."""
        ordered = values[self._order]
        there = ordered >= 0
        groups, ordered = self._groups[there], ordered[there]
        same_group = groups[1:] == groups[:-1]
        several = _different(groups[1:][same_group])
        if several == 0:
            return None
        varying = _different(groups[1:][same_group & (ordered[1:] != ordered[:-1])])
        return 1 - varying / several

    def numbering(self, values: NDArray[np.intp]) -> tuple[float, float]:
        """Tell how far a column of whole numbers counts members within the groups.

        Parameters
        ----------
        values
            (n,) whole numbers, 0 or less for none.

        Returns
        -------
        float, float
            Share of groups whose distinct values are 1…m; share in which a value repeats.
        """
        ordered = values[self._order]
        pairs = np.unique(np.stack([self._groups, ordered]), axis=1, return_counts=True)
        (groups, numbers), counts = pairs
        places = np.searchsorted(groups, np.unique(groups))
        distinct = np.diff(np.append(places, len(groups)))
        first = numbers[places] == 1
        last = numbers[np.append(places[1:], len(groups)) - 1]
        repeats = np.maximum.reduceat(counts, places) > 1 if len(places) else np.zeros(0, bool)
        return _mean(first & (last == distinct)), _mean(repeats)


def _different(ordered: NDArray[np.intp]) -> int:
    """Count the different numbers of an ascending array."""
    return int(len(ordered) > 0) + int((ordered[1:] != ordered[:-1]).sum())


def _mean(flags: NDArray[np.bool_]) -> float:
    return float(flags.mean()) if len(flags) else 0.0


def together(first: NumberedColumn, second: NumberedColumn) -> NDArray[np.intp]:
    """Number the pairs of values (n,) of two columns; −1 where either has none."""
    there = (first.codes >= 0) & (second.codes >= 0)
    pairs = first.codes[there] * max(second.distinct, 1) + second.codes[there]
    found = np.full(len(first.codes), -1, dtype=np.intp)
    found[there] = np.unique(pairs, return_inverse=True)[1]
    return found
