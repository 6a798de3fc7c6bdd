"""The components that draw in the browser: each mounts a module of ``static/`` with its content."""

import json
from collections.abc import Callable
from typing import Any

import streamlit as st

from dpca_core.figures.colours import BAND_OPACITY, palette
from dpca_core.figures.config import CONFIG
from ui.figures.component_messages import last_message
from ui.figures.downloads import Outbox
from ui.figures.packed_content import encode
from ui.figures.saved_figure import FigureOf, figure_file, figure_requests
from ui.server import static_files

_DRAW = """\
const palette = {palette};
const skeleton = {skeleton};
export default (sent) => draw(sent, palette, skeleton);
"""
WITH_FIGURES = ("chart_grid", "compare", "explore")
"""Folders whose pages draw with Plotly."""


def mount_script(folder: str, skeleton: str = "") -> str:
    """Return the script that imports a folder's ``main.js``, and draws with what it exports.

    Parameters
    ----------
    folder
        A folder of ``static/``.
    skeleton
        Markup that the page fills.
    """
    early = "page/plotly.js" if folder in WITH_FIGURES else ""
    drawn = _DRAW.format(palette=_palette(), skeleton=json.dumps(skeleton))
    return static_files.import_script(f"{folder}/main.js", early) + drawn


def _palette() -> str:
    """Return colours of roles, opacity of bands and Plotly's settings."""
    found = {"colours": palette(), "opacity": BAND_OPACITY, "config": CONFIG}
    return json.dumps(found, separators=(",", ":"))


def outbox(key: str) -> Outbox:
    """Return the files on their way to the component that a session mounts by a key."""
    found: Outbox = st.session_state.setdefault(f"{key}.outbox", Outbox())
    return found


def component_of(
    name: str,
    folder: str,
    skeleton: str = "",
    figure_of: FigureOf | None = None,
    sent: Callable[[dict[str, Any]], dict[str, Any]] = dict,
) -> Any:
    """Register the component that a folder of ``static/`` draws into a skeleton of markup.

    Its content goes as bytes (``packed_content``): Streamlit would write a dictionary as JSON
    twice. With it go the files that wait for the component: its ``files``.

    Parameters
    ----------
    figure_of
        Finds the figures that can be saved, in the content.
    sent
        Returns what the browser gets of the content.
    """
    component = st.components.v2.component(
        name, js=mount_script(folder, skeleton), isolate_styles=False
    )

    def mounted(key: str, data: dict[str, Any], **callbacks: Any) -> Any:
        if figure_of is not None:
            _answer_requests(key, data, figure_of)
            callbacks["on_files_change"] = lambda: None
        content = sent(data) | {"files": outbox(key).take()}
        return component(key=key, data=encode(content), **callbacks)

    return mounted


def _answer_requests(key: str, data: dict[str, Any], figure_of: FigureOf) -> None:
    """Make the files of figures that were asked for: of this content, or of the one before it.

    What is not there yet waits for a later content of the same name.
    """
    before = st.session_state.get(f"{key}.shown", data)
    st.session_state[f"{key}.shown"] = data
    requests = figure_requests(last_message(key, "files").get("value"))
    known: set[float] = st.session_state.get(f"{key}.answered", set())
    answered = {asked.number for asked in requests if asked.number in known}
    for asked in requests:
        if asked.number in answered:
            continue
        found = ((c, figure_of(c, asked)) for c in (data, before) if c["id"] == asked.id)
        content, figure = next((each for each in found if each[1] is not None), (data, None))
        if figure is not None:
            outbox(key).add(figure_file(figure, asked, content.get("settings", "")))
        if figure is not None or asked.id != data["id"]:
            answered.add(asked.number)
    st.session_state[f"{key}.answered"] = answered
