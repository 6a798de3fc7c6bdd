"""The lessons in their order: each read from its words and its module in ``lessons/``."""

import re
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from ui.learn.lesson import Control, Fields, Lesson

_ROOT = Path(__file__).parents[2]
MOST_MEASUREMENTS = 256
"""Measurements that are kept for all visitors: every number is of public or made-up data."""


def words_of(name: str) -> str:
    """Return the words of this name."""
    return (_ROOT / f"lessons/{name}.md").read_text("utf-8")


def module_of(name: str) -> ModuleType:
    """Return the module beside them."""
    return import_module(f"lessons.{name}")


def read(key: str) -> Lesson:
    """Read a lesson from its two files."""
    module = module_of(key)
    _, head, body = words_of(key).split("+++\n", 2)
    settings = tomllib.loads(head)
    parts = sections(body)
    title, asked = next(iter(parts.items()))
    question, *items = paragraphs(asked)
    choices = [re.fullmatch(r"- \[(.)\] (.*?) — (.*)", item) for item in items]
    more, answered = paragraphs(parts["One more"])
    return Lesson(
        key=key,
        number=str(ORDER.index(key) + 1),
        title=title,
        question=question,
        choices=tuple((item[2], item[3]) for item in choices if item),
        right=[item[1] for item in choices if item].index("x"),
        answer=parts["Answer"],
        why=parts["Why"],
        more=(more, answered),
        notes=tuple(item.removeprefix("- ") for item in paragraphs(parts["Notes"])),
        words={name[8:]: text for name, text in parts.items() if name.startswith("Picture ")},
        control=Control(**settings.pop("control")),
        measure=module.measure,
        drawn=module.pictures,
        play=getattr(module, "play", None),
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
    "45": ("cloud", "count", "epsilon", "gap", "again"),
    "60": ("cloud", "count", "epsilon", "gap", "mechanism", "people", "again", "outside"),
}
"""Lessons of an hour and of three quarters of one, by their name in the address."""


def on_path(path: str) -> Sequence[str]:
    """Return the keys of a path's lessons, all of them for "" ."""
    return PATHS.get(path, ORDER)


@lru_cache(maxsize=MOST_MEASUREMENTS)
def measured(key: str, stop: int, seed: int) -> Fields:
    """Return what a lesson measures with its control at a stop."""
    lesson = LESSONS[key]
    return lesson.measure(lesson.control.stops[stop], seed)
