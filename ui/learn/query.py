"""What the Learn page is asked: a lesson, where its control stands, and what is shown of it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from ui.learn.lesson import LESSONS, PATHS
from ui.state.settings import Addressed, note_replaced

MOST_SEEDS = 2**32


@dataclass(frozen=True)
class LearnSettings(Addressed):
    """What this page sets alone: a lesson, "" for the contents, on a path of ``PATHS``, "" for all.

    Its control stands at ``stop``, from 0; at -1 where the question puts it. The answer is ``told``
    and teacher's ``notes`` are shown; or the page is to ``print``: the handout, with its
    ``answers``, and ``cards`` to hold up.
    """

    lesson: str = ""
    path: str = ""
    stop: int = -1
    seed: int = 0
    told: bool = False
    notes: bool = False
    print: bool = False
    answers: bool = True
    cards: bool = False

    @classmethod
    def allows(cls, name: str, value: Any) -> bool:  # noqa: D102
        known = {"lesson": {"", *LESSONS}, "path": PATHS, "seed": range(MOST_SEEDS)}
        return name not in known or value in known[name]

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> Self:
        """Read a link; an unusable value becomes its default.

        A lesson may be asked for by its number, as people say it. Before the answer is shown, a
        control that may not move stands where the question puts it.
        """
        numbers = {lesson.number: key for key, lesson in LESSONS.items()}
        lesson = query.get("lesson", "")
        found = super().from_query({**query, "lesson": numbers.get(lesson, lesson), "stop": "-1"})
        control = LESSONS[found.lesson].control if found.lesson else None
        if not control or control.name not in query or not (found.told or control.before):
            return found
        asked = query[control.name]
        stop = control.index(asked)
        if asked != control.text(stop):
            note_replaced(control.name, asked, control.text(stop))
        return replace(found, stop=stop)

    def to_query(self) -> dict[str, str]:
        """Write a link; defaults are left out."""
        query = super().to_query()
        query.pop("stop", None)
        if self.lesson and self.index != LESSONS[self.lesson].control.first:
            control = LESSONS[self.lesson].control
            query[control.name] = control.text(self.index)
        return query

    @property
    def index(self) -> int:
        """Where the control stands, from 0."""
        return self.stop if self.stop >= 0 else LESSONS[self.lesson].control.first

    def opened(self, lesson: str) -> "LearnSettings":
        """Return the settings of another lesson, with the question alone; "" for the contents."""
        return LearnSettings(lesson, self.path, notes=self.notes)

    @property
    def around(self) -> tuple[str, str]:
        """The lessons before and after on the path; "" at its ends."""
        path = PATHS[self.path]
        around = ["", *(path if self.lesson in path else LESSONS), ""]
        at = around.index(self.lesson, 1)
        return around[at - 1], around[at + 1]
