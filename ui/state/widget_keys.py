"""Keys of controls: a new key makes the browser draw a control anew, at its setting.

A control starts at its setting and then keeps what its visitor may just be changing. Its state is
never set from here: a browser that skips the one run that sets it would send the old value back,
and undo the change.
"""

from typing import Any

import streamlit as st

RENEWALS, ALL = "control-renewals", ""
"""Session key: how often each control was renewed, and all of them under ``ALL``."""
STOOD = "control-stood"
"""Session key: where each control of a shared setting stood last."""


def widget_key(name: str) -> str:
    """Return a control's key: its name, followed by a number once it has been renewed."""
    renewals: dict[str, int] = st.session_state.get(RENEWALS, {})
    number = renewals.get(ALL, 0) + renewals.get(name, 0)
    return f"{name}-{number}" if number else name


def renew_controls(*names: str) -> None:
    """Draw these controls anew from their settings; without names, all controls."""
    renewals: dict[str, int] = st.session_state.get(RENEWALS, {})
    more = {name: renewals.get(name, 0) + 1 for name in names or (ALL,)}
    st.session_state[RENEWALS] = renewals | more


def key_starting_at(name: str, shown: Any) -> str:
    """Return a control's key, a new one where its setting was changed otherwise than by itself."""
    stood = all_positions()
    if stood.get(name, shown) != shown:
        renew_controls(name)
    stood[name] = shown
    return widget_key(name)


def note_position(name: str, chosen: Any) -> None:
    """Remember where a control stands."""
    all_positions()[name] = chosen


def all_positions() -> dict[str, Any]:
    """Return where each control stood last, to be changed in place."""
    stood: dict[str, Any] = st.session_state.setdefault(STOOD, {})
    return stood
