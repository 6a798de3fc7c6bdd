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

    Parameters
    ----------
    condition
        Holds on one side of some point and fails on the other; not asked at the ends.
    fails, holds
        The ends of the bracket; either may be the larger one.
    absolute, relative
        The search ends where the bracket is at most ``absolute`` wide, or ``relative`` times the
        larger end in size, and after 200 steps at the latest.
    close_enough
        Asked of each further point at which the condition holds: whether to return it already.
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

    Brent's method, then one step after the other until the function is not positive.

    Parameters
    ----------
    excess
        Falls, and has different signs at ``low`` and ``high``.
    absolute, relative
        Tolerances of Brent's method.
    raised
        The next larger point to try; its steps are of the size of the tolerance.
    """
    root = float(scipy.optimize.brentq(excess, low, high, xtol=absolute, rtol=relative))
    while excess(root) > 0:
        root = raised(root)
    return root
