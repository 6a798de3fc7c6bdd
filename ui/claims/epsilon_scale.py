"""The logarithmic ε axis of the Claims page."""

from math import inf, log10

_LOW, _HIGH = -3, 2
SCALE_START = 10.0**_LOW
DECADES = tuple(10.0**e for e in range(_LOW, _HIGH + 1))
"""The axis's ticks, from its lower end to its upper one."""


def share_of(epsilon: float) -> float:
    """Place of an ε on the axis, in per cent; what lies outside is at its ends."""
    if epsilon <= 0:
        return 0.0
    share = (log10(epsilon) - _LOW) / (_HIGH - _LOW) if epsilon < inf else 1.0
    return 100 * min(1.0, max(0.0, share))
