"""The Local model page's controls."""

import streamlit as st

from dpca_core.data.dataset import Dataset
from ui.local_model import text
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
from ui.state import session, session_data
from ui.state.slider_stops import MOST_DIRECTIONS, nearest_stop
from ui.state.widget_keys import renew_controls, widget_key
from ui.widgets.budget_controls import choose_delta, choose_epsilon
from ui.widgets.data_menu import data_menu
from ui.widgets.size_controls import choose_k, choose_people


def choose_query() -> LocalModelQuery | None:
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
    source = RecordSource(chosen or now.source)
    if source is not now.source:
        now = session.change_page_settings(now, source=source, p=0)
    if source is not RecordSource.DATA:
        return _choose_design(now, PAPER_FIGURES[source])
    key = data_menu(210)
    data = session_data.get(key) if key else None
    if data is None or key is None:
        return None
    k = choose_k(min(MOST_DIRECTIONS, data.d - 1), session.default_k(key, data), 100)
    n = _choose_people(float(data.people), 0, data.unit.many, own=True)
    return _choose_rest(now, data, data.d, now.columns, k, n)


def _choose_design(now: LocalModelSettings, figure: PaperFigure) -> LocalModelQuery:
    """Draw the controls of a design of Wang & Xu, which starts at the size of their figure."""
    stops, columns = COLUMN_STOPS[now.source], now.columns
    p = st.select_slider(
        "Columns p",
        stops,
        int(nearest_stop(now.p or figure.p, stops)),
        key=widget_key(f"p.{now.source}"),
        width=110,
    )
    most = min(MOST_DIRECTIONS, p - 1)
    if now.source is RecordSource.SPARSE:
        columns = st.select_slider(
            "of them used, s", SUPPORT_STOPS, columns, key=widget_key("columns"), width=110
        )
        most = min(most, columns)
    k = choose_k(most, figure.k, 100)
    n = _choose_people(figure.n, p, "people", own=False)
    now = session.change_page_settings(now, p=0 if p == figure.p else p, columns=columns)
    query = _choose_rest(now, None, p, columns, k, n)
    st.button(
        text.paper_figure(figure.number),
        key="paper-figure",
        on_click=_set_paper_figure,
        args=(now, figure),
        help=text.PAPER_FIGURE_HELP,
    )
    return query


def _choose_people(usual: float, least: int, many: str, *, own: bool) -> float:
    asked = session.settings().n
    possible = [asked] if least <= asked <= max(PEOPLE_AXIS) else []
    stops = {*(n for n in PEOPLE_AXIS if n >= least), usual, *possible} - {0.0}
    return choose_people(usual, many, tuple(sorted(stops)), 120, own=own)


def _choose_rest(
    now: LocalModelSettings, data: Dataset | None, p: int, columns: int, k: int, n: float
) -> LocalModelQuery:
    """Draw the controls after the records."""
    epsilon, delta = choose_epsilon(105, "ε of each report"), choose_delta(95)
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
    now = session.change_page_settings(
        now, factor=factor, repetitions=int(repetitions or now.repetitions)
    )
    return LocalModelQuery(
        now.source, data, p, k, columns, n, epsilon, delta, factor, now.repetitions
    )


def _set_paper_figure(now: LocalModelSettings, figure: PaperFigure) -> None:
    """Set the values of a figure of the paper, on all pages."""
    session.change_settings(k=figure.k, n=figure.n, epsilon=figure.epsilon, delta=figure.delta)
    session.change_page_settings(now, p=0, columns=LocalModelSettings().columns)
    renew_controls(f"p.{now.source}", "columns")
