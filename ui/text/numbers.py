"""Numbers as people read them, to the precision they have; and texts escaped for Markdown."""

import re
from collections.abc import Callable
from math import ceil, floor, isfinite, log10

from dpca_core.text.privacy_numbers import epsilon_text, power

_NBSP = "\u00a0"
_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number_word(value: int) -> str:
    """Write a small number as a word."""
    return _WORDS[value] if 0 <= value < len(_WORDS) else count(value)


def escape_markdown(text: str) -> str:
    """Return Markdown that shows a text literally: names come from strangers' files and links.

    A zero-width joiner keeps addresses from becoming links: Markdown looks for them after it has
    undone all escapes.
    """
    escaped = re.sub(r"([\\`*_\[\]<>$~!|#:&@])", r"\\\1", " ".join(text.split()))
    return re.sub(r"(:(?=//)|(?<=[Ww]{3})(?=\.)|@)", "\\1\u2060", escaped)


def percent(share: float) -> str:
    """Write a share in whole per cent; "more than 99 %" above 99.5 %."""
    return f"more than 99{_NBSP}%" if share >= 0.995 else f"{max(0.0, share) * 100:.0f}{_NBSP}%"


def upper_first(text: str) -> str:
    """Write a text with a large first letter, and the others as they are."""
    return text[:1].upper() + text[1:]


def percent_floor(share: float) -> str:
    """Write a share in whole per cent, rounded down: what is kept at least."""
    return f"{floor(max(0.0, share) * 100 + 1e-9)}{_NBSP}%"


def percent_range(low: float, high: float) -> str:
    """Write an interval in whole per cent, rounded outwards: "96–98 %"."""
    low, high = max(0.0, low), max(0.0, high)
    return f"{floor(low * 100 + 1e-9)}–{min(100, ceil(high * 100 - 1e-9))}{_NBSP}%"


def count(value: float) -> str:
    """Write a whole number with separators; to two significant digits from 100 million."""
    if value >= 1e8:
        return power(float(f"{value:.1e}"))
    return f"{value:,.0f}" if value >= 9.5 or value == int(value) else f"{value:.2g}"


def rounded_count(value: float) -> str:
    """Write a number to two significant digits, rounded up, with separators."""
    if value < 1:
        return "1"
    unit = 10.0 ** max(0, floor(log10(value)) - 1)
    return count(ceil(value / unit - 1e-9) * unit)


def one_in(share: float) -> str:
    """Write a power of ten as it is, and any other share as one in so many."""
    written = power(share)
    return f"1/{count(1 / share)}" if "·" in written else written


def downward(value: float) -> str:
    """Write a lower bound to two significant digits: rounded down, never up."""
    if value == 0 or not isfinite(value):
        return "0" if value == 0 else "∞"
    unit = 10.0 ** (floor(log10(value)) - 1)
    return epsilon_text(floor(value / unit * (1 + 1e-9)) * unit)


def significant(value: float, digits: int = 2) -> str:
    """Write a number to two significant digits, with separators from a thousand; 2.3·10⁻⁶."""
    if value == 0 or not isfinite(value):
        return "0" if value == 0 else "∞"
    if abs(value) >= 1000:
        unit = 10.0 ** (floor(log10(abs(value))) - digits + 1)
        return count(round(value / unit) * unit)
    rounded = float(f"{value:.{digits}g}")
    sign = "−" if rounded < 0 else ""
    return f"{sign}{power(abs(rounded))}" if abs(rounded) < 1e-4 else f"{rounded:g}"


def degree_text(angle: float) -> str:
    """Write an angle in whole degrees; below one degree to one digit."""
    return f"{angle:.0f}°" if angle >= 0.95 else f"{float(f'{angle:.1g}'):g}°"


def degree_floor(angle: float) -> str:
    """Write an angle that is reached or exceeded: as ``degree_text``, but never rounded up."""
    return _degrees(angle, floor, 1e-9)


def degree_ceil(angle: float) -> str:
    """Write an angle that is not exceeded: as ``degree_text``, but never rounded down."""
    return _degrees(angle, ceil, -1e-9)


def _degrees(angle: float, rounding: Callable[[float], int], slack: float) -> str:
    unit = min(1.0, 10.0 ** floor(log10(angle))) if angle > 0 else 1.0
    return f"{float(f'{rounding(angle / unit + slack) * unit:.6g}'):g}°"


def subspace_name(k: int) -> str:
    """Return the name of what k directions span: direction, plane or subspace."""
    return {1: "direction", 2: "plane"}.get(k, "subspace")
