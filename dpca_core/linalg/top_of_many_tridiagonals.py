"""The top of many tridiagonal matrices at once, in single precision.

Bisection isolates eigenvalues, Rayleigh quotients of twisted factorisations (Dhillon & Parlett
2004) make them and their eigenvectors exact. Each step works on all eigenvalues of all matrices:
LAPACK's routines for one matrix wait for one division after the other. Numbers that a step works on
lie in one line: calls on lines that are repeated cost as much again. Nothing here is certain.
"""

from math import ceil, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

SingleArray = NDArray[np.float32]

_ISOLATED, _QUOTIENTS = 3e-2, 2
"""Share of the norm, over d or 100, to which eigenvalues are bisected, and Rayleigh quotients from
there: two for vectors as exact as single precision makes them."""
_TINY = np.float32(1e-30)
"""Least square of an off-diagonal entry: no matrix splits, and no pivot but the first is 0/0."""
_ROWS = 8
"""Rows whose pivots are kept at a time, so that signs are counted in few calls."""
_HALF, _ONE = np.float32(0.5), np.float32(1).view(np.int32)


def top_of_tridiagonals(
    diagonal: SingleArray, off_diagonal: SingleArray, count: int
) -> tuple[SingleArray, SingleArray]:
    """Return eigenvalues (N, count) and unit eigenvectors (N, count, d), the largest first.

    NaN where a matrix or a pivot is zero. Where eigenvalues are closer than bisection tells apart,
    two of the vectors may be the same.

    Parameters
    ----------
    diagonal, off_diagonal
        (N, d) and (N, d − 1).
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        size = np.abs(diagonal).max(axis=1) + 2 * np.abs(off_diagonal).max(axis=1)
        # An entry of all matrices lies side by side, as all steps go from one to the next.
        entries = np.ascontiguousarray((diagonal / size[:, None]).T)
        beside = np.ascontiguousarray((off_diagonal / size[:, None]).T)
        squares = np.maximum(np.square(beside), _TINY)
        low, high = _isolated(entries, squares, count)
        twisted = _Twisted(entries, beside, squares, (low + high) * _HALF)
        for _ in range(_QUOTIENTS):
            value = twisted.value + twisted.solve()
            np.maximum(value, low, out=value)
            twisted.value = np.minimum(value, high, out=value)
        twisted.solve()
        vectors = twisted.vector
        vectors *= 1 / np.sqrt(twisted.square)
    values = np.asarray((twisted.value * size).T)
    return values, np.ascontiguousarray(vectors.transpose(2, 1, 0))


def _isolated(
    diagonal: SingleArray, squares: SingleArray, count: int
) -> tuple[SingleArray, SingleArray]:
    """Numbers (count, N) between which each eigenvalue is, by Sturm counts."""
    d, columns = diagonal.shape
    counter = _Counter(diagonal, squares, count)
    low = np.full((count, columns), -1, np.float32)
    high, wanted = np.ones_like(low), np.arange(1, count + 1)[:, None]
    most = (d - wanted).astype(counter.dtype)
    # At first all are in one interval: different numbers tell more.
    points = np.empty_like(low)
    points[:] = 1 - 2 * wanted / (count + 1)
    found = counter(points)
    for i in range(count):
        above = found[i] > most
        np.copyto(high, points[i], where=above)
        np.copyto(low, np.maximum(low, points[i]), where=~above)
    width = _ISOLATED / max(d, 100)
    for _ in range(ceil(log2(max(1, 2 / (count + 1) / width)))):
        np.add(low, high, out=points)
        points *= _HALF
        above = counter(points) > most
        np.copyto(high, points, where=above)
        np.copyto(low, points, where=~above)
    return low, high


class _Counter:
    """Counts the eigenvalues below points (count, N), as whole numbers of ``dtype``.

    By the signs of the pivots of T less a point, eliminated from both ends towards the middle.
    """

    def __init__(self, diagonal: SingleArray, squares: SingleArray, count: int) -> None:
        d, columns = diagonal.shape
        self.dtype = np.dtype(np.uint8 if d < 256 else np.uint16)
        half = (d - 1) // 2
        shape = 2, count, columns
        self._ends = _both_ways(diagonal)[:half, :, None]
        self._middle = diagonal[half : d - half]
        self._within = squares[half : d - half - 1]
        squares_at_ends = np.empty((half, *shape), np.float32)
        squares_at_ends[:] = _both_ways(squares)[:half, :, None]
        self._squares = [line.reshape(-1) for line in squares_at_ends]
        self._pivots, self._part = (
            np.empty((_ROWS, *shape), np.float32),
            np.empty(shape, np.float32),
        )
        self._negative = np.empty(self._pivots.shape, dtype=bool)
        self._lines = list(self._pivots.reshape(_ROWS, -1))

    def __call__(self, points: SingleArray) -> NDArray[Any]:
        part = self._part.reshape(-1)
        below = np.zeros(self._part.shape, self.dtype)
        part[:] = 0
        for start in range(0, len(self._ends), _ROWS):
            ends = self._ends[start : start + _ROWS]
            pivots, negative = self._pivots[: len(ends)], self._negative[: len(ends)]
            np.subtract(ends, points, out=pivots)
            squares = self._squares[start : start + _ROWS]
            for pivot, square in zip(self._lines[: len(ends)], squares, strict=True):
                np.subtract(pivot, part, out=pivot)
                np.divide(square, pivot, out=part)
            np.signbit(pivots, out=negative)
            # Adding single bytes is fastest.
            below += np.add.reduce(negative.view(np.uint8), axis=0, dtype=np.uint8)
        found = below[0]
        found += below[1]
        down, up = self._part
        for row, square in zip(self._middle, self._within, strict=False):
            pivot = row - points - down
            found += np.signbit(pivot)
            down = square / pivot
        found += np.signbit(self._middle[-1] - points - down - up)
        return np.asarray(found)


class _Twisted:
    """Solves (T − λ)z = γe for many λ (count, N), with e the axis at which |γ| is least at first.

    Rows are gone through from both ends at once: arrays have an axis of 2 for that.

    Attributes
    ----------
    value, vector, square
        λ, z (d, count, N) with 1 at that axis, and |z|².
    """

    vector: SingleArray

    def __init__(
        self, diagonal: SingleArray, beside: SingleArray, squares: SingleArray, value: SingleArray
    ) -> None:
        d, shape = len(diagonal), value.shape
        self.value, self.square = value, np.empty_like(value)
        self._diagonal = _both_ways(diagonal)[:, :, None]
        self._squares = np.empty((d - 1, 2, *shape), np.float32)
        self._squares[:] = _both_ways(squares)[:, :, None]
        # Next to the floor of squares, with its sign.
        inverse = np.copysign(1 / np.maximum(np.abs(beside), np.sqrt(_TINY)), -beside)
        self._inverse = _both_ways(inverse)[:, :, None]
        self._pivots, self._parts = np.empty((2, d, 2, *shape), np.float32)
        # Pivots are not needed any more where the vector is.
        self._spare = self._pivots.reshape(2, d, *shape)[0]
        self._axis: NDArray[Any] | None = None

    def solve(self) -> SingleArray:
        """Fill in ``vector`` and return the step of its Rayleigh quotient."""
        d, pivots, parts = len(self._diagonal), self._pivots, self._parts
        self._factorise()
        if self._axis is None:
            self._axis = self._best_axis()
            index = np.arange(d - 1)[:, None, None]
            inside = np.stack([index < self._axis, index < d - 1 - self._axis], axis=1)
            self._inside = -inside.astype(np.int32)
        at = self._axis[None]
        gamma = self.value - np.take_along_axis(self._diagonal[:, 0], at, 0)[0]
        for one in (pivots[:, 0], pivots[::-1, 1]):
            gamma += np.take_along_axis(one, at, 0)[0]
        # Entries next to each other have the ratio −b/pivot: z is a product of those from the axis
        # to there, so beyond the axis the ratio is set to 1.
        parts[:-1] *= self._inverse
        bits = parts[:-1].view(np.int32)
        bits ^= _ONE
        bits &= self._inside
        bits ^= _ONE
        parts[-1] = 1
        lines = list(parts.reshape(d, -1))
        for i in range(d - 2, -1, -1):
            np.multiply(lines[i], lines[i + 1], out=lines[i])
        self.vector = np.multiply(parts[:, 0], parts[::-1, 1], out=self._spare)
        np.einsum("ijn,ijn->jn", self.vector, self.vector, out=self.square)
        return np.asarray(gamma / self.square)

    def _factorise(self) -> None:
        """Pivots from the first row down and from the last row up, and squares over them."""
        np.subtract(self._diagonal, self.value, out=self._pivots)
        d = len(self._diagonal)
        squares, pivots, parts = (
            list(each.reshape(len(each), -1)) for each in (self._squares, self._pivots, self._parts)
        )
        for i in range(d - 1):
            np.divide(squares[i], pivots[i], out=parts[i])
            np.subtract(pivots[i + 1], parts[i], out=pivots[i + 1])

    def _best_axis(self) -> NDArray[Any]:
        gamma = self._pivots[:, 0] + self._pivots[::-1, 1]
        gamma -= self._diagonal[:, 0]
        gamma += self.value
        return np.asarray(np.abs(gamma, out=gamma).argmin(axis=0))


def _both_ways(rows: SingleArray) -> SingleArray:
    """Rows (r, N) from the first to the last beside those from the last to the first (r, 2, N)."""
    return np.stack([rows, rows[::-1]], axis=1)
