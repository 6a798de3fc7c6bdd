"""Cards 2 and 3: which tables are published, with which noise, and how much is spent."""

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpca_core.release.drawn import MOST_BINS
from dpca_core.release.means_reading import NO_UNIT, means_have_units
from dpca_core.release.plan import Plan
from dpca_core.release.plan_checks import FEWEST_BINS
from dpca_core.release.preview import preview
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.release import figures, text
from ui.release.measurements import Subject, directions, people_guess
from ui.release.query import (
    MEANS_SHARE,
    MOST_GUESSED,
    MOST_SHARES,
    RELEASED_DELTAS,
    RELEASED_EPSILONS,
    SAFE,
    SCORES_SHARE,
    ReleaseSettings,
    stops_with,
)
from ui.state import session
from ui.state.slider_stops import MOST_DIRECTIONS
from ui.state.widget_keys import key_starting_at, note_position

_LEAST_SHARE = 1


def choose_tables(subject: Subject) -> DeltaGenerator:
    """Draw card 2; return the place below the picture of scores, for a warning."""
    now = session.page_settings(ReleaseSettings)
    keys = list(SAFE)
    chosen = st.selectbox(
        "Noise",
        keys,
        keys.index(now.mechanism),
        format_func=lambda key: SAFE[key].name,
        key=key_starting_at("release-mechanism", now.mechanism),
    )
    note_position("release-mechanism", str(chosen))
    now = session.change_page_settings(now, mechanism=str(chosen))
    st.html(figures.paragraph(f"{text.law(now.mechanism)} {text.MATRIX_ALWAYS}"))
    means = st.checkbox(
        "Means of the columns",
        now.means > 0 or subject.mean_is_private,
        disabled=subject.mean_is_private,
        key=key_starting_at("release-means", now.means > 0),
    )
    note_position("release-means", means)
    if means and not means_have_units(subject.recipe):
        st.html(figures.paragraph(NO_UNIT))
    scores = st.checkbox(
        "A picture of the first two scores",
        now.scores > 0,
        key=key_starting_at("release-scores", now.scores > 0),
    )
    note_position("release-scores", scores)
    warning_place = st.container(key="release-scores-warning")
    now = session.change_page_settings(
        now,
        means=(now.means or MEANS_SHARE) if means else 0,
        scores=(now.scores or SCORES_SHARE) if scores else 0,
    )
    with st.container(horizontal=True, key="release-numbers"):
        changed: dict[str, float] = {}
        if scores:
            changed["bins"] = st.number_input(
                "Bins each way", FEWEST_BINS, MOST_BINS, now.bins, key="release-bins", width=110
            )
            changed["reach"] = st.number_input(
                "Reach", 0.05, 1.0, now.reach, 0.05, key="release-reach", width=110
            )
        most = max(1, min(MOST_DIRECTIONS, len(subject.columns) - 1))
        changed["k"] = st.number_input(
            "Directions",
            1,
            most,
            shown := min(directions(now, subject), most),
            key=key_starting_at("release-k", (shown, most)),
            help=text.K_IS_FREE,
            width=110,
        )
        note_position("release-k", (int(changed["k"]), most))
    if now.k == 0 and changed["k"] == shown:
        changed["k"] = 0
    session.change_page_settings(now, **changed)
    return warning_place


def warn_of_noisy_picture(plan: Plan | str, subject: Subject) -> None:
    """Say that a picture of scores would show noise alone, by the owner's guess of the people."""
    if isinstance(plan, str):
        return
    people = people_guess(session.page_settings(ReleaseSettings), subject)
    if warning := text.noisy_picture(preview(plan), people, subject.recipe.unit.many):
        st.html(figures.paragraph(warning, "release-error"))


def choose_budget() -> None:
    """Draw the sliders of card 3."""
    now = session.page_settings(ReleaseSettings)
    with st.container(horizontal=True, key="release-budget"):
        epsilon = _slider("ε", RELEASED_EPSILONS, now.epsilon, epsilon_text)
        delta = now.delta
        if not now.pure:
            delta = _slider("δ", RELEASED_DELTAS, now.delta, power)
    _choose_shares(session.change_page_settings(now, epsilon=epsilon, delta=delta))


def _slider(
    label: str, stops: tuple[float, ...], shown: float, write: Callable[[float], str]
) -> float:
    """Draw a slider of round numbers and where it stands."""
    name = f"release-slider-{label}"
    chosen = st.select_slider(
        label,
        stops_with(stops, shown),
        shown,
        format_func=write,
        key=key_starting_at(name, shown),
    )
    note_position(name, chosen)
    return float(chosen)


def _choose_shares(now: ReleaseSettings) -> None:
    """Draw one bar with a handle for each table beside the matrix."""
    if now.means == 0 and now.scores == 0:
        return
    most = MOST_SHARES
    name, means, scores = f"release-shares-{now.means > 0}-{now.scores > 0}", now.means, now.scores
    if now.means and now.scores:
        first, last = st.slider(
            "Shares: means, matrix, scores",
            _LEAST_SHARE,
            100 - _LEAST_SHARE,
            (now.means, 100 - now.scores),
            key=name,
            help=text.SHARES_HELP,
            format="%d %%",
        )
        means, scores = int(first), 100 - int(last)
    else:
        which = "means" if now.means else "scores"
        share = st.slider(
            f"Share of the {which}",
            _LEAST_SHARE,
            most,
            now.means or now.scores,
            key=name,
            help=text.SHARES_HELP,
            format="%d %%",
        )
        means, scores = (int(share), 0) if now.means else (0, int(share))
    st.html(figures.paragraph(text.shares(means, scores, pure=now.pure)))
    session.change_page_settings(now, means=means, scores=scores)


def choose_guess(subject: Subject) -> None:
    """Draw the public guess of the people, which serves the preview alone."""
    now = session.page_settings(ReleaseSettings)
    shown = people_guess(now, subject)
    typed = st.number_input(
        text.PEOPLE_LABEL.format(many=subject.recipe.unit.many),
        1,
        MOST_GUESSED,
        min(shown, MOST_GUESSED) or None,
        key=key_starting_at("release-people-guess", shown),
        help=text.GUESS_HELP,
        placeholder=text.PEOPLE_EXAMPLE,
    )
    note_position("release-people-guess", int(typed or 0))
    people = 0 if typed == round(subject.people_guess) else int(typed or 0)
    session.change_page_settings(now, people=people)


def show_preview(plan: Plan | str, subject: Subject) -> None:
    """Draw what follows from public settings, or why nothing does."""
    if isinstance(plan, str):
        st.html(figures.paragraph(plan, "release-error"))
        return
    now, many = session.page_settings(ReleaseSettings), subject.recipe.unit.many
    people = people_guess(now, subject)
    st.html(figures.preview_table(text.preview_rows(preview(plan), people)))
    st.html(figures.paragraph(text.NOT_READ))
    if warning := text.large_delta(float(plan.delta), people, many):
        st.html(figures.paragraph(warning, "release-error"))
