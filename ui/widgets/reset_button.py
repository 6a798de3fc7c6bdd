"""The button that returns a page's settings to their defaults."""

import streamlit as st

from ui.state import session


def reset_button(kind: type[session.Addressed] | None = None) -> None:
    """Draw the button; ``kind``: the class of the page's own settings, if it has any."""
    st.button(
        "Reset",
        key="reset",
        on_click=session.reset,
        args=(kind,),
        help="Returns every setting to its default, on all pages. The data set stays.",
    )
