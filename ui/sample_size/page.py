"""The Sample size page: how many people each mechanism needs for an aim, measured and proved."""

import streamlit as st

from dpca_core.mechanisms.registry import MECHANISMS
from ui.page.component import draw
from ui.page.present import show_present
from ui.sample_size import text
from ui.sample_size.figures import page_content
from ui.sample_size.measurements import SampleSizeMeasurements
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
from ui.server.scheduler import should_yield
from ui.state import session, session_data
from ui.state.slider_stops import nearest_stop
from ui.state.widget_keys import widget_key
from ui.text.numbers import count
from ui.text.words import NO_MECHANISM
from ui.widgets.controls import (
    choose_adjacency,
    choose_delta,
    choose_epsilon,
    choose_k_of,
    control_row,
    data_menu,
    show_not_private,
)
from ui.widgets.navigation import start_page

CHOSEN = "sample_size.chosen"
"""Session key: the name of the mechanism that is set apart."""


def draw_page() -> None:
    """Draw the page."""
    start_page(SampleSizeSettings)
    _draw_fragment()


@st.fragment
def _draw_fragment() -> None:
    """Draw controls and charts; the component asks for more until all is measured."""
    query = control_row(SampleSizeSettings, _choose_query)
    st.caption(text.UNUSED[session.page_settings(SampleSizeSettings).spectrum])
    if query is None:
        return
    if not query.keys:
        st.info(NO_MECHANISM)
        return
    if query.data:
        show_not_private(query.data)
    measured = st.session_state.setdefault("needs", SampleSizeMeasurements())
    draw(
        lambda: page_content(query, measured, st.session_state.get(CHOSEN, "")),
        "sample_size",
        more=lambda: measured.advance(query, should_yield=should_yield),
        asked=query,
        columns=query.d,
        heard={"row": _choose},
    )
    show_present("sample_size")


def _choose(name: str) -> None:
    """Set a mechanism apart, or end that; a theorem is none."""
    if name in {mechanism.name for mechanism in MECHANISMS.values()}:
        st.session_state[CHOSEN] = "" if st.session_state.get(CHOSEN) == name else name


def _choose_query() -> SampleSizeQuery | None:
    """Draw the controls and return what they ask for; None where data are missing."""
    now = session.page_settings(SampleSizeSettings)
    spectrum = st.segmented_control(
        "Spectrum",
        list(SpectrumSource),
        default=now.spectrum,
        required=True,
        key=widget_key("spectrum"),
        format_func=lambda source: text.SPECTRA[SpectrumSource(source)],
    )
    now = session.change_page_settings(now, spectrum=SpectrumSource(spectrum or now.spectrum))
    key = data = None
    if now.spectrum is SpectrumSource.DATA:
        key = data_menu(210)
        data = session_data.get(key) if key else None
        if data is None:
            return None
    else:
        now = _choose_spike(now)
    with st.popover("Mechanisms"):
        chosen = st.multiselect(
            "Mechanisms",
            list(MECHANISMS),
            default=list(now.keys),
            key=widget_key("mechanisms"),
            format_func=lambda m: MECHANISMS[m].name,
            width=520,
        )
    now = session.change_page_settings(now, mechanisms=",".join(chosen))
    epsilon, delta = choose_epsilon(120), choose_delta(110)
    k = choose_k_of(key, data, 100) if key and data else 1
    now = _choose_aim(now, one_direction=k == 1)
    adjacency = choose_adjacency(data.unit.one if data else "person", 240)
    asked = (now.d, now.gap, k, now.kind, now.level, now.share)
    return SampleSizeQuery(data, *asked, epsilon, delta, adjacency, now.keys)


def _choose_spike(now: SampleSizeSettings) -> SampleSizeSettings:
    d = st.select_slider(
        "Columns d", COLUMN_STOPS, now.d, format_func=count, key=widget_key("d"), width=110
    )
    gap = st.select_slider(
        "Gap λ₁ − λ₂", SPIKE_GAP_STOPS, now.gap, key=widget_key("gap"), width=120
    )
    return session.change_page_settings(now, d=int(d), gap=gap)


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
        key=widget_key(f"kind.{one_direction}"),
    )
    kind = AimKind(chosen or before)
    stops = LEVEL_STOPS[kind]
    level = st.select_slider(
        text.LEVEL_LABELS[kind],
        stops,
        nearest_stop(now.level, stops),
        key=widget_key(f"level.{kind}"),
        width=115,
    )
    share = st.select_slider(
        "in … of releases",
        RELEASE_SHARE_STOPS,
        now.share,
        key=widget_key("share"),
        width=130,
        format_func=text.share_text,
    )
    return session.change_page_settings(now, kind=kind, level=level, share=share)
