"""Your data: upload a table and say what is public about it, or take a built-in set."""

import streamlit as st

from sample_data import CATALOGUE
from sample_data.source import Source
from ui.data import streaming_job
from ui.data.declaration import declare
from ui.data.kept_table import current, taken
from ui.data.number_format import choose_format
from ui.data.row_lengths import draw_lengths
from ui.data.server_tables import UPLOAD, choose_source, choose_table
from ui.data.unit_of_privacy import OPEN, ask
from ui.data.upload import choose_recipe, forget, preview, take_file, use
from ui.state import session_data
from ui.widgets.navigation import ensure_navigation

EXPLORE = "pages/explore.py"


def own() -> None:
    """Upload or choose, preview, say whose the rows are, choose, declare, use."""
    if choose_source() == UPLOAD:
        take_file()
    else:
        choose_table()
    found = taken()
    if found is None:
        return
    preview(found)
    ask(current(), streamed=found.streamed)
    if found.is_text:
        found = choose_format(found)
        if found is None:
            return
    choose_recipe(found)
    draft = declare(current(), found)
    recipe = draft.recipe(streamed=found.streamed)
    if not draft.whose_is_open:
        draw_lengths(found.table, recipe, streamed=found.streamed)
    used: object = None
    if found.path is not None:
        if draft.whose_is_open:
            st.info(OPEN)
        elif draft.person is None:
            used = streaming_job.draw(found.name, found.path, recipe, forget)
    else:
        with st.container(horizontal=True):
            wanted = st.button("Use these data", type="primary", key="use")
            st.button("Forget this file", key="forget", on_click=forget)
        if wanted and draft.whose_is_open:
            st.error(OPEN)
        elif wanted:
            used = use(found, recipe)
    if used:
        st.switch_page(EXPLORE)


def built_in(source: Source) -> None:
    """Show one built-in set: what it is, its parameters, where it comes from."""
    st.markdown(f"**{source.name}**  \n{source.description}")
    values = {}
    with st.container(horizontal=True):
        wanted = st.button("Explore", key=f"explore-{source.key}")
        if source.parameters:
            with st.popover("Parameters"):
                for p in source.parameters:
                    kind = int if isinstance(p.default, int) else float
                    low, high, start = kind(p.low), kind(p.high), kind(p.default)
                    name = f"{source.key}.{p.name}"
                    values[p.name] = st.number_input(p.label, low, high, start, key=name)
    st.caption(f"{source.origin}. Licence: {source.licence}.")
    if wanted:
        key = source.key_with(source.checked(values))
        try:
            session_data.get(key)
        except ValueError as error:
            st.error(str(error))
            return
        session_data.show_in_explore(key)
        st.switch_page(EXPLORE)


ensure_navigation()
upload, catalogue = st.tabs(["A table of your own", "Built-in data"])
with upload:
    own()
with catalogue:
    columns = st.columns(2)
    for place, entry in enumerate(CATALOGUE.values()):
        with columns[place % 2], st.container(border=True, key=f"card-{entry.key}"):
            built_in(entry)
