"""The menu of data sets."""

from typing import Literal

import streamlit as st

from sample_data import CATALOGUE, source_of
from ui.state import session, session_data


def data_menu(width: Literal["stretch"] | int = "stretch") -> str | None:
    """Return the key chosen in the data menu; None while a link's upload is missing."""
    settings = session.settings()
    options = [*CATALOGUE, *session_data.uploads()]
    if settings.data not in options and session_data.is_available(settings.data):
        options.append(settings.data)

    def moved() -> None:
        # A browser that comes back to a server started anew names what this one never had.
        if st.session_state["data"] not in options or st.session_state["data"] == settings.data:
            return
        session.change_settings(data=st.session_state["data"], k=0, n=0.0)
        for name in ("k", "n"):
            st.session_state.pop(name, None)

    if st.session_state.get("data") not in options:
        st.session_state.pop("data", None)
    # Each page has a menu of its own; one left in a hurry falls back to where it starts.
    return st.selectbox(
        "Data", options, options.index(settings.data) if settings.data in options else None,
        format_func=_name, key="data", on_change=moved, width=width, placeholder="Choose data",
    )  # fmt: skip


def _name(key: str) -> str:
    """Name of a data set; a synthetic one with the parameters that are not its defaults."""
    own, source = session_data.uploads().get(key), source_of(key)
    if own or source is None:
        return own.name if own else key
    settings = key.partition("?")[2].replace("&", ", ").replace("=", "\u00a0=\u00a0")
    return f"{source.name}: {settings}" if settings else source.name
