"""Several rows of one person: their average, or the first few of them."""

import numpy as np

from dpca_core.data.growing_table import GrowingTable
from dpca_core.linalg.arrays import Array


class Averages:
    """Averages of the rows of each person, NaN entries left out; rows come a block at a time.

    A person's rows are added one after another, in the order in which they come, and the sum is
    divided by their number: other people's rows change nothing of it, not its last digit.
    """

    def __init__(self, width: int) -> None:
        self._sums, self._counts = GrowingTable(width), GrowingTable(width)

    def add(self, groups: np.ndarray, rows: Array) -> None:
        """Add rows (b, width) of the persons with these numbers (b,), which are 0, 1, …."""
        people = max(int(groups.max(initial=-1)) + 1, len(self._sums))
        self._sums.grow(people)
        self._counts.grow(people)
        known = ~np.isnan(rows)
        with np.errstate(over="ignore", invalid="ignore"):
            for j in range(rows.shape[1]):
                np.add.at(self._sums.values()[:, j], groups, np.where(known[:, j], rows[:, j], 0.0))
                np.add.at(self._counts.values()[:, j], groups, known[:, j].astype(float))

    def rows(self, start: int = 0, stop: int | None = None) -> Array:
        """Return the averages of some persons; an entry missing in all of their rows is NaN."""
        sums, counts = (part.values()[start:stop] for part in (self._sums, self._counts))
        return np.asarray(np.where(counts > 0, sums / np.maximum(counts, 1), np.nan))


def average_by(groups: np.ndarray, rows: Array) -> Array:
    """Average the rows (n, p) of each group (n,), NaN entries left out, as ``Averages`` does."""
    found = Averages(rows.shape[1])
    found.add(groups, rows)
    return found.rows()


def first_of_each(groups: np.ndarray, most: int, before: np.ndarray | None = None) -> np.ndarray:
    """Tell which rows (n,) are among the first ``most`` of their person.

    ``before`` tells how many rows of each person came before these.
    """
    order = np.argsort(groups, kind="stable")
    ordered = groups[order]
    starts = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]])
    place = np.arange(len(groups)) - np.repeat(starts, np.diff(np.r_[starts, len(groups)]))
    if before is not None:
        place += before[ordered]
    kept = np.zeros(len(groups), dtype=bool)
    kept[order[place < most]] = True
    return kept
