"""Your data: upload a table and say what is public about it, or take a built-in set."""

import streamlit as st

from sample_data import CATALOGUE
from sample_data.source import Source
from ui import session
from ui.prepare import choose_recipe, forget, preview, take_file, use

EXPLORE = "pages/explore.py"


def own() -> None:
    """Upload, preview, choose, use."""
    st.subheader("A table of your own")
    take_file()
    if "table" not in st.session_state:
        return
    name, table, roles = st.session_state["table"]
    preview(name, table)
    recipe = choose_recipe(table, roles)
    if not recipe.bounds_are_public:
        st.caption(
            "Until you confirm that, the pages call the result not private: a range read from the "
            "data gives its extremes away."
        )
    using, dropping, _ = st.columns((1, 1, 3))
    with using:
        wanted = st.button("Use these data", type="primary", key="use")
    with dropping:
        if st.button("Forget this file", key="forget"):
            forget()
            st.rerun()
    if wanted and use(name, table, recipe):
        st.switch_page(EXPLORE)


def built_in(source: Source) -> None:
    """Show one built-in set: what it is, its parameters, where it comes from."""
    st.markdown(f"**{source.name}**")
    st.markdown(source.description)
    values = {}
    if source.parameters:
        with st.popover("Parameters"):
            for p in source.parameters:
                kind = int if isinstance(p.default, int) else float
                low, high, start = kind(p.low), kind(p.high), kind(p.default)
                name = f"{source.key}.{p.name}"
                values[p.name] = st.number_input(p.label, low, high, start, key=name)
    st.caption(f"{source.origin}. Licence: {source.licence}.")
    if st.button("Explore", key=f"explore-{source.key}"):
        key = source.key_with(source.checked(values))
        try:
            session.dataset(key)
        except ValueError as error:
            st.error(str(error))
            return
        session.explore(key)
        st.switch_page(EXPLORE)


left, right = st.columns((3, 2), gap="large")
with left:
    own()
with right:
    st.subheader("Built in")
    for place, entry in enumerate(CATALOGUE.values()):
        if place:
            st.divider()
        built_in(entry)
