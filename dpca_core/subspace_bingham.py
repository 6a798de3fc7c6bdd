"""Exact draws of a k-dimensional subspace, density ∝ exp(−tr VᵀCV): the matrix Bingham law.

Three samplers, each exact: the split sampler, the same on the orthogonal complement, and the
matrix angular central Gaussian envelope for nearly uniform laws. Proofs: docs/bingham.md.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import exp, log

import numpy as np

from dpca_core.bingham import accepted, envelope, log_acceptance, propose, vector_bingham
from dpca_core.linalg import Array, orthonormal

PILOT, ENOUGH = 400, 0.02
"""Proposals of a pilot, and the acceptance above which no other sampler is tried."""

_CHUNKS = (8, 64, 512, 2048)


Build = Callable[[np.ndarray], Array]
"""Turns a mask (count,) of proposals into their frames (accepted, d, k)."""


class Sampler(ABC):
    """An exact rejection sampler of subspaces in the eigenbasis of C, costs ascending from 0."""

    @abstractmethod
    def weigh(self, rng: np.random.Generator, count: int) -> tuple[Array, Build]:
        """Propose: the logs (count,) of the chances of acceptance, and the frames on demand."""

    def draw(self, rng: np.random.Generator, count: int) -> Array:
        """Draw frames (count, d, k), independent."""
        found: list[Array] = []
        missing, turn = count, 0
        while missing > 0:
            size = _CHUNKS[min(turn, len(_CHUNKS) - 1)]
            chances, build = self.weigh(rng, size)
            found.append(build(accepted(chances, rng))[:missing])
            missing -= len(found[-1])
            turn += 1
        return np.concatenate(found)

    def acceptance(self) -> float:
        """Predict the share of proposals accepted: the mean chance in a pilot with its own seed."""
        return float(np.exp(self.weigh(np.random.default_rng(0), PILOT)[0]).mean())


@dataclass(frozen=True)
class Direction(Sampler):
    """K = 1: the vector Bingham law."""

    costs: Array

    def weigh(self, rng: np.random.Generator, count: int) -> tuple[Array, Build]:
        """Propose by the angular central Gaussian envelope."""
        b, d = float(envelope(self.costs)), len(self.costs)
        x = propose(self.costs, b, rng, count)
        return log_acceptance(np.square(x) @ self.costs, b, d), lambda kept: x[kept][:, :, None]


@dataclass(frozen=True)
class Split(Sampler):
    """The first k − 1 directions nearly fixed, the last one free.

    Frames [[(I − YᵀY)^{1/2}, 0], [Y, x]] with x a direction among the last d − k + 1 coordinates
    and the columns of Y orthogonal to it. x is proposed from a vector Bingham law, y_j | x is
    Gaussian; whatever fails restarts with a new x.

    Attributes
    ----------
    costs
        c (d,) ascending, c₁ = 0, c_{k−1} < c_k.
    k
        Dimension, at least 2.
    pivot
        w₀ > c_{k−1}, which sets the speed and not the law.
    """

    costs: Array
    k: int
    pivot: float

    @property
    def weight(self) -> float:
        """β = 1 − ½Σ_j 1/(w₀ − c_j)."""
        return float(1 - 0.5 * (1 / (self.pivot - self.costs[: self.k - 1])).sum())

    def weigh(self, rng: np.random.Generator, count: int) -> tuple[Array, Build]:
        """Propose x, then Y given x; no chance where YᵀY is not below I."""
        head, tail = self.costs[: self.k - 1], self.costs[self.k - 1 :]
        margins = tail[None, :] - head[:, None]  # M_j, (k − 1, d − k + 1)
        x = vector_bingham(self.weight * tail, rng, count)
        squares = np.square(x)
        inverse = squares @ (1 / margins).T  # xᵀM_j⁻¹x, (count, k − 1)
        room = self.pivot - head
        excess = (squares @ tail - self.pivot)[:, None]
        chances = 0.5 * (-np.log(inverse) - np.log(room) - excess / room).sum(axis=1)
        y = rng.standard_normal((count, *margins.shape)) / np.sqrt(2 * margins)
        y -= (y @ x[:, :, None]) / inverse[:, :, None] * (x[:, None, :] / margins)
        values, vectors = np.linalg.eigh(np.eye(self.k - 1) - y @ y.swapaxes(1, 2))
        chances[values[:, 0] <= 0] = -np.inf

        def build(kept: np.ndarray) -> Array:
            turned = vectors[kept]
            frames = np.zeros((len(turned), len(self.costs), self.k))
            root = (turned * np.sqrt(values[kept])[:, None, :]) @ turned.swapaxes(1, 2)
            frames[:, : self.k - 1, :-1] = root
            frames[:, self.k - 1 :, :-1] = y[kept].swapaxes(1, 2)
            frames[:, self.k - 1 :, -1] = x[kept]
            return frames

        return chances, build


@dataclass(frozen=True)
class Complement(Sampler):
    """The orthogonal complements of another sampler's draws, its coordinates in reverse."""

    dual: Sampler

    def weigh(self, rng: np.random.Generator, count: int) -> tuple[Array, Build]:
        """Complete each accepted frame to a basis and take what it leaves out."""
        chances, build = self.dual.weigh(rng, count)
        return chances, lambda kept: _complement(build(kept)[:, ::-1])


def _complement(frames: Array) -> Array:
    """Orthonormal bases (…, d, d − k) of what frames (…, d, k) leave out."""
    return np.asarray(np.linalg.qr(frames, mode="complete")[0][..., frames.shape[-1] :])


@dataclass(frozen=True)
class NearlyUniform(Sampler):
    """Matrix angular central Gaussian envelope of Kent, Ganeiber & Mardia 2018.

    Attributes
    ----------
    concentration
        c̄ > 0 of the envelope; any value is valid, ``best_concentration`` is the fastest.
    """

    costs: Array
    k: int
    concentration: float

    def weigh(self, rng: np.random.Generator, count: int) -> tuple[Array, Build]:
        """Propose the spans of Gaussian frames with precision c̄ + 2C."""
        c, d, k = self.concentration, len(self.costs), self.k
        g = rng.standard_normal((count, d, k)) / np.sqrt(c + 2 * self.costs)[:, None]
        weighted = g.swapaxes(1, 2) @ (self.costs[:, None] * g)
        plain = g.swapaxes(1, 2) @ g
        total = np.trace(np.linalg.solve(plain, weighted), axis1=1, axis2=2)
        turned = np.linalg.slogdet(c * plain + 2 * weighted)[1] - np.linalg.slogdet(plain)[1]
        chances = -total + d / 2 * turned - _log_bound(self.costs, k, c)
        return chances, lambda kept: orthonormal(g[kept])


def _log_bound(costs: Array, k: int, c: float) -> float:
    """Return log M(c̄): the envelope's largest ratio, by interlacing of the eigenvalues of VᵀCV."""
    d = len(costs)
    w = np.clip((d - c) / 2, costs[:k], costs[d - k :])
    return float((-w + d / 2 * np.log(c + 2 * w)).sum())


def best_concentration(costs: Array, k: int) -> float:
    """c̄ that minimises the expected number of proposals, by golden section in log c̄."""

    def effort(log_c: float) -> float:
        c = exp(log_c)
        return _log_bound(costs, k, c) - k / 2 * float(np.log(c + 2 * costs).sum())

    low, high, ratio = log(1e-3), log(10.0 * len(costs)), (5**0.5 - 1) / 2
    for _ in range(40):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, right) if effort(left) < effort(right) else (left, high)
    return exp((low + high) / 2)


def split_sampler(costs: Array, k: int) -> Split | None:
    """Return a split sampler with a good pivot; None where c_{k−1} = c_k or no pivot is valid."""
    head, tail = costs[: k - 1], costs[k - 1 :]
    if not head[-1] < tail[0]:
        return None
    pivot = float(tail[0]) + (len(costs) - k) / 2 + 1
    while (1 / (pivot - head)).sum() >= 2:
        pivot = float(head[-1]) + 2 * (pivot - float(head[-1]))
    rng = np.random.default_rng(1)
    for _ in range(2):
        x = vector_bingham(Split(costs, k, pivot).weight * tail, rng, PILOT // 4)
        squares = np.square(x)
        inverse = squares @ (1 / (tail[None, :] - head[:, None])).T
        heavy = np.exp(-0.5 * np.log(inverse).sum(axis=1) + 0.5 * np.log(inverse).sum(axis=1).min())
        better = float((heavy * (squares @ tail)).sum() / heavy.sum())
        if better > head[-1] and (1 / (better - head)).sum() < 2:
            pivot = better
    return Split(costs, k, pivot)


def subspace_sampler(costs: Array, k: int) -> tuple[Sampler, float]:
    """Choose an exact sampler for costs (d,), and predict the share of its proposals accepted.

    The first that accepts enough is taken, else the best. The pilot has its own seed: the same
    choice on every machine, whatever its speed.
    """
    ascending = np.sort(costs) - costs.min()
    best: tuple[Sampler, float] | None = None
    for sampler in _candidates(ascending, k):
        share = sampler.acceptance()
        if best is None or share > best[1]:
            best = sampler, share
        if share > ENOUGH:
            break
    assert best is not None
    return best


def _candidates(costs: Array, k: int) -> Iterator[Sampler]:
    """Samplers in the order in which they are tried."""
    d, reverse = len(costs), costs[-1] - costs[::-1]
    if k == 1:
        yield Direction(costs)
    elif k == d - 1:
        yield Complement(Direction(reverse))
    else:
        if split := split_sampler(costs, k):
            yield split
        yield NearlyUniform(costs, k, best_concentration(costs, k))
        if dual := split_sampler(reverse, d - k):
            yield Complement(dual)
