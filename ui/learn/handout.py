"""The printed handout: two A4 pages of exercises and answers, and more where it is asked for."""

import re
from datetime import UTC, datetime
from html import escape

from dpca_core.figures.colours import palette
from dpca_core.text.privacy_numbers import with_subscripts
from dpca_core.version import VERSION
from ui.learn import handout_text as text
from ui.learn.content import notes as lesson_notes
from ui.learn.fields import Fields, fill
from ui.learn.handout_numbers import LESSON, handout_numbers
from ui.learn.lesson import LETTERS, Lesson
from ui.learn.measurements import MEASURED
from ui.learn.query import LearnSettings, start_of
from ui.learn.registry import LESSONS
from ui.page.markup import element, sentence
from ui.state.shared_address import SharedAddress
from ui.text.glossary import TERMS


def handout(settings: LearnSettings, shared: SharedAddress) -> str:
    """Return the handout as markup.

    Parameters
    ----------
    shared
        The address of the lesson whose picture it shows.
    """
    numbers = handout_numbers(settings.seed)
    pages = [_exercises(numbers, shared)]
    if settings.answers:
        pages.append(_answers(numbers))
    if settings.cards:
        pages.append(_cards())
    if settings.notes:
        pages += [_notes(lesson) for lesson in LESSONS.values()]
    return element("div", *pages, class_="handout", style=_colours())


def _colours() -> str:
    """Return the palette on white, whatever the theme: it is made for paper."""
    names = {re.sub(r"\W", "-", role): light for role, (light, _) in palette().items()}
    return "; ".join(f"--{name}: {light}" for name, light in names.items())


def _page(head: str, right: str, *parts: str, kind: str = "") -> str:
    name = element("b", "dpca") + " " + escape(head)
    top = element("header", element("span", name), element("span", escape(right)))
    return element("section", top, *parts, class_=f"handout-page {kind}".strip())


def _pictures(seed: int, told: bool) -> tuple[str, Fields]:
    """Return the pictures of the lesson on the sheet, and its fields."""
    lesson = LESSONS[LESSON]
    fields = MEASURED.at(LESSON, start_of(lesson.control), seed)
    drawn = lesson.pictures(fields, told)
    markup = "".join(element("figure", one.markup) for one in drawn if one.markup)
    return markup, fields


def _exercises(numbers: Fields, shared: SharedAddress) -> str:
    pictures, fields = _pictures(numbers["seed"], told=False)
    words = "".join(element("p", sentence(fill(one, fields))) for one in (text.LEFT, text.RIGHT))
    items = (
        element(
            "li", _exercise(fill(one.place, numbers), fill(one.question, numbers)), element("i")
        )
        for one in text.EXERCISES
    )
    data = element("p", escape(fill(text.DATA, numbers)))
    foot = element("footer", element("div", element("p", escape(shared.text)), data), shared.qr)
    return _page(
        text.HEAD,
        f"{text.NAME_LINE} ______________________________",
        element("h1", escape(text.HANDOUT_TITLE)),
        element("p", sentence(text.LEAD), class_="handout-lead"),
        element("div", pictures, element("div", words), class_="handout-pictures"),
        element("ol", *items, class_="handout-exercises"),
        foot,
    )


def _exercise(place: str, question: str) -> str:
    return element("p", element("b", escape(place)), ". ", sentence(question))


def _answers(numbers: Fields) -> str:
    pictures, fields = _pictures(numbers["seed"], told=True)
    lesson = LESSONS[LESSON]
    said = (lesson.answer, lesson.explanation)
    words = "".join(element("p", sentence(fill(one, fields))) for one in said)
    answers = (element("li", sentence(fill(one.answer, numbers))) for one in text.EXERCISES)
    terms = (
        element("p", element("b", TERMS[key].name), ": ", with_subscripts(TERMS[key].sentence))
        for key in text.TERMS_SHOWN
    )
    made = f"{datetime.now(UTC):%d %B %Y}".lstrip("0")
    stamp = fill(text.STAMP, {**numbers, "version": VERSION, "made": made})
    return _page(
        text.HEAD_ANSWERS,
        stamp,
        element("h1", escape(text.ANSWERS)),
        element("div", pictures, element("div", words), class_="handout-pictures"),
        element("ol", *answers, class_="handout-answers"),
        element("h2", escape(text.WORDS)),
        element("div", *terms, class_="handout-words"),
        element("footer", element("p", escape(text.FOOT))),
    )


def _cards() -> str:
    cards = (element("p", letter) for letter in LETTERS)
    return element("section", *cards, class_="handout-page handout-cards")


def _notes(lesson: Lesson) -> str:
    fields = MEASURED.at(lesson.key, start_of(lesson.control), 0)
    question = element("p", sentence(fill(lesson.question, fields)), class_="handout-lead")
    answer = element("p", sentence(fill(lesson.answer, fields)))
    title = element("h2", escape(lesson.title))
    body = title + question + answer + lesson_notes(lesson, fields)
    return element("section", body, class_="handout-note")
