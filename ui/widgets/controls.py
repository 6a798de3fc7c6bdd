"""The controls that pages share: data, mechanism, budget, k, people, seed; and their return."""

from collections.abc import Callable, Mapping
from typing import Literal, TypeVar, cast

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Adjacency
from dpca_core.text.guarantee_sentences import neighbours
from dpca_core.text.privacy_numbers import epsilon_text, power
from sample_data import CATALOGUE, source_of
from ui.state import session, session_data
from ui.state.session import follow_control, key_starting_at, positions, settings, widget_key
from ui.state.settings import Addressed
from ui.state.slider_stops import (
    DELTA_STOPS,
    EPSILON_STOPS,
    MOST_DIRECTIONS,
    TARGETS,
    nearest_stop,
    people_stops,
)
from ui.text.numbers import count, upper_first

Query = TypeVar("Query")
Kind = TypeVar("Kind", bound=str | int)
Choice = TypeVar("Choice", bound=str | float)
Width = Literal["stretch"] | int
"""Of a control, in pixels."""


def control_row(kind: type[Addressed], choose_query: Callable[[], Query | None]) -> Query | None:
    """Draw controls in a row, and write the address; return what they ask for, if anything."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="asked"):
        query = choose_query()
        reset_button(kind())
    session.write_settings(session.page_settings(kind))
    session.show_replaced()
    if query is None:
        st.info(session_data.missing_message() or "Choose data.")
    return query


def reset_button(own: Addressed) -> None:
    """Draw the button that returns all settings to their defaults, the page's ``own`` to these."""
    told = "Returns every setting to its default, on all pages. The data set stays."
    st.button("Reset", key="reset", on_click=session.reset, args=(own,), help=told)


def show_not_private(data: Dataset) -> None:
    """Say once, visibly, that a page is not private, unless its data are public."""
    if not session_data.is_public(data):
        st.caption(
            "**This page is not private.** It measures against the true directions of the data so "
            "that you can choose. Publish only a release."
        )


def data_menu(width: Width = "stretch") -> str | None:
    """Draw the menu of data sets; return the chosen key, None while a link's upload is missing."""
    shown: str | None = settings().data
    names = {key: _data_name(key) for key in CATALOGUE}
    names |= {key: own.name for key, own in session_data.uploads().items()}
    if shown not in names:
        shown = shown if shown and session_data.get(shown) is not None else None
        names |= {shown: _data_name(shown)} if shown else {}
    key = key_starting_at("data", shown)
    # After a restart of the server a browser may send a key that this session never had.
    if st.session_state.get(key) not in names:
        st.session_state.pop(key, None)
    chosen = st.selectbox(
        "Data",
        list(names),
        list(names).index(shown) if shown is not None else None,
        format_func=lambda key: names.get(key, key),
        key=key,
        width=width,
        placeholder="Choose data",
    )
    if chosen != shown and chosen in names:
        follow_control("data", shown, chosen)
        session.change_settings(k=0, n=0.0)
    return chosen


def _data_name(key: str) -> str:
    """Return a built-in set's name; a synthetic one's with parameters that are not its defaults."""
    source = source_of(key)
    if source is None:
        return key
    parameters = key.partition("?")[2].replace("&", ", ").replace("=", "\u00a0=\u00a0")
    return f"{source.name}: {parameters}" if parameters else source.name


def mechanism_menu(width: Width = "stretch") -> str:
    """Draw the menu of mechanisms and return the key that is chosen."""
    names = {key: mechanism.name for key, mechanism in MECHANISMS.items()}
    return _menu("mechanism", "Mechanism", names, width)


def mechanisms_menu(
    shown: tuple[str, ...], width: Width = "stretch", placeholder: str | None = None
) -> str:
    """Draw the menu of the mechanisms that a page compares; return their keys with commas."""
    chosen = st.multiselect(
        "Mechanisms",
        list(MECHANISMS),
        default=list(shown),
        key=widget_key("mechanisms"),
        format_func=lambda key: MECHANISMS[key].name,
        placeholder=placeholder,
        width=width,
    )
    return ",".join(chosen)


def choose_adjacency(one: str, width: Width = "stretch") -> Adjacency:
    """Draw the menu of neighbours and return what is chosen; ``one``: whom they differ in."""
    names = {str(adjacency): neighbours(adjacency, one) for adjacency in Adjacency}
    return Adjacency(_menu("adjacency", "Neighbours", names, width))


def choose_epsilon(width: Width = "stretch", label: str = "ε") -> float:
    """Draw the slider of ε and return what is chosen."""
    return _slider("epsilon", label, EPSILON_STOPS, epsilon_text, width)


def choose_delta(width: Width = "stretch") -> float:
    """Draw the slider of δ and return what is chosen."""
    return _slider("delta", "δ", DELTA_STOPS, power, width)


def choose_k_of(key: str, data: Dataset, width: Width = "stretch") -> int:
    """Draw the slider of k for a data set and its key, and return what is chosen."""
    return choose_k(most_directions(data), session.default_k(key, data), width)


def most_directions(data: Dataset) -> int:
    """Return the largest k of a data set's slider."""
    return min(MOST_DIRECTIONS, data.d - 1)


def choose_k(most: int, usual: int, width: Width = "stretch") -> int:
    """Draw the slider of k up to ``most``, at first ``usual``, or say its only value; return it."""
    shown = min(settings().k or usual, most)
    chosen = 1
    if most > 1:
        key = key_starting_at("k", shown)
        chosen = int(st.slider("Directions k", 1, most, shown, key=key, width=width))
        follow_control("k", shown, chosen)
    else:
        with st.container(key="k_fixed", width=110):
            st.markdown("Directions k  \n**1**")
    if asked := settings().k:
        session.note_limit("k", asked, chosen)
    return chosen


def choose_people(
    usual: float,
    many: str,
    stops: tuple[float, ...] = (),
    width: Width = "stretch",
    help: str = "",
    *,
    own: bool = True,
) -> float:
    """Draw the slider of how ``many`` there are, such as "people", and return what is chosen.

    ``usual`` is where it stands while none has been chosen; where that is the data's ``own``
    number, it is set by this name, not by the number.
    """
    asked = settings().n
    stops = stops or people_stops(int(usual), asked)
    shown = nearest_stop(asked or usual, stops)
    key, label = key_starting_at("n", shown), upper_first(many)
    chosen = st.select_slider(label, stops, shown, count, key=key, help=help or None, width=width)
    follow_control("n", shown, chosen, 0.0 if own and chosen == usual else chosen)
    if asked := settings().n:
        session.note_limit("n", asked, chosen)
    return chosen


def choose_target() -> float:
    """Draw the menu of what a release is to keep and return what is chosen."""
    names = {target: f"{target * 100:.0f}\u00a0%" for target in TARGETS}
    return _menu("target", "To be kept in 9 of 10 releases", names, "stretch")


def choose_seed() -> int:
    """Draw the field of the seed and return what is chosen."""
    shown = settings().seed
    chosen = st.number_input("Seed", 0, 2**32 - 1, shown, key=key_starting_at("seed", shown))
    return follow_control("seed", shown, int(cast(float, chosen)))


def choose_own(
    label: str,
    stops: tuple[float, ...],
    shown: float,
    key: str,
    width: Width = "stretch",
    text: Callable[[float], str] = "{:g}".format,
    help: str | None = None,
) -> float:
    """Draw the slider of a setting that a page has alone, and return the chosen stop."""
    at, key = nearest_stop(shown, stops), widget_key(key)
    return st.select_slider(label, stops, at, text, key=key, width=width, help=help)


def choose_kind(
    label: str, names: Mapping[Kind, str], shown: Kind, key: str, *, hidden: bool = False
) -> Kind:
    """Draw buttons of which one is pressed, by the names of what they choose."""
    chosen = st.segmented_control(
        label,
        list(names),
        default=shown,
        required=True,
        key=key_starting_at(key, shown),
        format_func=names.__getitem__,
        label_visibility="collapsed" if hidden else "visible",
    )
    positions()[key] = chosen
    # A session that was left in mid-change has the text of an enumeration.
    return shown if chosen is None else type(shown)(chosen)


def _menu(name: str, label: str, names: Mapping[Choice, str], width: Width) -> Choice:
    shown: Choice = getattr(settings(), name)
    at, key = list(names).index(shown), key_starting_at(name, shown)
    chosen = st.selectbox(label, list(names), at, names.__getitem__, key=key, width=width)
    return follow_control(name, shown, type(shown)(chosen))


def _slider(
    name: str, label: str, stops: tuple[float, ...], text: Callable[[float], str], width: Width
) -> float:
    shown: float = getattr(settings(), name)
    key = key_starting_at(name, shown)
    chosen = st.select_slider(label, stops, shown, text, key=key, width=width)
    return follow_control(name, shown, chosen)
