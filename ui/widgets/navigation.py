"""How a page begins: under the entry point, with the settings of its address."""

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui.page.component import registered
from ui.page.present import read_present
from ui.state.query_params import ADDRESS_UNSURE
from ui.state.session import Addressed, read_history
from ui.state.widget_keys import renew_controls

PAGE = "page"
"""Session key: the page that was drawn last."""

_history = registered("dpca_history", "history/main.js")


def start_page(kind: type[Addressed] | None = None) -> None:
    """Begin a page: under app.py, with the settings that the browser's history has returned to.

    Until app.py has run once in a process, Streamlit treats a link to a page as a request to its
    legacy folder of pages and runs that file alone. The address is then not reliable.

    Parameters
    ----------
    kind
        Class of the page's own settings.
    """
    from streamlit.runtime.pages_manager import PagesManager

    st.session_state[ADDRESS_UNSURE] = True
    read_present()

    if PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()

    with st.container(key="history"):
        _history(key="entries", data={})
    context = get_script_run_ctx()
    if context is None:
        return
    if context.is_history_navigation:
        read_history(kind)
    # A page that was left in mid-change starts from the settings again.
    if st.session_state.setdefault(PAGE, context.page_script_hash) != context.page_script_hash:
        st.session_state[PAGE] = context.page_script_hash
        renew_controls()


def returned_by_history() -> bool:
    """Tell whether the browser's history has brought this address."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation
