"""Who may use the server: everybody, unless the operator requires a login."""

import os

import streamlit as st

NOT_CONFIGURED = "Login is required but not configured. Contact the operator."


def login_required() -> bool:
    """Tell whether only people who have logged in may do anything."""
    return login_configured() or os.environ.get("DPCA_LOGIN") == "1"


def login_configured() -> bool:
    """Tell whether secrets.toml says how to log in."""
    return st.secrets.load_if_toml_exists() and "auth" in st.secrets


def require_login() -> None:
    """Stop at a login page where a login is required: docs/deploy.md says how to configure it.

    A login is required where secrets.toml has a section ``[auth]`` or the environment says
    ``DPCA_LOGIN=1``. The latter rejects every user until the ``[auth]`` section is valid.
    """
    if not login_required():
        return
    if not login_configured():
        st.error(NOT_CONFIGURED)
        st.stop()
    if not st.user.get("is_logged_in", False):
        st.title("dpca")
        st.button("Log in", on_click=st.login, type="primary")
        st.stop()
