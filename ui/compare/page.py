"""The Compare page: its controls, and the component that draws what is measured so far."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import streamlit as st

from dpca_core.data.dataset import Dataset
from ui.compare import settings as compare_settings
from ui.compare.export import csv_of, page_of, script_of
from ui.compare.figures import Compared
from ui.compare.measurements import Comparison, Memory
from ui.compare.query import Asked
from ui.figures.component import component_of
from ui.server.scheduler import (
    PAGE_SCHEDULER,
    busy_message,
    is_heavy,
    refinement_delay,
    should_yield,
    superseded,
)
from ui.server.worker_pool import progress_notice
from ui.widgets import component_messages
from ui.widgets.downloads import Download
from ui.widgets.privacy_notice import show_not_private

SLICE, FIRST_SLICE, LONG_SLICE, QUICK = 0.25, 0.3, 1.0, 4
_component = component_of("dpca_compare", "compare")
HERE = Path(__file__).parent


def draw_comparison(data: Dataset, asked: Asked) -> None:
    """Mount the component with what is known, and go on where it asks."""
    if not asked.mechanisms:
        st.info("Choose at least one mechanism.")
        return
    show_not_private(data)
    refined = st.session_state.pop("compare.more", None)
    with progress_notice(), PAGE_SCHEDULER.turn(urgent=refined is None, heavy=is_heavy(data.d)):
        content, comparison = _measured(data, asked, refined)
    st.session_state["compare.drawn"] = (content, comparison)
    _component(
        key="comparison", data=content,
        on_more_change=_more, on_at_change=_at,
    )  # fmt: skip
    with st.container(horizontal=True, key="take"):
        for label, make in (
            ("Numbers (CSV)", csv_of), ("Python script", script_of), ("Page (HTML)", page_of),
        ):  # fmt: skip
            st.button(label, on_click=_take, args=(make,), disabled=not comparison.complete,
                      key=f"take.{make.__name__}")  # fmt: skip


def _measured(
    data: Dataset, asked: Asked, refined: str | None
) -> tuple[dict[str, Any], Comparison]:
    """Begin or refine the comparison that is asked for, and compose it.

    Parameters
    ----------
    refined
        The picture of which more was asked for; it may not be the one on the screen any more.
    """
    name, comparison = _comparison(data, asked)
    now = compare_settings.current()
    identity = f"{name}-{now.target:g}"
    if comparison.stage == 0:
        comparison.advance(SLICE if PAGE_SCHEDULER.busy else FIRST_SLICE, should_yield)
    elif identity == refined:
        comparison.advance(SLICE if comparison.stage < QUICK else LONG_SLICE, should_yield)
        if superseded():
            drawn: tuple[dict[str, Any], Comparison] = st.session_state["compare.drawn"]
            return drawn
    content = Compared(comparison, now.target).payload(
        identity, now.at or asked.here, st.session_state.get("compare.file")
    )
    content["progress"] = busy_message(comparison.complete, content["progress"])
    return content | {"pause": refinement_delay(comparison.complete)}, comparison


def _take(make: Callable[[Comparison, dict[str, Any]], Download]) -> None:
    content, comparison = st.session_state["compare.drawn"]
    number = (st.session_state.get("compare.file") or {}).get("number", 0) + 1
    st.session_state["compare.file"] = make(comparison, content).numbered(number)


def _comparison(data: Dataset, asked: Asked) -> tuple[str, Comparison]:
    """Return the measurements, begun or taken up again; what is known of a point is kept."""
    memory: Memory = st.session_state.setdefault("compare.memory", Memory())
    name = sha256(repr((data.identity, asked)).encode()).hexdigest()[:12]
    kept: tuple[str, Comparison] | None = st.session_state.get("compare.kept")
    if kept is None or kept[0] != name:
        kept = name, Comparison(data, asked, memory)
        st.session_state["compare.kept"] = kept
    return kept


def _more() -> None:
    identity = component_messages.short_text(
        component_messages.last_message("comparison", "more").get("id")
    )
    if identity is not None:
        st.session_state["compare.more"] = identity


def _at() -> None:
    value = component_messages.finite_number(
        component_messages.last_message("comparison", "at").get("value")
    )
    values = st.session_state["compare.drawn"][1].values
    if value is not None:
        compare_settings.change(at=float(min(values, key=lambda v: abs(v - value))))
