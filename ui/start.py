"""What all sessions of one server share, made ready by the first of them."""

import streamlit as st
from streamlit import net_util

from ui.link import UNSURE
from ui.visits import VISITS


def under_navigation() -> None:
    """Run again under app.py where a page was opened without it.

    Until app.py has run once in a process, Streamlit takes a link to a page for a request to its
    older folder of pages and runs that file alone. What the address says then is unsure.
    """
    from streamlit.runtime.pages_manager import PagesManager

    st.session_state[UNSURE] = True

    if PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()


@st.cache_resource(show_spinner=False)
def warm_up() -> None:
    """Import the core once per process, and begin to look for sessions that have left.

    Nothing private belongs here: a resource outlives the session that made it. For the same reason
    nothing is taken out of garbage collection: what the first session keeps would stay for ever.
    """
    import scipy.stats  # noqa: F401

    import dpca_core  # noqa: F401

    # Streamlit would ask a web service for it whenever a foreign page knocks.
    net_util._external_ip = "127.0.0.1"
    VISITS.watch()
