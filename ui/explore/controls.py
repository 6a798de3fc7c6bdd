"""Explore's controls: its view, and one row for all views, with their state in the settings."""

from dataclasses import dataclass, replace
from inspect import getdoc

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.mechanism import Mechanism, parameters
from dpca_core.mechanisms.registry import MECHANISMS
from ui.explore.along import Along
from ui.state import session, session_data
from ui.state.settings import AXES, TRIAL_CHOICES, ExploreSettings, View
from ui.state.slider_stops import TARGETS
from ui.state.widget_keys import key_starting_at, note_position, widget_key
from ui.text.numbers import count
from ui.widgets.controls import (
    choose_adjacency,
    choose_delta,
    choose_epsilon,
    choose_k_of,
    choose_people,
    choose_seed,
    data_menu,
    mechanism_menu,
    most_directions,
    reset_button,
)

VIEWS = {View.ONE: "One mechanism", View.ALL: "All mechanisms", View.PAGE: "One page"}
ROW_SHARES = {
    "data": 3,
    "mechanism": 1.65,
    "epsilon": 0.8,
    "delta": 0.8,
    "k": 0.85,
    "n": 1,
    "adjacency": 2.75,
    "others": 0.85,
    "reset": 0.8,
}
"""Shares of the row's width, by control."""
BUTTONS = ("others", "reset")
"""Controls that are never narrower than their words: what a menu or a slider cuts can be opened."""
ROW_STYLE = "".join(
    f".st-key-controls > :is(.st-key-{name}, [class*=st-key-{name}-]) "
    f"{{flex: {share:g} 1 {74 * share:g}px; width: auto; "
    f"min-width: {'max-content' if name in BUTTONS else 0}}}\n"
    for name, share in ROW_SHARES.items()
)


@dataclass(frozen=True)
class Chosen:
    """What the controls ask for."""

    data: Dataset
    mechanism: Mechanism
    asked: Along


def choose_view() -> View:
    """Draw what Explore can show of the same settings, and return what is chosen."""
    now = session.page_settings(ExploreSettings)
    chosen = st.segmented_control(
        "View",
        list(View),
        default=View(now.view),
        required=True,
        format_func=lambda view: VIEWS[view],
        key=key_starting_at("view", now.view),
        label_visibility="collapsed",
    )
    view = View(chosen or now.view)
    note_position("view", str(view))
    session.change_page_settings(now, view=str(view))
    return view


def choose_asked(view: View) -> Chosen | None:
    """Draw the row of controls; return what they ask for, None while there are no data."""
    with st.container(key="controls", horizontal=True, vertical_alignment="bottom", wrap=False):
        key = data_menu()
        data = session_data.get(key) if key else None
        if not key or data is None:
            return None
        unit, mechanism = data.unit, MECHANISMS[mechanism_menu()]
        now = session.page_settings(ExploreSettings)
        axis = now.axis if view is View.ALL else "epsilon"
        # What the charts lie along is chosen there; a page without charts has a slider of ε.
        if view is View.PAGE or axis != "epsilon":
            choose_epsilon()
        if axis != "delta":
            choose_delta()
        k = choose_k_of(key, data) if axis != "k" else _usable_k(key, data)
        n = session.settings().n or float(data.people)
        if axis != "n":
            n = choose_people(
                float(data.people),
                unit.many,
                help=f"The data have {count(data.people)}. Other numbers scale the spectrum, as if "
                f"so many {unit.many} had records like these.",
            )
        choose_adjacency(unit.one)
        with st.popover("More", key="others", width="stretch"):
            mechanism = _choose_parameters(mechanism)
            _choose_target()
            if view is View.ALL:
                now = _choose_comparison(now)
            else:
                _choose_curves()
            choose_seed()
            st.button(
                "Simulate again",
                on_click=_next_seed,
                help="Simulates other releases, with new noise.",
            )
        reset_button(ExploreSettings)
    equalise = now.equalise and view is View.ALL
    asked = Along.of(session.settings(), k, n, axis=axis, equalise=equalise)
    return Chosen(data, mechanism, asked)


def choose_axis() -> None:
    """Draw what mechanisms can be compared along."""
    now = session.page_settings(ExploreSettings)
    axis = st.segmented_control(
        "Along",
        list(AXES),
        default=now.axis,
        required=True,
        format_func=lambda name: AXES[name],
        key=key_starting_at("axis", now.axis),
    )
    note_position("axis", axis)
    session.change_page_settings(now, axis=axis or now.axis)


def _usable_k(key: str, data: Dataset) -> int:
    return min(session.settings().k or session.default_k(key, data), most_directions(data))


def _choose_comparison(now: ExploreSettings) -> ExploreSettings:
    """Draw which mechanisms are compared and how; return what is set."""
    chosen = st.multiselect(
        "Mechanisms",
        list(MECHANISMS),
        default=list(now.keys),
        key=widget_key("mechanisms"),
        format_func=lambda m: MECHANISMS[m].name,
        placeholder="The usual ones",
    )
    equalise = st.checkbox(
        "Equalise true ε: run printed mechanisms at the ε for which they really spend this one",
        now.equalise,
        key=widget_key("equalise"),
    )
    trials = st.segmented_control(
        "Releases per point",
        TRIAL_CHOICES,
        default=now.trials,
        required=True,
        format_func=lambda trials: str(trials or "usual"),
        key=widget_key("trials"),
    )
    return session.change_page_settings(
        now, mechanisms=",".join(chosen), equalise=equalise, trials=trials or 0
    )


def _choose_parameters(mechanism: Mechanism) -> Mechanism:
    """Draw the mechanism's card and a slider for each of its own settings."""
    st.markdown(f"**{mechanism.name}**\n\n{getdoc(mechanism)}")
    chosen: dict[str, float] = {}
    for p in parameters(mechanism):
        key = widget_key(f"{mechanism.key}.{p.name}")
        kind = int if isinstance(p.default, int) else float
        low, high, start = kind(p.low), kind(p.high), kind(p.default)
        chosen[p.name] = st.slider(p.label, low, high, start, key=key)
    return replace(mechanism, **chosen) if chosen else mechanism


def _choose_target() -> None:
    """Draw the menu of what a release is to keep."""
    shown = session.settings().target
    chosen = st.selectbox(
        "To be kept in 9 of 10 releases",
        TARGETS,
        TARGETS.index(shown),
        format_func=lambda target: f"{target * 100:.0f}\u00a0%",
        key=key_starting_at("target", shown),
    )
    session.follow_control("target", shown, chosen)


def _choose_curves() -> None:
    """Draw the switch of all curves."""
    now = session.page_settings(ExploreSettings)
    shown = now.curves
    chosen = st.toggle("Curves of all mechanisms", shown, key=key_starting_at("curves", shown))
    note_position("curves", chosen)
    if chosen != shown:
        session.change_page_settings(now, curves=chosen)


def _next_seed() -> None:
    session.change_settings(seed=(session.settings().seed + 1) % 2**32)
