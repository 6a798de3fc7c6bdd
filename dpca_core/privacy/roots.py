"""Where a condition begins to hold, rounded to the side on which it does.

Noise that is found by a search must be enough and not nearly enough: the point that is returned is
one at which the condition was seen to hold.
"""

from collections.abc import Callable

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


def root_from_above(
    excess: Callable[[float], float],
    low: float,
    high: float,
    *,
    absolute: float,
    relative: float = 4 * 2.0**-52,
    raised: Callable[[float], float],
) -> float:
    """Return a point at which a falling smooth function is at most 0, next to its root.

    Brent's method between two signs, with these tolerances; then the next larger points, as
    ``raised`` gives them in steps of that size, until the function is not positive.
    """
    root = float(scipy.optimize.brentq(excess, low, high, xtol=absolute, rtol=relative))
    while excess(root) > 0:
        root = raised(root)
    return root
