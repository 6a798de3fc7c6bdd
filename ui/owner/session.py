"""What a session keeps of the owner's way: the draft, the table and what was noticed in it."""

from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from dpca_core.detection.column_proposal import ColumnProposal
from dpca_core.detection.people import PersonProposal
from ui.owner.draft import Draft
from ui.owner.source_table import SourceTable

OWNER, STEP, CHOOSING, ROWS = "owner", "owner.step", "owner.choosing", "owner.rows-shown"
"""Session keys."""


@dataclass(frozen=True)
class Owner:
    """All that the steps know.

    Attributes
    ----------
    draft
        What the owner said; controls are views of it.
    source
        The table as read for preview and proposals; None before there is one.
    person, columns
        What was noticed in the table: for its owner's eyes only.
    """

    draft: Draft = field(default_factory=Draft)
    source: SourceTable | None = None
    person: PersonProposal = field(default_factory=PersonProposal)
    columns: tuple[ColumnProposal, ...] = ()


def current() -> Owner:
    """Return what this session knows."""
    found = st.session_state.get(OWNER)
    return found if isinstance(found, Owner) else Owner()


def update(**changes: Any) -> Owner:
    """Change fields of it."""
    owner = replace(current(), **changes)
    st.session_state[OWNER] = owner
    return owner


def asked_step() -> str:
    """Return the step that was last asked for; "" for none."""
    return str(st.session_state.get(STEP, ""))


def open_step(step: str) -> None:
    """Ask for a step: it is shown where it is open."""
    st.session_state[STEP] = str(step)


def is_choosing() -> bool:
    """Tell whether another table is being chosen while there is one."""
    return bool(st.session_state.get(CHOOSING))


def choose_another(begin: bool) -> None:
    """Begin to choose another table, or keep the one there is."""
    st.session_state[CHOOSING] = begin


def rows_are_shown() -> bool:
    """Tell whether the table's first rows are on the screen."""
    return bool(st.session_state.get(ROWS))


def show_rows(show: bool) -> None:
    """Show or hide the first rows; from the first time on all columns' values were seen."""
    st.session_state[ROWS] = show
    if show:
        draft = current().draft
        seen = [draft.column(name).edited("seen", "") for name in draft.header]
        update(draft=draft.with_columns(seen))
