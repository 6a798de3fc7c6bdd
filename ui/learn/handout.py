"""The printed handout: a sheet of exercises and one of answers, and more where it is asked for.

Its words are ``lessons/handout.md``, its numbers those of ``lessons/handout.py``.
"""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime

import streamlit as st

from dpca_core.text.glossary import TERMS
from dpca_core.text.privacy_numbers import with_subscripts
from dpca_core.version import VERSION
from ui.learn.course import LESSONS, measured, module_of, on_path, paragraphs, sections, words_of
from ui.learn.lesson import LETTERS, Fields, Lesson, fill
from ui.learn.query import LearnSettings
from ui.state.shared_address import SharedAddress

LESSON = "gap"
"""The lesson whose picture is on the sheet."""
HEIGHT = 185
"""Of its pictures on a sheet, in pixels."""
PARTS = {"answers": "Answers", "cards": "Letter cards", "notes": "Teacher’s notes"}
"""What is printed besides the exercises, by its name in the address."""
TERMS_SHOWN = (
    *("neighbours", "epsilon", "delta", "odds", "release", "mechanism", "noise", "direction"),
    *("eigengap", "variation kept", "angle", "budget"),
)
"""Keys of the glossary."""
TEMPLATE = sections(words_of("handout"))
EXERCISES = [
    (name.removeprefix("Exercise: "), *paragraphs(text))
    for name, text in TEMPLATE.items()
    if name.startswith("Exercise: ")
]
"""Where it is done, the question and the answer."""

Show = Callable[..., None]


def numbers(seed: int) -> Fields:
    """Return every number of the handout."""
    fields: Fields = module_of("handout").numbers(seed)
    return fields


def draw_sheets(now: LearnSettings, shared: SharedAddress, show: Show) -> None:
    """Draw what is printed; ``shared`` is the address of the lesson on the first sheet."""
    fields = numbers(now.seed)
    with st.container(key="learn-sheet-exercises"):
        title, lead = next(iter(TEMPLATE.items()))
        st.markdown("**dpca** Handout: exercises. Name ______________________________")
        st.title(title, anchor=False)
        st.markdown(lead)
        _draw_needles(now.seed, show, told=False)
        _draw_list(fields, ((place, question) for place, question, _ in EXERCISES))
        if shared.url:
            st.image(shared.qr, width=80)
            st.caption(shared.text)
        st.caption(fill(TEMPLATE["Data"], fields))
    if now.answers:
        with st.container(key="learn-sheet-answers"):
            st.markdown("**dpca** Handout: answers")
            st.title("Answers", anchor=False)
            _draw_needles(now.seed, show, told=True)
            _draw_list(fields, ((place, answer) for place, _, answer in EXERCISES))
            with st.container(key="learn-words"):
                said = (f"**{TERMS[key].name}**: {TERMS[key].sentence}" for key in TERMS_SHOWN)
                st.markdown(with_subscripts("\n\n".join(said)), unsafe_allow_html=True)
            made = f"{datetime.now(UTC):%d %B %Y}".lstrip("0")
            st.caption(fill(TEMPLATE["Stamp"], {**fields, "version": VERSION, "made": made}))
            st.caption(TEMPLATE["Foot"])
    if now.cards:
        with st.container(key="learn-sheet-cards"):
            st.html("".join(f"<p>{letter}</p>" for letter in LETTERS))
    if now.notes:
        with st.container(key="learn-sheet-notes"):
            for key in on_path(now.path):
                _draw_notes(LESSONS[key], now.seed)


def _draw_needles(seed: int, show: Show, *, told: bool) -> None:
    """Draw the needles alone of the lesson's pictures, and what is said of them."""
    lesson = LESSONS[LESSON]
    fields = measured(LESSON, lesson.control.first, seed)
    words = (lesson.answer, lesson.why) if told else (TEMPLATE["Left"], TEMPLATE["Right"])
    *places, beside = st.columns(3)
    for place, (i, picture) in zip(places, enumerate(lesson.pictures(fields, told)), strict=True):
        with place:
            needles = picture.figures[0]
            drawn = needles | {"layout": needles["layout"] | {"height": HEIGHT}}
            show(drawn, picture.title, f"learn.needles.{told}.{i}", "light")
    beside.markdown("\n\n".join(fill(text, fields) for text in words))


def _draw_list(fields: Fields, items: Iterable[tuple[str, str]]) -> None:
    lines = (f"{i}. **{place}.** {text}" for i, (place, text) in enumerate(items, 1))
    st.markdown(fill("\n".join(lines), fields))


def _draw_notes(lesson: Lesson, seed: int) -> None:
    fields = measured(lesson.key, lesson.control.first, seed)
    st.markdown(f"**{lesson.number} {lesson.title}.** {fill(lesson.question, fields)}")
    st.markdown(f"{fill(lesson.answer, fields)}\n\n{notes_of(lesson, fields)}")


def notes_of(lesson: Lesson, fields: Fields) -> str:
    """Return the teacher's notes of a lesson as Markdown: what to ask next before the last."""
    more = " ".join(lesson.more)
    notes = [*lesson.notes[:-1], f"Ask next: {more}", lesson.notes[-1]]
    return "\n".join(f"- {fill(note, fields)}" for note in notes)
