"""What all sessions of one server share, prepared by the first of them."""

import streamlit as st
from streamlit import net_util

from ui.server.sessions import SESSIONS
from ui.server.streamlit_fixes import repair_streamlit


@st.cache_resource(show_spinner=False)
def warm_up() -> None:
    """Import the core once per process, put requests in order, and look for ended sessions.

    Nothing private belongs here: a resource outlives the session that made it. For the same reason
    nothing is excluded from garbage collection: what the first session holds would never be freed.
    """
    import scipy.stats  # noqa: F401

    import dpca_core  # noqa: F401
    from dpca_core.version import commit

    # Certificates name the commit that runs, not what is checked out by then.
    commit()
    # Streamlit would ask a web service for the server's address when a foreign page connects.
    net_util._external_ip = "127.0.0.1"
    repair_streamlit()
    SESSIONS.start_checking()
