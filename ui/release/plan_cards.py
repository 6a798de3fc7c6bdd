"""What is published and how much is spent: two cards, and the plan that they make.

Nothing in here is read from a table: what is shown follows from public settings alone.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import streamlit as st

from dpca_core.mechanisms.registry import DRAWN_EXACTLY, MECHANISMS, PURE_DEFAULT, PURE_WIDE_DEFAULT
from dpca_core.release.plan import BINS, Plan, PlanError, Scores
from dpca_core.release.preview import preview
from dpca_core.text.glossary import TERMS
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.figures.markup import element, sentence
from ui.release import text
from ui.release.account import GAUSSIAN, USUAL_DELTA, Payer, read_number
from ui.release.whose import Whose, error, kept, note
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS, MOST_DIRECTIONS

PURE = tuple(key for key in DRAWN_EXACTLY if key != GAUSSIAN)
EPSILONS = tuple(epsilon for epsilon in EPSILON_STOPS if epsilon <= 10)
DELTAS = tuple(delta for delta in DELTA_STOPS if 0 < delta <= 1e-3)
"""Stops of the sliders; a decision may bring another value."""
USUAL_DIRECTIONS, PRACTICE_DIRECTIONS = 4, 2
MOST_WISHART_COLUMNS = 200
MOST_GUESSED = 1_000_000_000

Settings = dict[str, Any]
"""Arguments of a plan by their names."""


def choose_tables(whose: Whose, payer: Payer) -> Settings:
    """Draw the card of what is published: noise, tables with their shares, and directions."""
    recipe, share = whose.recipe, TERMS["share"].sentence
    note(text.MATRIX_ALWAYS)
    found: Settings = {"mechanism": GAUSSIAN, "means": Fraction(0), "scores": None}
    if not payer.gaussian:
        decided = whose.handover.mechanism
        narrow = recipe.width <= MOST_WISHART_COLUMNS
        usual = decided if decided in PURE else (PURE_DEFAULT if narrow else PURE_WIDE_DEFAULT).key
        names = {key: MECHANISMS[key].name for key in PURE}
        found["mechanism"] = kept(st.selectbox, "Noise", usual, options=PURE, format_func=names.get)
    fixed = whose.mean_share > 0
    means = kept(st.checkbox, text.MEANS, fixed, disabled=fixed)
    note(text.NO_UNIT if means and recipe.made_of_length_one else "")
    scores = kept(st.checkbox, text.PICTURE, False)
    usual_k, most = PRACTICE_DIRECTIONS if whose.practice else USUAL_DIRECTIONS, recipe.width - 1
    with st.container(horizontal=True, key="release-numbers"):
        most = max(1, min(MOST_DIRECTIONS, most))
        found["k"] = kept(
            st.number_input,
            "Directions",
            min(usual_k, most),
            min_value=1,
            max_value=most,
            help=text.K_IS_FREE,
        )
        if means:
            usual = f"{100 * whose.mean_share or 5:.6g}"
            found["means"] = _number("Share of the means, %", usual, share) / 100
        if scores:
            part = _number("Share of the picture, %", "10", share) / 100
            first, last = BINS.start, BINS.stop - 1
            bins = kept(st.number_input, "Bins", 12, min_value=first, max_value=last)
            found["scores"] = Scores(part, (bins, bins), _number("Reach", "1", text.REACH))
    return found


def choose_budget(whose: Whose, payer: Payer) -> Settings:
    """Draw the sliders of ε and, for Gaussian noise, of δ."""
    with st.container(horizontal=True, key="release-budget"):
        found = {"epsilon": _slider("ε", EPSILONS, whose.handover.epsilon, epsilon_text)}
        if payer.gaussian:
            found["delta"] = _slider("δ", DELTAS, whose.handover.delta or USUAL_DELTA, power)
    return {"delta": Fraction(0)} | found


def guess_people(whose: Whose) -> int:
    """Ask for the public guess of the people, which serves the preview alone; 0 for none."""
    label = text.PEOPLE_LABEL.format(many=whose.recipe.unit.many)
    usual = min(round(whose.handover.people_guess), MOST_GUESSED) or None
    most, help_ = MOST_GUESSED, text.GUESS_HELP
    return kept(st.number_input, label, usual, min_value=1, max_value=most, help=help_) or 0


def plan_of(whose: Whose, payer: Payer, settings: Settings, reason: str) -> Plan | str:
    """Return the plan, or a sentence on why there is none."""
    try:
        return Plan(
            recipe=whose.recipe,
            neighbours=payer.neighbours,
            reason=reason,
            declarations=whose.declarations,
            practice=whose.practice,
            **settings,
        )
    except PlanError as refused:
        return str(refused)


def show_preview(plan: Plan | str, people: int) -> None:
    """Draw what follows from public settings, or why nothing does."""
    if isinstance(plan, str):
        error(plan)
        return
    found = preview(plan)
    lines = [
        element("tr", element("th", sentence(what), scope="row"), element("td", sentence(much)))
        for what, much in text.preview_rows(plan, found, people)
    ]
    st.html(element("table", element("tbody", *lines), class_="release-preview"))
    note(text.NOT_READ)
    error(text.noisy_picture(plan, found, people))
    error(text.large_delta(plan, people))


def _number(label: str, usual: str, help_: str) -> Fraction:
    """Draw a field of a number; what is none is −1, which no plan takes."""
    number = read_number(kept(st.text_input, label, usual, max_chars=20, help=help_))
    return Fraction(-1) if number is None else number


def _slider(
    label: str, stops: Sequence[float], usual: float, write: Callable[[float], str]
) -> Fraction:
    """Draw a slider of round numbers and of what was decided; return the number as it is read."""
    every = sorted({*stops, usual})
    found = kept(st.select_slider, label, usual, options=every, format_func=write)
    return Fraction(repr(float(found)))
