"""The Local page's controls, kept in its address."""

from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, cast

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.local_model.figures import COLUMNS, SIZES, USED
from ui.local_model.measurements import Asked
from ui.state import query_params, session, session_data
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS, MOST_DIRECTIONS, nearest_stop
from ui.text.numbers import count
from ui.widgets.data_menu import data_menu

SOURCES = {"dense": "Dense design", "sparse": "Sparse design", "data": "Data"}
FACTORS = (0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5)
REPETITIONS = (5, 20, 100)


@dataclass(frozen=True)
class LocalSettings:
    """The controls; 0 in p, k, n, epsilon, delta: as the paper's figure, or the data, have them."""

    source: str = "dense"
    p: int = 0
    k: int = 0
    columns: int = 20
    n: float = 0.0
    epsilon: float = 0.0
    delta: float = 1e-4
    factor: float = 1.0
    repetitions: int = 20


FIGURES = {
    "dense": LocalSettings("dense", 40, 5, 20, 1e5, 0.5),
    "sparse": LocalSettings("sparse", 400, 10, 20, 2000.0, 1.0),
}
"""Figures 3 and 4 of Wang & Xu 2020."""


def _allowed(name: str, value: Any) -> bool:
    match name:
        case "source":
            return value in SOURCES
        case "repetitions":
            return value in REPETITIONS
        case "delta":
            return bool(0 <= value < 1)
    return isfinite(value) and bool(value >= 0)


def current() -> LocalSettings:
    """Return the session's settings; the first time they come from the link."""
    if "local" not in st.session_state:
        found = query_params.read_settings(LocalSettings(), st.query_params.to_dict(), _allowed)
        st.session_state["local"] = replace(
            found, delta=nearest_stop(found.delta, DELTA_STOPS), factor=nearest_stop(found.factor, FACTORS),
            columns=int(nearest_stop(found.columns, USED)),
            epsilon=nearest_stop(found.epsilon, EPSILON_STOPS) if found.epsilon else 0.0,
        )  # fmt: skip
    return cast(LocalSettings, st.session_state["local"])


def _change(**values: Any) -> LocalSettings:
    changed = replace(current(), **values)
    st.session_state["local"] = changed
    query = {"data": session.settings().data} if changed.source == "data" else {}
    query |= query_params.to_query(changed, LocalSettings(), ("source",))
    query_params.write_address(query)
    return changed


def choose_asked() -> Asked | None:
    """Draw the controls and return what they ask for; None where data are missing."""
    now = current()
    source = str(
        st.segmented_control(
            "Records", list(SOURCES), default=now.source, required=True, key="local.source",
            format_func=lambda s: SOURCES[s],
        )
    )  # fmt: skip
    if source != now.source:
        now = _change(source=source, p=0, k=0, n=0.0, epsilon=0.0)
    data: Dataset | None = None
    key = source
    if source == "data":
        chosen = data_menu(width=210)
        data = session_data.get(chosen) if chosen else None
        if data is None or chosen is None:
            return None
        key = chosen
        usual = LocalSettings("data", data.d, session.default_k(key, data), 20, data.people, 1.0)
    else:
        usual = FIGURES[source]
    return _choose_rest(key, data, now, usual)


def _choose_rest(key: str, data: Dataset | None, now: LocalSettings, usual: LocalSettings) -> Asked:
    p, columns = now.p or usual.p, now.columns
    if data is None:
        p = st.select_slider(
            "Columns p", COLUMNS[key], int(nearest_stop(p, COLUMNS[key])), key=f"local.p.{key}",
            width=110,
        )  # fmt: skip
    else:
        p = data.d
    if key == "sparse":
        columns = st.select_slider("of them used, s", USED, columns, key="local.columns", width=110)
    top = min(MOST_DIRECTIONS, p - 1, columns if key == "sparse" else p)
    k = min(now.k or usual.k, top)
    if top > 1:
        k = int(st.slider("Directions k", 1, top, k, key=f"local.k.{key}.{top}", width=100))
    stops = tuple(sorted({*(n for n in SIZES if n >= (0 if data else p)), float(usual.n)}))
    n = st.select_slider(
        data.unit.many.capitalize() if data else "People", stops,
        nearest_stop(now.n or usual.n, stops), format_func=count, key=f"local.n.{key}.{p}", width=120,
    )  # fmt: skip
    epsilon = st.select_slider(
        "ε of each report", EPSILON_STOPS, now.epsilon or usual.epsilon, format_func=epsilon_text,
        key=f"local.epsilon.{key}", width=120,
    )  # fmt: skip
    delta = st.select_slider(
        "δ", DELTA_STOPS, now.delta, format_func=power, key="local.delta", width=110
    )
    with st.popover("More"):
        repetitions = st.segmented_control(
            "Releases a point", REPETITIONS, default=now.repetitions, required=True,
            key="local.repetitions",
        )  # fmt: skip
        factor = now.factor
        if key == "sparse":
            factor = st.select_slider("Penalty c", FACTORS, factor, key="local.factor")
    _change(
        p=0 if p == usual.p else p, k=0 if k == usual.k else k, columns=columns,
        n=0.0 if n == usual.n else n, epsilon=0.0 if epsilon == usual.epsilon else epsilon,
        delta=delta, factor=factor, repetitions=int(repetitions or 20),
    )  # fmt: skip
    source = "data" if data else key
    return Asked(
        source, data, p, k, columns, float(n), epsilon, delta, factor, int(repetitions or 20)
    )
