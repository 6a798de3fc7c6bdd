"""How many people released directions hold, and which share of all that is: post-processing.

The eigenvalues of S̃ = S + E say too much of what its eigenvectors v₁, …, v_k hold of S: the noise
has chosen these directions too. vᵢᵀE vᵢ is taken off as far as its mean is known, from the released
spectrum and the public law of E alone. Derivation, measured coverage and limits: docs/release.md,
"What the directions hold". Intervals are at 95 %.
"""

from math import inf, sqrt
from typing import NamedTuple

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import eigh_descending
from dpca_core.mechanisms.noise_laws import WISHART_DIFFERENCE

POINT = 1.96
"""Two-sided 95 % point of the normal law."""
NEAR = 1.0
"""Gaps below so many τ have a line in place of 1/gap, of the same mean where gaps repel."""
BLUR = 0.8
"""Spectra are blurred by so many τ where only what is smooth in them is of interest."""
SEED = 20
"""Public: of the noise that is drawn to see how corrections for a difference of Wisharts err."""
MOST_WORK, FEWEST_PAIRS, MOST_PAIRS = 1.2e8, 50, 800
"""So many pairs of draws times d³, within limits: below a second up to 100 columns."""


class Interval(NamedTuple):
    """A central number, below 0 where there is little but noise, with its 95 % interval."""

    value: float
    low: float
    high: float


class Held(NamedTuple):
    """What directions hold of the exact matrix: in people, and as a share of its trace."""

    people: Interval
    share: Interval

    @property
    def share_is_known(self) -> bool:
        """Whether the trace can be told from 0: a share from 0 to 1 says nothing."""
        return self.share.high - self.share.low < 1


class Shares(NamedTuple):
    """What each of the released directions holds, largest eigenvalue first, and all k; in people.

    ``trace`` is that of the exact matrix.
    """

    trace: Interval
    each: tuple[Held, ...]
    together: Held


def held(mechanism: str, scale: float, values: Array, k: int) -> Shares:
    """Return what the top k eigenvectors of a released matrix hold of S, in people.

    From the scale of the noise, on the diagonal where it is Gaussian, and the eigenvalues (d,) of
    S̃, largest first, in people. The same for the same settings: no other seed or file goes in.
    """
    d, size = len(values), tau(mechanism, scale, len(values))
    inverse = _inverse_gaps(values, size)
    each = (values - _taken(mechanism, scale, values))[:k]
    people = np.append(each, each.sum())
    if mechanism == "wishart_difference":
        bias, variance = _simulated(scale, _spectrum_behind(values, inverse, size), k)
        people = people - bias
    else:
        turned = np.append((inverse[:k] ** 2).sum(axis=1), (inverse[:k, k:] ** 2).sum())
        variance = size**2 * np.append(np.ones(k), k) + size**4 * turned
    # On the diagonal Laplace noise has the variance that it has beside it, not twice as much.
    diagonal = size**2 / 2 if mechanism == "laplace" else size**2
    total = float(values.sum()), d * diagonal
    parts = zip(people.tolist(), variance.tolist(), [1] * k + [k], strict=True)
    *ones, together = [_held((of, its), count * diagonal, total) for of, its, count in parts]
    return Shares(_interval(*total), tuple(ones), together)


def tau(mechanism: str, scale: float, d: int) -> float:
    """Return the standard deviation of vᵀE v at most, ‖v‖ = 1, in people; of uᵀE v, u ⟂ v, τ/√2.

    It is attained in all directions; with Laplace noise in those that weigh many columns.
    """
    wishart = 2 * sqrt(d + 1)
    return scale * {"gaussian": 1.0, "wishart_difference": wishart, "laplace": 2.0}[mechanism]


def _gaps(values: Array) -> Array:
    """Return λᵢ − λⱼ of spectra (…, d) as (…, d, d); ∞ for i = j, so that inverses are 0."""
    return values[..., :, None] - values[..., None, :] + np.diag(np.full(values.shape[-1], inf))


def _inverse_gaps(values: Array, size: float) -> Array:
    """Return 1/(λᵢ − λⱼ) of spectra (…, d) as (…, d, d), 0 for i = j.

    For near ones the line that meets 1/g and has its mean, as gaps g have a density like g.
    """
    gaps, near = _gaps(values), NEAR * size
    distances = np.abs(gaps)
    line = (4 - 3 * distances / near) / near
    inverse = np.where(distances < near, line, 1 / np.maximum(distances, near))
    return np.asarray(np.sign(gaps) * inverse)


def _taken(mechanism: str, scale: float, values: Array) -> Array:
    """Return about the means of vᵢᵀE vᵢ (…, d): what of each eigenvalue (…, d) is noise.

    Stein's identity for Gaussian noise; cumulants of a difference of Wisharts beyond the second add
    what they do to the blurred spectrum of a large matrix (free probability).
    """
    d = values.shape[-1]
    size = tau(mechanism, scale, d)
    taken = size**2 * _inverse_gaps(values, size).sum(axis=-1)
    if mechanism == "wishart_difference":
        u = scale * (1 / (_gaps(values) + 1j * BLUR * size)).sum(axis=-1)
        taken += 2 * (d + 1) * scale * (u**4 / (1 - u**2)).imag / u.imag
    return np.asarray(taken)


def _spectrum_behind(values: Array, inverse: Array, size: float) -> Array:
    """Return a spectrum (d,) ≥ 0 of the same trace, less what noise moves it in the mean."""
    back = np.sort(values - size**2 / 2 * inverse.sum(axis=1))[::-1]
    trace = max(float(values.sum()), size)
    above = (np.cumsum(back) - trace) / np.arange(1, len(back) + 1)
    return np.asarray(np.maximum(back - above[np.flatnonzero(back > above)[-1]], 0))


def _simulated(scale: float, exact: Array, k: int) -> tuple[Array, Array]:
    """Return mean and variance (k + 1,) of the errors that ``_taken`` makes with Wishart noise.

    On an exact spectrum, for each of the top k directions and for their sum; noise is drawn in
    pairs E and −E.
    """
    d, rng, errors = len(exact), np.random.default_rng(SEED), []
    for _ in range(int(np.clip(MOST_WORK / d**3, FEWEST_PAIRS, MOST_PAIRS))):
        noise = scale * WISHART_DIFFERENCE.draw(d, rng, 1)[0]
        values, vectors = eigh_descending(np.diag(exact) + np.stack([noise, -noise]))
        taken = _taken("wishart_difference", scale, values)
        errors.append((values - taken - exact @ vectors**2)[:, :k])
    found = np.concatenate(errors)
    found = np.column_stack([found, found.sum(axis=1)])
    return found.mean(axis=0), found.var(axis=0)


def _interval(value: float, variance: float) -> Interval:
    """Return the interval of a number whose error is nearly normal; no end is below 0."""
    half = POINT * sqrt(variance)
    return Interval(value, max(0.0, value - half), max(0.0, value + half))


def _held(people: tuple[float, float], covariance: float, total: tuple[float, float]) -> Held:
    """Return people, and their share of a total whose error has a covariance with theirs.

    Each is a number and the variance of its error. Fieller's interval: all shares p for which
    people − p·total is near enough to 0.
    """
    (a, of_a), (b, of_b), square = people, total, POINT**2
    value = (a * b + covariance) / (b * b + of_b)
    first, half = b * b - square * of_b, a * b - square * covariance
    if b <= 0 or first <= 0:
        return Held(_interval(*people), Interval(value, 0.0, 1.0))
    root = sqrt(max(half * half - first * (a * a - square * of_a), 0.0))
    low, high = (float(np.clip((half + sign * root) / first, 0, 1)) for sign in (-1, 1))
    return Held(_interval(*people), Interval(value, low, high))
