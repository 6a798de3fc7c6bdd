"""Exact draws of a direction from the Bingham law, density ∝ exp(−xᵀCx) on the unit sphere."""

from collections.abc import Sequence

import numpy as np

from dpca_core.linalg.arrays import Array

_NEWTON = 200
_MOST_PROPOSALS = 65536


def envelope(costs: Array) -> Array:
    """Root b (…,) of Σ 1/(b + 2c_i) = 1 for costs (…, d) with smallest 0, by Newton from b = 1."""
    if costs.ndim == 1:
        return np.asarray(_envelope_of_one(costs))
    b = np.ones(costs.shape[:-1])
    for _ in range(_NEWTON):
        terms = 1 / (b[..., None] + 2 * costs)
        step = (terms.sum(axis=-1) - 1) / np.square(terms).sum(axis=-1)
        b = b + step
        if (step <= 1e-14 * b).all():
            break
    return np.asarray(b)


def _envelope_of_one(costs: Array) -> float:
    """Do the same for a single (d,), with half the calls: a Gibbs sweep asks for one a column."""
    twice, b, total = 2 * costs, 1.0, np.add.reduce
    for _ in range(_NEWTON):
        terms = 1 / (b + twice)
        step = float((total(terms) - 1) / total(np.square(terms)))
        b += step
        if step <= 1e-14 * b:
            break
    return b


def log_acceptance(quadratic: Array, b: Array | float, d: int) -> Array:
    """Log of the chance to accept a proposal x with xᵀCx = u: never above 0.

    (d − b)/2 − u + (d/2)·ln((b + 2u)/d); angular central Gaussian envelope of Kent, Ganeiber &
    Mardia 2013.
    """
    return np.asarray((d - b) / 2 - quadratic + d / 2 * np.log((b + 2 * quadratic) / d))


def accepted(chances: Array, rng: np.random.Generator) -> np.ndarray:
    """Mask (count,) of the proposals kept, from the logs of their chances; −∞ is never kept.

    Strict, since a uniform may be exactly 0.
    """
    return rng.random(len(chances)) < np.exp(chances)


def propose(costs: Array, b: float, rng: np.random.Generator, count: int) -> Array:
    """Directions (count, d) from the angular central Gaussian with precision b + 2c."""
    z = rng.standard_normal((count, len(costs))) / np.sqrt(b + 2 * costs)
    return np.asarray(z / np.linalg.norm(z, axis=1, keepdims=True))


def vector_bingham(costs: Array, rng: np.random.Generator, count: int = 1) -> Array:
    """Draw directions (count, d) exactly, in coordinates in which C is diagonal.

    Parameters
    ----------
    costs
        c (d,), any reals; only differences matter. Large ones are unlikely directions.
    """
    shifted = costs - costs.min()
    d, b = len(costs), float(envelope(shifted))
    found: list[Array] = []
    missing, chunk = count, max(4, 2 * count)
    while missing > 0:
        x = propose(shifted, b, rng, chunk)
        quadratic = np.square(x) @ shifted
        kept = x[accepted(log_acceptance(quadratic, b, d), rng)][:missing]
        found.append(kept)
        missing -= len(kept)
        chunk = min(2 * chunk, _MOST_PROPOSALS)
    return np.concatenate(found)


def vector_bingham_batch(costs: Array, rngs: Sequence[np.random.Generator]) -> Array:
    """One direction (trials, d) for each row of costs (trials, d), from each trial's generator.

    The same as ``vector_bingham`` draws from each, but all at once.
    """
    shifted = costs - costs.min(axis=1, keepdims=True)
    d, b = costs.shape[1], envelope(shifted)[:, None]
    found, missing, chunk = np.empty(costs.shape), np.arange(len(costs)), 4
    while len(missing):
        left = [rngs[trial] for trial in missing.tolist()]
        z = np.stack([rng.standard_normal((chunk, d)) for rng in left])
        z /= np.sqrt(b[missing] + 2 * shifted[missing])[:, None]
        x = z / np.linalg.norm(z, axis=2, keepdims=True)
        chances = log_acceptance(np.vecdot(np.square(x), shifted[missing, None]), b[missing], d)
        uniforms = np.stack([rng.random(chunk) for rng in left])
        kept = uniforms < np.exp(chances)
        done = kept.any(axis=1)
        found[missing[done]] = x[done, kept[done].argmax(axis=1)]
        missing, chunk = missing[~done], min(2 * chunk, _MOST_PROPOSALS)
    return found
