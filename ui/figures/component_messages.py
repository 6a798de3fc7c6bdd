"""Messages from a component in the browser, validated: a browser can send anything."""

from math import isfinite
from typing import Any

import streamlit as st

MOST_LETTERS = 200
"""Longest text that one of our components sends: an identity, a key, a word."""


def last_message(component: str, name: str) -> dict[str, Any]:
    """Return the last message of a mounted component by this name; {} where there is none."""
    found = getattr(st.session_state.get(component), name, None)
    return found if isinstance(found, dict) else {}


def time_of_last(component: str, name: str) -> float:
    """Return when the browser sent its last message by this name, in its own milliseconds; or 0."""
    return finite_number(last_message(component, name).get("at")) or 0.0


def finite_number(value: object) -> float | None:
    """Return a finite number; None for anything else, such as 10**400, NaN or True."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if isfinite(found) else None


def short_text(value: object) -> str | None:
    """Return a short text; None for anything else."""
    return value if isinstance(value, str) and len(value) <= MOST_LETTERS else None
