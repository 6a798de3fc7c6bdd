"""What a lesson is: a question with four choices, a measurement, pictures and an explanation."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ui.learn.fields import Fields, fill

LETTERS = "ABCD"


@dataclass(frozen=True)
class Choice:
    """One of the four answers to choose from.

    Attributes
    ----------
    text
        Format string over the fields and ``value``.
    value
        The number that this answer claims, from the fields, in the unit of ``Lesson.truth``.
    reason
        Why somebody may think so: shown with the answer only, as it gives it away.
    """

    text: str
    value: Callable[[Fields], float]
    reason: str = ""


@dataclass(frozen=True)
class Control:
    """The one control of a lesson.

    Attributes
    ----------
    name
        What it sets: the value's key in the address, such as "epsilon".
    label
        As the page writes it, such as "ε".
    stops
        Values, in order; texts for switches.
    start
        The value of the question.
    low, high
        What its two ends mean, such as "more private".
    spec
        How a stop is written: a format of ``fields.SPECS``, or ``{}`` for texts.
    before
        Whether it moves the picture before the answer is shown.
    """

    name: str
    label: str
    stops: tuple[Any, ...]
    start: Any
    low: str = ""
    high: str = ""
    spec: str = "epsilon"
    before: bool = False


@dataclass(frozen=True)
class Guess:
    """A guess that is dragged on the picture itself: a hollow needle, dot or end of a bar.

    The picture's ``<svg>`` says where, in units of its viewBox: ``data-x``, ``data-y``, ``data-r``
    for a needle's pivot and length (low lies to the right of it, high above), ``data-x0``,
    ``data-x1``, ``data-y`` for the axis of a dot or bar. Without them nothing can be dragged.

    Attributes
    ----------
    kind
        "needle" (fan, degrees), "bar" or "dot" (place along a horizontal axis).
    low, high
        The values at both ends.
    start
        Where it stands at first.
    unit
        What follows the number, such as "°" or " people".
    """

    kind: str
    low: float
    high: float
    start: float
    unit: str = ""


@dataclass(frozen=True)
class Picture:
    """One picture: markup, or for a chart with axes a Plotly figure as a plain dictionary.

    Attributes
    ----------
    title, caption
        Filled texts above it.
    narrow
        The markup where there is little room, such as on a phone, if it is another one.
    """

    title: str
    caption: str = ""
    markup: str = ""
    narrow: str = ""
    figure: dict[str, Any] | None = None
    guess: Guess | None = None


@dataclass(frozen=True)
class Lesson:
    """A lesson.

    Attributes
    ----------
    key
        In the address.
    title, question, answer, explanation, notes
        Format strings over the fields, with **bold**; ``explanation`` are two sentences that can be
        read alone, ``notes`` are for the teacher: purpose, what most will say, what to ask next,
        what is not true in this picture. No number is typed in them.
    minutes
        That a class takes.
    choices, right
        Four answers, and the index of the right one: the nearest to ``truth``.
    truth
        The measured number that decides, from the fields.
    control
        The one control; ``measure`` gets the value it stands at.
    measure
        ``measure(value, seed)``: pure, without Streamlit, within 150 ms after its first call.
    pictures
        ``pictures(fields, told)``: with ``told`` False nothing gives the answer away.
    page, settings
        The page that "Open in …" leads to, and its query, given the fields.
    draws
        Whether anything is drawn at random: otherwise another seed changes nothing.
    further
        Beyond the first hour.
    """

    key: str
    title: str
    minutes: int
    question: str
    choices: tuple[Choice, Choice, Choice, Choice]
    right: int
    truth: Callable[[Fields], float]
    control: Control
    measure: Callable[[Any, int], Fields]
    pictures: Callable[[Fields, bool], tuple[Picture, ...]]
    answer: str
    explanation: str
    notes: tuple[str, ...]
    page: str
    settings: Callable[[Fields], dict[str, str]] = field(default=lambda fields: {})
    draws: bool = True
    further: bool = False

    def filled_choices(self, fields: Fields) -> list[tuple[str, str]]:
        """Return text and reason of each choice."""
        return [
            (
                fill(choice.text, {**fields, "value": choice.value(fields)}),
                fill(choice.reason, fields),
            )
            for choice in self.choices
        ]

    def nearest(self, fields: Fields) -> int:
        """Return the index of the choice whose number is nearest to what was measured."""
        truth = self.truth(fields)
        return int(np.argmin([abs(choice.value(fields) - truth) for choice in self.choices]))
