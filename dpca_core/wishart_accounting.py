"""Exact accounting of one Wishart matrix as noise on S."""

from functools import lru_cache
from math import exp, expm1, inf, log

from scipy.special import chdtr, chdtrc

from dpca_core.budget import Adjacency

MOST_FREEDOM = 1e12
_LARGEST = 600.0  # what holds at this ε holds above


@lru_cache(maxsize=65536)
def wishart_delta(epsilon: float, freedom: float, scale: float) -> float:
    """Smallest δ at which W ~ W_d(p, s·I) on S is (ε, δ)-DP when one person is added or removed.

    Parameters
    ----------
    epsilon
        ε ≥ 0.
    freedom
        p − d + 1 ≥ 2; dimension and degrees of freedom matter through it only.
    scale
        s, in people.

    Notes
    -----
    For a unit x only q ~ χ²(p − d + 1) matters (docs/wishart.md). Changing variables
    turns both directions into differences of χ² probabilities F: with m = (p − d − 1)/2 the output
    without x gives F(q₁) − e^ε·F(q₁ − 1/s), s·q₁ = 1/(1 − e^{−(ε + 1/2s)/m}); the output with x
    gives F̄(q₂) − e^ε·F̄(q₂ + 1/s), s·q₂ = 1/(e^{(1/2s − ε)/m} − 1), where ε < 1/2s.
    """
    m, half = (freedom - 2) / 2, 1 / (2 * scale)
    epsilon = min(epsilon, _LARGEST)
    first = 1 / (-expm1(-(epsilon + half) / m)) / scale if m > 0 else 1 / scale
    absent = float(
        chdtr(freedom, first) - exp(epsilon) * chdtr(freedom, max(first - 1 / scale, 0.0))
    )
    present = 0.0
    if epsilon < half:
        second = 1 / expm1((half - epsilon) / m) / scale if m > 0 else 0.0
        tail = chdtrc(freedom, second) - exp(epsilon) * chdtrc(freedom, second + 1 / scale)
        present = float(tail)
    return min(1.0, max(absent, present, 0.0))


def wishart_delta_for(epsilon: float, freedom: float, scale: float, adjacency: Adjacency) -> float:
    """Return δ for a neighbour relation; for replacement an upper bound, at half the scale.

    1 − δ is log-concave in the change of S, so replacing costs no more than adding twice a record.
    """
    replaced = adjacency is Adjacency.REPLACE_ONE
    return wishart_delta(epsilon, freedom, scale / 2 if replaced else scale)


@lru_cache(maxsize=4096)
def wishart_epsilon(delta: float, freedom: float, scale: float, adjacency: Adjacency) -> float:
    """True ε at a given δ, rounded up; ∞ where no ε is enough."""
    if wishart_delta_for(0.0, freedom, scale, adjacency) <= delta:
        return 0.0
    high = 1.0
    while wishart_delta_for(high, freedom, scale, adjacency) > delta:
        high *= 2
        if high > _LARGEST:
            return inf
    low = 0.0
    for _ in range(200):
        middle = (low + high) / 2
        if wishart_delta_for(middle, freedom, scale, adjacency) <= delta:
            high = middle
        else:
            low = middle
        if high - low <= 1e-13 * high:
            break
    return high


@lru_cache(maxsize=4096)
def wishart_freedom(epsilon: float, delta: float, scale: float, adjacency: Adjacency) -> int | None:
    """Smallest whole p − d + 1 ≥ 2 that is (ε, δ)-DP at scale s; None where 10¹² is not enough."""

    def enough(freedom: float) -> bool:
        return wishart_delta_for(epsilon, freedom, scale, adjacency) <= delta

    if enough(2):
        return 2
    if not enough(MOST_FREEDOM):
        return None
    low, high = log(2), log(MOST_FREEDOM)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(round(exp(middle))) else (middle, high)
    best = round(exp(high))
    while best > 2 and enough(best - 1):
        best -= 1
    while not enough(best):
        best += 1
    return best
