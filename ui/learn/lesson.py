"""Lessons: the words of each are a Markdown file, its numbers and pictures a module beside it.

``lessons/gap.md`` says what is asked and answered, with fields such as ``{few_angle:degrees}``;
``lessons/gap.py`` has ``measure(value, seed)``, which returns the fields, and
``pictures(fields, told, say)``. Four numbers that the choices claim, and the one that decides, are
fields too: ``choices`` and ``truth``. A lesson that is played before it is answered has ``play``.
"""

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from math import ceil
from pathlib import Path
from string import Formatter
from types import ModuleType
from typing import Any

import numpy as np

from dpca_core.text.privacy_numbers import GUESSES, power, right_guesses, upward
from ui.learn.pictures import Fields, Picture
from ui.page.words import WRITERS
from ui.text import numbers

LETTERS = "ABCD"
MOST_MEASUREMENTS = 256
"""Measurements that are kept for all visitors: every number is of public or made-up data."""
_ROOT = Path(__file__).parents[2]


def delta_text(delta: float) -> str:
    """Write δ as a power of ten, and any other as one in so many."""
    written = power(delta)
    return f"1/{numbers.count(1 / delta)}" if "·" in written else written


SPECS: dict[str, Callable[[Any], str]] = WRITERS | {
    "share": numbers.percent_floor,
    "odds": right_guesses,
    "in_100": lambda probability: f"{GUESSES * probability:.2f}",
    "degrees": numbers.degree_text,
    "degrees_floor": numbers.degree_floor,
    "degrees_ceil": numbers.degree_ceil,
    "fine_floor": lambda angle: f"{numbers.downward(angle)}°",
    "fine_ceil": lambda angle: f"{upward(angle, 2)}°",
    "people": lambda value: numbers.significant(round(value) if value >= 10 else value, 3),
    "delta": delta_text,
    "joint": lambda value: f"{ceil(1000 * value) / 1000:g}",
    "spent": lambda value: upward(value, 2),
    "word": numbers.number_word,
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
    question: str
    choices: Sequence[Sequence[str]]
    right: int
    answer: str
    why: str
    more: Sequence[str]
    notes: tuple[str, ...]
    words: Mapping[str, str]
    control: Control
    module: ModuleType
    minutes: int
    summary: str
    opens: str
    draws: bool = True

    @property
    def heading(self) -> str:
        """Number and title."""
        return f"Lesson {self.number} · {self.title}"

    def measure(self, value: Any, seed: int) -> Fields:
        """Measure with the control at a value."""
        found: Fields = self.module.measure(value, seed)
        return found

    def said(self, fields: Fields) -> list[tuple[str, str]]:
        """Return words and reason of each choice, its number being ``value``."""
        return [
            (fill(words, {**fields, "value": value}), fill(reason, fields))
            for (words, reason), value in zip(self.choices, fields["choices"], strict=True)
        ]

    def pictures(self, fields: Fields, told: bool) -> list[Picture]:
        """Return the pictures; before the answer is told, with nothing of it."""
        found: list[Picture] = self.module.pictures(fields, told, self.say)
        return found

    def say(self, name: str, fields: Fields) -> str:
        """Fill a text of the pictures."""
        return fill(self.words[name], fields)


def words_of(name: str) -> str:
    """Return the words of this name."""
    return (_ROOT / f"lessons/{name}.md").read_text("utf-8")


def read(key: str) -> Lesson:
    """Read a lesson from its two files."""
    _, head, body = words_of(key).split("+++\n", 2)
    settings, parts = tomllib.loads(head), sections(body)
    title, asked = next(iter(parts.items()))
    question, *items = paragraphs(asked)
    choices = [item[2:].split("] ", 1) for item in items]
    return Lesson(
        key=key,
        number=str(ORDER.index(key) + 1),
        title=title,
        question=question,
        choices=[words.split(" — ", 1) for _, words in choices],
        right=[mark for mark, _ in choices].index("[x"),
        answer=parts["Answer"],
        why=parts["Why"],
        more=paragraphs(parts["One more"]),
        notes=tuple(item.removeprefix("- ") for item in paragraphs(parts["Notes"])),
        words={name[8:]: text for name, text in parts.items() if name.startswith("Picture ")},
        control=Control(**settings.pop("control")),
        module=import_module(f"lessons.{key}"),
        **settings,
    )


def sections(body: str) -> dict[str, str]:
    """Return what stands under each heading, by the heading's words."""
    parts = re.split(r"^#+ (.+)\n", body, flags=re.MULTILINE)
    return {name: text.strip() for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def paragraphs(text: str) -> list[str]:
    """Return paragraphs, and items of a list, each on one line."""
    parts = re.split(r"\n\s*\n|\n(?=- )", text)
    return [" ".join(part.split()) for part in parts if part.strip()]


ORDER = (
    *("cloud", "count", "person", "epsilon", "delta", "noise", "gap", "mechanism", "people"),
    *("again", "attack", "local", "outside"),
)
LESSONS = {key: read(key) for key in ORDER}
"""Every lesson by its key, in order."""
PATHS = {
    "": ORDER,
    "45": ("cloud", "count", "epsilon", "gap", "again"),
    "60": ("cloud", "count", "epsilon", "gap", "mechanism", "people", "again", "outside"),
}
"""Lessons of three quarters of an hour, of an hour, and all, by their name in the address."""


@lru_cache(maxsize=MOST_MEASUREMENTS)
def measured(key: str, stop: int, seed: int) -> Fields:
    """Return what a lesson measures with its control at a stop."""
    lesson = LESSONS[key]
    return lesson.measure(lesson.control.stops[stop], seed)
