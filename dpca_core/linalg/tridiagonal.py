"""The top of many tridiagonal matrices at once, in single precision.

Bisection isolates eigenvalues, Rayleigh quotients of twisted factorisations (Dhillon & Parlett
2004) make them and their eigenvectors exact. Each step works on all eigenvalues of all matrices:
LAPACK's routines for one matrix wait for one division after the other. Nothing here is certain.
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
        twisted = _Twisted(entries, beside, squares, _middle(low, high))
        for _ in range(_QUOTIENTS):
            value = twisted.value + twisted.solve()
            np.maximum(value, low, out=value)
            twisted.value = np.minimum(value, high, out=value)
        twisted.solve()
        vectors = twisted.vector / np.sqrt(twisted.square)
    values = np.asarray((twisted.value * size).T)
    return values, np.ascontiguousarray(vectors.transpose(2, 1, 0))


def _isolated(
    diagonal: SingleArray, squares: SingleArray, count: int
) -> tuple[SingleArray, SingleArray]:
    """Numbers (count, N) between which each eigenvalue is, by Sturm counts."""
    columns = diagonal.shape[1]
    counts = np.empty((count, columns), dtype=np.int32)
    low = np.full((count, columns), -1, np.float32)
    high, wanted = np.ones_like(low), np.arange(1, count + 1)[:, None]
    # At first all are in one interval: different numbers tell more.
    points = np.empty_like(low)
    points[:] = 1 - 2 * wanted / (count + 1)
    _count_above(diagonal, squares, points, counts)
    for i in range(count):
        below = counts[i] < wanted
        np.copyto(high, points[i], where=below)
        np.copyto(low, np.maximum(low, points[i]), where=~below)
    width = _ISOLATED / max(len(diagonal), 100)
    for _ in range(ceil(log2(max(1, 2 / (count + 1) / width)))):
        points = _middle(low, high)
        _count_above(diagonal, squares, points, counts)
        below = counts < wanted
        np.copyto(high, points, where=below)
        np.copyto(low, points, where=~below)
    return low, high


def _middle(low: SingleArray, high: SingleArray) -> SingleArray:
    return np.asarray((low + high) * np.float32(0.5))


def _count_above(
    diagonal: SingleArray, squares: SingleArray, points: SingleArray, counts: NDArray[Any]
) -> None:
    """Count the eigenvalues above points (count, N)."""
    d = len(diagonal)
    pivot, shifted = diagonal[0] - points, np.empty_like(counts, np.float32)
    negative = np.signbit(pivot)
    # Adding single bytes is fastest.
    ones = negative.view(np.uint8)
    below = ones.astype(np.uint8 if d < 256 else np.uint16)
    for i in range(1, d):
        np.divide(squares[i - 1], pivot, out=pivot)
        np.subtract(diagonal[i], points, out=shifted)
        np.subtract(shifted, pivot, out=pivot)
        np.signbit(pivot, out=negative)
        np.add(below, ones, out=below)
    np.subtract(d, below, out=counts, casting="unsafe")


class _Twisted:
    """Solves (T − λ)z = γe for many λ (count, N), with e the axis at which |γ| is least at first.

    Attributes
    ----------
    value, vector, square
        λ, z (d, count, N) with 1 at that axis, and |z|².
    """

    def __init__(
        self, diagonal: SingleArray, beside: SingleArray, squares: SingleArray, value: SingleArray
    ) -> None:
        self._diagonal, self._beside, self._squares = diagonal, beside, squares
        self.value, self.square = value, np.empty_like(value)
        shape = len(diagonal), *value.shape
        self.vector, self._down, self._up = (np.empty(shape, np.float32) for _ in range(3))
        self._other, self._one = np.empty(shape, np.float32), np.empty_like(value)
        self._axis: NDArray[Any] | None = None

    def solve(self) -> SingleArray:
        """Fill in ``vector`` and return the step of its Rayleigh quotient."""
        self._factorise()
        if self._axis is None:
            self._axis = self._best_axis()
        at = self._axis[None]
        last, part = len(self._diagonal) - 1, self._one
        up, down = self._other, self.vector
        up[:], down[:] = 0, 0
        np.put_along_axis(up, at, 1, axis=0)
        np.put_along_axis(down, at, 1, axis=0)
        for i in range(last):
            np.divide(self._beside[i], self._up[i + 1], out=part)
            np.multiply(part, up[i], out=part)
            np.subtract(up[i + 1], part, out=up[i + 1])
        for i in range(last - 1, -1, -1):
            np.divide(self._beside[i], self._down[i], out=part)
            np.multiply(part, down[i + 1], out=part)
            np.subtract(down[i], part, out=down[i])
        np.put_along_axis(up, at, 0, axis=0)
        down += up
        np.einsum("ijn,ijn->jn", down, down, out=self.square)
        gamma = np.take_along_axis(self._down, at, 0)[0] + np.take_along_axis(self._up, at, 0)[0]
        gamma -= np.take_along_axis(self._diagonal[:, None], at, 0)[0] - self.value
        return np.asarray(gamma / self.square)

    def _factorise(self) -> None:
        """Pivots from the first row down and from the last row up."""
        last, part = len(self._diagonal) - 1, self._one
        np.subtract(self._diagonal[:, None], self.value, out=self._down)
        self._up[:] = self._down
        for i in range(last):
            np.divide(self._squares[i], self._down[i], out=part)
            np.subtract(self._down[i + 1], part, out=self._down[i + 1])
        for i in range(last - 1, -1, -1):
            np.divide(self._squares[i], self._up[i + 1], out=part)
            np.subtract(self._up[i], part, out=self._up[i])

    def _best_axis(self) -> NDArray[Any]:
        gamma = np.subtract(self._diagonal[:, None], self.value, out=self.vector)
        np.subtract(self._down, gamma, out=gamma)
        gamma += self._up
        return np.asarray(np.abs(gamma, out=gamma).argmin(axis=0))
