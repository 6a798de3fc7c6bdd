"""Stacks of noisy matrices Λ + σE, whose tops are found, and shown to miss nothing, by LAPACK.

Proofs are in ``docs/sweep-precision.md``.
"""

from typing import Protocol

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.single_precision import SingleTop, Tops
from dpca_core.linalg.upper_bound import proved_in_place

_MARGIN = 0.05
"""Share of the gap below the top that is left to what a bound on the others may lose."""


class Stack(Protocol):
    """T·G matrices, which a solver reduces, and finishes."""

    def reduce(self, solver: SingleTop) -> None:
        """Fill the solver's matrices in, and reduce them to tridiagonal form."""

    def finish(self, solver: SingleTop) -> tuple[Tops, Array]:
        """Return the tops of what was reduced, and numbers (T·G,) that the others are below.

        Those are proved: as ``UpperBound.proved`` for all rows of the tops.
        """


class NoisyStack:
    """Λ + σE as they are.

    Parameters
    ----------
    spectrum, noises, scales
        Λ (d,), centred; E (T, d, d); σ (G,).
    """

    def __init__(self, spectrum: Array, noises: Array, scales: Array) -> None:
        self._spectrum, self._noises, self._scales = spectrum, noises, scales

    def reduce(self, solver: SingleTop) -> None:
        """Fill the solver's matrices in, and reduce them to tridiagonal form."""
        count, d = len(self._noises) * len(self._scales), len(self._spectrum)
        matrices = solver.matrices[:count]
        fill(matrices, self._noises, self._scales)
        matrices.reshape(count, -1)[:, :: d + 1] += self._spectrum.astype(np.float32)
        solver.reduce(count)

    def finish(self, solver: SingleTop) -> tuple[Tops, Array]:
        """Return the tops of what was reduced, and numbers (T·G,) that the others are below."""
        scales, d = self._scales, len(self._spectrum)
        found = solver.finish(len(self._noises) * len(scales))
        diagonals = np.diagonal(self._noises, axis1=1, axis2=2)[:, None] * scales[:, None]
        known = diagonals.reshape(-1, d), norms_along(self._noises, scales)
        return found, proved_below(solver, self._spectrum, known, found)


def fill(matrices: np.ndarray, noises: Array, scales: Array) -> None:
    """Fill σE (T·G, d, d) in, in single precision."""
    stack = matrices.reshape(len(noises), len(scales), *matrices.shape[1:])
    single = noises[:, None].astype(np.float32), scales[:, None, None].astype(np.float32)
    np.multiply(*single, out=stack)


def norms_along(noises: Array, scales: Array) -> Array:
    """Frobenius norms (T·G,) of σE."""
    return np.outer(np.linalg.norm(noises, axis=(1, 2)), np.abs(scales)).ravel()


def proved_below(
    solver: SingleTop, spectrum: Array, known: tuple[Array, Array], found: Tops
) -> Array:
    """Return numbers that the others are below, where ``proved_in_place`` shows that they are.

    ``known`` are the diagonals of the noise and what was rounded, as there.
    """
    edges = edges_of(found)
    matrices = solver.matrices[: len(edges)]
    return proved_in_place(matrices, spectrum, known, found.rows, found.values, edges)


def edges_of(found: Tops) -> Array:
    """Numbers (G,) next to what the others are below, towards the top."""
    lowest = found.values[:, -1].astype(np.float64)
    return np.asarray(found.next + _MARGIN * (lowest - found.next))
