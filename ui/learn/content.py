"""What the browser gets of the Learn page: a lesson with its answer, or the contents."""

from collections.abc import Collection
from functools import lru_cache
from html import escape
from typing import Any
from urllib.parse import urlencode

from ui.figures.markup import sentences
from ui.learn import text
from ui.learn.fields import Fields, fill
from ui.learn.figures import control_content, picture
from ui.learn.lesson import LETTERS, Lesson
from ui.learn.measurements import MEASURED
from ui.learn.query import LearnSettings, start_of
from ui.learn.registry import LESSONS, neighbours_of, number_of
from ui.page.markup import button, element, sentence
from ui.state.shared_address import SharedAddress
from ui.text.page_titles import PAGE_TITLES

MOST_CONTENTS = 64
"""Lessons whose content is kept as it was sent."""


def lesson_content(
    settings: LearnSettings, told: Collection[str], shared: SharedAddress
) -> dict[str, Any]:
    """Return a lesson's content, the answer included: the browser shows it when asked to.

    Parameters
    ----------
    told
        Lessons whose answers this session has seen.
    shared
        The lesson's address.
    """
    lesson = LESSONS[settings.lesson]
    return {
        **_drawn(lesson.key, settings.index, settings.seed),
        "control": control_content(lesson.control, settings.index),
        "told": settings.told,
        "notes_shown": settings.notes,
        "steps": steps(lesson, told),
        "around": around(lesson),
        "link": link(shared),
        "keys": text.KEYS.format(label=lesson.control.label),
        "skip": text.SKIP,
        "draws": lesson.draws,
    }


def sent_content(content: dict[str, Any]) -> dict[str, Any]:
    """Return a lesson's content as it goes to the browser: sentences are markup."""
    if content["view"] != "lesson":
        return content
    alone = ("question", "said", "answer", "explanation", "keys")
    lists = ("choices", "reasons", "badges")
    control = content["control"]
    return (
        content
        | sentences({name: content[name] for name in alone})
        | {name: [sentence(text) for text in content[name]] for name in lists}
        | {name: [_sent_picture(each) for each in content[name]] for name in ("asked", "answered")}
        | {
            "control": control
            | {"named": [sentence(text) for text in control["named"]]}
            | sentences({name: control[name] for name in ("low", "high")})
        }
    )


def _sent_picture(picture: dict[str, Any]) -> dict[str, Any]:
    return picture | sentences({name: picture[name] for name in ("title", "caption")})


@lru_cache(maxsize=MOST_CONTENTS)
def _drawn(key: str, stop: int, seed: int) -> dict[str, Any]:
    """Return what depends on the numbers: texts and both states of the pictures.

    Question and choices stay those of the control's start: the prediction was made there.
    """
    lesson = LESSONS[key]
    asked = MEASURED.at(key, start_of(lesson.control), seed)
    fields = MEASURED.at(key, stop, seed)
    choices = lesson.filled_choices(asked)
    letter, right = LETTERS[lesson.right], choices[lesson.right][0]
    shown = {told: lesson.pictures(fields, told) for told in (False, True)}
    return {
        "id": f"{key}-{stop}-{seed}",
        "view": "lesson",
        "lesson": key,
        "question": fill(lesson.question, asked),
        "choices": [words for words, _ in choices],
        "reasons": [reason for _, reason in choices],
        "right": lesson.right,
        "badges": [text.GUESSED, text.RIGHT],
        "asked": [picture(one, i) for i, one in enumerate(shown[False])],
        "answered": [picture(one, i) for i, one in enumerate(shown[True])],
        "said": text.ANSWER_SAID.format(letter=letter, text=right),
        "answer": fill(lesson.answer, fields),
        "explanation": fill(lesson.explanation, fields),
        "notes": notes(lesson, fields),
        "open": open_link(lesson, fields),
    }


def notes(lesson: Lesson, fields: Fields) -> str:
    """Return the teacher's notes as markup."""
    items = (element("li", sentence(fill(note, fields))) for note in lesson.notes)
    said = text.HOW_TO_TEACH + (text.HOW_TO_DRAW if lesson.draws else "") + text.HOW_TO_PRESENT
    how = element("p", sentence(said.format(label=lesson.control.label)))
    return element("h2", escape(text.NOTES)) + how + element("ul", *items)


def open_link(lesson: Lesson, fields: Fields) -> str:
    """Return the link to the page that shows the same at the lesson's settings."""
    words = escape(text.OPEN.format(page=PAGE_TITLES[lesson.page]))
    address = open_address(lesson, fields)
    return element("a", words, href=address, target="_blank", rel="noopener")


def open_address(lesson: Lesson, fields: Fields) -> str:
    """Return the address, from this page, of the page a lesson leads to with its settings."""
    query = urlencode(lesson.settings(fields))
    return f"{lesson.page}?{query}" if query else lesson.page


def link(shared: SharedAddress) -> str:
    """Return the lesson's address and its code, or the sentence that there is none."""
    return shared.qr + element("p", escape(shared.text))


def steps(lesson: Lesson, told: Collection[str]) -> str:
    """Return a bar for each lesson, which opens it, and the name of this one."""
    bars = "".join(
        button(
            "",
            class_="dpca-step",
            aria_label=text.STEP.format(number=number_of(key), title=other.title)
            + (f", {text.TOLD}" if key in told else ""),
            title=other.title,
            aria_current="step" if key == lesson.key else None,
            data_told=key in told or None,
            data_say="open",
            data_value=key,
        )
        for key, other in LESSONS.items()
    )
    number = element("b", escape(text.LESSON.format(number=number_of(lesson.key))))
    name = element("p", number, " ", escape(lesson.title))
    return element("nav", bars, aria_label=text.LESSONS_LABEL) + name


def around(lesson: Lesson) -> str:
    """Return the ways to the lessons before and after, and to the contents."""
    number = number_of(lesson.key)
    before, after = neighbours_of(lesson.key)
    place = text.PLACE.format(number=number, count=len(LESSONS))
    return "".join(
        [
            _go(f"← {number - 1}", text.BEFORE, before) if before else "",
            element("b", escape(place)),
            _go(f"{number + 1} →", text.AFTER, after) if after else "",
            _go(text.CONTENTS, None, ""),
        ]
    )


def _go(words: str, said: str | None, key: str) -> str:
    title = None if said is None else f"{words} {said}"
    return button(words, class_="dpca-go", aria_label=title, data_say="open", data_value=key)


def contents_content(told: Collection[str]) -> dict[str, Any]:
    """Return the table of contents; questions whose numbers are not measured yet are missing."""
    known = {key: MEASURED.known(key, start_of(one.control), 0) for key, one in LESSONS.items()}
    done = sum(fields is not None for fields in known.values())
    rows = {key: _row(LESSONS[key], fields, key in told) for key, fields in known.items()}
    hour = [row for key, row in rows.items() if not LESSONS[key].further]
    further = [row for key, row in rows.items() if LESSONS[key].further]
    return {
        "id": "contents",
        "view": "contents",
        "stage": done,
        "share": done / len(LESSONS),
        "complete": done == len(LESSONS),
        "hour": "".join(hour),
        "further": "".join(further),
        "skip": text.SKIP,
    }


def measure_next_question() -> None:
    """Measure the first lesson whose question has no numbers yet."""
    for key, lesson in LESSONS.items():
        start = start_of(lesson.control)
        if MEASURED.known(key, start, 0) is None:
            MEASURED.at(key, start, 0)
            return


def _row(lesson: Lesson, fields: Fields | None, told: bool) -> str:
    question = text.MEASURING if fields is None else fill(lesson.question, fields)
    tick = element("span", "✓", role="img", aria_label=text.TOLD) if told else ""
    cells = (
        element("span", str(number_of(lesson.key)), class_="dpca-number"),
        element("span", element("b", escape(lesson.title)), element("span", sentence(question))),
        element("span", tick, class_="dpca-tick"),
        element("span", escape(text.MINUTES.format(minutes=lesson.minutes))),
    )
    open_it = {"type": "button", "data_say": "open", "data_value": lesson.key}
    return element("li", element("button", *cells, **open_it))
