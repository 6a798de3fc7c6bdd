"""Numbers that may stand for a missing value, such as 999 or −1: found, never decided.

99999 in capital gains is a top code and 88 may be somebody's age: whatever is found is a question.
"""

import numpy as np
from numpy.typing import NDArray

from dpca_core.linalg.arrays import Array

LARGE = frozenset(
    {77, 88, 99, 777, 888, 999, 7777, 8888, 9998, 9999, 77777, 88888, 99999, 999999, 9999999,
     99999999, 999999999, 998, 99.9, 999.9, 99.99, 999.99}
)  # fmt: skip
"""Codes above whatever was measured."""
NEGATIVE = frozenset(
    {-1, -2, -3, -4, -5, -6, -7, -8, -9, -77, -88, -99, -777, -888, -998, -999, -9999, -99999}
)
"""Codes below zero, where nothing else is."""
OF_A_SCALE = frozenset({8, 9})
"""Codes above a scale of few steps."""
FEW_STEPS = 7
"""Values of such a scale, the codes among them."""
_TAIL = 0.01


def missing_codes(values: Array, counts: NDArray[np.intp]) -> tuple[float, ...]:
    """Find codes among the distinct numbers (v,) of a column that occur so often (v,).

    A code is the largest or the smallest value. A large one lies apart from the values that are no
    codes: by half the range between their first and last hundredth, or at twice the largest. A
    negative one is a code where no other value is negative.

    Returns
    -------
    tuple of float
        The codes in ascending order; () where there is none, or nothing would be left.
    """
    order = np.argsort(values)
    values, counts = values[order], counts[order]
    first = int(np.searchsorted(values, 0.0))
    negative = first > 0 and all(float(value) in NEGATIVE for value in values[:first])
    start = first if negative else 0
    if _is_a_coding(values, start):
        start = 0
    end = len(values)
    codes = LARGE | (OF_A_SCALE if _few_steps(values[start:]) else frozenset())
    while end > start and float(values[end - 1]) in codes:
        end -= 1
    end = _first_apart(values[start:], counts[start:], end - start) + start
    if end - start < 2:
        return ()
    return tuple(map(float, (*values[:start], *values[end:])))


def _first_apart(values: Array, counts: NDArray[np.intp], end: int) -> int:
    """Return where the large codes that lie apart begin, at ``end`` or behind it."""
    for place in range(max(end, 1), len(values)):
        rest, times = values[:place], counts[:place]
        low, high = _quantile(rest, times, _TAIL), _quantile(rest, times, 1 - _TAIL)
        gap, neighbour = values[place] - rest[-1], rest[-1]
        if gap >= max((high - low) / 2, 1) or (neighbour > 0 and values[place] >= 2 * neighbour):
            return place
    return len(values)


def _is_a_coding(values: Array, start: int) -> bool:
    """Tell whether the values mirror each other: −2, 0, 2 is a coding of three steps.

    −1, 0, 1 may be one too, or yes and no with a code.
    """
    mirrored = start > 0 and bool(np.array_equal(values, -values[::-1]))
    return mirrored and not (start == 1 and values[0] == -1 and len(values) > 2)


def _few_steps(values: Array) -> bool:
    return len(values) <= FEW_STEPS and bool((values % 1 == 0).all())


def _quantile(values: Array, counts: NDArray[np.intp], share: float) -> float:
    """Quantile of ascending values (v,) that occur so often (v,)."""
    reached = np.cumsum(counts)
    return float(values[int(np.searchsorted(reached, share * reached[-1]))])


def code_text(code: float) -> str:
    """Write a code as a file would: −1 as "-1"."""
    return str(int(code)) if code % 1 == 0 else repr(code)
