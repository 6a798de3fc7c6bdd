"""The Local model page's controls, kept in its address."""

from dataclasses import replace
from typing import Any, cast

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
    RecordSource,
)
from ui.state import query_params, session, session_data
from ui.state.slider_stops import MOST_DIRECTIONS, nearest_stop
from ui.text.numbers import count
from ui.widgets.budget_controls import choose_delta, choose_epsilon
from ui.widgets.data_menu import data_menu


def current() -> LocalModelSettings:
    """Return the session's settings; the first time they come from the link."""
    if "local" not in st.session_state:
        st.session_state["local"] = LocalModelSettings.from_query(st.query_params.to_dict())
    return cast(LocalModelSettings, st.session_state["local"])


def _change(**values: Any) -> LocalModelSettings:
    changed = replace(current(), **values)
    st.session_state["local"] = changed
    query = changed.to_query()
    if changed.source is RecordSource.DATA:
        query = {"data": session.settings().data, **query}
    query_params.write_address(query)
    return changed


def choose_query() -> LocalModelQuery | None:
    """Draw the controls and return what they ask for; None where data are missing."""
    now = current()
    chosen = st.segmented_control(
        "Records",
        list(RecordSource),
        default=now.source,
        required=True,
        key="local.source",
        format_func=lambda source: text.SOURCES[RecordSource(source)],
    )
    source = RecordSource(chosen or now.source)
    if source is not now.source:
        now = _change(source=source, p=0, k=0, n=0.0, epsilon=0.0)
    if source is not RecordSource.DATA:
        return _choose_rest(source, None, now, PAPER_FIGURES[source])
    key = data_menu(width=210)
    data = session_data.get(key) if key else None
    if data is None or key is None:
        return None
    k = session.default_k(key, data)
    defaults = LocalModelSettings(source, data.d, k, 20, data.people, 1.0)
    return _choose_rest(key, data, now, defaults)


def _choose_rest(
    key: str, data: Dataset | None, now: LocalModelSettings, defaults: LocalModelSettings
) -> LocalModelQuery:
    """Draw the controls after the records.

    Parameters
    ----------
    key
        Of the design or of the data: each has widgets of its own.
    defaults
        What 0 stands for in the settings.
    """
    sparse = now.source is RecordSource.SPARSE
    p, columns = now.p or defaults.p, now.columns
    if data is None:
        stops = COLUMN_STOPS[now.source]
        p = st.select_slider(
            "Columns p", stops, int(nearest_stop(p, stops)), key=f"local.p.{key}", width=110
        )
    else:
        p = data.d
    if sparse:
        columns = st.select_slider(
            "of them used, s", SUPPORT_STOPS, columns, key="local.columns", width=110
        )
    most = min(MOST_DIRECTIONS, p - 1, columns if sparse else p)
    k = min(now.k or defaults.k, most)
    if most > 1:
        k = int(st.slider("Directions k", 1, most, k, key=f"local.k.{key}.{most}", width=100))
    least = 0 if data else p
    sizes = tuple(sorted({*(n for n in PEOPLE_AXIS if n >= least), float(defaults.n)}))
    n = st.select_slider(
        data.unit.many.capitalize() if data else "People",
        sizes,
        nearest_stop(now.n or defaults.n, sizes),
        format_func=count,
        key=f"local.n.{key}.{p}",
        width=120,
    )
    epsilon = choose_epsilon(
        now.epsilon or defaults.epsilon, f"local.epsilon.{key}", 120, label="ε of each report"
    )
    delta = choose_delta(now.delta, "local.delta", 110)
    with st.popover("More"):
        repetitions = st.segmented_control(
            "Releases per point",
            REPETITION_CHOICES,
            default=now.repetitions,
            required=True,
            key="local.repetitions",
        )
        factor = now.factor
        if sparse:
            factor = st.select_slider("Penalty c", PENALTY_STOPS, factor, key="local.factor")
    changed = _change(
        p=0 if p == defaults.p else p,
        k=0 if k == defaults.k else k,
        columns=columns,
        n=0.0 if n == defaults.n else n,
        epsilon=0.0 if epsilon == defaults.epsilon else epsilon,
        delta=delta,
        factor=factor,
        repetitions=int(repetitions or now.repetitions),
    )
    return LocalModelQuery(
        changed.source, data, p, k, columns, float(n), epsilon, delta, factor, changed.repetitions
    )
