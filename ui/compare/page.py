"""The Compare page: every mechanism along one axis, at the same budget."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.registry import MECHANISMS
from ui.compare.controls import choose_query
from ui.compare.export import comparison_csv, comparison_html, comparison_picture, comparison_script
from ui.compare.figures import first_lit, page_content, sent_content
from ui.compare.measurements import Comparison
from ui.compare.query import CompareQuery, CompareSettings
from ui.compare.recommendation_text import (
    add_label,
    measured_sentence,
    not_drawn,
    recommendation,
)
from ui.compare.release_cache import ReleaseCache
from ui.compare.skeleton import skeleton
from ui.compare.text import RESULTS, CompareText
from ui.figures import component_messages
from ui.figures.component import component_of, outbox
from ui.figures.downloads import Download
from ui.figures.markup import page_root
from ui.page.present import show_present
from ui.server.scheduler import (
    PAGE_SCHEDULER,
    busy_message,
    end_if_superseded,
    is_heavy,
    refinement_delay,
    should_yield,
)
from ui.server.workers import progress_notice
from ui.state import session
from ui.state.widget_keys import renew_controls
from ui.text.messages import NO_MECHANISM
from ui.widgets.control_row import control_row
from ui.widgets.navigation import start_page
from ui.widgets.privacy_notice import show_not_private

FIRST_SLICE, SLICE, LONG_SLICE = 0.3, 0.25, 1.0
"""Seconds of measuring before the page may answer again: at first, then, and from ``LONG_FROM``."""
LONG_FROM = 4
"""Refinements after which a picture changes little."""
DOWNLOADS = {
    "Numbers (CSV)": comparison_csv,
    "Python script": comparison_script,
    "Page (HTML)": comparison_html,
}

_component = component_of(
    "dpca_compare", "compare", page_root("compare", skeleton()), comparison_picture, sent_content
)


def draw_page() -> None:
    """Draw the page."""
    start_page(CompareSettings)
    _draw_fragment()


@st.fragment
def _draw_fragment() -> None:
    """Draw all in one fragment: the component asks for more again and again."""
    if chosen := control_row("compared", 236, CompareSettings, choose_query):
        _draw_comparison(*chosen)
    show_present("compare")


def _draw_comparison(data: Dataset, query: CompareQuery) -> None:
    """Mount the component with what is measured so far, and refine where it asks."""
    if not query.mechanisms:
        st.info(NO_MECHANISM)
        return
    show_not_private(data)
    refined = st.session_state.pop("compare.more", None)
    with progress_notice(), PAGE_SCHEDULER.turn(urgent=refined is None, heavy=is_heavy(data.d)):
        content, comparison = _measure(data, query, refined)
    st.session_state["compare.drawn"] = (content, comparison)
    _component(
        key="comparison",
        data=content,
        on_more_change=_more,
        on_axis_value_change=_axis_value,
        on_lit_change=_lit,
    )
    _draw_recommendation(data, query, content, comparison)
    with st.container(horizontal=True, key="take"):
        for label, make in DOWNLOADS.items():
            st.button(
                label,
                on_click=_download,
                args=(make,),
                disabled=not comparison.complete,
                key=f"take.{make.__name__}",
            )
        if st.button(RESULTS, type="tertiary", key="results"):
            st.switch_page("pages/_papers.py")


def _draw_recommendation(
    data: Dataset, query: CompareQuery, content: dict[str, Any], comparison: Comparison
) -> None:
    """Draw what is recommended by public settings, and what the measurements say to it."""
    st.caption(recommendation(data, query))
    text = CompareText(comparison, session.settings().target)
    if said := measured_sentence(text, content["axis"]["index"]):
        st.caption(said)
    if missing := not_drawn(data, query):
        keys = tuple(mechanism.key for mechanism in missing)
        st.button(
            add_label(missing), type="tertiary", on_click=_add, args=(keys,), key="recommended"
        )


def _add(keys: tuple[str, ...]) -> None:
    """Draw more mechanisms; their menu follows."""
    now = session.page_settings(CompareSettings)
    session.change_page_settings(now, mechanisms=",".join((*now.keys, *keys)))
    renew_controls("mechanisms")


def _measure(
    data: Dataset, query: CompareQuery, refined: str | None
) -> tuple[dict[str, Any], Comparison]:
    """Begin or refine the comparison that is asked for, and compose its content.

    Parameters
    ----------
    refined
        The picture of which more was asked for; the screen may show another by now.
    """
    comparison = _kept_comparison(data, query)
    target = session.settings().target
    identity = f"{query.digest(data)}-{target:g}"
    if comparison.stage == 0:
        comparison.advance(SLICE if PAGE_SCHEDULER.busy else FIRST_SLICE, should_yield)
    elif identity == refined:
        comparison.advance(SLICE if comparison.stage < LONG_FROM else LONG_SLICE, should_yield)
        end_if_superseded()
    content = page_content(
        comparison,
        target,
        identity=identity,
        axis_value=query.axis_value,
        lit=_lit_mechanism(comparison),
    )
    content["heard"] = component_messages.time_of_last("comparison", "axis_value")
    content["progress"] = busy_message(comparison.complete, content["progress"])
    return content | {"pause": refinement_delay(comparison.complete)}, comparison


def _kept_comparison(data: Dataset, query: CompareQuery) -> Comparison:
    """Return the session's measurements, new where another query is asked; releases are kept."""
    cache: ReleaseCache = st.session_state.setdefault("compare.releases", ReleaseCache())
    name = query.digest(data)
    kept: tuple[str, Comparison] | None = st.session_state.get("compare.kept")
    if kept is None or kept[0] != name:
        kept = name, Comparison(data, query, cache)
        st.session_state["compare.kept"] = kept
    return kept[1]


def _lit_mechanism(comparison: Comparison) -> str | None:
    """Return the key of the mechanism whose bands are drawn; None where the visitor wants none."""
    key: str | None = st.session_state.get("compare.lit")
    compared = {line.mechanism.key for line in comparison.lines}
    return key or None if key == "" or key in compared else first_lit(comparison)


def _download(make: Callable[[Comparison, dict[str, Any]], Download]) -> None:
    content, comparison = st.session_state["compare.drawn"]
    outbox("comparison").add(make(comparison, content))


def _more() -> None:
    message = component_messages.last_message("comparison", "more")
    identity = component_messages.short_text(message.get("id"))
    if identity is not None:
        st.session_state["compare.more"] = identity


def _axis_value() -> None:
    message = component_messages.last_message("comparison", "axis_value")
    value = component_messages.finite_number(message.get("value"))
    values = st.session_state["compare.drawn"][1].values
    if value is not None:
        nearest = min(values, key=lambda v: abs(v - value))
        axis = session.page_settings(CompareSettings).axis
        session.change_settings(**{axis: int(nearest) if axis == "k" else float(nearest)})


def _lit() -> None:
    key = component_messages.short_text(
        component_messages.last_message("comparison", "lit").get("value")
    )
    if key == "" or key in MECHANISMS:
        st.session_state["compare.lit"] = key
