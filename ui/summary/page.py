"""The summary page: frozen when it is made, from the settings of all pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.version import VERSION
from ui.server.refinement import take_steps
from ui.server.scheduler import PAGE_SCHEDULER, is_heavy, should_yield
from ui.state import query_params, session, session_data
from ui.state.shared_address import shared_address
from ui.summary import control_text as text
from ui.summary.controls import STYLE, draw_bar, draw_changed, presentation
from ui.summary.measurements import SummaryMeasurements
from ui.summary.one_page import article, style
from ui.summary.query import Frozen, SummaryQuery
from ui.text.numbers import count
from ui.widgets.navigation import start_page
from ui.widgets.style import apply_page_style
from ui.widgets.summary_button import summary_mechanism

KEPT, NAME = "summary", "summary"
"""Session key of the summary that is shown, and the page's name in the navigation."""
FIRST_SECONDS, SLICE_SECONDS, WAIT_SECONDS = 0.6, 0.25, 0.2
"""Of the first drawing and of later slices, and between two of these."""


@dataclass(frozen=True)
class _Kept:
    """The summary of a session, with what is measured so far."""

    frozen: Frozen
    measured: SummaryMeasurements


def draw_page() -> None:
    """Draw the page."""
    start_page()
    apply_page_style()
    st.html(STYLE)
    settings = session.settings()
    data = session_data.get(settings.data)
    if data is None:
        st.info(session_data.missing_message() or "")
        if st.button("Your data"):
            st.switch_page("pages/data.py")
        return
    usual = session.default_k(settings.data, data)
    query = SummaryQuery.of(settings, summary_mechanism(), data, usual)
    kept = _kept(data, query)
    if not kept.frozen.is_of(data, query) and draw_changed():
        st.session_state[KEPT] = _made(data, query)
        st.rerun()
    query_params.write_address(dict(kept.frozen.address))
    query_params.show_replaced()
    _draw(kept)


def _kept(data: Dataset, query: SummaryQuery) -> _Kept:
    found = st.session_state.get(KEPT)
    if not isinstance(found, _Kept):
        found = st.session_state[KEPT] = _made(data, query)
    return found


def _made(data: Dataset, query: SummaryQuery) -> _Kept:
    """Freeze a summary."""
    address: Mapping[str, str] = session.settings().to_query()
    today = datetime.now(UTC).date()
    frozen = Frozen(data, query, address, today, VERSION)
    return _Kept(frozen, SummaryMeasurements(data, query))


def _draw(kept: _Kept) -> None:
    """Measure a first slice; draw the sheet once all is measured."""
    measured = kept.measured
    if not measured.complete:
        _measure(measured, FIRST_SECONDS, urgent=True)
    if not measured.complete:
        _go_on(measured)
        return
    frozen = kept.frozen
    shown = draw_bar(frozen, measured, presentation(frozen.dataset))
    address = shared_address(NAME, frozen.address)
    st.html(f"<style>{style(measured)}</style>")
    url = address.text if address.qr else ""
    st.html(article(frozen, measured, shown, address.qr, url, links=True))


@st.fragment(run_every=WAIT_SECONDS)
def _go_on(measured: SummaryMeasurements) -> None:
    """Measure a slice more; draw the page anew once all is there."""
    doing = text.SEARCHING if measured.drawn else text.MEASURING
    st.progress(measured.share, doing.format(trials=count(measured.trials)))
    _measure(measured, SLICE_SECONDS, urgent=False)
    if measured.complete:
        st.rerun()


def _measure(measured: SummaryMeasurements, seconds: float, *, urgent: bool) -> None:
    with PAGE_SCHEDULER.turn(urgent=urgent, heavy=is_heavy(measured.dataset.d)):
        take_steps(measured.steps(), seconds, should_yield)
