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
    """Draw a card for each set."""
    st.html(element("h2", escape(text.BUILT_IN_TITLE), class_="owner-second"))
    columns = st.columns(2)
    for place, source in enumerate(CATALOGUE.values()):
        with columns[place % 2], st.container(border=True, key=f"card-{source.key}"):
            _draw_card(source)


def _draw_card(source: Source) -> None:
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
        try:
            key = source.key_with(source.checked(values))
            session_data.get(key)
        except ValueError as error:
            st.error(str(error))
            return
        session_data.show_in_explore(key)
        st.switch_page(EXPLORE)
