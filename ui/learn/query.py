"""What the Learn page is asked: a lesson, where its control stands, and what is shown of it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ui.learn.lesson import Control
from ui.learn.registry import LESSONS
from ui.state import query_params

MOST_SEEDS = 2**32


@dataclass(frozen=True)
class LearnSettings:
    """What this page sets alone.

    Attributes
    ----------
    lesson
        Its key; "" for the contents.
    stop
        Where its control stands, from 0; -1 for where the question puts it.
    told
        Whether the answer is shown.
    notes
        Whether the teacher's notes are.
    print
        Whether the page is the handout, with its ``answers``, and ``cards`` to hold up.
    """

    lesson: str = ""
    stop: int = -1
    seed: int = 0
    told: bool = False
    notes: bool = False
    print: bool = False
    answers: bool = True
    cards: bool = False

    @classmethod
    def from_query(cls, query: Mapping[str, str]) -> "LearnSettings":
        """Read a link; an unusable value becomes its default.

        Before the answer is shown, a control that may not move stands where the question puts it.
        """
        found = query_params.read_settings(cls(), _own(query), _allowed)
        if not found.lesson:
            return found
        control = LESSONS[found.lesson].control
        stop = stop_of(control, query[control.name]) if control.name in query else None
        free = found.told or control.before
        return replace(found, stop=stop) if free and stop is not None else found

    def to_query(self) -> dict[str, str]:
        """Write a link; defaults are left out."""
        always = ("lesson",) if self.lesson else ()
        query = query_params.to_query(replace(self, stop=-1), LearnSettings(), always)
        if self.lesson and self.stop >= 0:
            control = LESSONS[self.lesson].control
            if control.stops[self.stop] != control.start:
                query[control.name] = stop_text(control, self.stop)
        return query

    @property
    def index(self) -> int:
        """Where the control stands, from 0."""
        control = LESSONS[self.lesson].control
        return self.stop if self.stop >= 0 else start_of(control)

    def opened(self, lesson: str) -> "LearnSettings":
        """Return the settings of another lesson, with the question alone; "" for the contents."""
        return LearnSettings(lesson, notes=self.notes)


def start_of(control: Control) -> int:
    """Return where the question puts a control, from 0."""
    return control.stops.index(control.start)


def stop_text(control: Control, index: int) -> str:
    """Return a stop as the address writes it."""
    stop = control.stops[index]
    return f"{stop:g}" if isinstance(stop, float) else str(stop)


def stop_of(control: Control, text: str) -> int | None:
    """Return the stop that a text of the address means, the nearest for numbers; None for none."""
    texts = [stop_text(control, i) for i in range(len(control.stops))]
    if text in texts:
        return texts.index(text)
    if not all(isinstance(stop, int | float) for stop in control.stops):
        return None
    try:
        value = float(text)
    except ValueError:
        return None
    if value != value:
        return None
    return min(range(len(texts)), key=lambda i: abs(float(control.stops[i]) - value))


def _own(query: Mapping[str, str]) -> dict[str, str]:
    """Leave out a value of the control that has the name of one of this page's settings.

    A lesson may be asked for by its number, as people say it.
    """
    own = {name: text for name, text in query.items() if name != "stop"}
    number = own.get("lesson", "")
    if number.isdecimal() and 0 < int(number) <= len(LESSONS):
        own["lesson"] = list(LESSONS)[int(number) - 1]
    return own


def _allowed(name: str, value: object) -> bool:
    match name:
        case "lesson":
            return value == "" or value in LESSONS
        case "seed":
            return isinstance(value, int) and 0 <= value < MOST_SEEDS
    return True
