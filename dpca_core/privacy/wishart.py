"""Exact accounting of one Wishart matrix as noise on S."""

from collections.abc import Callable
from functools import lru_cache
from math import ceil, exp, expm1, inf, lgamma, log, pi, sqrt

import numpy as np
import scipy

from dpca_core.linalg.arrays import Array
from dpca_core.privacy.budget import Adjacency
from dpca_core.privacy.gaussian import gaussian_sigma
from dpca_core.privacy.roots import falls_to
from dpca_core.privacy.sensitivity import nuclear
from dpca_core.privacy.tanh_sinh import tanh_sinh

ADD = Adjacency.ADD_OR_REMOVE_ONE
MOST_DEGREES_OF_FREEDOM = 1e12
_LARGEST = 600.0  # what holds at this ε holds above
_SPAN = 45.0
"""How far ln f is followed below its value at the threshold: e^−45 of δ is left out."""
_MARGIN = 1 + 1e-10
"""δ is rounded up by more than the integration errs (6·10⁻¹³ is the most found)."""
_POINTS, _WEIGHTS = tanh_sinh(125)


@lru_cache(maxsize=65536)
def wishart_delta(
    epsilon: float, degrees_of_freedom: float, scale: float, adjacency: Adjacency = ADD
) -> float:
    """Smallest δ at which W ~ W_d(p, s·I) on S is (ε, δ)-DP when one person is added or removed.

    Exact to 10⁻¹⁰ of itself, and never rounded down. Where a person is replaced an upper bound, at
    half the scale: 1 − δ is log-concave in the change of S, so that costs no more than adding twice
    a record. Sizes matter through ν = p − d + 1 only, 2 to 10¹²; s is in people.

    For a unit x only q ~ χ²(ν) matters (docs/wishart.md). In either direction δ is the integral of
    f(q)·(1 − e^{ε − L(q)}) over the q with a loss L(q) above ε. Both factors are written in
    t = q/2m − 1, m = ν/2 − 1, through ln(1 + t) − t: differences of distribution functions lose
    all digits at large ν. The rule is tanh–sinh's, as f has a power at 0 and the loss one at 1/s.
    """
    m, half = degrees_of_freedom / 2 - 1, nuclear(adjacency) / (2 * scale)
    epsilon = min(epsilon, _LARGEST)
    if m <= 0:
        return -expm1(-half)
    worst = max(_one_way(sign, epsilon, m, half) for sign in (-1, 1))
    return min(1.0, worst * _MARGIN)


def _one_way(sign: int, epsilon: float, m: float, half: float) -> float:
    """δ of the output with the person, sign 1: t above a threshold; without, −1: t below it."""
    if sign > 0 and epsilon >= half:
        return 0.0  # there the loss is less than 1/2s
    a = half / m
    threshold = sign * a / expm1((sign * half - epsilon) / m) - 1
    deep = (_SPAN - m * float(_log1pmx(sign * max(sign * threshold, 0.0)))) / m

    def excess(t: Array) -> Array:
        with np.errstate(divide="ignore"):
            rest = m * _log1pmx(np.maximum(sign * a / (1 + t), -1.0))
        return np.asarray(sign * half * t / (1 + t) - rest - epsilon)

    if sign > 0:
        high = deep + sqrt(deep * (deep + 2))  # as ln(1 + t) − t ≤ −t²/2(1 + t) for t > 0
        return _integral(m, threshold, high, excess)
    low = max(-1.0, -sqrt(2 * deep))  # as ln(1 + t) − t ≤ −t²/2 for t < 0
    edge = max(low, a - 1)  # below, the loss is infinite
    certain = _integral(m, low, edge, lambda t: np.full_like(t, inf))
    return certain + _integral(m, edge, threshold, excess)


def _integral(m: float, low: float, high: float, excess: Callable[[Array], Array]) -> float:
    """∫ f(q)·(1 − e^−excess)₊ dq, q = 2m(1 + t), t from low to high; f that of χ² of 2m + 2."""
    if high <= low:
        return 0.0
    t = np.maximum(low + (high - low) * _POINTS, -1 + 1e-300)
    density = np.exp(_log_peak(m) + m * _log1pmx(t))
    parts = density * np.maximum(-np.expm1(-excess(t)), 0.0)
    return float(parts @ _WEIGHTS) * (high - low)


def _log1pmx(x: float | Array) -> Array:
    """ln(1 + x) − x to full relative precision near 0: SciPy has it, under a private name."""
    return np.asarray(scipy.special._ufuncs._log1pmx(x))


@lru_cache(maxsize=4096)
def _log_peak(m: float) -> float:
    """ln(2m·f(2m)) = ½ ln(m/2π) − r(m), with r(m) what Stirling's formula for m! leaves out."""
    if m < 16:
        return (m + 1) * log(m) - m - lgamma(m + 1)
    rest = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * m * m)) / (m * m)) / (m * m)) / m
    return 0.5 * log(m / (2 * pi)) - rest


@lru_cache(maxsize=4096)
def wishart_epsilon(
    delta: float, degrees_of_freedom: float, scale: float, adjacency: Adjacency
) -> float:
    """True ε at a given δ, rounded up; ∞ where no ε is enough."""

    def spent(log_epsilon: float) -> float:
        return wishart_delta(exp(log_epsilon), degrees_of_freedom, scale, adjacency)

    if wishart_delta(0.0, degrees_of_freedom, scale, adjacency) <= delta:
        return 0.0
    return exp(falls_to(delta, spent, 0.0, tolerance=4e-13, most=log(_LARGEST)))


@lru_cache(maxsize=4096)
def wishart_degrees_of_freedom(
    epsilon: float, delta: float, scale: float, adjacency: Adjacency
) -> int | None:
    """Smallest whole p − d + 1 ≥ 2 that is (ε, δ)-DP at scale s; None where 10¹² is not enough."""

    def spent(log_freedom: float) -> float:
        return wishart_delta(epsilon, exp(log_freedom), scale, adjacency)

    least, most = log(2), log(MOST_DEGREES_OF_FREEDOM)
    # In the limit s → 0 the noise is Gaussian, τ = s√(2ν): too little at any other scale.
    noise = gaussian_sigma(epsilon, delta, nuclear(adjacency)) / scale
    start = min(max(least, log(noise * noise / 2)), most)
    found = exp(falls_to(delta, spent, start, tolerance=1e-12, least=least, most=most))
    if found == inf:
        return None
    best = ceil(found)
    while best > 2 and wishart_delta(epsilon, best - 1, scale, adjacency) <= delta:
        best -= 1
    return best
