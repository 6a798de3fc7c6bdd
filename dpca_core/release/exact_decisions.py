"""Decisions about exponentials, in floats where these are certain and in whole numbers elsewhere.

Uniform numbers U in [0, 1) are given by their first ``PREFIX`` binary digits. A float that leaves a
doubt, by the margins proved in docs/release.md, is never believed: digits of U are added until
whole-number bounds decide. The margins assume that NumPy's ``exp`` and ``log`` are right to 4 units
in the last place; tests/core/release/test_digits.py compares both with many digits.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from dpca_core.linalg.arrays import Array
from dpca_core.release.exponential_bounds import exponential_bounds, is_below_exponential
from dpca_core.release.grid import Whole
from dpca_core.release.random_bits import WORD, Bits, Words

PREFIX = 63
"""Binary digits of a uniform number that are drawn at first."""
_LOGARITHM = 2.0**-42
"""Margin of a logarithm: its size is at most 88, and NumPy's error 4 units in the last place."""


def uniform_digits(n: int, bits: Bits, prefix: int = PREFIX) -> Words:
    """Return the first binary digits of n uniform numbers, as whole numbers (n,)."""
    return np.asarray(bits.words(n) >> np.uint64(WORD - prefix), dtype=np.uint64)


def geometric(n: int, steps: int, bits: Bits, prefix: int = PREFIX) -> Whole:
    """Return n whole numbers k ≥ 0 with P(k ≥ j) = e^{−j/steps}: ⌊−steps·ln U⌋."""
    known = uniform_digits(n, bits, prefix)
    u = (known.astype(np.float64) + 0.5) * 2.0**-prefix
    x = -steps * np.log(u)
    k = np.floor(x)
    margin = _LOGARITHM + steps * 2.0 ** (1 - prefix) / u
    doubt = np.flatnonzero((x - k < margin) | (k + 1 - x < margin))
    found: Whole = k.astype(np.int64)
    for i in doubt:
        found[i] = _exact_geometric(int(known[i]), prefix, steps, bits)
    return found


def _exact_geometric(known: int, digits: int, steps: int, bits: Bits) -> int:
    """Return the largest j with U < e^{−j/steps}; digits that were added are kept."""
    j = 0
    while True:
        lo, hi = exponential_bounds(j + 1, steps, digits)
        if known + 1 <= lo:
            j += 1
        elif known >= hi:
            return j
        else:
            known = (known << WORD) | bits.integer(WORD)
            digits += WORD


def bernoulli_exponential(
    gamma: Array,
    error: Array,
    exact: Callable[[int], tuple[int, int]],
    bits: Bits,
    prefix: int = PREFIX,
) -> NDArray[np.bool_]:
    """Return decisions (n,), each true with probability e^{−γ}.

    Parameters
    ----------
    gamma, error
        Numbers γ ≥ 0 (n,), and how far from the exact ones they may be.
    exact
        Returns the whole numbers (a, b) with γ = a/b of one of them.
    """
    known = uniform_digits(len(gamma), bits, prefix)
    u = known.astype(np.float64) * 2.0**-prefix
    chance = np.exp(-gamma)
    margin = chance * (2 * error + 2.0**-48) + 2.0 ** (1 - prefix) + u * 2.0**-50
    yes = u + margin < chance
    for i in np.flatnonzero(~yes & (u - margin < chance)):
        a, b = exact(int(i))
        yes[i] = is_below_exponential(int(known[i]), prefix, a, b, bits)
    return yes
