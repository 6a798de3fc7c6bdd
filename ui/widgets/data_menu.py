"""The menu of data sets."""

import streamlit as st

from dpca_core.data.dataset import Dataset
from sample_data import CATALOGUE, source_of
from ui.state import session, session_data
from ui.state.widget_keys import key_starting_at
from ui.widgets.budget_controls import Width


def data_menu(width: Width = "stretch") -> str | None:
    """Draw the menu; return the chosen key, None while a link's upload is missing."""
    shown: str | None = session.settings().data
    own = session_data.uploads()
    options = [*CATALOGUE, *own]
    if shown is not None and shown not in options:
        if session_data.is_available(shown):
            options.append(shown)
        else:
            shown = None
    key = key_starting_at("data", shown)
    # After a restart of the server a browser may send a key that this session never had.
    if st.session_state.get(key) not in options:
        st.session_state.pop(key, None)
    chosen = st.selectbox(
        "Data",
        options,
        options.index(shown) if shown is not None else None,
        format_func=lambda key: _name(key, own.get(key)),
        key=key,
        width=width,
        placeholder="Choose data",
    )
    if chosen != shown and chosen in options:
        session.follow_control("data", shown, chosen)
        session.change_settings(k=0, n=0.0)
    return chosen


def _name(key: str, own: Dataset | None) -> str:
    """Return a data set's name; a synthetic one's with the parameters that are not its defaults."""
    source = source_of(key)
    if own or source is None:
        return own.name if own else key
    parameters = key.partition("?")[2].replace("&", ", ").replace("=", "\u00a0=\u00a0")
    return f"{source.name}: {parameters}" if parameters else source.name
