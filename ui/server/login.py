"""Who may do anything at all, where a login is required (docs/deploy.md)."""

import os

import streamlit as st
from streamlit.runtime import Runtime


def login_required() -> bool:
    """Tell whether only people who have logged in may do anything."""
    return _login_configured() or os.environ.get("DPCA_LOGIN") == "1"


def require_login() -> None:
    """Stop at a login page where a login is required (docs/deploy.md); nobody gets on without."""
    if not login_required():
        return
    if not _login_configured():
        st.error("Login is required but not configured. Contact the operator.")
        st.stop()
    if not st.user.get("is_logged_in", False):
        st.title("dpca")
        st.button("Log in", on_click=st.login, type="primary")
        st.stop()


def _login_configured() -> bool:
    return st.secrets.load_if_toml_exists() and "auth" in st.secrets


def logged_in(session: str) -> bool:
    """Tell whether a session, by its id, is of somebody who has logged in."""
    found = Runtime.instance().get_app_session(session) if Runtime.exists() else None
    return found is not None and found._user_info.get("is_logged_in") is True
