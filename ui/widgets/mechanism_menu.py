"""The menu of mechanisms."""

import streamlit as st

from dpca_core.mechanisms.registry import MECHANISMS
from ui.state.session import follow_control, settings
from ui.state.widget_keys import key_starting_at
from ui.widgets.budget_controls import Width


def mechanism_menu(width: Width = "stretch") -> str:
    """Draw the menu and return the key that is chosen."""
    keys, shown = list(MECHANISMS), settings().mechanism
    chosen = st.selectbox(
        "Mechanism",
        keys,
        keys.index(shown),
        format_func=lambda key: MECHANISMS[key].name,
        key=key_starting_at("mechanism", shown),
        width=width,
    )
    return follow_control("mechanism", shown, str(chosen))
