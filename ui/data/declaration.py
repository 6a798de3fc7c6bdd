"""What the owner declares to be public, and what cannot be declared: it was read from the file."""

import streamlit as st

from ui.data.draft import Draft, Kind
from ui.data.kept_table import Taken, keyed, merged
from ui.data.number_format import format_said
from ui.text.numbers import escape_markdown

MOST_NAMED, TALL = 40, 180
OATH = (
    "The columns used and their kinds, all ranges and categories, R, the number of rows a person "
    "may have and how numbers are written are public knowledge, not read from this file"
)


def declare(draft: Draft, found: Taken) -> Draft:
    """Draw what is declared, the tick, and which entries it cannot cover."""
    lines = _lines(draft, found)
    with (
        st.expander("What you declare to be public"),
        st.container(height=TALL if len(draft.names) > MOST_NAMED else "content"),
    ):
        st.markdown("  \n".join(lines))
    ticked = st.checkbox(
        OATH,
        value=draft.oath,
        key=keyed("bounds_are_public"),
        help="A range read from the data gives its extremes away. Until you confirm that you would "
        "have written the same without the file, the result is called not private.",
    )
    draft = merged(oath=bool(ticked))
    if entries := draft.read_from_file:
        st.warning(
            "Not private: these entries were read from the file. Replace each by what you know "
            f"without it, from a codebook or the law: {_named(entries)}."
        )
    elif not draft.oath:
        st.caption(
            "Not private yet: the columns, their kinds and how numbers are written were proposed "
            "from the file, and count as read from it until you declare them."
        )
    return draft


def _lines(draft: Draft, found: Taken) -> list[str]:
    """Everything that the tick declares, a line each."""
    lines = [
        f"Numbers: {_all(draft.used_as(Kind.NUMBER))}",
        f"Categories: {_all(draft.used_as(Kind.CATEGORY))}",
        f"Left out: {_all(draft.left_out)}",
    ]
    if draft.person is not None:
        lines.append(f"ID column: {escape_markdown(draft.person)}")
    lines.append(f"R: {draft.radius or draft.default_radius:.4g}")
    if found.is_text:
        lines.append(
            f"How numbers are written: {escape_markdown(format_said(draft.number_format))}"
        )
    return lines


def _all(names: tuple[str, ...]) -> str:
    return ", ".join(map(escape_markdown, names)) or "none"


def _named(entries: tuple[str, ...]) -> str:
    more = f" and {len(entries) - MOST_NAMED:,} more" if len(entries) > MOST_NAMED else ""
    return ", ".join(map(escape_markdown, entries[:MOST_NAMED])) + more
