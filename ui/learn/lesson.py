"""Lessons: the words of each are a Markdown file, its numbers and pictures a module beside it.

``lessons/gap.md`` says what is asked and answered, with fields such as ``{few_angle:degrees}``;
``lessons/gap.py`` has ``measure(value, seed)``, which returns the fields, and
``pictures(fields, told, say)``. Four numbers that the choices claim, and the one that decides, are
fields too: ``choices`` and ``truth``. A lesson that is played before it is answered has ``play``.
``lessons/contents.md`` has their order.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from ui.learn.pictures import Fields, Picture, Say
from ui.learn.releases import given
from ui.page.words import fill

LETTERS = "ABCD"
MOST_MEASUREMENTS = 256
"""Measurements that are kept for all visitors: every number is of public or made-up data."""
_ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Control:
    """The one control of a lesson, which sets the field and the part of the address ``name``.

    ``stops`` are its values in order, texts for switches, and ``start`` that of the question. It is
    a slider with words at its ``ends``, or a button to the next stop, with the words ``press``. A
    stop is written by ``spec``, a format of ``WRITERS`` or "" for texts. ``before`` says whether it
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
        equals = " = " if len(self.label) == 1 else ": "
        return fill(f"{self.label}{equals}{{stop:{self.spec}}}", {"stop": self.stops[index]})

    def text(self, index: int) -> str:
        """Return a stop as the address writes it."""
        stop = self.stops[index]
        return f"{stop:g}" if isinstance(stop, float) else str(stop)

    def index(self, text: str) -> int:
        """Return the stop that the address means; that of the question where there is none."""
        texts = [self.text(index) for index in range(len(self.stops))]
        return texts.index(text) if text in texts else self.first


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
    notes: Sequence[str]
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
        """Measure with the control at a value, and return all fields."""
        return {**given(), self.control.name: value, **self.module.measure(value, seed)}

    def said(self, fields: Fields) -> list[tuple[str, str]]:
        """Return words and reason of each choice, its number being ``value``."""
        return [
            (fill(words, {**fields, "value": value}), fill(reason, fields))
            for (words, reason), value in zip(self.choices, fields["choices"], strict=True)
        ]

    def pictures(self, fields: Fields, told: bool) -> list[Picture]:
        """Return the pictures; before the answer is told, with nothing of it."""
        return [*self.module.pictures(fields, told, Say(self.words, fields))]


def read(name: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the head of a file of words, and what stands under each of its headings."""
    _, head, body = (_ROOT / f"lessons/{name}.md").read_text("utf-8").split("+++\n", 2)
    parts = re.split(r"^#+ (.+)\n", body, flags=re.MULTILINE)[1:]
    texts = (text.strip() for text in parts[1::2])
    return tomllib.loads(head), dict(zip(parts[::2], texts, strict=True))


def paragraphs(text: str) -> list[str]:
    """Return paragraphs, and items of a list, each on one line."""
    parts = re.split(r"\n\s*\n|\n(?=- )", text)
    return [" ".join(part.split()) for part in parts if part.strip()]


def lesson_of(key: str, number: int) -> Lesson:
    """Read a lesson from its two files."""
    head, parts = read(key)
    title, asked = next(iter(parts.items()))
    question, *items = paragraphs(asked)
    choices = [item.removeprefix("- ").split("] ", 1) for item in items]
    return Lesson(
        key=key,
        number=str(number),
        title=title,
        question=question,
        choices=[words.split(" — ", 1) for _, words in choices],
        right=[mark for mark, _ in choices].index("[x"),
        answer=parts["Answer"],
        why=parts["Why"],
        more=paragraphs(parts["One more"]),
        notes=[item.removeprefix("- ") for item in paragraphs(parts["Notes"])],
        words={name.removeprefix("Picture "): text for name, text in parts.items()},
        control=Control(**head.pop("control")),
        module=import_module(f"lessons.{key}"),
        **head,
    )


CONTENTS, WORDS = read("contents")
"""What the head of the contents says, and its texts by their headings."""
PATHS: dict[str, list[str]] = {path["key"]: path["order"] for path in CONTENTS["paths"]}
"""Keys of lessons in order: all, and those of a class, by their name in the address."""
LESSONS = {key: lesson_of(key, number) for number, key in enumerate(PATHS[""], 1)}
"""Every lesson by its key."""


@lru_cache(maxsize=MOST_MEASUREMENTS)
def measured(key: str, stop: int, seed: int) -> Fields:
    """Return what a lesson measures with its control at a stop."""
    lesson = LESSONS[key]
    return lesson.measure(lesson.control.stops[stop], seed)
