"""The menu of data sets."""

from typing import Literal

import streamlit as st

from sample_data import CATALOGUE, source_of
from ui.state import session, session_data


def data_menu(width: Literal["stretch"] | int = "stretch") -> str | None:
    """Draw the menu; return the chosen key, None while a link's upload is missing."""
    settings = session.settings()
    options = [*CATALOGUE, *session_data.uploads()]
    if settings.data not in options and session_data.is_available(settings.data):
        options.append(settings.data)

    def select() -> None:
        # After a restart of the server a browser may send a key that this session never had.
        chosen = st.session_state["data"]
        if chosen in options and chosen != settings.data:
            session.change_settings(data=chosen, k=0, n=0.0)
            for name in ("k", "n"):
                st.session_state.pop(name, None)

    if st.session_state.get("data") not in options:
        st.session_state.pop("data", None)
    # Each page has its own menu; one that was left in mid-change starts from the settings again.
    return st.selectbox(
        "Data",
        options,
        options.index(settings.data) if settings.data in options else None,
        format_func=_name,
        key="data",
        on_change=select,
        width=width,
        placeholder="Choose data",
    )


def _name(key: str) -> str:
    """Return a data set's name; a synthetic one's with the parameters that are not its defaults."""
    own, source = session_data.uploads().get(key), source_of(key)
    if own or source is None:
        return own.name if own else key
    parameters = key.partition("?")[2].replace("&", ", ").replace("=", "\u00a0=\u00a0")
    return f"{source.name}: {parameters}" if parameters else source.name
