"""What a page needs that was opened without the entry point."""

import streamlit as st

from ui.state.query_params import ADDRESS_UNSURE


def ensure_navigation() -> None:
    """Run again under app.py where a page was opened without it.

    Until app.py has run once in a process, Streamlit treats a link to a page as a request to its
    legacy folder of pages and runs that file alone. The address is then not reliable.
    """
    from streamlit.runtime.pages_manager import PagesManager

    st.session_state[ADDRESS_UNSURE] = True

    if PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()
