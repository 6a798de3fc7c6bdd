"""Who may come in: anybody, unless the operator wants a login."""

import os

import streamlit as st


def ask_in() -> None:
    """Stop at a login where one is wanted: docs/deploy.md says how.

    It is wanted where secrets.toml has a section ``[auth]`` or the environment says
    ``DPCA_LOGIN=1``. With the second nobody comes in while the first is missing or broken.
    """
    known = st.secrets.load_if_toml_exists() and "auth" in st.secrets
    if not known and os.environ.get("DPCA_LOGIN") != "1":
        return
    if not known:
        st.error("This server wants a login and none is set up: its operator has to write one.")
        st.stop()
    if not st.user.get("is_logged_in", False):
        st.title("dpca")
        st.button("Log in", on_click=st.login, type="primary")
        st.stop()
