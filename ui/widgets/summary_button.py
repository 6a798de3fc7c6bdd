"""The button that opens the one-page summary, and the mechanism that goes with it."""

import streamlit as st

from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import MECHANISMS
from ui.state.session import settings
from ui.text.product import SUMMARY_LABEL

SUMMARY_PAGE = "pages/summary.py"
SUMMARY_HELP = (
    "One page for a decision: what would be published, three settings side by side, and what is "
    "not promised. To print, to save, or to hand out."
)
MECHANISM = "summary.mechanism"
"""Session key: a mechanism with its own settings, which no address holds."""


def summary_button(mechanism: Mechanism) -> None:
    """Draw the button; the summary is of this mechanism, with its own settings."""
    if st.button(SUMMARY_LABEL, key="summary-open", help=SUMMARY_HELP, width="stretch"):
        st.session_state[MECHANISM] = mechanism
        st.switch_page(SUMMARY_PAGE)


def summary_mechanism() -> Mechanism:
    """Return the mechanism of the settings: as it was when the summary was asked for."""
    key = settings().mechanism
    kept = st.session_state.get(MECHANISM)
    return kept if isinstance(kept, Mechanism) and kept.key == key else MECHANISMS[key]
