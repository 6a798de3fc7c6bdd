"""The built-in data sets: what each is, its parameters, where it comes from."""

from html import escape

import streamlit as st

from sample_data import CATALOGUE
from sample_data.source import Source
from ui.owner import text_table as text
from ui.page.markup import element
from ui.state import session_data

EXPLORE = "pages/explore.py"


def draw_built_in() -> None:
    """Draw a line for each set."""
    st.html(element("h2", escape(text.BUILT_IN_TITLE), class_="owner-second"))
    with st.container(key="built-in", gap=None):
        for source in CATALOGUE.values():
            with st.container(key=f"card-{source.key}"):
                _draw_line(source)


def _draw_line(source: Source) -> None:
    name, about, ways = st.columns([2, 6, 2.4], vertical_alignment="center")
    name.markdown(f"**{source.name}**")
    about.markdown(f"{source.description}  \n:small[{source.origin}. Licence: {source.licence}.]")
    values = {}
    with ways, st.container(horizontal=True, horizontal_alignment="right", gap="small"):
        if source.parameters:
            with st.popover("Parameters"):
                for p in source.parameters:
                    kind = int if isinstance(p.default, int) else float
                    low, high, start = kind(p.low), kind(p.high), kind(p.default)
                    key = f"{source.key}.{p.name}"
                    values[p.name] = st.number_input(p.label, low, high, start, key=key)
        clicked = st.button("Explore", key=f"explore-{source.key}")
    if clicked:
        try:
            key = source.key_with(source.checked(values))
            session_data.get(key)
        except ValueError as error:
            st.error(str(error))
            return
        session_data.show_in_explore(key)
        st.switch_page(EXPLORE)
