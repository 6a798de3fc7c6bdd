"""The words of a page: its sentences by name, in ``text.toml`` beside the page's code."""

import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from string import Formatter
from typing import Any, TypedDict, cast

from dpca_core.text.privacy_numbers import delta_text, epsilon_text, power, upward
from ui.text.numbers import count, downward, percent, rounded_count, significant

WRITERS: dict[str, Callable[[Any], str]] = {
    "count": count,
    "rounded": rounded_count,
    "percent": percent,
    "two": significant,
    "three": partial(significant, digits=3),
    "epsilon": epsilon_text,
    "upward": upward,
    "downward": downward,
    "delta": delta_text,
    "power": power,
}
"""How numbers are written, by what stands behind the colon: {n:count}."""


class Labels(TypedDict, total=False):
    """The words of a chart, as ``Chart`` takes them."""

    title: str
    sub: str
    note: str


class Words(Formatter):
    """The sentences beside a file of code, given by its ``__file__``; ``{}`` holds their values.

    Written with usual blanks: no line breaks at a sign of equality or before a percent sign.
    """

    def __init__(self, code: str) -> None:
        self._found = tomllib.loads(Path(code).with_name("text.toml").read_text("utf-8"))

    def __call__(self, name: str, /, **values: object) -> str:
        """Return a sentence with its values."""
        return self._written(self._found[name], values)

    def each(self, name: str) -> tuple[str, ...]:
        """Return a list of words."""
        return tuple(self._written(text, {}) for text in self._found[name])

    def table(self, name: str, /, **values: object) -> dict[str, str]:
        """Return words by what they name."""
        return {key: self._written(text, values) for key, text in self._found[name].items()}

    def chart(self, key: str, /, **values: object) -> Labels:
        """Return the title of a chart, what it shows, and its note, as far as it has any."""
        found = self._found["charts"][key]
        return cast(Labels, {part: self._written(text, values) for part, text in found.items()})

    def format_field(self, value: Any, format_spec: str) -> str:
        """Write a value as its template asks."""
        write = WRITERS.get(format_spec)
        return write(value) if write else str(format(value, format_spec))

    def _written(self, text: str, values: dict[str, object]) -> str:
        found = self.vformat(text, (), values)
        return found.rstrip().replace(" = ", "\u00a0=\u00a0").replace(" %", "\u00a0%")
