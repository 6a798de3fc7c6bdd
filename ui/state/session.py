"""The settings of one visitor's session, and the address that reproduces them."""

from dataclasses import replace
from typing import Any

import streamlit as st

from dpca_core.data.dataset import Dataset
from sample_data import source_of
from ui.state import query_params
from ui.state.settings import Settings, snapped


def settings() -> Settings:
    """Return the session's settings; the first time they come from the link."""
    if "settings" not in st.session_state:
        st.session_state["settings"] = snapped(Settings.from_query(st.query_params.to_dict()))
    current: Settings = st.session_state["settings"]
    return current


def change_settings(**values: Any) -> Settings:
    """Change some settings and keep them while other pages are visited."""
    st.session_state["settings"] = replace(settings(), **values)
    return settings()


def write_address() -> None:
    """Put the settings into the address, so that a link reproduces the screen."""
    query_params.write_address(settings().to_query())


def default_k(key: str, data: Dataset) -> int:
    """Return the k to start with."""
    source = source_of(key)
    return min(source.default_k if source else 2, data.d - 1)
