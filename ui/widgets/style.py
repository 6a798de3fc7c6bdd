"""The style sheets that pages share."""

from pathlib import Path

import streamlit as st

from ui.page.markup import palette_style

_SHEETS = Path(__file__).parent / "css"


def apply_app_style() -> None:
    """Apply the style of every page, and the colours of roles."""
    st.html(f"<style>{palette_style()}</style>")
    st.html(_SHEETS / "app.css")
    st.html(_SHEETS / "header.css")


def apply_page_style() -> None:
    """Apply the style of pages with a row of controls over charts."""
    st.html(_SHEETS / "page.css")


def apply_newcomer_style() -> None:
    """Apply the style of the line for newcomers."""
    st.html(_SHEETS / "newcomer.css")


def apply_papers_style() -> None:
    """Apply the style of the wall of printed figures and of a card."""
    apply_page_style()
    st.html(_SHEETS / "papers.css")
