"""The Explore page: what a release of some data keeps at each ε, refined while one looks."""

from typing import Any

import streamlit as st
from cachetools import FIFOCache

from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.registry import shown_by_default
from ui.explore.along import Along
from ui.explore.controls import ROW_STYLE, choose_query, choose_view
from ui.explore.example_loadings_and_projections import SampleReleases
from ui.explore.figures import page_content, sent_content
from ui.explore.measurements import Study
from ui.explore.pinned_curves import PinnedCurves
from ui.explore.progress import progress_of
from ui.explore.query import ExploreQuery
from ui.explore.saved_figures import shown_figure
from ui.explore.sheet import draw_sheet, kept_sheet
from ui.explore.skeleton import skeleton
from ui.explore.study import Study as AlongStudy
from ui.explore.study import kept_study
from ui.explore.tables import loadings_csv, needed_epsilon_csv
from ui.figures import component_messages
from ui.figures.component import component_of, outbox
from ui.figures.markup import page_root
from ui.page.present import show_present
from ui.server.scheduler import (
    PAGE_SCHEDULER,
    busy_message,
    end_if_superseded,
    is_heavy,
    refinement_delay,
    should_yield,
    superseded,
)
from ui.server.workers import progress_notice
from ui.state import query_params, session, session_data
from ui.state.settings import ExploreSettings, View
from ui.state.slider_stops import EPSILON_STOPS, TARGETS, nearest_stop
from ui.widgets.data_menu import data_menu
from ui.widgets.navigation import start_page
from ui.widgets.newcomer_line import show_newcomer_line
from ui.widgets.style import apply_page_style

SENTENCES_WITHIN = 2
"""Stops on both sides of the chosen ε whose sentences come at once; the others come refined."""
KEPT_STUDIES = 3
"""Studies that a session keeps; of more the oldest are dropped."""

_component = component_of(
    "dpca_instrument", "explore", page_root("explore", skeleton()), shown_figure, sent_content
)


def draw_page() -> None:
    """Draw the page."""
    start_page(ExploreSettings)
    apply_page_style()
    st.html(f"<style>{ROW_STYLE}</style>")
    _draw_fragment()
    show_newcomer_line()


@st.fragment
def _draw_fragment() -> None:
    """Draw all in one fragment: a control and the component may send at the same moment."""
    view = choose_view()
    with st.container(key="controls", horizontal=True, vertical_alignment="bottom", wrap=False):
        key = data_menu()
        data = session_data.get(key) if key else None
        query = choose_query(key, data, view) if key and data else None
    if missing := session_data.missing_message():
        st.info(missing)
        if st.button("Your data"):
            st.switch_page("pages/data.py")
    if data and query:
        session.write_address(session.page_settings(ExploreSettings))
        query_params.show_replaced()
        session_data.show_stand_in()
        if view is View.PAGE:
            draw_sheet(kept_sheet(_along_epsilon(data, query), session.settings().epsilon))
        else:
            _draw_study(data, query)
    if view is View.ONE:
        show_present("explore")


def _along_epsilon(data: Dataset, query: ExploreQuery) -> AlongStudy:
    """Return the session's measurements of a query along ε, as views share them."""
    asked = Along.of(session.settings(), query.k, query.n)
    others = (m for m in shown_by_default() if m != query.mechanism)
    return kept_study(data, asked, (query.mechanism, *others))


def _draw_study(data: Dataset, query: ExploreQuery) -> None:
    """Mount the component with what is measured so far, and answer what is done in it."""
    refined = st.session_state.pop("more", None)
    with (
        progress_notice(),
        PAGE_SCHEDULER.turn(
            urgent=refined is None, heavy=is_heavy(data.d), gone=superseded if refined else None
        ) as taken,
    ):
        if taken:
            st.session_state["drawn"] = _measure(data, query, refined)
    _component(
        key="instrument",
        data=st.session_state["drawn"][0],
        on_epsilon_change=_epsilon,
        on_more_change=_more,
        on_mechanism_change=_mechanism,
        on_target_change=_target,
        on_public_change=_public,
        on_pin_change=_pin,
        on_table_change=_table,
    )


def _measure(
    data: Dataset, query: ExploreQuery, refined: str | None
) -> tuple[dict[str, Any], Study]:
    """Begin or refine the study that is asked for, and compose its content.

    Parameters
    ----------
    refined
        The picture of which more was asked for; the screen may show another by now.
    """
    study, settings = _kept_study(data, query), session.settings()
    identity = f"{query.digest(data)}-{settings.target:g}"
    at = EPSILON_STOPS.index(settings.epsilon)
    if study.stage == 0 or identity != refined:
        study.first_paint(at, PAGE_SCHEDULER.busy)
    else:
        study.advance(should_yield=should_yield)
        end_if_superseded()
    busy = PAGE_SCHEDULER.busy and refined is None
    more_follows = not study.complete and (study.stage == 1 or busy)
    later = more_follows and (busy or is_heavy(data.d))
    pinned = _pinned(data)
    notice = st.session_state.pop("notice", None)
    content = page_content(
        study,
        identity=identity,
        epsilon=settings.epsilon,
        target=settings.target,
        public=session_data.is_public(data),
        samples=None if later else SampleReleases(study, at),
        sentences_within=SENTENCES_WITHIN if more_follows else None,
        pinned=None if pinned is None else pinned.beside(query),
        notice=notice,
    )
    content |= {"busy": busy_message(study.complete), "pause": refinement_delay(study.complete)}
    progress = progress_of(study)
    content["share"] = progress["share"]
    content["says"] |= {"busy": content["busy"], "progress": progress["text"]}
    content["heard"] = component_messages.time_of_last("instrument", "epsilon")
    return content, study


def _kept_studies() -> FIFOCache[str, Study]:
    found: FIFOCache[str, Study] = st.session_state.setdefault("studied", FIFOCache(KEPT_STUDIES))
    return found


def _kept_study(data: Dataset, query: ExploreQuery) -> Study:
    """Return the session's measurements for a query, begun or taken up again."""
    kept, name = _kept_studies(), query.digest(data)
    if name not in kept:
        kept[name] = _new_study(data, query)
    return kept[name]


def _new_study(data: Dataset, query: ExploreQuery) -> Study:
    """Begin a study, which expects releases to take as long as in the one before."""
    study = Study(data, query, shown_by_default())
    for before in [*_kept_studies().values()][-1:]:
        study.pace.learn_from(before.pace)
    return study


def _value(name: str) -> Any:
    """Return the value that the component sent last by this name; each carries its time."""
    return component_messages.last_message("instrument", name).get("value")


def _epsilon() -> None:
    value = component_messages.finite_number(_value("epsilon"))
    if value is not None:
        session.change_settings(epsilon=nearest_stop(value, EPSILON_STOPS))


def _more() -> None:
    message = component_messages.last_message("instrument", "more")
    identity = component_messages.short_text(message.get("id"))
    if identity is not None:
        st.session_state["more"] = identity


def _mechanism() -> None:
    key = component_messages.short_text(_value("mechanism"))
    if key in {m["key"] for m in st.session_state["drawn"][0]["mechanisms"]}:
        session.change_settings(mechanism=key)


def _target() -> None:
    value = component_messages.finite_number(_value("target"))
    if value in TARGETS:
        session.change_settings(target=value)


def _public() -> None:
    """Take the declaration for the data that are shown, not for those chosen meanwhile."""
    data = st.session_state["drawn"][1].dataset
    session_data.declare_public(data, _value("public") is True)


def _pin() -> None:
    """Keep the present curves to compare others with, or drop them."""
    study = st.session_state["drawn"][1]
    pinned = _pinned(study.dataset)
    target = session.settings().target
    st.session_state["pinned"] = None if pinned else PinnedCurves.of(study, target)


def _pinned(data: Dataset) -> PinnedCurves | None:
    """Return the curves that are pinned; those of other data are dropped."""
    pinned: PinnedCurves | None = st.session_state.get("pinned")
    if pinned is not None and pinned.identity != data.identity:
        pinned = st.session_state["pinned"] = None
    return pinned


def _table() -> None:
    """Save a table of the picture that is shown, marked as not private."""
    content, study = st.session_state["drawn"]
    if _value("table") == "needed":
        file = needed_epsilon_csv(content["mechanisms"], content["target"])
    else:
        found = SampleReleases(study, content["axis"]["index"]).loadings()
        if found is None:
            return
        file = loadings_csv(found, study.dataset.columns)
    outbox("instrument").add(file)
