"""The decision of this session: what a release would take, and the table it would read."""

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from dpca_core.data.handover import Handover
from dpca_core.tables.files import Upload

DECISION = "decision"
"""Session key."""


@dataclass(frozen=True)
class Decision:
    """What was decided about one table.

    Attributes
    ----------
    handover
        Public choices alone.
    table
        Where the table's rows are read again: the whole file as it was uploaded, or the path of a
        file or a folder on this server. Its name is private; it is never published.
    """

    handover: Handover
    table: Upload | Path


def decided() -> Decision | None:
    """Return the decision of this session; None while there is none."""
    found = st.session_state.get(DECISION)
    return found if isinstance(found, Decision) else None


def keep_decision(decision: Decision | None) -> None:
    """Keep the decision in place of the last one; None forgets it."""
    if decision is None:
        st.session_state.pop(DECISION, None)
    else:
        st.session_state[DECISION] = decision
