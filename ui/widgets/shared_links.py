"""Where a short address of the start page leads: to a page with its settings."""

from collections.abc import Mapping

import streamlit as st
from streamlit.navigation.page import Page

from ui.state.shared_address import leads_on, linked_page

UNKNOWN = (
    "This short address is no longer known: short addresses last until the server is started anew "
    "and newer ones take their place. This is the start page."
)
LOST = "short-address-lost"
"""Session key: whether the address that was opened is unknown."""


def follow_shared_link(chosen: Page, start: str, pages: Mapping[str, Page]) -> None:
    """Go where a short address leads; where it is unknown, say so and stay on the start page.

    Call it between the navigation and the page. Only built-in data are ever linked
    (``ui.state.shared_address``), and nothing of a link is trusted: each page checks its settings.

    Parameters
    ----------
    chosen
        The page that was asked for.
    start
        Name of the start page.
    pages
        Every page by its name.
    """
    if chosen is not pages[start]:
        st.session_state.pop(LOST, None)
        return
    query = st.query_params.to_dict()
    if leads_on(query):
        linked = linked_page(query)
        if linked is None or linked.page not in pages:
            st.session_state[LOST] = True
            st.query_params.clear()
        elif linked.page == start:
            st.query_params.from_dict(dict(linked.query))
        else:
            st.switch_page(pages[linked.page], query_params=linked.query)
    if st.session_state.get(LOST):
        st.info(UNKNOWN)
