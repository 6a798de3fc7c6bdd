"""Exact discrete Laplace noise: P(z) ∝ e^{−|z|/w} on the whole numbers.

Canonne, Kamath & Steinke 2020, Algorithm 2, many numbers at a time.
"""

from functools import partial

import numpy as np

from dpca_core.release.exact_decisions import PREFIX, bernoulli_exponential, geometric
from dpca_core.release.grid import Whole
from dpca_core.release.normal_digits import WholeOfAnySize
from dpca_core.release.random_bits import WORD, Bits


def discrete_laplace(w: int, n: int, bits: Bits, prefix: int = PREFIX) -> WholeOfAnySize:
    """Return n independent whole numbers (n,) of any size with P(z) ∝ e^{−|z|/w}.

    Parameters
    ----------
    w
        Scale, a whole number from 1 to 2⁶².
    """
    found: WholeOfAnySize = np.empty(0, dtype=object)
    while len(found) < n:
        tried = int((n - len(found)) * 1.7) + 16
        low = uniform_below(w, tried, bits)
        gamma = low / float(w)
        exact = partial(_quotient, low, w)
        kept = bernoulli_exponential(gamma, gamma * 2.0**-51, exact, bits, prefix)
        size = low[kept].astype(object) + w * geometric(int(kept.sum()), 1, bits, prefix).astype(
            object
        )
        negative = (bits.words(len(size)) >> np.uint64(WORD - 1)).astype(bool)
        # Zero has two signs, and would come twice as often as it should.
        once = ~(negative & (size == 0))
        found = np.concatenate([found, np.where(negative, -size, size)[once]])
    return found[:n]


def _quotient(low: Whole, w: int, i: int) -> tuple[int, int]:
    return int(low[i]), w


def uniform_below(end: int, n: int, bits: Bits) -> Whole:
    """Return n independent whole numbers (n,) uniform on 0, …, end − 1, for end ≤ 2⁶²."""
    digits = max((end - 1).bit_length(), 1)
    found: Whole = np.empty(0, dtype=np.int64)
    while len(found) < n:
        words = bits.words(2 * (n - len(found)) + 8) >> np.uint64(WORD - digits)
        tried = words.astype(np.int64)
        found = np.concatenate([found, tried[tried < end]])
    return found[:n]
