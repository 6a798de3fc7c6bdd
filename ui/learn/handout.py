"""The printed handout: a sheet of exercises and one of answers, and more where it is asked for.

Its words are ``lessons/handout.md``, its numbers those of the lessons.
"""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from math import floor, log10, sqrt

import numpy as np
import streamlit as st

from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.privacy.budget import Budget
from dpca_core.privacy.gaussian import gaussian_sigma
from dpca_core.privacy.inference_risk import gaussian_guess_probability, guess_probability
from dpca_core.privacy.sensitivity import frobenius
from dpca_core.text.glossary import TERMS
from dpca_core.text.privacy_numbers import with_subscripts
from dpca_core.version import VERSION
from ui.learn.lesson import (
    LESSONS,
    LETTERS,
    PATHS,
    Lesson,
    fill,
    measured,
    paragraphs,
    sections,
    words_of,
)
from ui.learn.pictures import Fields
from ui.learn.query import LearnSettings
from ui.learn.releases import DELTA, EPSILON, TRIALS, rand_data, rand_problem
from ui.state.shared_address import SharedAddress
from ui.text.numbers import percent_floor

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

ODDS_EPSILON, EACH, TIMES, TOWN = 2.0, 0.5, 2, 1e6
Show = Callable[..., None]


def numbers(seed: int) -> Fields:
    """Return every number of the exercises and of their answers."""
    of = {key: measured(key, one.control.first, seed) for key, one in LESSONS.items()
          if key in ("gap", "people", "mechanism", "delta")}  # fmt: skip
    gap, mechanism = of["gap"], of["mechanism"]
    worst = max(("few", "more", "most"), key=lambda name: gap[f"{name}_angle"])
    kept = {mechanism[name]: mechanism[share] for name, share in
            (("first", "shaped"), ("second", "plain"), ("third", "drawn"))}  # fmt: skip
    ordered = sorted(kept, key=lambda name: -kept[name])
    runs = of["delta"]["runs"]
    delta = 10.0 ** floor(log10(1 - (1 - 1 / runs) ** (1 / TOWN)))
    size = frobenius(Budget(EACH, DELTA).adjacency)
    again, people = (LESSONS[key].module for key in ("again", "people"))
    return {
        **gap,
        "epsilon": EPSILON,
        "data": rand_data().name,
        "people": rand_data().people,
        "columns": rand_data().d,
        "seed": seed,
        "releases": TRIALS,
        "target": of["people"]["target"],
        "gaussian": of["people"]["gaussian"],
        **{f"{key}_lesson": lesson.number for key, lesson in LESSONS.items()},
        "odds_epsilon": ODDS_EPSILON,
        "gaussian_odds": DEFAULT.guarantee(
            rand_problem(2), Budget(ODDS_EPSILON, DELTA)
        ).guess_probability(),
        "pure_odds": guess_probability(ODDS_EPSILON, 0.0),
        "town": TOWN,
        "runs": runs,
        "small_delta": delta,
        "named": -np.expm1(TOWN * np.log1p(-delta)),
        "worst_k": gap[worst],
        "worst_gap": gap[f"{worst}_gap"],
        "unordered": ", ".join(sorted(kept)),
        "ordered": ", ".join(f"{name} {percent_floor(kept[name])}" for name in ordered),
        "twice": people.same_quality(EPSILON, TIMES),
        "each": EACH,
        "added": TIMES * EACH,
        "joint": again.joint_epsilon(TIMES, EACH),
        "joint_odds": gaussian_guess_probability(
            gaussian_sigma(EACH, DELTA, size) / sqrt(TIMES) / size
        ),
    }


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
            for key in PATHS[now.path]:
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
