"""Step 2, *Columns*: the table in which columns get ranges and values, and what is beside it."""

from html import escape
from pathlib import Path

import streamlit as st

from dpca_core.analysis.recommendation import released_noise, visible_gap
from dpca_core.data.recipe import Source
from dpca_core.text.privacy_numbers import epsilon_text
from ui.owner import columns_table, how_read, session, step_codebook
from ui.owner import text_columns as text
from ui.owner.column import PUBLIC, Use
from ui.owner.decide_answers import Card, answers_of
from ui.owner.draft import Draft
from ui.owner.edits import merge
from ui.owner.fill_from_file import fill_from_file, has_empty_cells
from ui.owner.kept_draft import restored
from ui.page.component import registered
from ui.page.content import packed
from ui.page.markup import element, sentence
from ui.text.numbers import count, significant

STYLE = Path(__file__).parent / "columns.css"
TABLE = "columns-table"
"""Key of the component."""
PREVIEW_PEOPLE, PREVIEW_DIRECTIONS = 1000.0, 2
"""Of the preview: people until the owner gives a number, and k."""

_component = registered("dpca_owner", "owner/main.js", columns_table.skeleton())


def headline() -> tuple[str, str]:
    """Return the step's headline and the sentence below it, with ``**`` and ``[[…]]`` marks."""
    return columns_table.headline(session.current().draft), text.LEAD


def draw() -> None:
    """Draw the step."""
    st.html(STYLE)
    how_read.follow_answers()
    with st.container(key="columns-page"):
        left, right = st.columns([3.25, 1], gap="medium")
    with left, st.container(key="columns-main"):
        _draw_toolbar()
        how_read.draw_noticed()
        _draw_table()
        how_read.draw_format()
    with right:
        _draw_side()


def _draw_toolbar() -> None:
    with st.container(horizontal=True, key="columns-toolbar", gap="small"):
        step_codebook.draw()
        st.button(
            text.FILL,
            key="fill-from-file",
            on_click=_fill,
            disabled=not has_empty_cells(session.current().draft),
            help=text.FILL_HELP,
        )
    with st.container(key="columns-opened"):
        step_codebook.draw_below()


def _draw_table() -> None:
    owner = session.current()
    labels = owner.source.labels if owner.source is not None else {}
    content = columns_table.table_content(owner.draft, owner.columns, owner.merged, labels)
    _component(
        key=TABLE,
        data=packed(content),
        on_edits_change=merge_edits,
        on_decide_change=_decide,
        on_restore_change=_restore,
    )


def _draw_side() -> None:
    draft = session.current().draft
    with st.container(key="columns-side-who"):
        st.html(_part(text.WHO_TITLE, text.protected(draft.who)))
        st.button(text.CHANGE, key="change-who", on_click=session.open_step, args=("who",))
    if said := sources(draft):
        with st.container(key="columns-side-sources"):
            st.html(said)
    with st.container(key="columns-side-preview"):
        st.html(preview(draft))
    with st.container(key="columns-side-kept"):
        st.html(_part(text.KEPT_TITLE, text.KEPT))


def merge_edits() -> None:
    """Take what was typed; where it is merged already, nothing changes.

    It is called when the browser's message arrives, and again before the step is drawn: a run that
    Streamlit ends in the first call is not called for the same message again.
    """
    owner, message = session.current(), getattr(st.session_state.get(TABLE), "edits", None)
    draft, merged = merge(owner.draft, owner.merged, message)
    if merged is not owner.merged:
        session.update(draft=draft, merged=merged)


def _restore() -> None:
    """Take what the browser's tab kept before a reload."""
    owner, message = session.current(), getattr(st.session_state.get(TABLE), "restore", None)
    session.update(draft=restored(owner.draft, message))


def _decide() -> None:
    """Go on where nothing is missing any more."""
    if not session.current().draft.missing_answers():
        session.open_step("decide")


def _fill() -> None:
    owner = session.current()
    if owner.source is not None:
        session.update(draft=fill_from_file(owner.draft, owner.source.table))


def sources(draft: Draft) -> str:
    """Return what keeps the result from being private, or that nothing does, with its title.

    Where nothing was typed or noticed yet it is "".
    """
    items, lines = [], columns_table.private_lines(draft)
    if not lines:
        return ""
    for source, subject, why in lines:
        dot = element("i", class_=f"columns-dot is-{_dot(source)}", aria_hidden="true")
        said = element("span", element("b", escape(subject)), ": ", escape(why))
        items.append(element("li", dot, said))
    heading = text.PUBLIC_TITLE if all(s in PUBLIC for s, _, _ in lines) else text.PRIVATE_TITLE
    return _title(heading) + element("ul", *items, class_="columns-sources")


def preview(draft: Draft) -> str:
    """Return what to expect of the choices alone, with its title; nothing here knows the table."""
    answers = answers_of(draft)
    people = answers.people or PREVIEW_PEOPLE
    budget = answers.budgets.get(answers.chosen or Card.MIDDLE)
    columns = draft.width
    if budget is None or columns <= PREVIEW_DIRECTIONS:
        return _part(text.EXPECT_TITLE, text.PREVIEW_LATER)
    noise = released_noise(columns, budget)
    gap = visible_gap(noise, columns, PREVIEW_DIRECTIONS)
    lines = (
        (text.PREVIEW_COLUMNS, count(columns)),
        (text.PREVIEW_NOISE, text.of_people(significant(noise))),
        (text.PREVIEW_GAP, text.of_people(significant(gap))),
        (text.PREVIEW_CENTRE, _centre(draft)),
    )
    pairs = [
        element("div", element("dt", escape(label)), element("dd", escape(value)))
        for label, value in lines
    ]
    assumed = text.assumed(epsilon_text(budget.epsilon), count(people))
    return _part(text.EXPECT_TITLE, assumed) + element("dl", *pairs, class_="columns-preview")


def _title(words: str) -> str:
    return element("h2", sentence(words))


def _part(title: str, words: str) -> str:
    """Return a part's title with a sentence below it."""
    return _title(title) + element("p", escape(words))


def _dot(source: Source) -> str:
    """Return how a source's dot is filled."""
    if source is Source.FILE:
        return "filled"
    return "hollow" if source in PUBLIC else "half"


def _centre(draft: Draft) -> str:
    """Say what becomes 0."""
    typical = [not c["typical"].empty for c in draft.used if c.use is Use.NUMBER]
    if all(typical):
        return text.TYPICAL
    return text.TYPICAL_AND_MIDDLES if any(typical) else text.MIDDLES
