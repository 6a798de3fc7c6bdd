"""The Sample size page's controls, kept in its address."""

from dataclasses import replace
from typing import Any, cast

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Adjacency
from ui.sample_size import text
from ui.sample_size.query import (
    COLUMN_STOPS,
    LEVEL_STOPS,
    RELEASE_SHARE_STOPS,
    SPIKE_GAP_STOPS,
    AimKind,
    SampleSizeQuery,
    SampleSizeSettings,
    SpectrumSource,
)
from ui.state import query_params, session, session_data
from ui.state.slider_stops import MOST_DIRECTIONS, nearest_stop
from ui.text.numbers import count
from ui.widgets.budget_controls import choose_adjacency, choose_delta, choose_epsilon
from ui.widgets.data_menu import data_menu


def current() -> SampleSizeSettings:
    """Return the session's settings; the first time they come from the link."""
    if "needed" not in st.session_state:
        st.session_state["needed"] = SampleSizeSettings.from_query(st.query_params.to_dict())
    return cast(SampleSizeSettings, st.session_state["needed"])


def _change(**values: Any) -> SampleSizeSettings:
    changed = replace(current(), **values)
    st.session_state["needed"] = changed
    query = changed.to_query()
    if changed.spectrum is SpectrumSource.DATA:
        query = {"data": session.settings().data, **query}
    query_params.write_address(query)
    return changed


def choose_query() -> SampleSizeQuery | None:
    """Draw the controls and return what they ask for; None where data are missing."""
    now = current()
    spectrum = st.segmented_control(
        "Spectrum",
        list(SpectrumSource),
        default=now.spectrum,
        required=True,
        key="needed.spectrum",
        format_func=lambda source: text.SPECTRA[SpectrumSource(source)],
    )
    now = _change(spectrum=SpectrumSource(spectrum or now.spectrum))
    data: Dataset | None = None
    if now.spectrum is SpectrumSource.DATA:
        key = data_menu(width=210)
        data = session_data.get(key) if key else None
        if data is None or key is None:
            return None
        now = _change(k=_choose_k(key, data, now.k))
    else:
        now = _choose_spike(now)
    now = _choose_aim(now, one_direction=data is None or now.k == 1)
    now = _choose_budget(now, data.unit.one if data else "person")
    return SampleSizeQuery(
        data,
        now.d,
        now.gap,
        now.k or 1,
        now.kind,
        now.level,
        now.share,
        now.epsilon,
        now.delta,
        Adjacency(now.adjacency),
        now.keys,
    )


def _choose_k(key: str, data: Dataset, before: int) -> int:
    most = min(MOST_DIRECTIONS, data.d - 1)
    k = min(before or 1, most)
    if most > 1:
        k = int(st.slider("Directions k", 1, most, k, key=f"needed.k.{key}", width=100))
    return k


def _choose_spike(now: SampleSizeSettings) -> SampleSizeSettings:
    d = st.select_slider(
        "Columns d", COLUMN_STOPS, now.d, format_func=count, key="needed.d", width=110
    )
    gap = st.select_slider(
        "Gap λ₁ − λ₂", SPIKE_GAP_STOPS, now.gap, key="needed.gap", width=120, help=text.GAP_HELP
    )
    return _change(d=int(d), gap=gap, k=0)


def _choose_aim(now: SampleSizeSettings, *, one_direction: bool) -> SampleSizeSettings:
    """Draw the aim's controls; a correlation is offered for one direction only."""
    kinds = [kind for kind in AimKind if one_direction or kind is not AimKind.CORRELATION]
    before = now.kind if now.kind in kinds else kinds[0]
    chosen = st.segmented_control(
        "Aim",
        kinds,
        default=before,
        required=True,
        format_func=lambda kind: text.AIM_KINDS[AimKind(kind)],
        key=f"needed.kind.{one_direction}",
    )
    kind = AimKind(chosen or before)
    stops = tuple(sorted(LEVEL_STOPS[kind]))
    level = st.select_slider(
        text.level_label(kind),
        stops,
        nearest_stop(now.level, stops),
        key=f"needed.level.{kind}",
        width=115,
    )
    share = st.select_slider(
        "in … of releases",
        RELEASE_SHARE_STOPS,
        nearest_stop(now.share, RELEASE_SHARE_STOPS),
        key="needed.share",
        width=110,
        format_func=text.share_text,
    )
    return _change(kind=kind, level=level, share=share)


def _choose_budget(now: SampleSizeSettings, one: str) -> SampleSizeSettings:
    """Draw the controls of the budget and of the mechanisms; ``one``: whom neighbours differ in."""
    epsilon = choose_epsilon(now.epsilon, "needed.epsilon", 120)
    delta = choose_delta(now.delta, "needed.delta", 110)
    adjacency = choose_adjacency(now.adjacency, one, "needed.adjacency", 225)
    with st.popover("Mechanisms"):
        chosen = st.multiselect(
            "Mechanisms",
            list(MECHANISMS),
            default=list(now.keys),
            key="needed.mechanisms",
            format_func=lambda m: MECHANISMS[m].name,
            width=520,
        )
    return _change(epsilon=epsilon, delta=delta, adjacency=adjacency, mechanisms=",".join(chosen))
