"""The product's name, its purpose and the glossary, in the header of every page."""

import streamlit as st

from ui.text.glossary import TERMS
from ui.text.product import ABOUT, HELP_LABEL, PRODUCT_NAME, PURPOSE, WORDS_TITLE


def show_product_header() -> None:
    """Draw name, purpose and help into the empty half of the header.

    Call it after the page has run: it then comes last in the order of the Tab key, and a page
    waits for nothing. Its place is fixed (``css/app.css``), so that it moves no chart.
    """
    with st.container(key="product", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{PRODUCT_NAME}** <span>{PURPOSE}</span>", unsafe_allow_html=True)
        with st.popover(HELP_LABEL, key="product.help"):
            st.markdown(ABOUT)
            st.markdown(f"**{WORDS_TITLE}**")
            st.markdown("\n".join(f"- **{term.name}**: {term.sentence}" for term in TERMS.values()))
