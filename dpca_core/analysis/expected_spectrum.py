"""The spectrum that a data owner expects, from two public answers: how many people, which shares.

Rows of length 1 make the eigenvalues of S sum to the number of people, so an eigenvalue is people
times a share. Nothing here reads data.
"""

from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise

import numpy as np

from dpca_core.linalg.arrays import Array

MOST_NAMED = 20
"""Directions whose shares can be named, at most."""
_ROUNDING = 1e-9


class Expectation(StrEnum):
    """What is expected of data that nobody has looked at."""

    ONE_STRONG = "one strong direction"
    FEW_STRONG = "a few strong directions"
    MANY_WEAK = "many weak directions"


EXPECTED_SHARES = {
    Expectation.ONE_STRONG: (0.6,),
    Expectation.FEW_STRONG: (0.36, 0.12, 0.115, 0.07),
    Expectation.MANY_WEAK: (0.12, 0.1, 0.09, 0.08),
}
"""Shares of the first directions; the rest falls evenly."""


def expected_shares(expectation: Expectation, d: int) -> tuple[float, ...]:
    """Return the shares of the first directions, at most d − 1, at d ≥ 2 columns.

    Where the rest, falling in equal steps, would begin above the last of them, they are raised.
    """
    first = EXPECTED_SHARES[expectation][: d - 1]
    left = d - len(first)
    if sum(first) + first[-1] * (left + 1) / 2 >= 1:
        return first
    factor = 1 / (sum(first) + first[-1] * left / 2)
    return tuple(factor * share for share in first)


def expected_spectrum(shares: Sequence[float], d: int) -> Array:
    """Return the shares (d,) of all directions, descending, sum 1; times people, eigenvalues of S.

    What the first k that are named leave falls evenly over the other d − k directions: in equal
    steps to 0 after the last, or where that would begin above the last share, in smaller steps
    from there. ValueError for shares that no spectrum has: of 1 ≤ k < d directions, largest first.
    """
    _require_shares(shares, d)
    left, rest = d - len(shares), max(0.0, 1 - sum(shares))
    steps = np.arange(left, 0, -1) / (left * (left + 1) / 2)
    even, weight = 1 / left, 1.0
    # A mixture of falling and constant shares; all weight on the falling ones where they fit.
    if rest * steps[0] > shares[-1]:
        weight = (shares[-1] - rest * even) / (rest * (steps[0] - even) or 1.0)
    tail = rest * (weight * steps + (1 - weight) * even)
    return np.concatenate([shares, np.minimum(tail, shares[-1])])


def _require_shares(shares: Sequence[float], d: int) -> None:
    if d < 2:
        raise ValueError("With one column there is no direction to choose; use two or more.")
    most, left = min(d - 1, MOST_NAMED), d - len(shares)
    if not 1 <= len(shares) <= most:
        raise ValueError(
            f"Name the shares of 1 to {most} directions, not of {len(shares)}: there are {d} "
            "columns after coding."
        )
    if not all(share > 0 for share in shares):
        raise ValueError("Each share must be above 0 %.")
    if any(b > a for a, b in pairwise(shares)):
        raise ValueError("Write the largest share first: each must be at most the one before it.")
    total = sum(shares)
    if total > 1 + _ROUNDING:
        raise ValueError(f"The shares sum to {_percent(total)}; together they are at most 100 %.")
    if 1 - total > left * shares[-1] * (1 + _ROUNDING):
        more = f"{left} more {'directions' if left > 1 else 'direction'}"
        raise ValueError(
            f"These shares leave {_percent(1 - total)} for {more}, none of which may exceed "
            f"{_percent(shares[-1])}: name larger shares, or more of them."
        )


def _percent(share: float) -> str:
    return f"{share * 100:.4g}\u00a0%"
