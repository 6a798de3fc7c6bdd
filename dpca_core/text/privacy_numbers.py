"""ε and δ as text, rounded to the unfavourable side, and symbols in markup."""

from math import ceil, floor, isfinite, log10

GUESSES, GUESSES_OF_A_COIN = 100, 50
"""Guesses that a bound is drawn as, and how many of them a coin gets right."""
NEARLY_SURE = 0.99
"""Probability of a right guess from which on a promise is next to nothing."""

_NEAR_A_COIN, _NEAR_ALL, _VERY_NEAR = 5.0, 1.0, 0.1
"""Guesses more than a coin’s, and fewer than all, below which a digit more is written; and below
which there are two."""
_NEARLY_ALL = 1e-4
"""Guesses fewer than all from which on a bound has no digits."""

_LEAST = 1e-300
"""What is smaller, and above 0, is written as this: its digits have no unit in 64 bits."""
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def epsilon_text(epsilon: float) -> str:
    """ε to at most two or three digits, without an exponent where that reads well."""
    return power(epsilon) if epsilon < 1e-4 or epsilon >= 1e6 else f"{epsilon:.3g}"


def upward(value: float, digits: int = 3) -> str:
    """Round a guarantee up, never down."""
    if value == 0 or not isfinite(value):
        return "0" if value == 0 else "∞"
    value = max(value, _LEAST)
    unit = 10.0 ** (floor(log10(value)) - digits + 1)
    return epsilon_text(ceil(value / unit * (1 - 1e-9)) * unit)


def delta_text(delta: float) -> str:
    """δ rounded up: 10⁻⁶, 2·10⁻⁶ or 0.633."""
    if delta == 0 or delta >= 0.005:
        return upward(delta)
    unit = 10.0 ** (floor(log10(delta)) - 2)
    return power(ceil(delta / unit * (1 - 1e-9)) * unit)


def right_guesses(probability: float) -> str:
    """How many guesses of 100 are right at most, rounded up, finer near 50 and 100: 74 or 50.02.

    Never 100 itself, which would say that everybody is given away.
    """
    times = GUESSES * probability
    gained, missed = times - GUESSES_OF_A_COIN, GUESSES - times
    if gained <= 0:
        return str(GUESSES_OF_A_COIN)
    if missed < _NEARLY_ALL:
        return f"nearly {GUESSES}"
    fine = gained < _NEAR_A_COIN or missed < _NEAR_ALL
    digits = 2 if min(gained, missed) < _VERY_NEAR else 1 if fine else 0
    while ceil(times * 10**digits - 1e-9) >= GUESSES * 10**digits:
        digits += 1
    unit = 10**digits
    written = max(ceil(times * unit - 1e-9), GUESSES_OF_A_COIN * unit + 1)
    return f"{written / unit:g}"


def whole_right_guesses(probability: float) -> int:
    """How many of 100 drawn guesses are right at most: ``right_guesses`` as whole ones."""
    return ceil(float(right_guesses(probability).split()[-1]))


def power(value: float) -> str:
    """10⁻⁶ or 2·10⁻⁶; 0 as it is."""
    if value == 0:
        return "0"
    exponent = floor(log10(value) + 1e-9)
    factor = value / 10.0**exponent
    head = "" if abs(factor - 1) < 1e-6 else f"{factor:.3g}·"
    return f"{head}10{str(exponent).translate(_SUPERSCRIPTS)}"


def with_subscripts(markup: str) -> str:
    """Return escaped markup with the F of ‖·‖_F as a subscript and ε as an exponent."""
    return markup.replace("‖_F", "‖<sub>F</sub>").replace("e^ε", "e<sup>ε</sup>")
