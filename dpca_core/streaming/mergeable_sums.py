"""Second-moment sums: rows are shortened and summed in one pass, and parts of a sum add up."""

from dataclasses import dataclass
from functools import partial

import numpy as np

from dpca_core.data.clipping import to_ball, to_length_one
from dpca_core.data.recipe import Reading, Recipe, RowLength
from dpca_core.linalg.arrays import Array
from dpca_core.linalg.syrk import add_square
from dpca_core.problem import Problem
from dpca_core.runtime.threads import prefetch
from dpca_core.streaming.row_sample import RowSample

MOST_COLUMNS = 10_000
_BLOCK, _PIECE, _WIDE_PIECE = 2**19, 2**22, 2**19
_SAFE = 1e100
_NARROW = 512
_FEW, _FAR = 4, 16.0


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums over rows of norm at most 1: all that a mechanism needs of them.

    Attributes
    ----------
    moment
        S = Σxxᵀ (d, d), in rows.
    total
        Σx (d,).
    rows
        Number of rows.
    clipped
        Rows that were shortened to norm 1.
    columns
        Names of the d columns.
    cut
        Values that were cut to their column's public range.
    recipe, mean
        How rows were prepared, and the released mean (d,) subtracted from them; None for neither.
    sample
        Some of the rows, where they were asked for.
    at_most_r
        S (d, d) of the same rows at most R, where they are of length 1 and this was asked for.
    """

    moment: Array
    total: Array
    rows: int
    clipped: int
    columns: tuple[str, ...]
    cut: int = 0
    recipe: Recipe | None = None
    mean: Array | None = None
    sample: RowSample | None = None
    at_most_r: Array | None = None

    def problem(self, k: int) -> Problem:
        """Return the problem of k directions.

        Whatever the rows: of none S is 0 and n is 1, as a refusal would tell that there is none.

        Raises
        ------
        ValueError
            For k outside 1 ≤ k < d.
        """
        most = 1 if self.recipe is None else self.recipe.rows_per_person
        return Problem.from_moment(self.moment, max(self.rows, 1), k, most)


def merge(a: Moments, b: Moments) -> Moments:
    """Add two parts of a sum, of disjoint rows: from two machines, files or days.

    Raises
    ------
    ValueError
        Unless both have the same columns and were prepared in the same way.
    """
    if a.columns != b.columns:
        raise ValueError("The parts have different columns; sum the same columns in each.")
    same_mean = (a.mean is None and b.mean is None) or (
        a.mean is not None and b.mean is not None and np.array_equal(a.mean, b.mean)
    )
    # By their text: a range that was not asked for is NaN, which equals nothing.
    if repr(a.recipe) != repr(b.recipe) or not same_mean:
        raise ValueError("The parts were prepared differently; use one recipe and one mean.")
    return Moments(
        a.moment + b.moment,
        a.total + b.total,
        a.rows + b.rows,
        a.clipped + b.clipped,
        a.columns,
        a.cut + b.cut,
        a.recipe,
        a.mean,
        a.sample.merged(b.sample) if a.sample is not None and b.sample is not None else None,
        None if a.at_most_r is None or b.at_most_r is None else a.at_most_r + b.at_most_r,
    )


class ClippedSum:
    """Adds up rows that are shortened to a public length R, less a released mean if there is one.

    Or rows that are made of length 1; with a mean they are shortened to R before it is subtracted.
    Rows stay in units of their own, ``unit`` of them for a length of 1, and S is divided by its
    square, which spares a pass over them. ``short`` may run in many threads.
    """

    def __init__(
        self,
        d: int,
        radius: float = 1.0,
        mean: Array | None = None,
        row_length: RowLength = RowLength.AT_MOST_R,
    ) -> None:
        """Start at 0."""
        require_size(d)
        self.d, self._radius, self._mean, self._row_length = d, radius, mean, row_length
        in_units_of_r = mean is None and row_length is RowLength.AT_MOST_R
        self.unit = radius if in_units_of_r and 1 / _SAFE < radius < _SAFE else 1.0
        self._moment, self._total = np.zeros((d, d), order="F"), np.zeros(d)
        self.rows = self.clipped = 0

    def clip_rows(self, rows: Array, out: Array) -> tuple[Array, int]:
        """Return rows (b, d) shortened, in units of ``add``, and how many of them were too long.

        Parameters
        ----------
        rows
            One after another in memory, or column by column.
        out
            Memory (b, d) of the same order that may be overwritten: the rows themselves where
            nobody needs them afterwards.

        A row that is not finite becomes 0.
        """
        if self._row_length is RowLength.ONE:
            return self._of_length_one(rows, out), 0
        lengths = self._lengths(rows)
        if lengths is not None:
            return self._clipped_rows(rows, lengths, out)
        return self._inside(rows, out)

    def _of_length_one(self, rows: Array, out: Array) -> Array:
        """Divide rows, shortened and less the mean if there is one, by their lengths."""
        finite = np.asarray(np.isfinite(rows).all(axis=1))
        if not finite.all():
            rows = np.where(finite[:, None], rows, 0.0)
        if self._mean is not None:
            rows = to_ball(rows, self._radius).values - self._mean
            rows[~finite] = 0.0
        return np.multiply(to_length_one(rows), self.unit, out=out)

    def _inside(self, rows: Array, out: Array) -> tuple[Array, int]:
        """Shorten any rows, less the mean, step by step."""
        finite = np.asarray(np.isfinite(rows).all(axis=1))
        if not finite.all():
            rows = np.where(finite[:, None], rows, 0.0)
        inside = to_ball(rows, self._radius)
        if self._mean is not None:
            inside = to_ball(inside.values - self._mean)
            inside.values[~finite] = 0.0
        return np.multiply(inside.values, self.unit, out=out), round(inside.share * len(rows))

    def _lengths(self, rows: Array) -> Array | None:
        """Lengths (b,) where rows need only be shortened, and their squares are numbers."""
        if self.unit != self._radius or self._mean is not None:
            return None
        by_rows = rows.strides[1] == rows.itemsize
        with np.errstate(over="ignore"):
            squares = np.vecdot(rows, rows) if by_rows else np.einsum("ij,ij->i", rows, rows)
        lengths: Array = np.sqrt(squares, out=squares)
        return lengths if lengths.max(initial=0.0) < _SAFE else None

    def _clipped_rows(self, rows: Array, lengths: Array, out: Array) -> tuple[Array, int]:
        """Multiply long rows by R over their length: a few of them one by one, or all rows."""
        long = np.flatnonzero(lengths > self._radius)
        if len(long) == 0:
            return rows, 0
        if len(long) > len(rows) / _FEW:
            factor = self._radius / np.maximum(lengths, self._radius)
            return np.multiply(rows, factor[:, None], out=out), len(long)
        if out is not rows:
            np.copyto(out, rows)
        out[long] *= (self._radius / lengths[long])[:, None]
        return out, len(long)

    def start_partial(self) -> "ClippedSum | None":
        """Begin another sum that a thread may fill by itself; None where S is too large for that.

        Blocks are multiplied out where they still are in the processor's cache.
        """
        return self.start_part() if len(self._total) <= _NARROW else None

    def start_part(self) -> "ClippedSum":
        """Begin another sum of rows treated in the same way, however large S is."""
        return ClippedSum(len(self._total), self._radius, self._mean, self._row_length)

    def add(self, rows: Array, clipped: int) -> None:
        """Add rows that ``clip_rows`` returned."""
        self._total += np.ones(len(rows)) @ rows
        add_square(self._moment, rows)
        self.rows += len(rows)
        self.clipped += clipped

    def add_clipped(self, rows: Array, out: Array) -> None:
        """Add rows as ``clip_rows`` and ``add`` do, but copy only the long ones where they are few.

        The square of a long row x shortened to w·x is x·xᵀ less (1 − w²)·x·xᵀ. That costs digits
        where w is small, so that blocks with such rows are copied.
        """
        lengths = self._lengths(rows)
        if lengths is None:
            self.add(*self._inside(rows, out))
            return
        long = np.flatnonzero(lengths > self._radius)
        few = 0 < len(long) <= len(rows) / _FEW
        if not few or lengths[long].max() > _FAR * self._radius:
            self.add(*self._clipped_rows(rows, lengths, out))
            return
        self.add(rows, len(long))
        shorter, excess = self._radius / lengths[long], rows[long]
        self._total -= (1 - shorter) @ excess
        excess *= np.sqrt(1 - shorter**2)[:, None]
        add_square(self._moment, excess, -1.0)

    def merge_partial(self, other: "ClippedSum") -> None:
        """Add what a sum begun by ``start_partial`` holds."""
        self._moment += other._moment
        self._total += other._total
        self.rows += other.rows
        self.clipped += other.clipped

    def moments(
        self, columns: tuple[str, ...], cut: int = 0, recipe: Recipe | None = None
    ) -> Moments:
        """Return the sums so far, and stop adding to them."""
        moment, self._moment = self._moment, np.zeros((0, 0))
        moment /= self.unit**2
        total = self._total / self.unit
        for i in range(len(moment)):
            moment[i, :i] = moment[:i, i]
        return Moments(moment, total, self.rows, self.clipped, columns, cut, recipe, self._mean)


def clipped_moment(rows: Array, radius: float = 1.0, reading: Reading = Reading.TOTAL) -> Moments:
    """Sum up rows (n, d) in memory after shortening those longer than R and dividing by R.

    A row with a value that is not finite counts as 0; strict reading refuses it.

    Raises
    ------
    ValueError
        For R that is not a positive number and, in strict reading, NaN or infinite values.
    """
    if not (np.isfinite(radius) and radius > 0):
        raise ValueError(f"R must be a positive number, not {radius}.")
    n, d = rows.shape
    total = ClippedSum(d, radius)
    cells = _PIECE if d <= _NARROW else _WIDE_PIECE
    cuts = blocks(n, d, cells)
    parts = (np.asarray(rows[start:stop], dtype=np.float64) for start, stop in cuts)
    for found in prefetch(partial(_summed, total, strict=reading is Reading.STRICT), parts):
        if isinstance(found, ClippedSum):
            total.merge_partial(found)
        else:
            total.add(*found)
    return total.moments(tuple(str(j) for j in range(d)))


def _summed(total: ClippedSum, rows: Array, strict: bool) -> "ClippedSum | tuple[Array, int]":
    """Sum up a piece in a thread, block by block; of many columns only shorten its rows."""
    if strict and not np.isfinite(rows).all():
        raise ValueError("Rows hold NaN or infinite values; fill or drop them first.")
    partial_sum = total.start_partial()
    if partial_sum is None:
        return total.clip_rows(rows, np.empty(rows.shape))
    cuts = blocks(len(rows), rows.shape[1], _BLOCK)
    memory = np.empty(rows[slice(*cuts[0])].shape)
    for start, stop in cuts:
        partial_sum.add_clipped(rows[start:stop], memory[: stop - start])
    return partial_sum


def blocks(n: int, d: int, cells: int) -> list[tuple[int, int]]:
    """Divide n rows of d numbers into blocks of so many numbers, or more where S is larger."""
    size = max(cells // max(d, 1), min(d // 4, 1000))
    return [(start, min(start + size, n)) for start in range(0, n, size)]


def require_size(d: int) -> None:
    """Refuse more columns than S can be held for."""
    if d > MOST_COLUMNS:
        raise ValueError(f"There are {d:,} columns after encoding; the limit is {MOST_COLUMNS:,}.")
