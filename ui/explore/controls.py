"""Explore's controls: its view, and one row for all views, with their state in the settings.

How wide each is in its row, ``static/page/page.css`` says.
"""

from dataclasses import replace
from inspect import getdoc
from typing import Any, NamedTuple

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.mechanism import Mechanism, parameters
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Adjacency
from ui.explore.headline_and_titles import say
from ui.explore.query import Along
from ui.state import session, session_data
from ui.state.session import key_starting_at, positions, widget_key
from ui.state.settings import AXES, TRIAL_CHOICES, ExploreSettings, View
from ui.text.documents import table_of
from ui.widgets import controls

VIEWS = {"one": "One mechanism", "all": "All mechanisms", "page": "One page"}


class Chosen(NamedTuple):
    """What the controls ask for."""

    data: Dataset
    mechanism: Mechanism
    asked: Along


def choose_view() -> View:
    """Draw what Explore can show of the same settings, and return what is chosen."""
    now = session.page_settings(ExploreSettings)
    view = controls.choose_kind("View", VIEWS, now.view, "view", hidden=True)
    session.change_page_settings(now, view=view)
    return View(view)


def choose_axis() -> None:
    """Draw what mechanisms can be compared along."""
    now = session.page_settings(ExploreSettings)
    names = {name: f"along {symbol}" for name, symbol in AXES.items()}
    axis = controls.choose_kind("Along", names, now.axis, "axis", hidden=True)
    session.change_page_settings(now, axis=axis)


def choose_asked(view: View) -> Chosen | None:
    """Draw the row of controls; return what they ask for, None while there are no data."""
    with st.container(key="controls", horizontal=True, vertical_alignment="bottom", wrap=False):
        key = controls.data_menu()
        data = session_data.get(key) if key else None
        if not key or data is None:
            return None
        unit, mechanism = data.unit, MECHANISMS[controls.mechanism_menu()]
        now = session.page_settings(ExploreSettings)
        axis = now.axis if view is View.ALL else "epsilon"
        # What the charts lie along is chosen there; a page without charts has a slider of ε.
        if view is View.PAGE or axis != "epsilon":
            controls.choose_epsilon()
        if axis != "delta":
            controls.choose_delta()
        if axis != "k":
            k = controls.choose_k_of(key, data)
        else:
            k = session.settings().k or session.default_k(key, data)
        n = session.settings().n or float(data.people)
        if axis != "n":
            said = say("people_help", people=data.people, many=unit.many)
            n = controls.choose_people(float(data.people), unit.many, help=said)
        controls.choose_adjacency(unit.one)
        with st.popover("More", key="others", width="stretch"):
            data = _choose_pairs(data)
            now = session.page_settings(ExploreSettings)
            mechanism = _choose_parameters(mechanism)
            controls.choose_target()
            if view is View.ALL:
                now = _choose_comparison(now)
            else:
                label, key = "Curves of all mechanisms", widget_key("curves")
                curves = st.toggle(label, now.curves, key=key)
                session.change_page_settings(now, curves=curves)
            controls.choose_seed()
        controls.reset_button(ExploreSettings(str(view)))
    shared, k = session.settings(), min(k, controls.most_directions(data))
    neighbours, equalise = Adjacency(shared.adjacency), now.equalise and view is View.ALL
    settings = shared.epsilon, shared.delta, n, k, neighbours, shared.seed
    return Chosen(data, mechanism, Along(*settings, axis, equalise))


def choose_mechanism(key: object) -> None:
    """Take a mechanism of which a row or a curve was chosen."""
    if key in MECHANISMS:
        session.change_settings(mechanism=key)


def _choose_comparison(now: ExploreSettings) -> ExploreSettings:
    """Draw which mechanisms are compared and how; return what is set."""
    chosen = controls.mechanisms_menu(now.keys, placeholder="The usual ones")
    equalise = st.checkbox(
        "Equalise true ε: run printed mechanisms at the ε for which they really spend this one",
        now.equalise,
        key=widget_key("equalise"),
    )
    numbers = {trials: str(trials or "usual") for trials in TRIAL_CHOICES}
    trials = controls.choose_kind("Releases per point", numbers, now.trials, "trials")
    return session.change_page_settings(now, mechanisms=chosen, equalise=equalise, trials=trials)


def _choose_parameters(mechanism: Mechanism) -> Mechanism:
    """Draw the mechanism's card and a slider for each of its own settings."""
    st.markdown(f"**{mechanism.name}**\n\n{getdoc(mechanism)}")
    chosen: dict[str, Any] = {}
    for p in parameters(mechanism):
        kind, key = type(p.default), widget_key(f"{mechanism.key}.{p.name}")
        low, high, start = kind(p.low), kind(p.high), kind(p.default)
        chosen[p.name] = st.slider(p.label, low, high, start, key=key)
    return replace(mechanism, **chosen)


def _choose_pairs(data: Dataset) -> Dataset:
    """Draw the switch of pairs; return the data, in pairs where that is chosen and possible."""
    now, replaced = session.page_settings(ExploreSettings), Adjacency.REPLACE_ONE
    why = data.no_pairs or (
        say("pairs_replace", one=data.unit.one) if session.settings().adjacency != replaced else ""
    )
    if data.pairs:
        return data
    key = key_starting_at("pairs", now.pairs)
    label, told = (say(name, many=data.unit.many) for name in ("pairs", "pairs_help"))
    chosen = st.toggle(label, now.pairs, key=key, disabled=bool(why), help=why or told)
    positions()["pairs"] = chosen
    session.change_page_settings(now, pairs=chosen)
    with st.expander(say("pairs_measured")):
        st.markdown(table_of("pairs"))
    return data.in_pairs if chosen and not why else data
