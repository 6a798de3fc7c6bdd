"""Noisy matrices Λ + σE off their first directions, which stand out of the noise.

Rounding is in proportion to the largest eigenvalue, and the gap that is asked for may be as small
as the noise. So where a few directions are far above the others they are found first, by the
iteration for small noise; LAPACK then solves what is orthogonal to them in single precision.
Proofs are in ``docs/sweep-precision.md``.
"""

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.noisy_stack import fill, norms_along, proved_below
from dpca_core.linalg.riccati import LARGEST_NOISE, graphs_of_tops
from dpca_core.linalg.single_precision import SingleTop, Tops
from dpca_core.linalg.symmetric import eigh_descending, symmetrized

_NEAR_LEAST = 1.5
"""Times the smallest norm of what is left at which fewer directions are as good."""
_WORTH, _WORTH_COLUMNS = 4.0, 1_200
"""Times what is left that the whole has to be for any to be taken out, or so many over d: of fewer
columns single precision loses less."""
_ROUNDING = 2.0**-41
"""d times this, and the norm of the matrix, bounds all that double precision loses."""


def head_sizes(spectrum: Array, norms: Array, k: int) -> np.ndarray:
    """Return how many directions (G,) are worth taking out, fewer than k: 0 for none.

    Parameters
    ----------
    spectrum, norms
        Λ (d,), descending, and about ‖σE‖ (G,).
    """
    d = len(spectrum)
    few = spectrum[: min(k, int(d ** (2 / 3)) + 1)]
    gaps = few[:-1] - few[1:]
    left = few - spectrum[-1] + norms[:, None]
    allowed = norms[:, None] <= LARGEST_NOISE * gaps
    allowed = np.concatenate([np.ones((len(norms), 1), dtype=bool), allowed], axis=1)
    least = np.where(allowed, left, np.inf).min(axis=1)
    best = (allowed & (left <= _NEAR_LEAST * least[:, None])).argmax(axis=1)
    worth = max(_WORTH, _WORTH_COLUMNS / d)
    return np.where(left[:, 0] >= worth * least, best, 0)


class DeflatedStack:
    """Λ + σE off their first h directions.

    With rows [I X] of the head, V = [−X; I](I − XᵀKX) has orthonormal columns that are orthogonal
    to them, K = ((I + XXᵀ) + (I + XXᵀ)^½)⁻¹. VᵀAV = A₂₂ − XᵀZ − ZᵀX is filled in, where
    Z = S + KXP − ½K(XPXᵀ)KX, S = A₁₂ − ½A₁₁X, and P = A₂₂ − XᵀS − SᵀX.

    Parameters
    ----------
    spectrum, noises, scales
        Λ (d,), E (T, d, d), σ (G,).
    h
        Directions to take out.
    """

    def __init__(self, spectrum: Array, noises: Array, scales: Array, h: int) -> None:
        # Rounding is in proportion to what is left, without a multiple of I.
        self._shift = float(spectrum[h:].mean())
        self._spectrum, self._noises, self._scales = spectrum - self._shift, noises, scales
        self._h, d = h, len(spectrum)
        graphs = graphs_of_tops(self._spectrum, noises, scales, h)
        axes = np.broadcast_to(np.eye(h, d), (*graphs.shape[:3], d))
        basis = np.concatenate([axes[..., :h], graphs], axis=3)
        products = (basis.reshape(len(noises), -1, d) @ noises).reshape(basis.shape)
        self._x, rows = graphs.reshape(-1, h, d - h), basis.reshape(-1, h, d)
        image, corner = self._on(products, basis), self._on(noises[:, None, :h], axes)
        sizes, vectors = np.linalg.eigh(self._x @ self._x.swapaxes(1, 2))
        root = np.sqrt(1 + np.maximum(sizes, 0))
        back = vectors.swapaxes(1, 2)
        self._set_beside(image, corner, (vectors / (root * (root + 1))[:, None]) @ back)
        # The head's own eigenvectors, so that steps of the power method keep them apart.
        inverse = (vectors / root[:, None]) @ back
        inner = symmetrized(inverse @ (image @ rows.swapaxes(1, 2)) @ inverse)
        self._values, turn = eigh_descending(inner)
        self._rows = turn.swapaxes(1, 2) @ inverse @ rows

    def _on(self, products: Array, rows: Array) -> Array:
        """Rows times A, as (T·G, h, d), from their products with E."""
        image = products * self._scales[:, None, None] + rows * self._spectrum
        return image.reshape(-1, *rows.shape[2:])

    def _set_beside(self, image: Array, corner: Array, kernel: Array) -> None:
        """Set KX and Z from [I X]A, [A₁₁ A₁₂] and K."""
        h, x = self._h, self._x
        turned, beside = x.swapaxes(1, 2), corner[..., h:]
        half = beside - 0.5 * (corner[..., :h] @ x)
        xp = image[..., h:] - beside - (x @ turned) @ half - (x @ half.swapaxes(1, 2)) @ x
        self._kx = kernel @ x
        self._z = half + kernel @ xp - 0.5 * (kernel @ (xp @ turned)) @ self._kx

    def reduce(self, solver: SingleTop) -> None:
        """Fill the solver's matrices in, and reduce them to tridiagonal form."""
        h, count = self._h, len(self._x)
        rest = len(self._spectrum) - h
        matrices = solver.matrices[:count]
        fill(matrices, self._noises[:, h:, h:], self._scales)
        matrices.reshape(count, -1)[:, :: rest + 1] += self._spectrum[h:].astype(np.float32)
        x, z = self._x.astype(np.float32), self._z.astype(np.float32)
        left = np.concatenate([x, z], axis=1).swapaxes(1, 2)
        right, product = np.concatenate([z, x], axis=1), np.empty((rest, rest), np.float32)
        for i, matrix in enumerate(matrices):
            matrix -= np.matmul(left[i], right[i], out=product)
        solver.reduce(count)

    def finish(self, solver: SingleTop) -> tuple[Tops, Array]:
        """Return the tops of the whole, and numbers (T·G,) that the others are below."""
        h, scales, count = self._h, self._scales, len(self._x)
        found = solver.finish(count)
        noises = self._noises[:, h:, h:]
        diagonals = np.diagonal(noises, axis1=1, axis2=2)[:, None] * scales[:, None]
        diagonals = diagonals.reshape(count, -1) - 2 * (self._x * self._z).sum(axis=1)
        above = proved_below(solver, self._spectrum[h:], (diagonals, self.rounded()), found)
        size = norms_along(self._noises, scales) + np.linalg.norm(self._spectrum)
        above += _ROUNDING * len(self._spectrum) * size
        above[~(np.linalg.norm(self._x, axis=(1, 2)) <= 1)] = np.inf
        return self._whole(found), above + self._shift

    def rounded(self) -> Array:
        """What bounds rounding of the filled matrices as the norms of their noise would (T·G,)."""
        x_norm, z_norm = (np.linalg.norm(part, axis=(1, 2)) for part in (self._x, self._z))
        noise = norms_along(self._noises[:, self._h :, self._h :], self._scales)
        return np.asarray((8 * noise + 4 * (self._h + 4) * x_norm * z_norm) / 6)

    def _whole(self, found: Tops) -> Tops:
        """Return the tops with the head, in coordinates of the whole."""
        rows = found.rows.astype(np.float64)
        rows -= (rows @ self._x.swapaxes(1, 2)) @ self._kx
        rows = np.concatenate([-rows @ self._x.swapaxes(1, 2), rows], axis=2)
        values = np.concatenate([self._values, found.values], axis=1) + self._shift
        after = found.next.astype(np.float64) + self._shift
        return Tops(np.concatenate([self._rows, rows], axis=1), values, after)
