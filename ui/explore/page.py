"""The Explore page: one set of controls over its views, measured by one study."""

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.registry import MECHANISMS
from ui.explore.all import draw_all
from ui.explore.controls import ROW_STYLE, Chosen, choose_asked, choose_axis, choose_view
from ui.explore.disclosures import checklist
from ui.explore.medians import Summary, summarize
from ui.explore.one import in_menu_order, one_content
from ui.explore.query import Pinned, drawn_of, identity_of, mechanisms_of, recommended
from ui.explore.releases import draw_releases
from ui.explore.sheet import draw_sheet, kept_sheet
from ui.explore.study import Study, kept_study
from ui.explore.text import ExploreText
from ui.page.component import draw
from ui.page.content import Content
from ui.page.files import csv_text, marked_text
from ui.page.present import show_present
from ui.server.scheduler import PAGE_SCHEDULER, should_yield
from ui.state import query_params, session, session_data
from ui.state.settings import ExploreSettings, View
from ui.state.slider_stops import EPSILON_STOPS
from ui.text.certainty import CONFIDENCE_LEVEL
from ui.text.numbers import escape_markdown
from ui.text.product import EXITS
from ui.text.words import HOVERS
from ui.widgets.controls import show_not_private
from ui.widgets.navigation import start_page

REACH = 2
"""Stops on both sides of the chosen ε whose sentences come at once; the others come refined."""
PINNED, BELOW = "pinned", "below"
"""Session keys: the curves that a visitor pinned, and what is shown below the charts."""
RELEASE, CHECKLIST, DATA, TERMS = (
    "What a release looks like",
    "What else could reveal private data",
    "More on these data",
    "Terms",
)


def draw_page() -> None:
    """Draw the page."""
    start_page(ExploreSettings)
    st.html(f"<style>{ROW_STYLE}</style>")
    _draw_fragment()


@st.fragment
def _draw_fragment() -> None:
    """Draw all in one fragment: a control and the component may send at the same moment."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="views"):
        view = choose_view()
        if view is View.ALL:
            choose_axis()
    chosen = choose_asked(view)
    if missing := session_data.missing_message():
        st.info(missing)
        if st.button("Your data"):
            st.switch_page("pages/data.py")
    if chosen:
        session.write_address(session.page_settings(ExploreSettings))
        query_params.show_replaced()
        session_data.show_stand_in()
        if view is View.ALL:
            draw_all(chosen.data, chosen.asked)
        else:
            mechanisms = mechanisms_of(chosen.data, chosen.asked, chosen.mechanism)
            study = kept_study(chosen.data, chosen.asked, mechanisms)
            if view is View.PAGE:
                draw_sheet(kept_sheet(study, chosen.asked.epsilon))
            else:
                _draw_one(study, chosen)
    if view is not View.PAGE:
        show_present("explore")


# --- One mechanism ---


def _draw_one(study: Study, chosen: Chosen) -> None:
    """Draw the charts with what is measured so far, and below them what is asked for."""
    data, settings = study.dataset, session.settings()
    at = EPSILON_STOPS.index(settings.epsilon)
    if data.own:
        # Under a key of their own: a tick is of these data alone.
        declared = session_data.is_public(data)
        public = st.checkbox("The data are public or synthetic", declared, f"public-{data.key}")
        session_data.declare_public(data, public)
        show_not_private(data)
    identity = identity_of(data, chosen.asked, chosen.mechanism, settings.target)

    def compose() -> Content:
        study.first_answer(at, busy=PAGE_SCHEDULER.busy)
        all_curves = session.page_settings(ExploreSettings).curves
        return one_content(
            study,
            identity,
            at,
            settings.target,
            drawn=None if all_curves else drawn_of(data, chosen.asked, chosen.mechanism),
            reach=REACH if study.stage == 1 else len(EPSILON_STOPS),
            pinned=_pinned(data),
            recommended=recommended(data, chosen.asked).keeps_most,
            own=data.own,
        )

    draw(
        compose,
        "explore",
        more=lambda: study.advance(should_yield),
        asked=(identity, at),
        columns=data.d,
        heard={"rule": _epsilon, "row": _mechanism},
    )
    _draw_below(study, at, settings.target)


def _epsilon(value: object) -> None:
    session.change_settings(epsilon=value)


def _mechanism(key: object) -> None:
    """Take a mechanism of which a row or a curve was chosen."""
    if key in MECHANISMS:
        session.change_settings(mechanism=key)


def _pinned(data: Dataset) -> Pinned | None:
    """Return the curves that are pinned; those of other data are dropped."""
    pinned: Pinned | None = st.session_state.get(PINNED)
    if pinned is not None and pinned.identity != data.identity:
        pinned = st.session_state[PINNED] = None
    return pinned


def _pin(study: Study, target: float) -> None:
    """Keep the present curves to compare others with, or drop them."""
    chosen = summarize(study, target).chosen
    st.session_state[PINNED] = (
        None
        if _pinned(study.dataset)
        else Pinned(
            study.dataset.identity,
            chosen.mechanism,
            study.asked,
            chosen.captured,
            chosen.sin_theta,
        )
    )


def _draw_below(study: Study, at: int, target: float) -> None:
    """Draw what is read on demand: releases, the checklist, the data, terms, and files."""
    data = study.dataset
    with st.container(horizontal=True, vertical_alignment="bottom", key="tools-below"):
        asked = st.segmented_control(
            "Read on", (RELEASE, CHECKLIST, DATA, TERMS), key=BELOW, label_visibility="collapsed"
        )
        pinned = _pinned(data) is not None
        st.button("Unpin" if pinned else "Pin these curves", on_click=_pin, args=(study, target))
        st.download_button(
            "ε needed (CSV)",
            lambda: needed_csv(summarize(study, target)),
            "dpca-needed-epsilon.csv",
            "text/csv",
            on_click="ignore",
        )
    match asked:
        case "What a release looks like":
            with PAGE_SCHEDULER.turn(urgent=True):
                draw_releases(study, at)
        case "What else could reveal private data":
            st.markdown(checklist(data, study.asked))
        case "More on these data":
            text = ExploreText(summarize(study, target))
            st.markdown(" ".join(filter(None, (text.average(), text.smooth_sensitivity(at)))))
            st.caption(escape_markdown(text.settings()))
        case "Terms":
            st.markdown("\n".join(f"- {escape_markdown(said)}" for said in HOVERS.values()))
    with st.container(horizontal=True, key="exits"):
        for page, label in EXITS.items():
            if st.button(label, type="tertiary"):
                st.switch_page(page)


def needed_csv(summary: Summary) -> str:
    """Return the list of the ε that each mechanism needs, as a marked CSV file."""
    head: list[object] = [
        "mechanism",
        "standing",
        f"epsilon that keeps {summary.target:g} in 9 of 10 releases",
        "how sure",
    ]
    rows: list[list[object]] = [head]
    for m in in_menu_order(summary):
        stated = m.needed.stated if m.needed else None
        epsilon = stated.epsilon if stated else None
        sure = f"surely ({CONFIDENCE_LEVEL})".replace("\u00a0", " ")
        how = "" if epsilon is None or stated is None else sure if stated.certain else "by estimate"
        rows.append([m.mechanism.name, str(m.standing), epsilon, how])
    return marked_text(csv_text(rows))
