"""Where an ε stands on the Claims page's scale."""

from math import inf, log10

LOW, HIGH = -3.0, 2.0


def share_of(epsilon: float) -> float:
    """Place of an ε on the row's axis, in per cent; what lies outside is at its ends."""
    if epsilon <= 0:
        return 0.0
    share = (log10(epsilon) - LOW) / (HIGH - LOW) if epsilon < inf else 1.0
    return 100 * min(1.0, max(0.0, share))
