"""The old address of Results, which is the last section of Papers now."""

import streamlit as st

from ui.papers.query import PapersSettings
from ui.state import session
from ui.widgets.navigation import start_page

start_page(PapersSettings)
session.page_settings(PapersSettings)
st.switch_page("pages/_papers.py")
