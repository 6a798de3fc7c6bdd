"""Exact fractions: roots rounded up, floats on either side, and their text."""

import re
from fractions import Fraction
from math import inf, isqrt, nextafter

_TEXT = re.compile(
    r"[0-9]{1,400}(\.[0-9]{1,400})?([eE][-+]?[0-9]{1,3})?|[0-9]{1,4000}/[0-9]{1,4000}"
)
_LONGEST = 120
_DIGITS = 40


def ceil_sqrt(value: Fraction | int) -> int:
    """Return the smallest whole number whose square is at least a value ≥ 0."""
    whole = -((-Fraction(value)) // 1)
    return isqrt(whole - 1) + 1 if whole > 0 else 0


def below(value: Fraction) -> float:
    """Return the largest float that is at most a fraction."""
    near = float(value)
    return nextafter(near, -inf) if Fraction(near) > value else near


def above(value: Fraction) -> float:
    """Return the smallest float that is at least a fraction."""
    near = float(value)
    return nextafter(near, inf) if Fraction(near) < value else near


def read_fraction(text: str) -> Fraction:
    """Read decimal text such as ``0.5`` or ``1e-6``, or a quotient ``p/q``; nothing below 0.

    Raises
    ------
    ValueError
        For any other text.
    """
    if not isinstance(text, str) or not _TEXT.fullmatch(text):
        raise ValueError("A number must be decimal text, such as 0.5 or 1e-6.")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError("A number must not be divided by 0.") from None


def fraction_text(value: Fraction) -> str:
    """Write a fraction ≥ 0 exactly, without an exponent where it is a decimal; else as ``p/q``."""
    places = _decimal_places(value.denominator)
    if places is None:
        return f"{value.numerator}/{value.denominator}"
    digits = str(value.numerator * 10**places // value.denominator).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}" if places else digits


def short_text(value: Fraction) -> str:
    """Write a fraction ≥ 0 exactly where that is short, else rounded up to 40 decimal places.

    The exact sum of the costs of some hundred releases has thousands of digits.
    """
    if value.denominator.bit_length() < 3 * _LONGEST:
        text = fraction_text(value)
        if len(text) <= _LONGEST:
            return text
    return fraction_text(Fraction(-((-value * 10**_DIGITS) // 1), 10**_DIGITS))


def _decimal_places(denominator: int) -> int | None:
    """Return how many decimal places a fraction with this denominator takes; None without end."""
    rest, counts = denominator, [0, 0]
    for place, prime in enumerate((2, 5)):
        while rest % prime == 0:
            rest //= prime
            counts[place] += 1
    return max(counts) if rest == 1 else None
