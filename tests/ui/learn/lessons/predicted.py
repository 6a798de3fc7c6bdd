"""What every lesson is tested for, whatever it measures."""

import re
from collections.abc import Mapping
from string import Formatter
from typing import Any

from ui.learn.fields import fill
from ui.learn.lesson import Lesson

SEEDS = range(20)


def at_start(lesson: Lesson, seed: int = 0) -> Mapping[str, Any]:
    """Measure a lesson where its control begins."""
    return lesson.measure(lesson.control.start, seed)


def missed_seeds(lesson: Lesson) -> list[int]:
    """Seeds at which another choice than the right one is the nearest to what is measured."""
    return [s for s in SEEDS if lesson.nearest(at_start(lesson, s)) != lesson.right]


def texts(lesson: Lesson) -> list[str]:
    """Every text of a lesson that has fields."""
    choices = [text for choice in lesson.choices for text in (choice.text, choice.reason)]
    one = (lesson.title, lesson.question, lesson.answer, lesson.explanation)
    return [*one, *lesson.notes, *choices]


def typed_digits(lesson: Lesson) -> list[str]:
    """Texts in which a digit stands outside of all fields."""
    literal = ("".join(part[0] for part in Formatter().parse(text)) for text in texts(lesson))
    return [text for text in literal if re.search(r"\d", text) or re.search("[⁰¹²³⁴-⁹]", text)]


def fills_at_every_stop(lesson: Lesson, seed: int = 0) -> list[str]:
    """Every filled text at every stop of the control, with both states of the pictures' words."""
    found = []
    for stop in lesson.control.stops:
        fields = lesson.measure(stop, seed)
        chosen = [text for choice in lesson.filled_choices(fields) for text in choice]
        told = [*lesson.pictures(fields, False), *lesson.pictures(fields, True)]
        words = [text for picture in told for text in (picture.title, picture.caption)]
        plain = [fill(t, fields) for t in (lesson.question, lesson.answer, lesson.explanation)]
        found += [*plain, *(fill(note, fields) for note in lesson.notes), *chosen, *words]
    return found


def hidden(lesson: Lesson, **others: Any) -> bool:
    """Whether the pictures stay the same before the answer, whatever the answer is."""
    fields = at_start(lesson)
    assert not others.keys() - fields.keys()
    before = lesson.pictures(fields, False)
    told = [picture.title for picture in lesson.pictures(fields, True)]
    assert told != [picture.title for picture in before]
    return repr(lesson.pictures({**fields, **others}, False)) == repr(before)
