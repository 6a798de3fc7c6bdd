"""Exact samplers of the matrix Bingham law that split coordinates off: all but fixed, or all but 0.

``Split`` takes off the ``cut`` < k cheapest coordinates, ``Truncation`` all but the ``cut`` > k
cheapest. What is left has a law of the same kind in fewer dimensions: the inner sampler's. The
rest is a Gaussian matrix Y, tilted to lie within YᵀY ≺ I. Whatever fails restarts with a new inner
draw. Proofs: docs/bingham.md.
"""

from dataclasses import dataclass

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import gram
from dpca_core.sampling.matrix_bingham import Build, Sampler


@dataclass(frozen=True)
class Split(Sampler):
    """The first ``cut`` directions nearly fixed, k − ``cut`` free among the other coordinates.

    Frames [[(I − YᵀY)^{1/2}, 0], [Y, X]]: X from the inner sampler, columns y_j | X Gaussian and
    orthogonal to X.

    Attributes
    ----------
    costs
        c (d,) ascending, c₁ = 0.
    k, cut
        Dimension, and how many directions are nearly fixed: 1 ≤ cut < k.
    share
        β: X is proposed from costs β·(c_i − c_{cut+1}), i > cut. Sets the speed and not the law.
    tilts
        t (cut,), each at least (k − cut − 1)/2, and positive where c_{cut} = c_{cut+1}; speed only.
    free
        Sampler of X: costs as above, k − cut directions.
    """

    costs: Array
    k: int
    cut: int
    share: float
    tilts: Array
    free: Sampler

    @property
    def inner(self) -> Sampler:
        """Sampler of X."""
        return self.free

    def precisions(self) -> Array:
        """M_j + t_j (cut, d − cut): C of the other coordinates less c_j, tilted."""
        return np.asarray(
            self.costs[self.cut :] - self.costs[: self.cut, None] + self.tilts[:, None]
        )

    def log_bound(self, share: float) -> float:
        """Log of the largest chance before it is divided by it, at β = share.

        Over all eigenvalues of C compressed to the complement of X that interlace: each term is
        convex in its eigenvalue, so largest at an end of the interval.
        """
        few, tail = self.k - self.cut, self.costs[self.cut :]
        logs = np.log(self.precisions()).sum(axis=0) / 2
        rest = len(tail) - few
        lowered = logs[few:] - logs[:rest] + (1 - share) * (tail[:rest] - tail[few:])
        fixed = logs[:few].sum() - (1 - share) * (tail[:few] - tail[0]).sum()
        return float(fixed + np.maximum(lowered, 0).sum())

    def weigh(self, rng: np.random.Generator, count: int) -> tuple[Array, Build]:
        """Propose X, then Y given X; no chance where YᵀY is not below I."""
        tail, few, root = self.costs[self.cut :], self.k - self.cut, np.sqrt(self.precisions())
        x = self.free.draw(rng, count)
        spent = np.square(x).sum(axis=2) @ (tail - tail[0])
        z = rng.standard_normal((count, *root.shape))
        if few == 1:
            q = x[:, None, :, 0] / root
            squares = np.square(q).sum(axis=2)  # xᵀ(M_j + t_j)⁻¹x, (count, cut)
            logs = np.log(squares).sum(axis=1)
            z -= q * ((q * z).sum(axis=2) / squares)[:, :, None]
        else:
            q, r = np.linalg.qr(x[:, None] / root[:, :, None])
            logs = 2 * np.log(np.abs(np.diagonal(r, axis1=2, axis2=3))).sum(axis=(1, 2))
            z -= (q @ (q.swapaxes(2, 3) @ z[..., None]))[..., 0]
        y = z / (np.sqrt(2) * root)
        chances = -0.5 * logs - (1 - self.share) * spent - self.log_bound(self.share)
        within, corner = _within(gram(y), self.tilts, (few - 1) / 2)
        chances = chances + within

        def build(kept: np.ndarray) -> Array:
            frames = np.zeros((int(kept.sum()), len(self.costs), self.k))
            frames[:, : self.cut, : self.cut] = corner(kept)
            frames[:, self.cut :, : self.cut] = y[kept].swapaxes(1, 2)
            frames[:, self.cut :, self.cut :] = x[kept]
            return frames

        return chances, build


@dataclass(frozen=True)
class Truncation(Sampler):
    """The last d − ``cut`` coordinates nearly 0.

    Frames [U(I − YᵀY)^{1/2}; Y]: U from the inner sampler, in columns such that UᵀCU is diagonal;
    entries of Y | U Gaussian.

    Attributes
    ----------
    costs
        c (d,) ascending, c₁ = 0.
    k, cut
        Dimension, and how many coordinates carry it: k < cut < d.
    slope
        s in [0, 1): U is proposed from costs (1 − s)·c_i, i ≤ cut. Sets the speed and not the law.
    tilts
        t (k,), each at least (cut − k − 1)/2, and positive where c_{cut} = c_{cut+1}; speed only.
    free
        Sampler of U: costs as above, k directions.
    """

    costs: Array
    k: int
    cut: int
    slope: float
    tilts: Array
    free: Sampler

    @property
    def inner(self) -> Sampler:
        """Sampler of U."""
        return self.free

    def log_bound(self, slope: float) -> float:
        """Log of the largest chance before it is divided by it, at s = slope; as for a split."""
        head, tail = self.costs[: self.cut], self.costs[self.cut :]
        ends = np.stack([head[: self.k], head[self.cut - self.k :]])
        logs = np.log(tail - ends[..., None] + self.tilts[:, None]).sum(axis=2)
        return float((-0.5 * logs - slope * ends).max(axis=0).sum())

    def weigh(self, rng: np.random.Generator, count: int) -> tuple[Array, Build]:
        """Propose U, then Y given U; no chance where YᵀY is not below I."""
        head, tail = self.costs[: self.cut], self.costs[self.cut :]
        u = self.free.draw(rng, count)
        # Rounding may put an eigenvalue outside the interval where it lies: ties would suffer.
        values, vectors = np.linalg.eigh(u.swapaxes(1, 2) @ (head[:, None] * u))
        values = np.clip(values, head[: self.k], head[self.cut - self.k :])
        precisions = tail[:, None] - values[:, None, :] + self.tilts
        logs = np.log(precisions).sum(axis=(1, 2))
        y = rng.standard_normal(precisions.shape) / np.sqrt(2 * precisions)
        chances = -0.5 * logs - self.slope * values.sum(axis=1) - self.log_bound(self.slope)
        within, corner = _within(gram(y.swapaxes(1, 2)), self.tilts, (self.cut - self.k - 1) / 2)
        chances = chances + within

        def build(kept: np.ndarray) -> Array:
            return np.concatenate([u[kept] @ vectors[kept] @ corner(kept), y[kept]], axis=1)

        return chances, build


def _within(squares: Array, tilts: Array, power: float) -> tuple[Array, Build]:
    """Log (count,) of |I − A|^power·e^{Σ t_j A_jj} over its maximum for A = squares (count, p, p).

    −∞ unless A ≺ I; and (I − A)^{1/2} on demand.
    """
    values, vectors = np.linalg.eigh(np.eye(len(tilts)) - squares)
    inside = values[:, 0] > 0
    chances = np.diagonal(squares, axis1=1, axis2=2) @ tilts - _peak(tilts, power)
    if power > 0:
        chances += power * np.log(np.where(inside[:, None], values, 1.0)).sum(axis=1)
    chances[~inside] = -np.inf

    def corner(kept: np.ndarray) -> Array:
        turned = vectors[kept]
        return np.asarray((turned * np.sqrt(values[kept])[:, None, :]) @ turned.swapaxes(1, 2))

    return chances, corner


def _peak(tilts: Array, power: float) -> float:
    """Σ_j max over a in [0, 1] of power·ln(1 − a) + t_j·a, for t_j ≥ power."""
    logs = power * np.log(power / tilts) if power > 0 else np.zeros(len(tilts))
    return float((logs + tilts - power).sum())


def best_tilts(power: float, distances: Array, weights: Array) -> Array:
    """Roots t (p,) of power/t + Σ_i weights_i/(2(distances_i + t)) = 1; else ``power``.

    Parameters
    ----------
    distances, weights
        (p, r) ≥ 0 and (r,) ≥ 0, not all 0.
    """
    low = np.full(len(distances), power)
    high = low + weights.sum() / 2 + 1e-9
    for _ in range(50):
        middle = (low + high) / 2
        spent = power / middle + (weights / (2 * (distances + middle[:, None]))).sum(axis=1)
        low, high = np.where(spent > 1, middle, low), np.where(spent > 1, high, middle)
    return np.asarray(high)
