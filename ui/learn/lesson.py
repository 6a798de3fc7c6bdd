"""Lessons: the words of each are a Markdown file, its numbers and pictures a module beside it.

``lessons/gap.md`` says what is asked and answered, with fields such as ``{few_angle:degrees}``;
``lessons/gap.py`` has ``measure(value, seed)``, which returns the fields, and
``pictures(fields, told, say)``. Four numbers that the choices claim, and the one that decides, are
fields too: ``choices`` and ``truth``. A lesson that is played before it is answered has ``play``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ui.learn.fields import Fields, fill

LETTERS = "ABCD"
Figure = dict[str, Any]
"""A Plotly figure whose colours are roles (``dpca_core.figures.colours``)."""
Say = Callable[[str, Fields], str]
"""Fills one of the texts of a lesson's pictures, by its name."""


@dataclass(frozen=True)
class Picture:
    """A picture: a title, a line below it, and figures side by side or a table in Markdown."""

    title: str
    caption: str
    figures: tuple[Figure, ...] = ()
    table: str = ""


def picture(say: Say, name: str, fields: Fields, *figures: Figure, table: str = "") -> Picture:
    """Return a picture with the title of this name, and the line "name, below"."""
    return Picture(say(name, fields), say(f"{name}, below", fields), figures, table)


@dataclass(frozen=True)
class Control:
    """The one control of a lesson.

    Attributes
    ----------
    name
        What it sets: the value's key in the address, such as "epsilon".
    label
        As the page writes it, such as "ε".
    stops, start
        Its values in order, texts for switches, and that of the question.
    ends
        What its two ends mean, such as "more private".
    spec
        How a stop is written: a format of ``fields.SPECS``, or "" for texts.
    before
        Whether it moves the picture before the answer is shown.
    press
        The words of a button that goes to the next stop, where there is no slider.
    """

    name: str
    label: str
    stops: tuple[Any, ...]
    start: Any
    ends: tuple[str, ...] = ()
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
        return (
            f"{self.label}\u00a0=\u00a0{stop}" if len(self.label) == 1 else f"{self.label}: {stop}"
        )

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
    """A lesson; its texts are Markdown with fields.

    Attributes
    ----------
    number
        As people say it: "0" to "13".
    minutes
        That a class takes.
    summary
        A line for the contents, without a field.
    choices, right
        Words and misconception of each, which gives the answer away; and the index of the right.
    why
        Can be read alone.
    more
        A second question, and its answer.
    notes
        For the teacher: purpose, what most will say, what is not true in the picture.
    words
        Of the pictures, by name.
    opens
        The address of a page that shows the same, from this page.
    draws
        Whether anything is drawn at random: otherwise another seed changes nothing.
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
    draws: bool
    measure: Callable[[Any, int], Fields]
    drawn: Callable[[Fields, bool, Say], list[Picture]]
    play: Callable[..., None] | None = None
    words: Mapping[str, str] = field(default_factory=dict)

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
