"""Exact draws of a k-dimensional subspace, density ∝ exp(−tr VᵀCV): the matrix Bingham law.

Three samplers, each by rejection: the matrix angular central Gaussian envelope, for one direction
and for nearly uniform laws; a split, for directions that are nearly fixed; the orthogonal
complement of either. ``subspace_sampler`` chooses. The choice sets the speed and never the law, so
it may read private costs. Proofs: docs/bingham.md.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import exp, log

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import gram, orthonormal

ENOUGH = 50.0
"""Proposals of a draw below which no other sampler is tried."""
PILOT = 400
"""Proposals of a pilot."""

_FIRST, _MOST, _ENTRIES = 8, 2048, 2**21
_WIDE, _GLANCE, _HOPELESS, _LONG, _LOSSES = 40, 60, 30.0, 1e6, (0.3, 2.0, 8.0)

Build = Callable[[np.ndarray], Array]
"""Turns a mask (count,) of proposals into their frames (accepted, d, k)."""


class Sampler(ABC):
    """An exact rejection sampler of subspaces in C’s eigenbasis, costs (d,) ascending from 0."""

    costs: Array
    k: int
    inner: "Sampler | None" = None

    @abstractmethod
    def weigh(self, rng: np.random.Generator, count: int) -> tuple[Array, Build]:
        """Propose: logs (count,) of the chances of acceptance, and the frames on demand."""

    def draw(self, rng: np.random.Generator, count: int) -> Array:
        """Draw frames (count, d, k); whatever fails restarts, from the inner sampler on."""
        found: list[Array] = []
        most = min(_MOST, max(_FIRST, _ENTRIES // (len(self.costs) * self.k)))
        missing, size = count, min(most, max(_FIRST, count))
        while missing > 0:
            chances, build = self.weigh(rng, size)
            # Strict: a uniform may be exactly 0, and a chance too.
            found.append(build(rng.random(size) < np.exp(chances))[:missing])
            missing -= len(found[-1])
            size = min(most, 4 * size)
        return np.concatenate(found)

    def proposals(self, pilot: int = PILOT) -> float:
        """Predict how many proposals a draw takes, those of the inner sampler included."""
        chances, _ = self.weigh(np.random.default_rng(0), pilot)
        share = float(np.exp(chances).mean())
        inside = 0.0 if self.inner is None else self.inner.proposals(pilot)
        return (1 + inside) / share if share > 0 else float("inf")


@dataclass(frozen=True)
class NearlyUniform(Sampler):
    """Matrix angular central Gaussian envelope of Kent, Ganeiber & Mardia 2013 and 2018.

    Any concentration c̄ > 0 is valid. At k = 1 it is quick for any costs: a share of about 0.86/√d
    or more is accepted.
    """

    costs: Array
    k: int
    concentration: float

    def weigh(self, rng: np.random.Generator, count: int) -> tuple[Array, Build]:
        c, d, k = self.concentration, len(self.costs), self.k
        g = rng.standard_normal((count, d, k)) / np.sqrt(c + 2 * self.costs)[:, None]
        # By QR, for columns of GᵀG may be parallel to within rounding where costs lie far apart.
        frames = orthonormal(g) if k > 1 else g / np.linalg.norm(g, axis=1, keepdims=True)
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


def _log_proposals(costs: Array, k: int, c: float) -> float:
    """Log of the expected number of proposals at c̄, up to the log of E exp(−tr VᵀCV)."""
    return _log_bound(costs, k, c) - k / 2 * float(np.log(c + 2 * costs).sum())


def best_concentration(costs: Array, k: int) -> float:
    """c̄ that minimises the expected number of proposals, by golden section in log c̄."""
    low, high, ratio = log(1e-3), log(10.0 * len(costs)), (5**0.5 - 1) / 2
    for _ in range(40):
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        quicker = _log_proposals(costs, k, exp(left)) < _log_proposals(costs, k, exp(right))
        low, high = (low, right) if quicker else (left, high)
    return exp((low + high) / 2)


@dataclass(frozen=True)
class Complement(Sampler):
    """The orthogonal complements of another sampler's draws, its coordinates in reverse."""

    dual: Sampler

    @property
    def costs(self) -> Array:  # type: ignore[override]
        return reversed_costs(self.dual.costs)

    @property
    def k(self) -> int:  # type: ignore[override]
        return len(self.dual.costs) - self.dual.k

    def weigh(self, rng: np.random.Generator, count: int) -> tuple[Array, Build]:
        chances, build = self.dual.weigh(rng, count)
        return chances, lambda kept: _complement(build(kept))

    def draw(self, rng: np.random.Generator, count: int) -> Array:
        return _complement(self.dual.draw(rng, count))

    def proposals(self, pilot: int = PILOT) -> float:
        return self.dual.proposals(pilot)


def reversed_costs(costs: Array) -> Array:
    """Costs of the complement: c_d − c_i, ascending from 0."""
    return np.asarray(costs[-1] - costs[::-1])


def _complement(frames: Array) -> Array:
    """Orthonormal bases (…, d, d − k) of what frames (…, d, k), their rows reversed, leave out."""
    reverse = frames[:, ::-1]
    return np.asarray(np.linalg.qr(reverse, mode="complete")[0][..., frames.shape[-1] :])


@dataclass(frozen=True)
class Split(Sampler):
    """The first ``cut`` directions nearly fixed, k − ``cut`` free among the other coordinates.

    Frames [[(I − YᵀY)^{1/2}, 0], [Y, X]]: X from the inner sampler, columns y_j | X Gaussian and
    orthogonal to X, tilted to lie within YᵀY ≺ I. Own result.

    X has k − cut directions and costs β·(c_i − c_{cut+1}), i > cut. ``share`` β and ``tilts`` t set
    the speed and not the law: t_j ≥ (k − cut − 1)/2, and positive where c_{cut} = c_{cut+1}.
    """

    costs: Array
    k: int
    cut: int
    share: float
    tilts: Array
    inner: Sampler

    def _log_bound(self) -> float:
        """Log of the largest chance before it is divided by it.

        Over all eigenvalues of C compressed to the complement of X that interlace: each term is
        convex in its eigenvalue, so largest at an end of the interval.
        """
        few, tail = self.k - self.cut, self.costs[self.cut :]
        logs, left = np.log(self._precisions()).sum(axis=0) / 2, 1 - self.share
        rest = len(tail) - few
        lowered = logs[few:] - logs[:rest] + left * (tail[:rest] - tail[few:])
        fixed = logs[:few].sum() - left * (tail[:few] - tail[0]).sum()
        return float(fixed + np.maximum(lowered, 0).sum())

    def weigh(self, rng: np.random.Generator, count: int) -> tuple[Array, Build]:
        tail, few, root = self.costs[self.cut :], self.k - self.cut, np.sqrt(self._precisions())
        x = self.inner.draw(rng, count)
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
        within, corner = _within(gram(y), self.tilts, (few - 1) / 2)
        chances = -0.5 * logs - (1 - self.share) * spent - self._log_bound() + within

        def build(kept: np.ndarray) -> Array:
            frames = np.zeros((int(kept.sum()), len(self.costs), self.k))
            frames[:, : self.cut, : self.cut] = corner(kept)
            frames[:, self.cut :, : self.cut] = y[kept].swapaxes(1, 2)
            frames[:, self.cut :, self.cut :] = x[kept]
            return frames

        return chances, build

    def _precisions(self) -> Array:
        """M_j + t_j (cut, d − cut): C of the other coordinates less c_j, tilted."""
        tail, head = self.costs[self.cut :], self.costs[: self.cut]
        return np.asarray(tail - head[:, None] + self.tilts[:, None])


def _within(squares: Array, tilts: Array, power: float) -> tuple[Array, Build]:
    """Log (count,) of |I − A|^power·e^{Σ t_j A_jj} over its maximum for A = squares (count, p, p).

    −∞ unless A ≺ I; and (I − A)^{1/2} on demand.
    """
    values, vectors = np.linalg.eigh(np.eye(len(tilts)) - squares)
    inside = values[:, 0] > 0
    # The maximum is at A_jj = 1 − power/t_j.
    peak = power * np.log(power / tilts) if power > 0 else np.zeros(len(tilts))
    chances = np.diagonal(squares, axis1=1, axis2=2) @ tilts - (peak + tilts - power).sum()
    if power > 0:
        chances += power * np.log(np.where(inside[:, None], values, 1.0)).sum(axis=1)
    chances[~inside] = -np.inf

    def corner(kept: np.ndarray) -> Array:
        turned = vectors[kept]
        return np.asarray((turned * np.sqrt(values[kept])[:, None, :]) @ turned.swapaxes(1, 2))

    return chances, corner


# --- The choice: the same on every machine, as a pilot has its own seed and no clock is read ---


def subspace_sampler(costs: Array, k: int) -> tuple[Sampler, float]:
    """Choose an exact sampler for costs (d,), and predict how many proposals a draw takes."""
    ascending = np.sort(costs) - costs.min()
    if 2 * k > len(costs):
        sampler, proposals = subspace_sampler(reversed_costs(ascending), len(costs) - k)
        return Complement(sampler), proposals
    best: tuple[Sampler, float] | None = None
    for sampler in _candidates(ascending, k):
        proposals = sampler.proposals(_GLANCE)
        if proposals < (_LONG if best is None else 4 * best[1]):
            proposals = sampler.proposals()
        if best is None or proposals < best[1]:
            best = sampler, proposals
        if best[1] <= ENOUGH:
            break
    assert best is not None
    return best


def _candidates(costs: Array, k: int) -> Iterator[Sampler]:
    """Samplers in the order in which they are tried; k ≤ d/2."""
    if k > 1 and costs[k - 2] < costs[k - 1] and (last := split(costs, k, k - 1)):
        yield last
    yield nearly_uniform(costs, k)
    for cut in _cuts(costs, k):
        if found := split(costs, k, cut):
            yield found
    dual, left = reversed_costs(costs), len(costs) - k
    for cut in _cuts(dual, left):
        if found := split(dual, left, cut):
            yield Complement(found)


def nearly_uniform(costs: Array, k: int) -> Sampler:
    """Return a sampler that splits nothing off: for one direction, or for nearly flat costs."""
    costs, d = costs - costs[0], len(costs)
    c, dual = best_concentration(costs, k), reversed_costs(costs)
    if k > 1 and d - k <= max(k, _WIDE):
        # Both count proposals up to the same unknown factor, E exp(−tr VᵀCV).
        other = best_concentration(dual, d - k)
        beside = _log_proposals(dual, d - k, other) + float((d - k) * costs[-1] - costs.sum())
        if beside + 2 * log((d - k) / k) < _log_proposals(costs, k, c):
            return Complement(NearlyUniform(dual, d - k, other))
    return NearlyUniform(costs, k, c)


def split(costs: Array, k: int, cut: int) -> Split | None:
    """Return a split sampler with good β and t; None where its inner sampler would be hopeless."""
    head, tail = costs[:cut], costs[cut:]
    few, flat = k - cut, tail - tail[0]
    weights = np.ones(len(tail))
    weights[:few] = 0.1  # X takes most of the first coordinates
    tilts = _best_tilts((few - 1) / 2, tail - head[:, None], weights)
    middle = tail[0] + (len(costs) - k) / 2 + 1  # about the mean of C over the complement of X
    share = float(np.clip(1 - 0.5 * (1 / (middle - head + tilts)).sum(), 0.05, 1))
    inner = nearly_uniform(share * flat, few)
    if inner.proposals(_GLANCE) > _HOPELESS:
        return None
    return Split(costs, k, cut, share, tilts, inner)


def _best_tilts(power: float, distances: Array, weights: Array) -> Array:
    """Roots t (p,) of power/t + Σ_i weights_i/(2(distances_i + t)) = 1; else ``power``.

    Distances (p, r) and weights (r,) are at least 0, and some weight is above.
    """
    low = np.full(len(distances), power)
    high = low + weights.sum() / 2 + 1e-9
    for _ in range(50):
        middle = (low + high) / 2
        spent = power / middle + (weights / (2 * (distances + middle[:, None]))).sum(axis=1)
        low, high = np.where(spent > 1, middle, low), np.where(spent > 1, high, middle)
    return np.asarray(high)


def _cuts(costs: Array, k: int) -> list[int]:
    """For each bearable loss the largest cut below k − 1 that loses no more, roughly predicted.

    The loss is −log of the acceptance of Y, to second order in the variances of its entries.
    """
    losses = []
    for p in range(1, k - 1):
        power = (k - p - 1) / 2
        entries = 0.5 / (costs[k:] - costs[:p, None] + power)
        rest = 1 - entries.sum(axis=1, keepdims=True)
        loss = (power / 2 + 0.25) * np.square((entries / rest).sum(axis=0)).sum()
        losses.append(float(loss) if rest.min() > 0.05 else float("inf"))
    kept = [[p for p, loss in enumerate(losses, 1) if loss <= most] for most in _LOSSES]
    return list(dict.fromkeys(max(some) for some in kept if some))
