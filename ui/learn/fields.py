"""Texts whose numbers are fields: written for people, and rounded to the unfavourable side."""

import re
from collections.abc import Callable, Mapping
from math import ceil
from string import Formatter
from typing import Any

from dpca_core.text.privacy_numbers import GUESSES, epsilon_text, power, right_guesses, upward
from ui.text.numbers import (
    NUMBER_WORDS,
    count,
    degree_ceil,
    degree_floor,
    degree_text,
    downward,
    percent_floor,
    significant,
)

Fields = Mapping[str, Any]
"""What a lesson has measured: numbers and arrays by name."""


def delta_text(delta: float) -> str:
    """Write δ as a power of ten, and any other as one in so many."""
    written = power(delta)
    return f"1/{count(1 / delta)}" if "·" in written else written


def word(number: int) -> str:
    """Write a small number as a word."""
    return NUMBER_WORDS[number] if 0 <= number < len(NUMBER_WORDS) else count(number)


SPECS: dict[str, Callable[[Any], str]] = {
    "share": percent_floor,
    "odds": right_guesses,
    "in_100": lambda probability: f"{GUESSES * probability:.2f}",
    "degrees": degree_text,
    "degrees_floor": degree_floor,
    "degrees_ceil": degree_ceil,
    "fine_floor": lambda angle: f"{downward(angle)}°",
    "fine_ceil": lambda angle: f"{upward(angle, 2)}°",
    "people": lambda value: significant(round(value) if value >= 10 else value, 3),
    "delta": delta_text,
    "count": count,
    "epsilon": epsilon_text,
    "joint": lambda value: f"{ceil(1000 * value) / 1000:g}",
    "spent": lambda value: upward(value, 2),
    power.__name__: power,
    "word": word,
}
"""How a field is written, by what follows its colon; anything else is Python's own format."""


class _FieldFormatter(Formatter):
    def format_field(self, value: Any, format_spec: str) -> Any:
        written = SPECS.get(format_spec)
        return written(value) if written else super().format_field(value, format_spec)


_FORMATTER = _FieldFormatter()
_EQUATION = re.compile("([εδkλ]) = ")
"""What no line may break within."""


def fill(text: str, fields: Fields) -> str:
    """Return a text with its fields filled in.

    Parameters
    ----------
    text
        A format string such as ``"{kept:share} is kept"``; ``SPECS`` names the formats.

    Raises
    ------
    KeyError
        Where a field was not measured.
    """
    written = _FORMATTER.vformat(text, (), fields)
    return _EQUATION.sub("\\1\u00a0=\u00a0", written)
