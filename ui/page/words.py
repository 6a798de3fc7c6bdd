"""The words of a page: its sentences by name, in ``text.toml`` beside the page's code."""

import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from math import ceil
from pathlib import Path
from string import Formatter
from typing import Any, TypedDict, cast

from dpca_core.text.privacy_numbers import (
    GUESSES,
    delta_text,
    epsilon_text,
    power,
    right_guesses,
    upward,
)
from ui.text.numbers import (
    count,
    degree_ceil,
    degree_text,
    downward,
    number_word,
    one_in,
    percent,
    percent_floor,
    rounded_count,
    significant,
)

WRITERS: dict[str, Callable[[Any], str]] = {
    "count": count,
    "rows": lambda n: f"{count(n)} row{'s' * (n != 1)}",
    "columns": lambda n: f"{count(n)} column{'s' * (n != 1)}",
    "rounded": rounded_count,
    "word": number_word,
    "people": lambda n: significant(round(n) if n >= 10 else n, 3),
    "percent": percent,
    "share": percent_floor,
    "two": significant,
    "three": partial(significant, digits=3),
    "epsilon": epsilon_text,
    "upward": upward,
    "two_up": partial(upward, digits=2),
    "thousandths_up": lambda value: f"{ceil(1000 * value) / 1000:g}",
    "downward": downward,
    "delta": delta_text,
    "power": power,
    "one_in": one_in,
    "odds": right_guesses,
    "in_100": lambda probability: f"{GUESSES * probability:.2f}",
    "degrees": degree_text,
    "degrees_ceil": degree_ceil,
}
"""How numbers are written, by what stands behind the colon: {n:count}; else as Python does."""


class Labels(TypedDict, total=False):
    """The words of a chart, as ``Chart`` takes them."""

    title: str
    sub: str
    note: str


class _Writer(Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        write = WRITERS.get(format_spec)
        return write(value) if write else str(format(value, format_spec))


def fill(text: str, values: Mapping[str, Any]) -> str:
    """Return a sentence with its values; KeyError where one is missing.

    Written with usual blanks: no line breaks at a sign of equality or before a percent sign.
    """
    found = _Writer().vformat(text, (), values)
    return found.rstrip().replace(" = ", "\u00a0=\u00a0").replace(" %", "\u00a0%")


class Words:
    """The sentences beside a file of code, given by its ``__file__``; ``{}`` holds their values."""

    def __init__(self, code: str) -> None:
        self._found = tomllib.loads(Path(code).with_name("text.toml").read_text("utf-8"))

    def __call__(self, name: str, /, **values: object) -> str:
        """Return a sentence with its values."""
        return fill(self._found[name], values)

    def each(self, name: str) -> tuple[str, ...]:
        """Return a list of words."""
        return tuple(fill(text, {}) for text in self._found[name])

    def table(self, name: str, /, **values: object) -> dict[str, str]:
        """Return words by what they name."""
        return {key: fill(text, values) for key, text in self._found[name].items()}

    def chart(self, key: str, /, **values: object) -> Labels:
        """Return the title of a chart, what it shows, and its note, as far as it has any."""
        found = self._found["charts"][key]
        return cast(Labels, {part: fill(text, values) for part, text in found.items()})
