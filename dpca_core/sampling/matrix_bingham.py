"""Exact draws of a k-dimensional subspace, density ∝ exp(−tr VᵀCV): the matrix Bingham law.

The samplers that start from nothing: one direction, the matrix angular central Gaussian envelope
for nearly uniform laws, and the orthogonal complement of either. Those that split coordinates off
are in matrix_bingham_split.py, the choice among all in matrix_bingham_sampler_choice.py. Proofs:
docs/bingham.md.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from math import exp, log

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import orthonormal
from dpca_core.sampling.bingham import accepted, envelope, log_acceptance, propose, vector_bingham

PILOT = 400
"""Proposals of a pilot."""

_FIRST, _MOST, _ENTRIES = 8, 2048, 2**21

Build = Callable[[np.ndarray], Array]
"""Turns a mask (count,) of proposals into their frames (accepted, d, k)."""


class Sampler(ABC):
    """An exact rejection sampler of subspaces in the eigenbasis of C, costs ascending from 0."""

    costs: Array
    k: int

    @property
    def inner(self) -> "Sampler | None":
        """The exact sampler that each proposal draws from, where there is one."""
        return None

    @abstractmethod
    def weigh(self, rng: np.random.Generator, count: int) -> tuple[Array, Build]:
        """Propose: the logs (count,) of the chances of acceptance, and the frames on demand."""

    def draw(self, rng: np.random.Generator, count: int) -> Array:
        """Draw frames (count, d, k), independent, in chunks that grow; however long it takes."""
        found: list[Array] = []
        most = min(_MOST, max(_FIRST, _ENTRIES // (len(self.costs) * self.k)))
        missing, size = count, min(most, max(_FIRST, count))
        while missing > 0:
            chances, build = self.weigh(rng, size)
            found.append(build(accepted(chances, rng))[:missing])
            missing -= len(found[-1])
            size = min(most, 4 * size)
        return np.concatenate(found)

    def acceptance(self, pilot: int = PILOT) -> float:
        """Predict the share of proposals accepted: the mean chance in a pilot with its own seed."""
        return float(np.exp(self.weigh(np.random.default_rng(0), pilot)[0]).mean())

    def proposals(self, pilot: int = PILOT) -> float:
        """Predict how many proposals a draw takes, those of the inner samplers included."""
        inside = 0.0 if self.inner is None else self.inner.proposals(pilot)
        share = self.acceptance(pilot)
        return (1 + inside) / share if share > 0 else float("inf")


@dataclass(frozen=True)
class Direction(Sampler):
    """K = 1: the vector Bingham law."""

    costs: Array
    k: int = 1

    def weigh(self, rng: np.random.Generator, count: int) -> tuple[Array, Build]:
        """Propose by the angular central Gaussian envelope."""
        b, d = float(envelope(self.costs)), len(self.costs)
        x = propose(self.costs, b, rng, count)
        return log_acceptance(np.square(x) @ self.costs, b, d), lambda kept: x[kept][:, :, None]

    def draw(self, rng: np.random.Generator, count: int) -> Array:
        """Draw as ``vector_bingham`` does."""
        return vector_bingham(self.costs, rng, count)[:, :, None]


@dataclass(frozen=True)
class Complement(Sampler):
    """The orthogonal complements of another sampler's draws, its coordinates in reverse."""

    dual: Sampler

    @property
    def costs(self) -> Array:  # type: ignore[override]
        """Costs (d,) of the law that is drawn."""
        return reversed_costs(self.dual.costs)

    @property
    def k(self) -> int:  # type: ignore[override]
        """What the dual leaves out."""
        return len(self.dual.costs) - self.dual.k

    @property
    def inner(self) -> Sampler | None:
        """The dual's."""
        return self.dual.inner

    def weigh(self, rng: np.random.Generator, count: int) -> tuple[Array, Build]:
        """Complete each accepted frame to a basis and take what it leaves out."""
        chances, build = self.dual.weigh(rng, count)
        return chances, lambda kept: _complement(build(kept)[:, ::-1])

    def draw(self, rng: np.random.Generator, count: int) -> Array:
        """Complete the dual's draws."""
        return _complement(self.dual.draw(rng, count)[:, ::-1])


def reversed_costs(costs: Array) -> Array:
    """Costs of the complement: c_d − c_i, ascending from 0."""
    return np.asarray(costs[-1] - costs[::-1])


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
        # By QR, for columns of GᵀG may be parallel to within rounding where costs lie far apart.
        frames = orthonormal(g)
        weighted = frames.swapaxes(1, 2) @ (self.costs[:, None] * frames)
        total = np.trace(weighted, axis1=1, axis2=2)
        turned = np.linalg.slogdet(c * np.eye(k) + 2 * weighted)[1]
        chances = -total + d / 2 * turned - _log_bound(self.costs, k, c)
        return chances, lambda kept: frames[kept]


def _log_bound(costs: Array, k: int, c: float) -> float:
    """Return log M(c̄): the envelope's largest ratio, by interlacing of the eigenvalues of VᵀCV."""
    d = len(costs)
    w = np.clip((d - c) / 2, costs[:k], costs[d - k :])
    return float((-w + d / 2 * np.log(c + 2 * w)).sum())


def log_proposals(costs: Array, k: int, c: float) -> float:
    """Log of the expected number of proposals at c̄, up to the log of E exp(−tr VᵀCV)."""
    return _log_bound(costs, k, c) - k / 2 * float(np.log(c + 2 * costs).sum())


def best_concentration(costs: Array, k: int) -> float:
    """c̄ that minimises the expected number of proposals, by golden section in log c̄."""
    low, high, ratio = log(1e-3), log(10.0 * len(costs)), (5**0.5 - 1) / 2
    for _ in range(40):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        quicker = log_proposals(costs, k, exp(left)) < log_proposals(costs, k, exp(right))
        low, high = (low, right) if quicker else (left, high)
    return exp((low + high) / 2)
