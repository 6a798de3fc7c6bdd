"""The Sample size page's controls, kept in its address."""

from dataclasses import dataclass, replace
from math import isfinite
from typing import Any, cast

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Adjacency
from dpca_core.text.guarantees import neighbours
from dpca_core.text.privacy_numbers import epsilon_text, power
from ui.sample_size.figures import LEVELS
from ui.sample_size.query import Asked, default_keys
from ui.state import query_params, session, session_data
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS, MOST_DIRECTIONS, nearest_stop
from ui.text.numbers import count
from ui.widgets.data_menu import data_menu

COLUMNS = (2, 5, 10, 20, 50, 100, 200, 500, 1000)
GAPS = (0.01, 0.02, 0.03, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 0.9)
SHARES = (0.5, 0.75, 0.9, 0.95)
SPECTRA = {"spike": "One direction", "data": "Data"}
KINDS = {"correlation": "|⟨v̂, v⟩|", "captured": "variation kept", "sin": "‖sin Θ‖_F"}


@dataclass(frozen=True)
class NeedSettings:
    """The controls; 0 in k: as the data have."""

    spectrum: str = "spike"
    d: int = 50
    gap: float = 0.3
    k: int = 0
    kind: str = "correlation"
    level: float = 0.9
    share: float = 0.9
    epsilon: float = 1.0
    delta: float = 1e-6
    adjacency: str = str(Adjacency.ADD_OR_REMOVE_ONE)
    mechanisms: str = ",".join(default_keys())

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the mechanisms, in menu order."""
        wanted = self.mechanisms.split(",")
        return tuple(key for key in MECHANISMS if key in wanted)


def _allowed(name: str, value: Any) -> bool:
    match name:
        case "spectrum":
            return value in SPECTRA
        case "kind":
            return value in KINDS
        case "adjacency":
            return value in list(Adjacency)
        case "mechanisms":
            return all(key in MECHANISMS for key in value.split(","))
        case "delta":
            return bool(0 <= value < 1)
        case "level" | "share":
            return bool(0 < value < 1)
        case "k":
            return bool(value >= 0)
    return isfinite(value) and bool(value > 0)


def current() -> NeedSettings:
    """Return the session's settings; the first time they come from the link."""
    if "needed" not in st.session_state:
        found = query_params.read_settings(NeedSettings(), st.query_params.to_dict(), _allowed)
        st.session_state["needed"] = replace(
            found, epsilon=nearest_stop(found.epsilon, EPSILON_STOPS), delta=nearest_stop(found.delta, DELTA_STOPS),
            d=int(nearest_stop(found.d, COLUMNS)), gap=nearest_stop(found.gap, GAPS),
            level=nearest_stop(found.level, LEVELS[found.kind]), share=nearest_stop(found.share, SHARES),
        )  # fmt: skip
    return cast(NeedSettings, st.session_state["needed"])


def _change(**values: Any) -> NeedSettings:
    changed = replace(current(), **values)
    st.session_state["needed"] = changed
    query = {"data": session.settings().data} if changed.spectrum == "data" else {}
    query |= query_params.to_query(changed, NeedSettings(), ("spectrum", "epsilon", "delta"))
    query_params.write_address(query)
    return changed


def choose_asked() -> Asked | None:
    """Draw the controls and return what they ask for; None where data are missing."""
    now = current()
    spectrum = st.segmented_control(
        "Spectrum", list(SPECTRA), default=now.spectrum, required=True, key="needed.spectrum",
        format_func=lambda s: SPECTRA[s],
    )  # fmt: skip
    now = _change(spectrum=str(spectrum))
    data: Dataset | None = None
    if now.spectrum == "data":
        key = data_menu(width=210)
        data = session_data.get(key) if key else None
        if data is None or key is None:
            return None
        now = _change(k=_choose_k(key, data, now.k))
    else:
        d = st.select_slider(
            "Columns d", COLUMNS, now.d, format_func=count, key="needed.d", width=110
        )
        gap = st.select_slider(
            "Gap λ₁ − λ₂", GAPS, now.gap, key="needed.gap", width=120,
            help="Share of the trace by which one direction stands above a flat rest.",
        )  # fmt: skip
        now = _change(d=int(d), gap=gap, k=0)
    now = _choose_aim(now, data is None or now.k == 1)
    epsilon = st.select_slider(
        "ε", EPSILON_STOPS, now.epsilon, format_func=epsilon_text, key="needed.epsilon", width=120
    )
    delta = st.select_slider(
        "δ", DELTA_STOPS, now.delta, format_func=power, key="needed.delta", width=110
    )
    options = [str(a) for a in Adjacency]
    one = data.unit.one if data else "person"
    adjacency = st.selectbox(
        "Neighbours", options, options.index(now.adjacency), key="needed.adjacency", width=225,
        format_func=lambda a: neighbours(Adjacency(a), one),
    )  # fmt: skip
    with st.popover("Mechanisms"):
        chosen = st.multiselect(
            "Mechanisms", list(MECHANISMS), default=list(now.keys), key="needed.mechanisms",
            format_func=lambda m: MECHANISMS[m].name, width=520,
        )  # fmt: skip
    now = _change(
        epsilon=epsilon, delta=delta, adjacency=str(adjacency), mechanisms=",".join(chosen)
    )
    return Asked(
        data, now.d, now.gap, now.k or 1, now.kind, now.level, now.share, epsilon, delta,
        Adjacency(now.adjacency), now.keys,
    )  # fmt: skip


def _choose_k(key: str, data: Dataset, wanted: int) -> int:
    top = min(MOST_DIRECTIONS, data.d - 1)
    k = min(wanted or 1, top)
    if top > 1:
        k = int(st.slider("Directions k", 1, top, k, key=f"needed.k.{key}", width=100))
    return k


def _choose_aim(now: NeedSettings, one: bool) -> NeedSettings:
    kinds = [kind for kind in KINDS if one or kind != "correlation"]
    kind = now.kind if now.kind in kinds else kinds[0]
    kind = str(
        st.segmented_control(
            "Aim", kinds, default=kind, required=True, format_func=lambda a: KINDS[a],
            key=f"needed.kind.{one}",
        )
    )  # fmt: skip
    stops = tuple(sorted(LEVELS[kind]))
    level = st.select_slider(
        "at most" if kind == "sin" else "at least", stops, nearest_stop(now.level, stops),
        key=f"needed.level.{kind}", width=115,
    )  # fmt: skip
    share = st.select_slider(
        "in … of releases", SHARES, nearest_stop(now.share, SHARES), key="needed.share", width=110,
        format_func=lambda s: f"{s * 100:g}\u00a0%",
    )  # fmt: skip
    return _change(kind=kind, level=level, share=share)
