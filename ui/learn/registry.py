"""The lessons in their order: a new one is a file in ``lessons`` and a line here."""

from ui.learn.lesson import Lesson
from ui.learn.lessons import (
    again,
    attack,
    delta,
    epsilon,
    failing_promise,
    figure,
    gap,
    local,
    mechanism,
    noise,
    outside,
    people,
    person,
)

_ORDER: tuple[Lesson, ...] = (
    person.LESSON,
    epsilon.LESSON,
    delta.LESSON,
    noise.LESSON,
    gap.LESSON,
    mechanism.LESSON,
    people.LESSON,
    again.LESSON,
    failing_promise.LESSON,
    attack.LESSON,
    local.LESSON,
    figure.LESSON,
    outside.LESSON,
)

LESSONS: dict[str, Lesson] = {lesson.key: lesson for lesson in _ORDER}
"""Every lesson by its key, in the order of the hour."""


def number_of(key: str) -> int:
    """Return a lesson's number, from 1."""
    return list(LESSONS).index(key) + 1


def neighbours_of(key: str) -> tuple[str | None, str | None]:
    """Return the keys of the lessons before and after one; None at the ends."""
    keys = list(LESSONS)
    at = keys.index(key)
    before = keys[at - 1] if at else None
    return before, keys[at + 1] if at + 1 < len(keys) else None
