"""How a page begins: under the entry point, with the settings of its address."""

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui.page.component import registered
from ui.page.present import read_present
from ui.state.session import ADDRESS_UNSURE, read_history, renew_controls
from ui.state.settings import Addressed
from ui.text.navigation import PAGE_TITLES
from ui.text.product import TITLE

PAGE, WINDOW = "page", "window"
"""Session keys: the page that was drawn last, and how it has named the window."""

_history = registered("dpca_history", "history/main.js")


def start_page(kind: type[Addressed] | None = None) -> None:
    """Begin a page with settings of its own ``kind``, where the browser has gone back or on."""
    st.session_state[ADDRESS_UNSURE] = True
    st.session_state.pop(WINDOW, None)
    returned = returned_by_history()
    read_present(returned=returned)
    with st.container(key="history"):
        _history(key="entries", data={})
    if returned:
        read_history(kind)
    # A page that was left in mid-change starts from the settings again.
    context = get_script_run_ctx()
    page = context.page_script_hash if context is not None else ""
    if st.session_state.setdefault(PAGE, page) != page:
        st.session_state[PAGE] = page
        renew_controls()


def name_window(page: str, part: str = "") -> None:
    """Name the browser's window by a page and the part of it that is shown, where that is new."""
    name = " · ".join(filter(None, (part, PAGE_TITLES[page], TITLE)))
    if st.session_state.get(WINDOW) != name:
        st.session_state[WINDOW] = name
        st.set_page_config(page_title=name)


def returned_by_history() -> bool:
    """Tell whether the browser's history has brought this address."""
    context = get_script_run_ctx()
    return context is not None and context.is_history_navigation
