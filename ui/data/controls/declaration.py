"""The declaration of what is public, and what it cannot cover: values read from the file."""

import streamlit as st

from ui.data.controls.session_table import update_draft, widget_key
from ui.data.recipe_draft import ColumnKind, RecipeDraft
from ui.data.source_table import SourceTable
from ui.data.text import (
    DECLARATION,
    DECLARATION_HELP,
    NOT_DECLARED,
    number_format_text,
    read_from_file,
)
from ui.text.numbers import escape_markdown

MANY_COLUMNS = 40
"""Columns above which the declared entries scroll."""

SCROLLED_HEIGHT = 180


def declare(draft: RecipeDraft, source: SourceTable) -> RecipeDraft:
    """Draw what is declared, the checkbox, and which entries it cannot cover."""
    scrolled = len(draft.names) > MANY_COLUMNS
    with (
        st.expander("What you declare to be public"),
        st.container(height=SCROLLED_HEIGHT if scrolled else "content"),
    ):
        st.markdown("  \n".join(_declared(draft, source)))
    ticked = st.checkbox(
        DECLARATION,
        value=draft.declared_public,
        key=widget_key("bounds_are_public"),
        help=DECLARATION_HELP,
    )
    draft = update_draft(declared_public=bool(ticked))
    if entries := draft.read_from_file:
        st.warning(read_from_file(entries))
    elif not draft.declared_public:
        st.caption(NOT_DECLARED)
    return draft


def _declared(draft: RecipeDraft, source: SourceTable) -> list[str]:
    """Return everything that the checkbox declares, a line each."""
    lines = [
        f"Numbers: {_names(draft.used_as(ColumnKind.NUMBER))}",
        f"Categories: {_names(draft.used_as(ColumnKind.CATEGORY))}",
        f"Left out: {_names(draft.left_out)}",
    ]
    if draft.person is not None:
        lines.append(f"ID column: {escape_markdown(draft.person)}")
    lines.append(f"R: {draft.radius or draft.default_radius:.4g}")
    if source.is_text:
        text = number_format_text(draft.number_format)
        lines.append(f"How numbers are written: {escape_markdown(text)}")
    return lines


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(map(escape_markdown, names)) or "none"
