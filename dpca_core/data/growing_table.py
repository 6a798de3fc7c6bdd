"""A table in memory that grows a block of rows at a time, without a second copy of it."""

import numpy as np

from dpca_core.linalg.arrays import Array

_MORE, _LEAST = 1.25, 1024


class GrowingTable:
    """Rows (n, d), of which more come."""

    def __init__(self, d: int) -> None:
        self._table, self._rows = np.empty((0, d)), 0

    def __len__(self) -> int:
        """Return n."""
        return self._rows

    def add(self, rows: Array) -> None:
        """Add rows (b, d)."""
        self.grow(self._rows + len(rows))
        self._table[self._rows - len(rows) : self._rows] = rows

    def grow(self, rows: int) -> None:
        """Have at least so many rows; new ones are 0."""
        if rows > len(self._table):
            room = max(int(len(self._table) * _MORE), rows, _LEAST)
            # Memory that nobody else holds: the system moves its pages, not what is in them.
            self._table.resize((room, self._table.shape[1]), refcheck=False)
        self._rows = max(self._rows, rows)

    def values(self) -> Array:
        """Return the rows so far; only until more are added."""
        return self._table[: self._rows]
