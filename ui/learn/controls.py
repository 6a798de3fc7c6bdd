"""The controls above the handout: what is printed, and the way back."""

from dataclasses import replace

import streamlit as st

from ui.learn import handout_text as text
from ui.learn.query import LearnSettings
from ui.state import session
from ui.state.widget_keys import widget_key


def draw_handout_bar(now: LearnSettings) -> LearnSettings:
    """Draw what can be chosen about the handout; return the settings as they are then."""
    with st.container(key="handout-bar", horizontal=True, vertical_alignment="center"):
        if st.button(text.BACK, key="handout.back", type="tertiary"):
            session.change_page_settings(LearnSettings())
            st.rerun()
        chosen = {
            name: st.checkbox(label, getattr(now, name), key=widget_key(f"handout.{name}"))
            for name, label in text.PARTS.items()
        }
        st.caption(text.HOW_TO_PRINT)
    return replace(now, answers=chosen["answers"], cards=chosen["cards"], notes=chosen["notes"])
