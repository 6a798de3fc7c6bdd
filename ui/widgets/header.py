"""The colours of every page, and its header: the product's name, its purpose and the glossary."""

import streamlit as st

from dpca_core.text.glossary import TERMS
from dpca_core.text.privacy_numbers import with_subscripts
from ui.page.markup import palette_style
from ui.page.present import present_button
from ui.text.product import ABOUT, HELP_LABEL, PRODUCT_NAME, PURPOSE

_COLOURS = palette_style()
_MARK = '[data-testid="stTopNav"] > :nth-child({place}) > button p {{ font-weight: 600; }}'
_TERMS = with_subscripts("\n".join(f"- **{t.name}**: {t.sentence}" for t in TERMS.values()))


def apply_colours(menu: int | None = None) -> None:
    """Apply the colours of roles; mark a menu by its place from 1: Streamlit marks pages only."""
    mark = "" if menu is None else _MARK.format(place=menu)
    st.html(f"<style>{_COLOURS}{mark}</style>")


def show_header() -> None:
    """Draw name and purpose at the left of the header, and the glossary at its right.

    Call it after the page has run: it then comes last in the order of the Tab key, and a page
    waits for nothing. Its place is fixed (``static/app/header.css``), so that it moves no chart.
    """
    with st.container(key="product"):
        st.markdown(f"**{PRODUCT_NAME}** <span>{PURPOSE}</span>", unsafe_allow_html=True)
    with st.container(key="tools", horizontal=True, vertical_alignment="center", gap="small"):
        with st.popover(HELP_LABEL, key="product.help"):
            st.markdown(ABOUT)
            st.markdown("**Words**")
            st.markdown(_TERMS, unsafe_allow_html=True)
        present_button()
