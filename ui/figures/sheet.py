"""A sheet of charts: what the generic chart component draws, as plain data."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from ui.figures.component import component_of
from ui.server.turns import GATE, heavy, moved, pause, said
from ui.server.worker_processes import told_here

_component = component_of(
    "dpca_sheet",
    ("dom", "theme", "mount", "labels", "axes", "curves", "downloads", "rows", "chart",
     "images", "pictures", "charts"),
    ("instrument", "charts"),
)  # fmt: skip


def draw_sheet(
    compose: Callable[[], dict[str, Any]],
    key: str,
    more: Callable[[], None] | None = None,
    asked: object = None,
    columns: int = 0,
) -> None:
    """Mount the component; a new content is drawn into the old one.

    Where the content says ``complete: False`` the component asks for more: then ``more`` is called
    before it is composed again, unless something else is ``asked`` by now: an answer comes first.
    Both in turn with everybody else's; ``columns`` of the data tell how long that may take.
    """

    def wish() -> None:
        st.session_state[f"{key}.more"] = True

    wished, before = st.session_state.pop(f"{key}.more", False), st.session_state.get(f"{key}.for")
    refined = wished and before == asked
    with told_here(), GATE.turn(urgent=not refined, heavy=heavy(columns)):
        if refined and more is not None:
            more()
        # Streamlit stops this run at the next element: nobody would see what is composed.
        content = st.session_state[f"{key}.drawn"] if refined and moved() else compose()
    st.session_state[f"{key}.for"] = asked
    complete = content.get("complete", True)
    content |= {"progress": said(complete, content.get("progress", "")), "pause": pause(complete)}
    st.session_state[f"{key}.drawn"] = content
    _component(key=key, data=content, on_more_change=wish)
