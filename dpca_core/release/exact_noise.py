"""Noise on tables of whole numbers whose law is exactly that of rounded ideal noise.

T + ⌊E + ½⌋ = ⌊(T + E) + ½⌋ for whole T: what is released is a function of the ideal release, so its
proof holds as it is (Theorem 1, docs/release.md). What does not fit 64 bits is taken modulo 2⁶⁴,
a function of the release too.
"""

import numpy as np

from dpca_core.release.discrete_laplace import discrete_laplace
from dpca_core.release.exact_decisions import PREFIX
from dpca_core.release.grid import Whole
from dpca_core.release.normal_digits import NormalDigits, WholeOfAnySize
from dpca_core.release.random_bits import WORD, Bits

_AT_A_TIME = 2**17
"""Numbers that are drawn at a time: their digits are Python's integers, about 100 bytes each."""


def rounded_gaussian(scale: int, n: int, bits: Bits, prefix: int = PREFIX) -> Whole:
    """Return ⌊scale·x + ½⌋ (n,) for exact standard normal x, modulo 2⁶⁴.

    Parameters
    ----------
    scale
        Standard deviation in grid units, a whole number above 0.
    """
    parts = [np.empty(0, np.int64)]
    for start in range(0, n, _AT_A_TIME):
        parts.append(wrapped(_rounded_gaussian(scale, min(_AT_A_TIME, n - start), bits, prefix)))
    return np.concatenate(parts)


def _rounded_gaussian(scale: int, n: int, bits: Bits, prefix: int) -> WholeOfAnySize:
    numbers = NormalDigits(n, bits, prefix)
    while True:
        numbers.refine()
        floors, digits = numbers.floors(), numbers.digits
        half = 1 << (digits - 1)
        low = (floors * scale + half) >> digits
        # A number reaches the end of its interval with probability 0.
        high = ((floors + 1) * scale + half - 1) >> digits
        if (low == high).all():
            return np.asarray(low)


def gaussian_matrix(a: int, b: int, d: int, bits: Bits, prefix: int = PREFIX) -> Whole:
    """Return symmetric noise (d, d): ⌊a·x + ½⌋ off the diagonal, ⌊b·x + ½⌋ on it."""
    noise = np.diag(rounded_gaussian(b, d, bits, prefix))
    return _with_triangle(noise, rounded_gaussian(a, d * (d - 1) // 2, bits, prefix))


def laplace_matrix(w: int, d: int, bits: Bits, prefix: int = PREFIX) -> Whole:
    """Return symmetric discrete Laplace noise (d, d) of scale w in the upper triangle."""
    noise = np.diag(laplace_vector(w, d, bits, prefix))
    return _with_triangle(noise, laplace_vector(w, d * (d - 1) // 2, bits, prefix))


def laplace_vector(w: int, n: int, bits: Bits, prefix: int = PREFIX) -> Whole:
    """Return discrete Laplace noise (n,) of scale w, modulo 2⁶⁴."""
    return wrapped(discrete_laplace(w, n, bits, prefix))


def wishart_difference(s: int, d: int, bits: Bits, prefix: int = PREFIX) -> Whole:
    """Return ⌊s·(G₁G₁ᵀ − G₂G₂ᵀ) + ½⌋ (d, d), modulo 2⁶⁴; G₁ and G₂ (d, d + 1) standard normal.

    Notes
    -----
    With digits cut off, each product of two numbers g, h in units of 2^−p is right to |g| + |h| + 1
    units of 2^−2p, and an entry has 2(d + 1) of them.
    """
    numbers = NormalDigits(2 * d * (d + 1), bits, prefix)
    while True:
        numbers.refine()
        floors = numbers.floors().reshape(2, d, d + 1)
        products = floors[0] @ floors[0].T - floors[1] @ floors[1].T
        error = 2 * (d + 1) * (2 * int(np.abs(floors).max()) + 1)
        digits = 2 * numbers.digits
        half = 1 << (digits - 1)
        low = ((products - error) * s + half) >> digits
        high = ((products + error) * s + half) >> digits
        if (low == high).all():
            return wrapped(low)


def wrapped(values: WholeOfAnySize) -> Whole:
    """Return whole numbers of any size modulo 2⁶⁴, between −2⁶³ and 2⁶³ − 1."""
    half = 1 << (WORD - 1)
    return np.asarray((values + half) % (1 << WORD) - half).astype(np.int64)


def wrapped_sum(table: Whole, noise: Whole) -> Whole:
    """Add noise to a table modulo 2⁶⁴: what overflow leaves is a function of the release."""
    # Integer addition in an array is modulo 2⁶⁴, and says nothing when it wraps.
    return np.add(table, noise, dtype=np.int64)


def _with_triangle(noise: Whole, entries: Whole) -> Whole:
    """Put entries into both triangles of a symmetric matrix, whose diagonal is there already."""
    upper = np.triu_indices(len(noise), 1)
    noise[upper] = entries
    noise.T[upper] = entries
    return noise
