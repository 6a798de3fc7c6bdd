"""Columns of a table as numbered values, and how they behave within the groups of another one."""

from collections.abc import Iterable, Sequence
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
SAMPLED_GROUPS, HOPELESS_SHARE = 1000, 0.85
"""About so many groups are looked at first; the rest only where so many of them do not vary."""
MOST_MEMBERS = 60
"""The largest number that can be a member's."""


@dataclass(frozen=True, eq=False)
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


def numbered_columns(table: "DataFrame", places: Iterable[int]) -> list[NumberedColumn]:
    """Number the values of columns of a table, each once."""
    return [_numbered(str(table.columns[place]), table.iloc[:, place]) for place in places]


def _numbered(name: str, column: "Series") -> NumberedColumn:
    from pandas import factorize

    try:
        codes, values = factorize(column)
    except TypeError:  # Cells that hold lists cannot be compared.
        return NumberedColumn(name, np.full(len(column), -1), 0, False, False)
    number = column.dtype.kind in "iuf"
    with np.errstate(invalid="ignore"):
        whole = number and bool((np.asarray(values, dtype=float) % 1 == 0).all())
    text = column.dtype.kind in "OTU" or str(column.dtype) == "category"
    numbers = np.asarray(values, dtype=np.float64) if number else None
    return NumberedColumn(name, np.asarray(codes, dtype=np.intp), len(values), whole, text, numbers)


@dataclass(frozen=True)
class _Sorted:
    """Rows in the order of their groups: places (m,) in the table, and groups (m,)."""

    places: NDArray[np.intp]
    groups: NDArray[np.intp]

    @classmethod
    def of(cls, codes: NDArray[np.intp], places: NDArray[np.intp]) -> "_Sorted":
        """Sort some rows of a table; ``codes`` (n,) are of all rows."""
        groups = codes[places]
        order = np.argsort(groups, kind="stable")
        return cls(places[order], groups[order])

    def constant_share(self, values: NDArray[np.intp]) -> float | None:
        """Share of the groups of several values within which all are the same; None without any.

        Parameters
        ----------
        values
            (n,) of all rows of the table, −1 for none.
        """
        ordered = values[self.places]
        there = ordered >= 0
        groups, ordered = self.groups[there], ordered[there]
        same_group = groups[1:] == groups[:-1]
        several = _different(groups[1:][same_group])
        if several == 0:
            return None
        varying = _different(groups[1:][same_group & (ordered[1:] != ordered[:-1])])
        return 1 - varying / several


class Groups:
    """Rows brought together by a value of a column, or by values of two.

    Parameters
    ----------
    codes
        (n,) from 0 on, −1 for rows in no group.

    Attributes
    ----------
    rows, without
        Rows of the table, and of them those in no group.
    count, several, largest
        Groups, those of several rows, and the rows of the largest.
    """

    def __init__(self, codes: NDArray[np.intp]) -> None:
        self._codes = codes
        sizes = np.bincount(codes[codes >= 0])
        self.rows, self.without = len(codes), int((codes < 0).sum())
        self.count, self.several = int((sizes > 0).sum()), int((sizes > 1).sum())
        self.largest = int(sizes.max(initial=0))

    @cached_property
    def _all(self) -> _Sorted:
        return _Sorted.of(self._codes, np.flatnonzero(self._codes >= 0))

    @cached_property
    def _some(self) -> _Sorted:
        """All rows of about ``SAMPLED_GROUPS`` groups."""
        step = max(1, self.count // SAMPLED_GROUPS)
        chosen = (self._codes >= 0) & (self._codes % step == 0)
        return _Sorted.of(self._codes, np.flatnonzero(chosen))

    def fixes(self, column: NumberedColumn) -> bool:
        """Tell whether a column hardly ever varies within a group, and would if rows were mixed."""
        at_first = self._some.constant_share(column.codes)
        if at_first is not None and at_first < HOPELESS_SHARE:
            return False
        constant = self._all.constant_share(column.codes)
        if constant is None or constant < CONSTANT_SHARE:
            return False
        chance = self._all.constant_share(column.shuffled)
        if chance is None:
            return False
        return chance <= MOST_SHUFFLED or 1 - constant <= LEFT_OVER * (1 - chance)

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
        base = MOST_MEMBERS + 2
        numbers = np.clip(values[self._all.places], 0, MOST_MEMBERS + 1)
        pairs, counts = np.unique(self._all.groups * base + numbers, return_counts=True)
        groups, numbers = pairs // base, pairs % base
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


def together(columns: Sequence[NumberedColumn]) -> NDArray[np.intp]:
    """Number the combinations of values (n,) of columns; −1 where one of them has none."""
    from pandas import factorize

    first, *others = columns
    found = first.codes
    for column in others:
        there = (found >= 0) & (column.codes >= 0)
        pairs = found[there] * max(column.distinct, 1) + column.codes[there]
        found = np.full(len(column.codes), -1, dtype=np.intp)
        found[there] = factorize(pairs)[0]
    return found
