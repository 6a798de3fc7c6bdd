"""The style sheets that pages share."""

from pathlib import Path

import streamlit as st

from ui.page.markup import palette_style
from ui.server.static_files import SHEETS, STATIC, versioned

_SHEETS = Path(__file__).parent / "css"


def apply_app_style() -> None:
    """Apply the colours of roles, and the style of every page if the server does not link it."""
    st.html(f"<style>{palette_style()}</style>")
    for name in () if versioned() else SHEETS:
        st.html(STATIC / name)


def apply_newcomer_style() -> None:
    """Apply the style of the line for newcomers."""
    st.html(_SHEETS / "newcomer.css")
