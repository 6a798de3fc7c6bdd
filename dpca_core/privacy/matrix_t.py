"""Exact accounting of matrix-t noise: how much one record shows through density det(I + F²)^{−q}.

One direction alone matters: for a record of length 1 the density's ratio is that of a Student
variable y and of y + B/c, where B is a Beta variable that both data sets share (docs/matrix-t.md).
"""

from functools import lru_cache
from math import exp, expm1, inf, lgamma, log, nextafter, pi, sinh, sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.privacy.roots import falls_to
from dpca_core.privacy.tanh_sinh import tanh_sinh

MOST_MATRIX_T_COLUMNS = 64
"""Columns up to which matrix-t noise is offered: beyond, Gaussian noise is as small to 2 %."""

_LEAST_SCALE = 1e-26
_MARGIN = 1 + 1e-7
"""δ is rounded up by more than the integration errs (4·10⁻⁹ of δ is the most found)."""
_POINTS, _WEIGHTS = tanh_sinh(157)


def exponent(d: int) -> float:
    """Return q, the exponent of the density on symmetric (d, d): public, and fixed by d alone."""
    return 1.2 * d + 0.0085 * d * d + 1.2


@lru_cache(maxsize=65536)
def matrix_t_delta(epsilon: float, d: int, q: float, scale: float) -> float:
    """Smallest δ, never rounded down, at which c·F on S is (ε, δ)-DP when a record comes or goes.

    F symmetric (d, d) with density ∝ det(I + F²)^{−q}, d ≥ 2, q > d/2; scale c in people; ε > 0.

    δ is the mean over B ~ Beta(2q − 1 − (d − 1)/2, (d − 1)/2) of ∫ g(y)·(1 − e^{ε − L(y)})₊ dy with
    a = B/c, g ∝ (1 + y²)^{−q} and the loss L(y) = q·ln((1 + (y + a)²)/(1 + y²)). The inner
    integral, in the angle φ = arctan y, runs between the two roots of L = ε; it is positive from
    B = 2c·sinh(ε/2q) on. The Beta density is singular at B = 1 for d = 2.
    """
    least = 2 * scale * sinh(epsilon / (2 * q)) if epsilon < 1400 * q else inf
    if least >= 1:
        return 0.0
    first, second = 2 * q - 1 - (d - 1) / 2, (d - 1) / 2
    width = 1 - least
    below_one = width * _POINTS
    b = 1 - below_one
    log_norm = lgamma(first + second) - lgamma(first) - lgamma(second)
    with np.errstate(divide="ignore"):
        log_density = log_norm + (first - 1) * np.log(b) + (second - 1) * np.log(below_one)
    values = np.exp(log_density) * _spent(epsilon, q, b / scale)
    return min(1.0, float(values @ _WEIGHTS) * width * _MARGIN)


def _spent(epsilon: float, q: float, a: Array) -> Array:
    """∫ g(y)·(1 − e^{ε − L(y)})₊ dy for each shift a > 0 (m,)."""
    kappa = expm1(epsilon / q)
    inside = a * a * (1 + kappa) - kappa * kappa
    given = inside > 0
    # y₁·y₂ = (κ − a²)/κ: y₁ from the product where the difference would cancel.
    upper = (a + np.sqrt(np.where(given, inside, 0.0))) / kappa
    low = np.arctan((kappa - a * a) / (kappa * upper))
    # Beyond this angle g is below e^−45 of its largest value.
    far = np.arccos(np.cos(np.maximum(low, 0.0)) * np.exp(-45 / (2 * q - 2)))
    high = np.minimum(np.arctan(upper), far)
    width = np.where(given, high - low, 0.0)[:, None]
    phi = low[:, None] + width * _POINTS
    tan, cos = np.tan(phi), np.cos(phi)
    change = a[:, None] * (2 * tan + a[:, None]) * cos * cos
    loss = q * np.log1p(change)
    gained = np.maximum(-np.expm1(epsilon - loss), 0.0)
    log_norm = lgamma(q) - lgamma(q - 0.5) - 0.5 * log(pi)
    with np.errstate(divide="ignore"):
        density = np.exp(log_norm + (2 * q - 2) * np.log(np.abs(cos)))
    return np.asarray((density * gained) @ _WEIGHTS * width[:, 0])


def pure_scale(epsilon: float, q: float) -> float:
    """Smallest c that is ε-DP when a record is added or removed; rounded up, at least 10⁻²⁶."""
    half = epsilon / (2 * q)
    if half > -log(_LEAST_SCALE):
        return _LEAST_SCALE
    return nextafter(0.5 / sinh(half) * (1 + 1e-13), inf)


@lru_cache(maxsize=4096)
def matrix_t_scale(epsilon: float, delta: float, d: int, q: float) -> float:
    """Smallest c that is (ε, δ)-DP when a record is added or removed, rounded up."""
    pure = pure_scale(epsilon, q)
    if delta <= 0 or pure <= _LEAST_SCALE:
        return pure

    def spent(log_scale: float) -> float:
        return matrix_t_delta(epsilon, d, q, exp(log_scale))

    least = log(_LEAST_SCALE)
    return min(pure, exp(falls_to(delta, spent, log(pure), tolerance=1e-12, least=least)))


def unit_entry_std(d: int, q: float) -> tuple[float, float]:
    """Standard deviations of a diagonal and of an off-diagonal entry of F; q > d/2 + 1."""
    diagonal, beside = 0.5 / (q - (d - 1) / 2 - 1.5), 0.0
    for m in range(2, d + 1):
        q_m = q - (d - m) / 2
        alpha, gamma = (m - 1) / 2, 2 * q_m - 1 - (m - 1) / 2
        square = alpha / (gamma - 1)
        fourth = alpha * (alpha + 1) / ((gamma - 1) * (gamma - 2))
        beside_next = square / (m - 1) * (1 + diagonal + (m - 2) * beside)
        diagonal = fourth * diagonal + (1 + 2 * square + fourth) * 0.5 / (q_m - 1.5)
        beside = beside_next
    return sqrt(diagonal), sqrt(beside)
