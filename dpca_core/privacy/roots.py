"""Where a condition begins to hold, rounded to the side on which it was seen to hold."""

from collections.abc import Callable
from math import inf, log

import scipy

MOST_STEPS = 200


def bisect(
    condition: Callable[[float], bool],
    fails: float,
    holds: float,
    *,
    absolute: float = 0.0,
    relative: float = 0.0,
    close_enough: Callable[[float], bool] | None = None,
) -> float:
    """Return a point at which a condition holds, next to one at which it fails.

    The condition is not asked at the ends, of which either may be the larger one. The search ends
    where the bracket is at most ``absolute`` wide, or ``relative`` times the larger end in size,
    after 200 steps at the latest, or at a point where it holds that is ``close_enough``.
    """
    for _ in range(MOST_STEPS):
        if abs(holds - fails) <= max(absolute, relative * max(abs(holds), abs(fails))):
            break
        middle = (fails + holds) / 2
        if not condition(middle):
            fails = middle
            continue
        holds = middle
        if close_enough is not None and close_enough(holds):
            break
    return holds


def falls_to(
    allowed: float,
    spent: Callable[[float], float],
    start: float,
    *,
    tolerance: float,
    least: float = -inf,
    most: float = inf,
) -> float:
    """Return the smallest point, rounded up, at which a smooth falling function is at most allowed.

    By Brent's method on ln(spent/allowed), between points that are sought from ``start`` on; less
    than ``tolerance`` above the root. ``least`` where that is enough, ∞ where ``most`` is not.
    """
    low = high = start
    stride = 0.25  # then a half: the root is often near
    while spent(high) > allowed:
        if high >= most:
            return inf
        low, high, stride = high, min(high + stride, most), 0.5
    while spent(low) <= allowed:
        if low <= least:
            return low
        low, high, stride = max(low - stride, least), low, 0.5

    def excess(x: float) -> float:
        return log(max(spent(x), 1e-320) / allowed)

    root = float(scipy.optimize.brentq(excess, low, high, xtol=tolerance / 4))
    while spent(root) > allowed:
        root += tolerance / 2
    return root
