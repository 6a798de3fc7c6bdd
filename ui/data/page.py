"""The page “Your data”: upload a table and say what is public about it, or take a built-in set."""

import streamlit as st

from dpca_core.data.dataset import Dataset
from dpca_core.data.errors import EncodingError, RecipeError
from dpca_core.data.recipe import Reading, Recipe
from dpca_core.preparation import prepare
from sample_data import CATALOGUE
from sample_data.source import Source
from ui.data.controls.declaration import declare
from ui.data.controls.number_format import choose_format
from ui.data.controls.recipe import choose_recipe
from ui.data.controls.row_lengths import show_row_lengths
from ui.data.controls.server_tables import choose_server_table, choose_source
from ui.data.controls.session_table import current_draft, current_table
from ui.data.controls.streaming import stop_streaming, stream_table
from ui.data.controls.unit_of_privacy import ask_for_person
from ui.data.controls.upload import UPLOADER, renew_uploader, upload_file
from ui.data.recipe_draft import RecipeDraft
from ui.data.source_table import SourceTable
from ui.data.text import DECIDE_FIRST, TOO_LARGE, UPLOAD, preview_title
from ui.state import session, session_data
from ui.state.settings import DEFAULT_DATA
from ui.text.numbers import escape_markdown

EXPLORE = "pages/explore.py"

PREVIEW_ROWS, PREVIEW_COLUMNS = 6, 50

KEPT_SETTINGS = (session.SETTINGS, session.PAGE_SETTINGS)
"""Session keys that stay when a table is forgotten."""


def draw_page() -> None:
    """Draw both tabs."""
    upload, built_in = st.tabs(["A table of your own", "Built-in data"])
    with upload:
        _draw_own_table()
    with built_in:
        columns = st.columns(2)
        for place, source in enumerate(CATALOGUE.values()):
            with columns[place % 2], st.container(border=True, key=f"card-{source.key}"):
                _draw_built_in(source)


def _draw_own_table() -> None:
    """Upload or choose a table, preview it, choose a recipe, declare what is public, use it."""
    if choose_source() == UPLOAD:
        upload_file()
    else:
        choose_server_table()
    source = current_table()
    if source is None:
        return
    _preview(source)
    ask_for_person(current_draft(), streamed=source.streamed)
    if source.is_text:
        source = choose_format(source)
        if source is None:
            return
    choose_recipe(source)
    draft = declare(current_draft(), source)
    recipe = draft.recipe(streamed=source.streamed)
    if not draft.person_is_undecided:
        show_row_lengths(source.table, recipe, streamed=source.streamed)
    if _data_set(source, draft, recipe) is not None:
        st.switch_page(EXPLORE)


def _preview(source: SourceTable) -> None:
    """Show the first rows, and how many there are."""
    table = source.table
    st.markdown(preview_title(source.name, *table.shape, streamed=source.streamed))
    st.dataframe(table.iloc[:PREVIEW_ROWS, :PREVIEW_COLUMNS], hide_index=True)
    if table.shape[1] > PREVIEW_COLUMNS:
        st.caption(f"The preview shows the first {PREVIEW_COLUMNS} columns.")


def _data_set(source: SourceTable, draft: RecipeDraft, recipe: Recipe) -> Dataset | None:
    """Draw the buttons; return the data set once, when it is there."""
    if source.path is not None:
        if draft.person_is_undecided:
            st.info(DECIDE_FIRST)
        elif draft.person is None:
            return stream_table(source.name, source.path, recipe, forget)
        return None
    with st.container(horizontal=True):
        clicked = st.button("Use these data", type="primary", key="use")
        st.button("Forget this file", key="forget", on_click=forget)
    if clicked and draft.person_is_undecided:
        st.error(DECIDE_FIRST)
    elif clicked:
        return _prepare(source, recipe)
    return None


def _prepare(source: SourceTable, recipe: Recipe) -> Dataset | None:
    """Prepare the data set and make it the session's; None after an error message."""
    try:
        data = prepare(source.upload, recipe, source.name, Reading.TOTAL)
        data.problem(1)
    except (RecipeError, EncodingError, ValueError) as error:
        st.error(escape_markdown(str(error)))
        return None
    except MemoryError:
        st.error(TOO_LARGE)
        return None
    session_data.add_upload(data)
    session_data.show_in_explore(data.key)
    return data


def forget() -> None:
    """Drop the table and all that was made of it in this session; the settings stay."""
    stop_streaming()
    kept = (*KEPT_SETTINGS, UPLOADER)
    for name in [str(name) for name in st.session_state if name not in kept]:
        del st.session_state[name]
    renew_uploader()
    session_data.show_in_explore(DEFAULT_DATA)


def _draw_built_in(source: Source) -> None:
    """Show one built-in set: what it is, its parameters, where it comes from."""
    st.markdown(f"**{source.name}**  \n{source.description}")
    values = {}
    with st.container(horizontal=True):
        clicked = st.button("Explore", key=f"explore-{source.key}")
        if source.parameters:
            with st.popover("Parameters"):
                for p in source.parameters:
                    kind = int if isinstance(p.default, int) else float
                    low, high, start = kind(p.low), kind(p.high), kind(p.default)
                    name = f"{source.key}.{p.name}"
                    values[p.name] = st.number_input(p.label, low, high, start, key=name)
    st.caption(f"{source.origin}. Licence: {source.licence}.")
    if clicked:
        key = source.key_with(source.checked(values))
        try:
            session_data.get(key)
        except ValueError as error:
            st.error(str(error))
            return
        session_data.show_in_explore(key)
        st.switch_page(EXPLORE)
