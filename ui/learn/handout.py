"""The printed handout: a sheet of exercises and one of answers, and more where it is asked for.

Its words are ``lessons/handout.md``, its numbers those of the lessons.
"""

from collections.abc import Callable
from datetime import UTC, datetime

import streamlit as st

from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.privacy.budget import Budget
from dpca_core.privacy.inference_risk import guess_probability
from dpca_core.text.glossary import TERMS
from dpca_core.text.privacy_numbers import with_subscripts
from dpca_core.version import VERSION
from ui.learn.lesson import LESSONS, LETTERS, PATHS, Lesson, measured, read
from ui.learn.pictures import Fields
from ui.learn.query import LearnSettings
from ui.learn.releases import DELTA, EPSILON, TRIALS, rand_problem
from ui.page.words import fill
from ui.state.shared_address import SharedAddress
from ui.text.numbers import percent_floor

HEAD, WORDS = read("handout")
PARTS: dict[str, str] = HEAD["parts"]
"""What is printed besides the exercises, by its name in the address."""
HEIGHT = 185
"""Of a picture on a sheet, in pixels."""
ODDS_EPSILON, EACH, TIMES = 2.0, 0.5, 2
Show = Callable[..., None]


def numbers(seed: int) -> Fields:
    """Return every number of the exercises and of their answers."""
    gap, mechanism, people = (
        measured(key, LESSONS[key].control.first, seed) for key in ("gap", "mechanism", "people")
    )
    names = (mechanism[name] for name in ("first", "second", "third"))
    kept = dict(zip(names, (mechanism[n] for n in ("shaped", "plain", "drawn")), strict=True))
    ordered = sorted(kept, key=lambda name: -kept[name])
    gaussian = DEFAULT.guarantee(rand_problem(2), Budget(ODDS_EPSILON, DELTA))
    return {
        **gap,
        "first": mechanism["first"],
        "people": people,
        "epsilon": EPSILON,
        "seed": seed,
        "releases": TRIALS,
        "number": {key: lesson.number for key, lesson in LESSONS.items()},
        "odds_epsilon": ODDS_EPSILON,
        "gaussian_odds": gaussian.guess_probability(),
        "pure_odds": guess_probability(ODDS_EPSILON, 0.0),
        "worst": max((gap[name] for name in ("few", "more", "most")), key=lambda k: k["angle"]),
        "unordered": ", ".join(sorted(kept)),
        "ordered": ", ".join(f"{name} {percent_floor(kept[name])}" for name in ordered),
        "twice": LESSONS["people"].module.same_quality(EPSILON, TIMES),
        "each": EACH,
        "added": TIMES * EACH,
        "joint": LESSONS["again"].module.joint_epsilon(TIMES, EACH),
    }


def draw_sheets(now: LearnSettings, shared: SharedAddress, show: Show) -> None:
    """Draw what is printed; ``shared`` is the address of the lesson on the first sheet."""
    fields, (title, lead) = numbers(now.seed), next(iter(WORDS.items()))
    lesson = LESSONS[HEAD["lesson"]]
    with st.container(key="learn-sheet-exercises"):
        st.markdown("**dpca** Handout: exercises. Name ______________________________")
        st.title(title, anchor=False)
        st.markdown(lead)
        _draw_needles(lesson, fields, show, WORDS["Left"], WORDS["Right"], told=False)
        st.markdown(fill(WORDS["Exercises"], fields))
        if shared.url:
            st.image(shared.qr, width=80)
            st.caption(shared.text)
        st.caption(fill(WORDS["Data"], fields))
    if now.answers:
        with st.container(key="learn-sheet-answers"):
            st.markdown("**dpca** Handout: answers")
            st.title(PARTS["answers"], anchor=False)
            _draw_needles(lesson, fields, show, lesson.answer, lesson.why, told=True)
            st.markdown(fill(WORDS["Answers"], fields))
            with st.container(key="learn-words"):
                terms = (TERMS[key] for key in HEAD["terms"])
                said = "\n\n".join(f"**{term.name}**: {term.sentence}" for term in terms)
                st.markdown(with_subscripts(said), unsafe_allow_html=True)
            made = f"{datetime.now(UTC):%d %B %Y}".lstrip("0")
            st.caption(fill(WORDS["Stamp"], {**fields, "version": VERSION, "made": made}))
            st.caption(WORDS["Foot"])
    if now.cards:
        with st.container(key="learn-sheet-cards"):
            st.html("".join(f"<p>{letter}</p>" for letter in LETTERS))
    if now.notes:
        with st.container(key="learn-sheet-notes"):
            for one in (LESSONS[key] for key in PATHS[now.path]):
                own = measured(one.key, one.control.first, now.seed)
                st.markdown(f"**{one.number} {one.title}.** {fill(one.question, own)}")
                st.markdown(f"{fill(one.answer, own)}\n\n{notes_of(one, own)}")


def _draw_needles(lesson: Lesson, fields: Fields, show: Show, *words: str, told: bool) -> None:
    """Draw the needles alone of a lesson's pictures, with words beside them."""
    *places, beside = st.columns(3)
    for place, (i, picture) in zip(places, enumerate(lesson.pictures(fields, told)), strict=True):
        needles = picture.figures[0]
        drawn = needles | {"layout": needles["layout"] | {"height": HEIGHT}}
        with place:
            show(drawn, picture.title, f"learn.needles.{told}.{i}", "light")
    beside.markdown("\n\n".join(fill(text, fields) for text in words))


def notes_of(lesson: Lesson, fields: Fields) -> str:
    """Return the teacher's notes of a lesson as Markdown: what to ask next before the last."""
    *notes, not_true = lesson.notes
    said = [*notes, f"Ask next: {' '.join(lesson.more)}", not_true]
    return "\n".join(f"- {fill(note, fields)}" for note in said)
