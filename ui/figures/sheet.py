"""A sheet of charts: what the generic chart component draws, as plain data."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from ui.figures.component import component_of
from ui.server.scheduler import (
    PAGE_SCHEDULER,
    busy_message,
    is_heavy,
    refinement_delay,
    superseded,
)
from ui.server.worker_pool import progress_notice

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
    with progress_notice(), PAGE_SCHEDULER.turn(urgent=not refined, heavy=is_heavy(columns)):
        if refined and more is not None:
            more()
        # Streamlit stops this run at the next element: nobody would see what is composed.
        content = st.session_state[f"{key}.drawn"] if refined and superseded() else compose()
    st.session_state[f"{key}.for"] = asked
    complete = content.get("complete", True)
    content |= {
        "progress": busy_message(complete, content.get("progress", "")),
        "pause": refinement_delay(complete),
    }
    st.session_state[f"{key}.drawn"] = content
    _component(key=key, data=content, on_more_change=wish)
