"""The notice that a page is not private: it shows the truth about its data."""

import streamlit as st

from dpca_core.data.dataset import Dataset
from ui.state import session_data


def show_not_private(data: Dataset) -> None:
    """Say once, visibly, that a page is not private, unless its data are public."""
    if not session_data.is_public(data):
        st.caption(
            "**This page is not private.** It measures against the true directions of the data so "
            "that you can choose. Publish only a release."
        )
