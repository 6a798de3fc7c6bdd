"""The Local model page: everyone randomises their own record, and nobody is trusted."""

from dataclasses import replace

import streamlit as st

from dpca_core.privacy.budget import Adjacency
from ui.local_model.figures import page_content, say
from ui.local_model.measurements import ErrorMeasurements, points_to_measure
from ui.local_model.query import (
    COLUMN_STOPS,
    PAPER_FIGURES,
    PEOPLE_AXIS,
    SUPPORT_STOPS,
    LocalModelQuery,
    LocalModelSettings,
    RecordSource,
)
from ui.page.component import draw
from ui.page.present import show_present
from ui.server.scheduler import should_yield
from ui.state import session, session_data
from ui.state.slider_stops import MOST_DIRECTIONS
from ui.widgets import controls
from ui.widgets.start_page import start_page


def draw_page() -> None:
    """Draw the page."""
    start_page(LocalModelSettings)
    _draw_fragment()


@st.fragment
def _draw_fragment() -> None:
    """Draw controls and charts; the component asks for more until all is measured."""
    query = controls.control_row(LocalModelSettings, _choose_query)
    own = session.page_settings(LocalModelSettings).source is RecordSource.DATA
    st.caption(say("neighbours" if own else "no_data_set"))
    if query is None:
        return
    if query.data:
        controls.show_not_private(query.data)
    measured: ErrorMeasurements = st.session_state.setdefault("local.runs", ErrorMeasurements())
    points = points_to_measure(query)
    draw(
        lambda: page_content(query, measured),
        "local",
        more=lambda: measured.take(query, measured.steps(points), should_yield),
        asked=query,
        columns=query.d,
    )
    show_present("local")


def _choose_query() -> LocalModelQuery | None:
    """Draw the controls and return what they ask for; None where data are missing."""
    now = session.page_settings(LocalModelSettings)
    sources = {kind: say.table("sources")[kind] for kind in RecordSource}
    source = controls.choose_kind("Records", sources, now.source, "source")
    if source is not now.source:
        now = session.change_page_settings(now, source=source, p=0)
    data, columns, sparse = None, now.columns, source is RecordSource.SPARSE
    if figure := PAPER_FIGURES.get(source):
        stops, shown = COLUMN_STOPS[source], now.p or figure.p
        p = int(controls.choose_own("Columns p", stops, shown, f"p.{source}", 110))
        if sparse:
            stops = SUPPORT_STOPS
            columns = int(controls.choose_own("of them used, s", stops, columns, "columns", 110))
        session.change_page_settings(now, p=0 if p == figure.p else p, columns=columns)
        many, most_k, usual_k = "people", columns if sparse else p - 1, figure.k
        usual_n, least_n = figure.n, p
    else:
        key = controls.data_menu(210)
        data = session_data.get(key) if key else None
        if data is None or key is None:
            return None
        p, many, most_k, usual_k = data.d, data.unit.many, data.d - 1, session.default_k(key, data)
        usual_n, least_n = float(data.people), 0
    controls.choose_epsilon(130, "ε of each report")
    controls.choose_delta(95)
    budget = replace(session.settings().budget, adjacency=Adjacency.REPLACE_ONE)
    k = controls.choose_k(min(MOST_DIRECTIONS, most_k), usual_k, 100)
    asked = session.settings().n
    possible = [asked] if least_n <= asked <= max(PEOPLE_AXIS) else []
    sizes = {*(n for n in PEOPLE_AXIS if n >= least_n), usual_n, *possible} - {0.0}
    n = controls.choose_people(usual_n, many, tuple(sorted(sizes)), 120, own=data is not None)
    return LocalModelQuery(source, data, p, k, columns, n, budget)
