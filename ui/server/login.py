"""Who may come in: anybody, unless the operator wants a login."""

import os

import streamlit as st


def login_required() -> bool:
    """Tell whether only people who have logged in may do anything."""
    return login_configured() or os.environ.get("DPCA_LOGIN") == "1"


def login_configured() -> bool:
    """Tell whether secrets.toml says how to log in."""
    return st.secrets.load_if_toml_exists() and "auth" in st.secrets


def require_login() -> None:
    """Stop at a login where one is wanted: docs/deploy.md says how.

    It is wanted where secrets.toml has a section ``[auth]`` or the environment says
    ``DPCA_LOGIN=1``. With the second nobody comes in while the first is missing or broken.
    """
    if not login_required():
        return
    if not login_configured():
        st.error("This server wants a login and none is set up: its operator has to write one.")
        st.stop()
    if not st.user.get("is_logged_in", False):
        st.title("dpca")
        st.button("Log in", on_click=st.login, type="primary")
        st.stop()
