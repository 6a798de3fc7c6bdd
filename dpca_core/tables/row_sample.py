"""A uniform sample of rows that go by once; samples of parts merge into one of the whole."""

from dataclasses import dataclass

import numpy as np

from dpca_core.linalg.arrays import Array


@dataclass(frozen=True, eq=False)
class RowSample:
    """The rows that drew the smallest of random numbers, one for each row: a simple random sample.

    Attributes
    ----------
    size
        Most rows kept.
    draws
        Their random numbers (m,), m ≤ size.
    rows
        The rows (m, d).
    """

    size: int
    draws: Array
    rows: Array

    @classmethod
    def none(cls, size: int, d: int) -> "RowSample":
        """Begin with no row."""
        return cls(size, np.empty(0), np.empty((0, d)))

    def seen(self, rows: Array, rng: np.random.Generator) -> "RowSample":
        """Let rows (b, d) take part; they are copied if they stay."""
        draws = rng.random(len(rows))
        in_play = np.flatnonzero(draws < self._limit)
        return self.merged(RowSample(self.size, draws[in_play], rows[in_play]))

    def merged(self, other: "RowSample") -> "RowSample":
        """Join the sample of other rows, drawn with other random numbers."""
        size = min(self.size, other.size)
        draws = np.concatenate([self.draws, other.draws])
        kept = np.argsort(draws)[:size]
        return RowSample(size, draws[kept], np.concatenate([self.rows, other.rows])[kept])

    @property
    def _limit(self) -> float:
        """A row stays only below this."""
        return float(self.draws[-1]) if len(self.draws) == self.size else 1.0
