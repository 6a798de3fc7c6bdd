"""The Local model page: everyone randomises their own record, and nobody is trusted."""

import streamlit as st

from ui.local_model import text
from ui.local_model.figures import page_content
from ui.local_model.measurements import ErrorMeasurements, points_to_measure
from ui.local_model.query import (
    COLUMN_STOPS,
    PAPER_FIGURES,
    PENALTY_STOPS,
    PEOPLE_AXIS,
    REPETITION_CHOICES,
    SUPPORT_STOPS,
    LocalModelQuery,
    LocalModelSettings,
    PaperFigure,
    RecordSource,
)
from ui.page.component import draw
from ui.page.present import show_present
from ui.server.scheduler import should_yield
from ui.state import session, session_data
from ui.state.slider_stops import MOST_DIRECTIONS, nearest_stop
from ui.state.widget_keys import widget_key
from ui.widgets.controls import (
    choose_delta,
    choose_epsilon,
    choose_k,
    choose_people,
    control_row,
    data_menu,
    show_not_private,
)
from ui.widgets.navigation import start_page


def draw_page() -> None:
    """Draw the page."""
    start_page(LocalModelSettings)
    _draw_fragment()


@st.fragment
def _draw_fragment() -> None:
    """Draw controls and charts; the component asks for more until all is measured."""
    query = control_row(LocalModelSettings, _choose_query)
    source = session.page_settings(LocalModelSettings).source
    design = "" if source is RecordSource.DATA else text.NO_DATA_SET
    st.caption(text.NO_NEIGHBOURS + design)
    if query is None:
        return
    if query.data:
        show_not_private(query.data)
    measured: ErrorMeasurements = st.session_state.setdefault("local.runs", ErrorMeasurements())
    draw(
        lambda: page_content(query, measured),
        "local",
        more=lambda: measured.advance(query, points_to_measure(query), should_yield),
        asked=query,
        columns=query.d,
    )
    show_present("local")


def _choose_query() -> LocalModelQuery | None:
    """Draw the controls and return what they ask for; None where data are missing."""
    now = session.page_settings(LocalModelSettings)
    chosen = st.segmented_control(
        "Records",
        list(RecordSource),
        default=now.source,
        required=True,
        key=widget_key("source"),
        format_func=lambda source: text.SOURCES[RecordSource(source)],
    )
    if chosen and chosen != now.source:
        now = session.change_page_settings(now, source=RecordSource(chosen), p=0)
    data = None
    if figure := PAPER_FIGURES.get(now.source):
        now, p = _choose_design(now, figure)
        many, most_k = "people", now.columns if now.source is RecordSource.SPARSE else p - 1
        usual_k, usual_n, least_n = figure.k, figure.n, p
    else:
        key = data_menu(210)
        data = session_data.get(key) if key else None
        if data is None or key is None:
            return None
        p, many, most_k = data.d, data.unit.many, data.d - 1
        usual_k, usual_n, least_n = session.default_k(key, data), float(data.people), 0
    epsilon, delta = choose_epsilon(130, "ε of each report"), choose_delta(95)
    k = choose_k(min(MOST_DIRECTIONS, most_k), usual_k, 100)
    asked = session.settings().n
    possible = [asked] if least_n <= asked <= max(PEOPLE_AXIS) else []
    stops = {*(n for n in PEOPLE_AXIS if n >= least_n), usual_n, *possible} - {0.0}
    n = choose_people(usual_n, many, tuple(sorted(stops)), 120, own=data is not None)
    now = _choose_more(now)
    own = (now.factor, now.repetitions)
    return LocalModelQuery(now.source, data, p, k, now.columns, n, epsilon, delta, *own)


def _choose_design(now: LocalModelSettings, figure: PaperFigure) -> tuple[LocalModelSettings, int]:
    """Draw the sizes of a design of Wang & Xu, which starts at those of their figure."""
    stops = COLUMN_STOPS[now.source]
    shown, columns = int(nearest_stop(now.p or figure.p, stops)), now.columns
    p = st.select_slider("Columns p", stops, shown, key=widget_key(f"p.{now.source}"), width=110)
    if now.source is RecordSource.SPARSE:
        columns = st.select_slider(
            "of them used, s", SUPPORT_STOPS, columns, key=widget_key("columns"), width=110
        )
    kept = 0 if p == figure.p else p
    return session.change_page_settings(now, p=kept, columns=columns), p


def _choose_more(now: LocalModelSettings) -> LocalModelSettings:
    """Draw the controls that are seldom needed."""
    factor = now.factor
    with st.popover("More"):
        repetitions = st.segmented_control(
            "Releases per point",
            REPETITION_CHOICES,
            default=now.repetitions,
            required=True,
            key=widget_key("repetitions"),
        )
        if now.source is RecordSource.SPARSE:
            factor = st.select_slider("Penalty c", PENALTY_STOPS, factor, key=widget_key("factor"))
    repetitions = int(repetitions or now.repetitions)
    return session.change_page_settings(now, factor=factor, repetitions=repetitions)
