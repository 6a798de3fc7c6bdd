"""Exact draws of a Bingham direction orthogonal to given ones, without a basis of what is left.

Density ∝ exp(xᵀWx), W = diag(weights), on the unit sphere of the complement of m given directions,
by rejection from an angular central Gaussian (Kent, Ganeiber & Mardia 2018). That Gaussian is drawn
in the coordinates in which W is diagonal, in O(dm²). Proof: docs/bingham.md.
"""

from collections.abc import Iterator
from math import isfinite, log

import numpy as np

from dpca_core.linalg.arrays import Array

_ROUNDS, _NEAR = 200, (0.9, 1.1)
"""Rounds of the search at most; it ends at a trace of the covariance between these, 1 at best."""
_SAFE = 1.0
"""Least precision of an axis in the Gaussian that corrections start from."""
_MOST = 1e12
"""Of weights."""


class _Gaussian:
    """N(0, P⁻¹) beside ``others`` (d, m), P = t − 2·diag(weights); trace ∞ where there is none."""

    def __init__(self, weights: Array, others: Array, t: float) -> None:
        precision = t - 2 * weights
        low = np.flatnonzero(precision < _SAFE)
        raised = np.maximum(precision, _SAFE)
        # Conditioning on othersᵀx = 0 takes the part along ``pull`` away.
        self.scale, self.others, self.pull = 1 / np.sqrt(raised), others, others / raised[:, None]
        self.inner = np.linalg.inv(others.T @ self.pull)
        self.trace = float((1 / raised).sum() - (self.pull.T @ self.pull * self.inner).sum())
        self.extra: Array | None = None
        if len(low):
            # Raising an axis by m is undone by a rank-one update of the covariance.
            columns = -self.pull @ (self.inner @ self.pull[low].T)
            columns[low, range(len(low))] += 1 / _SAFE
            core = -columns[low]
            core[range(len(low)), range(len(low))] += 1 / (_SAFE - precision[low])
            try:
                lower = np.linalg.cholesky(core)
            except np.linalg.LinAlgError:
                self.trace = float("inf")
                return
            self.extra = np.linalg.solve(lower, columns.T).T
            self.trace += float((self.extra * self.extra).sum())

    def draw(self, rng: np.random.Generator) -> Array:
        """Return x (d,)."""
        x = self.scale * rng.standard_normal(len(self.scale))
        x -= self.pull @ (self.inner @ (self.others.T @ x))
        if self.extra is not None:
            x += self.extra @ rng.standard_normal(self.extra.shape[1])
        return x


def _proposal(weights: Array, others: Array, t: float) -> tuple[_Gaussian, float]:
    """Return a Gaussian whose covariance has a trace near 1, where rejection is rare, and its t."""
    # The trace falls in t; it is at most 1 where t − 2W is at least the dimension everywhere.
    low, high = 2 * float(weights.min()), 2 * float(weights.max()) + len(weights)
    earlier: tuple[float, float] | None = None
    for _ in range(_ROUNDS):
        found = _Gaussian(weights, others, t)
        if _NEAR[0] <= found.trace <= _NEAR[1]:
            break
        low, high = (t, high) if found.trace > 1 else (low, t)
        if not isfinite(found.trace):
            t = low / 2 + high / 2
            continue
        slope = -1.0
        if earlier is not None and earlier[0] != t:
            slope = (found.trace - earlier[1]) / (t - earlier[0])
        earlier = (t, found.trace)
        t += (1 - found.trace) / slope if slope < 0 else 0.0
        if not low < t < high:
            t = low / 2 + high / 2
    return found, t


def first_t(weights: Array, others: Array) -> float:
    """Return where to begin the search for a draw beside orthonormal others (d, m), 0 ≤ m < d.

    The largest eigenvalue θ of W beside them is at least the weight in place m + 1 and, by Ky Fan,
    at most the sum of the first m + 1 weights less what the others have of it. The best t is at
    least 2θ + 1; where the others are near the first axes, θ is far nearer to its lower end.
    """
    largest = -np.sort(-weights)[: others.shape[1] + 1]
    room = 2 * float(largest[:-1].sum() - (weights @ np.square(others)).sum())
    return float(2 * largest[-1] + 1 + min(max(room, 0.0), np.sqrt(max(room, 0.0))))


def bingham_beside(
    weights: Array, others: Array, t: float, rng: np.random.Generator
) -> tuple[Array, float]:
    """Draw a unit y (d,) with density ∝ exp(Σ w_i·y_i²) orthogonal to others (d, m), in O(dm²).

    The search for an envelope begins at t: ``first_t``, or what is returned beside an earlier y.
    """
    gaussian, t = _proposal(weights, others, t)
    q = weights.size - others.shape[1]
    # e^s (t − 2s)^(q/2), s = yᵀWy, is largest where t − 2s = q.
    most = (t - q) / 2 + q / 2 * log(q)
    while True:
        x = gaussian.draw(rng)
        y = x / np.linalg.norm(x)
        s = float(weights @ np.square(y))
        room = t - 2 * s  # above 0, but for rounding
        if room > 0 and log(rng.random()) <= s + q / 2 * log(room) - most:
            break
    y -= others @ (others.T @ y)
    return np.asarray(y / np.linalg.norm(y)), t


def _lowered(weights: Array) -> Array:
    """Return weights of at most 10¹²: 1 is lost beside more, and directions are fixed to 10⁻⁶.

    Only simulations have as many people, or a promise as weak. That ε holds is proved for weights
    that stay as they are: the largest is private.
    """
    return weights * (_MOST / max(_MOST, float(weights.max())))


def one_beside_another(weights: Array, k: int, rng: np.random.Generator) -> Array:
    """Draw k orthonormal directions (d, k) in turn, each with density ∝ exp(Σ w_i·y_i²)."""
    weights, drawn = _lowered(weights), np.empty((len(weights), k))
    for j in range(k):
        others = drawn[:, :j]
        drawn[:, j], _ = bingham_beside(weights, others, first_t(weights, others), rng)
    return drawn


def gibbs_sweeps(weights: Array, start: Array, rng: np.random.Generator) -> Iterator[Array]:
    """Yield the frame (d, k) after each sweep over its columns: the same memory every time.

    A chain that keeps the density ∝ exp(tr VᵀWV): each column is drawn exactly given the others.
    """
    weights, frame, k = _lowered(weights), start.copy(), start.shape[1]
    searched = np.full(k, 2 * float(weights.max()) + 1)
    others_of = [np.delete(np.arange(k), j) for j in range(k)]
    while True:
        for j in range(k):
            others = frame[:, others_of[j]]
            frame[:, j], searched[j] = bingham_beside(weights, others, searched[j], rng)
        yield frame
