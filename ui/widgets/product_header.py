"""The product's name, its purpose and the glossary, in the header of every page."""

from collections.abc import Sequence

import streamlit as st

from dpca_core.text.privacy_numbers import with_subscripts
from ui.page.present import present_button
from ui.text.glossary import TERMS
from ui.text.product import ABOUT, HELP_LABEL, PRODUCT_NAME, PURPOSE, WORDS_TITLE

_MARK = '[data-testid="stTopNav"] > :nth-child({place}) > button p {{ font-weight: 600; }}'


def show_product_header() -> None:
    """Draw name and purpose at the left of the header, and the glossary at its right.

    Call it after the page has run: it then comes last in the order of the Tab key, and a page
    waits for nothing. Its place is fixed (``static/app/header.css``), so that it moves no chart.
    """
    with st.container(key="product"):
        st.markdown(f"**{PRODUCT_NAME}** <span>{PURPOSE}</span>", unsafe_allow_html=True)
    with st.container(key="tools", horizontal=True, vertical_alignment="center", gap="small"):
        with st.popover(HELP_LABEL, key="product.help"):
            st.markdown(ABOUT)
            st.markdown(f"**{WORDS_TITLE}**")
            terms = "\n".join(f"- **{term.name}**: {term.sentence}" for term in TERMS.values())
            st.markdown(with_subscripts(terms), unsafe_allow_html=True)
        present_button()


def mark_menu(standing_alone: int, menus: Sequence[str], current: str) -> None:
    """Mark the menu that holds the page which is shown: Streamlit marks pages only.

    Parameters
    ----------
    standing_alone
        How many pages stand in the navigation before the first menu.
    menus
        Titles of the menus in their order.
    current
        Title of the menu that holds the page; one that is not among them marks nothing.
    """
    if current in menus:
        place = standing_alone + menus.index(current) + 1
        st.html(f"<style>{_MARK.format(place=place)}</style>")
