"""The Sample size page: how many people each mechanism needs for an aim, measured and proved."""

from dataclasses import replace

import streamlit as st

from ui.page.component import draw
from ui.page.present import show_present
from ui.sample_size.figures import page_content, say
from ui.sample_size.measurements import SampleSizeMeasurements
from ui.sample_size.query import AimKind, SampleSizeQuery, SampleSizeSettings, SpectrumSource
from ui.server.scheduler import should_yield
from ui.state import session, session_data
from ui.text.documents import table_of
from ui.text.numbers import count, percent
from ui.text.words import NO_MECHANISM
from ui.widgets import controls
from ui.widgets.start_page import start_page


def draw_page() -> None:
    """Draw the page."""
    start_page(SampleSizeSettings)
    _draw_fragment()


@st.fragment
def _draw_fragment() -> None:
    """Draw controls and charts; the component asks for more until all is measured."""
    query = controls.control_row(SampleSizeSettings, _choose_query)
    st.caption(say.table("unused")[session.page_settings(SampleSizeSettings).spectrum])
    if query is None:
        return
    if not query.keys:
        st.info(NO_MECHANISM)
        return
    if query.data:
        controls.show_not_private(query.data)
    measured = st.session_state.setdefault("needs", SampleSizeMeasurements())
    draw(
        lambda: page_content(query, measured),
        "sample_size",
        more=lambda: measured.take(query, measured.steps(query), should_yield),
        asked=query,
        columns=query.d,
    )
    with st.expander(say("published")):
        st.markdown(table_of("sample-size", after="## Published since"))
    show_present("sample_size")


def _choose_query() -> SampleSizeQuery | None:
    """Draw the controls and return what they ask for; None where data are missing."""
    now = session.page_settings(SampleSizeSettings)
    spectra = {kind: say.table("spectra")[kind] for kind in SpectrumSource}
    spectrum = controls.choose_kind("Spectrum", spectra, now.spectrum, "spectrum")
    now = session.change_page_settings(now, spectrum=spectrum)
    key = data = None
    if spectrum is SpectrumSource.DATA:
        key = controls.data_menu(210)
        data = session_data.get(key) if key else None
        if data is None:
            return None
    else:
        d = controls.choose_own("Columns d", now.STOPS["d"], now.d, "d", 110, count)
        gap = controls.choose_own("Gap λ₁ − λ₂", now.STOPS["gap"], now.gap, "gap", 120)
        now = session.change_page_settings(now, d=int(d), gap=gap)
    with st.popover("Mechanisms"):
        chosen = controls.mechanisms_menu(now.keys, 520)
    now = session.change_page_settings(now, mechanisms=chosen)
    controls.choose_epsilon(120)
    controls.choose_delta(110)
    k = controls.choose_k_of(key, data, 100) if key and data else 1
    now = _choose_aim(now, one_direction=k == 1)
    controls.choose_adjacency(data.unit.one if data else "person", 240)
    asked = (now.d, now.gap, k, now.kind, now.level, now.share)
    return SampleSizeQuery(data, *asked, session.settings().budget, now.keys)


def _choose_aim(now: SampleSizeSettings, *, one_direction: bool) -> SampleSizeSettings:
    """Draw the aim's controls; a correlation is offered for one direction only."""
    offered = [kind for kind in AimKind if one_direction or kind is not AimKind.CORRELATION]
    kinds = {kind: say.table("aim_kinds")[kind] for kind in offered}
    before = now.kind if now.kind in kinds else AimKind.CAPTURED
    kind = controls.choose_kind("Aim", kinds, before, f"kind.{one_direction}")
    label, stops = (
        "at most" if kind is AimKind.SINE else "at least",
        replace(now, kind=kind).stops(),
    )
    level = controls.choose_own(label, stops["level"], now.level, f"level.{kind}", 115)
    share = controls.choose_own(
        "in … of releases", stops["share"], now.share, "share", 130, percent
    )
    return session.change_page_settings(now, kind=kind, level=level, share=share)
