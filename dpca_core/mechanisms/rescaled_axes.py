"""The arithmetic of a second look: which axes to rescale, the sum in them, what both looks say.

``axes_of`` and ``combined`` are functions of what was published and of public numbers alone: they
get no problem, so neither n nor the true spectrum reaches them.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import eigh_descending, symmetrized

MEDIAN_BINS = 16
"""Lengths between which a median is looked for: 2^(−j/3)."""
_LEAST_REST, _LEAST_GAIN = 0.02, 1.2
_WISHART_EDGE = 3.33
"""Spectral norm of G₁G₁ᵀ − G₂G₂ᵀ over d (docs/difference-of-wisharts.md)."""


@dataclass(frozen=True)
class NoiseSize:
    """How large the noise of one look is.

    Attributes
    ----------
    scale
        Of the unit noise, in people.
    variance
        Of an off-diagonal entry; a diagonal entry has twice as much.
    edge
        About where the spectrum of the noise ends.
    """

    scale: float
    variance: float
    edge: float

    @classmethod
    def gaussian(cls, scale: float, d: int) -> "NoiseSize":
        """Isotropic Gaussian noise of size τ = ``scale``."""
        return cls(scale, scale**2 / 2, scale * sqrt(2 * d))

    @classmethod
    def wishart(cls, scale: float, d: int) -> "NoiseSize":
        """Difference of two Wisharts of scale s = ``scale``."""
        return cls(scale, 2 * (d + 1) * scale**2, _WISHART_EDGE * d * scale)


@dataclass(frozen=True)
class Axes:
    """The axes of the second look: A = a₀·I + Σ (a_i − a₀)·u_i·u_iᵀ.

    Attributes
    ----------
    top
        u_1…u_m (d, m).
    factors
        a_1…a_m (m,).
    rest
        a₀.
    """

    top: Array
    factors: Array
    rest: float

    def applied(self, matrix: Array, power: int) -> Array:
        """Return A^power·matrix·A^power for a symmetric matrix (d, d)."""
        change = self.factors**power - self.rest**power
        half = self.rest**power * matrix + (self.top * change) @ (self.top.T @ matrix)
        return np.asarray(self.rest**power * half + (half @ self.top * change) @ self.top.T)


def axes_of(first: Array, noise: NoiseSize, k: int, tail: float) -> Axes:
    """Choose the axes of the second look from what the first one published.

    Parameters
    ----------
    first
        M₁ (d, d).
    noise
        That of the first look.
    tail
        Part of a row's length that is left to the directions beside the top ones.
    """
    d = len(first)
    values, vectors = eigh_descending(first)
    m = int((values[:k] > noise.edge).sum())
    if m == 0:
        return Axes(np.empty((d, 0)), np.empty(0), 1.0)
    top = values[:m]
    # The noise raises an eigenvalue λ to λ + edge²/4λ: this undoes it.
    lowered = (top + np.sqrt(top**2 - noise.edge**2)) / 2
    parts = lowered / max(1.0, float(np.trace(first)))
    rest = max(_LEAST_REST, 1 - float(parts.sum()))
    factors = np.sqrt((1 - tail) / (m * np.maximum(parts, 0.1 * rest / (d - m))))
    beside = sqrt(tail / rest)
    if beside * factors.max() < _LEAST_GAIN:
        return Axes(np.empty((d, 0)), np.empty(0), 1.0)
    return Axes(vectors[:, :m], factors, beside)


def rescaled_sum(rows: Array, moment: Array, row_weight: float, axes: Axes) -> Array:
    """Return Σ row_weight·zzᵀ (d, d) with z = Ax, or shortened to length 1 where that is longer.

    Parameters
    ----------
    rows
        (n, d), of norm at most 1.
    moment
        Σ row_weight·xxᵀ, the sum of the same rows.
    """
    squares = axes.rest**2 * np.einsum("ij,ij->i", rows, rows)
    squares += (rows @ axes.top) ** 2 @ (axes.factors**2 - axes.rest**2)
    longer = squares > 1
    cut = rows[longer]
    weights = row_weight * (1 - 1 / squares[longer])
    return axes.applied(moment - (cut * weights[:, None]).T @ cut, 1)


def combined(first: Array, second: Array, axes: Axes, sizes: tuple[NoiseSize, NoiseSize]) -> Array:
    """Weigh both looks, entry by entry, by the inverse variance of their noise.

    In a basis that begins with u_1…u_m, entry (i, j) is M₁ + g_ij·(A⁻¹M₂A⁻¹ − M₁) with
    g_ij = v₁/(v₁ + v₂/(a_i²a_j²)). There are three kinds of g: no whole basis is needed.
    """
    v1, v2 = sizes[0].variance, sizes[1].variance

    def gain(square: Array | float) -> Array:
        return np.asarray(v1 / (v1 + v2 / square))

    both = axes.applied(second, -1) - first
    u, a, rest = axes.top, axes.factors**2, axes.rest**2
    beside = float(gain(rest * rest))
    seen = u.T @ both
    inside = seen @ u
    across = u @ ((gain(a * rest) - beside)[:, None] * (seen - inside @ u.T))
    found = first + beside * both + across + across.T
    return symmetrized(found + u @ ((gain(np.outer(a, a)) - beside) * inside) @ u.T)


def shortened(rows: Array, radius: float) -> Array:
    """Return rows of norm at most ``radius``, shortened to it where longer, divided by it."""
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    return np.asarray(rows / np.maximum(lengths, radius)[:, None])


def noisy_median_radius(rows: Array, row_weight: float, noise: Array) -> float:
    """Return the smallest of the lengths 2^(−j/3) that at most about half of all rows exceed.

    Parameters
    ----------
    noise
        Noise on the counts (16,), for one row that changes a count by ``row_weight``.
    """
    radii = 2.0 ** (-np.arange(MEDIAN_BINS) / 3)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    # Bin j holds r_{j+1} < length ≤ r_j; the last one all shorter rows, the first all others.
    bins = np.clip(np.searchsorted(-radii, -lengths, side="right") - 1, 0, MEDIAN_BINS - 1)
    counts = row_weight * np.bincount(bins, minlength=MEDIAN_BINS) + noise
    longer = np.concatenate([[0.0], np.cumsum(counts)[:-1]])
    within = np.flatnonzero(longer <= max(1.0, float(counts.sum())) / 2)
    return float(radii[within[-1]]) if len(within) else 1.0
