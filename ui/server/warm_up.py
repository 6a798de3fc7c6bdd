"""What all sessions of one server share, made ready by the first of them."""

import streamlit as st
from streamlit import net_util

from ui.server.session_expiry import SESSIONS


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
    SESSIONS.start_checking()
