"""Lessons: the words of each are a Markdown file, its numbers and pictures a module beside it.

``lessons/gap.md`` says what is asked and answered, with fields such as ``{few_angle:degrees}``;
``lessons/gap.py`` has ``measure(value, seed)``, which returns the fields, and
``pictures(fields, told, say)``. Four numbers that the choices claim, and the one that decides, are
fields too: ``choices`` and ``truth``. A lesson that is played before it is answered has ``play``.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from string import Formatter
from typing import Any

import numpy as np

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

LETTERS = "ABCD"
Fields = Mapping[str, Any]
"""What a lesson has measured: numbers and arrays by name."""
Figure = dict[str, Any]
"""A Plotly figure whose colours are roles (``dpca_core.figures.colours``)."""
Say = Callable[[str, Fields], str]
"""Fills one of the texts of a lesson's pictures, by its name."""


def delta_text(delta: float) -> str:
    """Write δ as a power of ten, and any other as one in so many."""
    written = power(delta)
    return f"1/{count(1 / delta)}" if "·" in written else written


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
    "power": power,
    "word": lambda n: NUMBER_WORDS[n] if 0 <= n < len(NUMBER_WORDS) else count(n),
}
"""How a field is written, by what follows its colon; anything else is Python's own format.

Numbers are rounded to the unfavourable side.
"""


class _FieldFormatter(Formatter):
    def format_field(self, value: Any, format_spec: str) -> Any:
        written = SPECS.get(format_spec)
        return written(value) if written else super().format_field(value, format_spec)


def fill(text: str, fields: Fields) -> str:
    """Return a text such as ``"{kept:share} is kept"`` with its fields filled in.

    No line breaks within an equation such as ε = 1. KeyError where a field was not measured.
    """
    written = _FieldFormatter().vformat(text, (), fields)
    return re.sub("([εδkλ]) = ", "\\1\u00a0=\u00a0", written)


@dataclass(frozen=True)
class Picture:
    """A picture: a title, a line below it, and figures side by side or a table in Markdown."""

    title: str
    caption: str
    figures: tuple[Figure, ...] = ()
    table: str = ""


def picture(say: Say, name: str, fields: Fields, *figures: Figure) -> Picture:
    """Return a picture with the title of this name, and the line "name, below"."""
    return Picture(say(name, fields), say(f"{name}, below", fields), figures)


@dataclass(frozen=True)
class Control:
    """The one control of a lesson, which sets what the address calls ``name``.

    ``stops`` are its values in order, texts for switches, and ``start`` that of the question. It is
    a slider with words at its ``ends``, or a button to the next stop, with the words ``press``. A
    stop is written by ``spec``, a format of ``SPECS`` or "" for texts. ``before`` says whether it
    moves the picture before the answer is shown.
    """

    name: str
    label: str
    stops: Sequence[Any]
    start: Any
    ends: Sequence[str] = ()
    spec: str = "epsilon"
    before: bool = False
    press: str = ""

    @property
    def first(self) -> int:
        """Where the question puts it, from 0."""
        return self.stops.index(self.start)

    def words(self, index: int) -> str:
        """Return a stop with what it is: "ε = 0.1" or "people: 5,912"."""
        stop = fill(f"{{stop:{self.spec}}}", {"stop": self.stops[index]})
        equals = "\u00a0=\u00a0" if len(self.label) == 1 else ": "
        return f"{self.label}{equals}{stop}"

    def text(self, index: int) -> str:
        """Return a stop as the address writes it."""
        stop = self.stops[index]
        return f"{stop:g}" if isinstance(stop, float) else str(stop)

    def index(self, text: str) -> int | None:
        """Return the stop that a text of the address means, the nearest for numbers; else None."""
        texts = [self.text(index) for index in range(len(self.stops))]
        if text in texts:
            return texts.index(text)
        try:
            far = [abs(float(stop) - float(text)) for stop in self.stops]
        except ValueError:
            return None
        return None if np.isnan(far).any() else int(np.argmin(far))


@dataclass(frozen=True)
class Lesson:
    """A lesson; its texts are Markdown with fields, but for the ``summary`` of the contents.

    ``number`` is as people say it, "1" to "13"; ``minutes`` are those that a class takes.
    ``choices`` are the words and the misconception of each, which gives the answer away, and
    ``right`` is the index of the right one. ``more`` is a second question with its answer.
    ``notes`` are the teacher's: purpose, what most will say, what is not true in the picture.
    ``opens`` is the address, from this page, of one that shows the same. Where nothing ``draws`` at
    random another seed changes nothing. ``words`` are those of the pictures, by name.
    """

    key: str
    number: str
    title: str
    minutes: int
    summary: str
    question: str
    choices: tuple[tuple[str, str], ...]
    right: int
    answer: str
    why: str
    more: tuple[str, str]
    notes: tuple[str, ...]
    control: Control
    opens: str
    measure: Callable[[Any, int], Fields]
    drawn: Callable[[Fields, bool, Say], list[Picture]]
    play: Callable[..., None] | None = None
    draws: bool = True
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def heading(self) -> str:
        """Number and title."""
        return f"Lesson {self.number} · {self.title}"

    def said(self, fields: Fields) -> list[tuple[str, str]]:
        """Return words and reason of each choice, its number being ``value``."""
        return [
            (fill(words, {**fields, "value": value}), fill(reason, fields))
            for (words, reason), value in zip(self.choices, fields["choices"], strict=True)
        ]

    def pictures(self, fields: Fields, told: bool) -> list[Picture]:
        """Return the pictures; before the answer is told, with nothing of it."""
        return self.drawn(fields, told, self.say)

    def say(self, name: str, fields: Fields) -> str:
        """Fill a text of the pictures."""
        return fill(self.words[name], fields)
