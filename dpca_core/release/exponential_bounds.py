"""Whole numbers around 2^p·e^{−a/b}, as close as wanted; decisions by them without any float."""

from dpca_core.release.random_bits import WORD, Bits

_GUARD = 32


def exponential_bounds(a: int, b: int, p: int) -> tuple[int, int]:
    """Return whole numbers lo ≤ 2^p·e^{−a/b} ≤ hi that are at most 3 apart.

    Parameters
    ----------
    a, b
        Whole numbers, a ≥ 0 and b > 0.
    p
        Binary digits.

    Notes
    -----
    e^{−x} = (e^{−x/2^s})^{2^s} with x/2^s ≤ ½. Every operation is rounded away from the value on
    its own side, at 2s + 32 digits more than are wanted: s squarings lose s digits.
    """
    halvings = (a // b).bit_length() + 1
    digits = p + 2 * halvings + _GUARD
    under = b << halvings
    lo, hi = _series((a << digits) // under, _ceil(a << digits, under), digits)
    for _ in range(halvings):
        lo, hi = (lo * lo) >> digits, _shifted_up(hi * hi, digits)
    return lo >> (digits - p), _shifted_up(hi, digits - p)


def _series(lo: int, hi: int, digits: int) -> tuple[int, int]:
    """Bounds of e^{−x} in units of 2^{−digits} for x ≤ ½ between lo and hi units.

    The terms x^k/k! alternate and fall, so what is left out is at most the last one added.
    """
    term_lo = term_hi = total_lo = total_hi = 1 << digits
    k = 0
    while term_hi > 1:
        k += 1
        term_lo = ((term_lo * lo) >> digits) // k
        term_hi = _ceil(_shifted_up(term_hi * hi, digits), k)
        if k % 2:
            total_lo, total_hi = total_lo - term_hi, total_hi - term_lo
        else:
            total_lo, total_hi = total_lo + term_lo, total_hi + term_hi
    return max(0, total_lo - term_hi), total_hi + term_hi


def is_below_exponential(known: int, digits: int, a: int, b: int, bits: Bits) -> bool:
    """Tell whether U < e^{−a/b}, for U uniform in [0, 1) whose first binary digits are known.

    More of its digits are drawn until it is decided.
    """
    while True:
        lo, hi = exponential_bounds(a, b, digits)
        if known + 1 <= lo:
            return True
        if known >= hi:
            return False
        known = (known << WORD) | bits.integer(WORD)
        digits += WORD


def _ceil(over: int, under: int) -> int:
    return -(-over // under)


def _shifted_up(value: int, digits: int) -> int:
    return -((-value) >> digits)
