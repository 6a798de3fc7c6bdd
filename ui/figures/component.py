"""The components that draw in the browser: each mounts a module of ``static/`` with its content."""

import json
from typing import Any

import streamlit as st

from dpca_core.figures.config import CONFIG
from dpca_core.figures.room_palette import room_colours
from dpca_core.figures.theme import BAND_OPACITY, palette
from ui.figures.packed_content import encode
from ui.server import static_files

_IMPORT = """\
const app = document.querySelector("script[type=module][src]").src;
const files = new URL("../../{address}", app);
{check}{early}const {{ default: draw }} = await import(new URL("{folder}/main.js", files).href);
const palette = {palette};
const skeleton = {skeleton};
export default (sent) => draw(sent, palette, skeleton);
"""
"""Streamlit's own script lies two folders below the base path, whatever page was opened, and
whether or not a proxy in front of the server has added to that path."""
_CHECK = """\
await Promise.all({names}.map((name) => fetch(new URL(name, files), {{ cache: "no-cache" }})));
"""
_EARLY = """\
import(new URL("charts/plotly.js", files).href);
"""
"""Begins to load what takes longest, before the modules that need it are read."""
WITH_FIGURES = ("chart_grid", "compare", "explore", "papers")
"""Folders whose pages draw with Plotly."""


def mount_script(folder: str, skeleton: str = "") -> str:
    """Return the script that imports a folder's ``main.js``, and draws with what it exports.

    Parameters
    ----------
    folder
        A folder of ``static/``. Where its files have no address of their own for each version, a
        page asks once whether they have changed before it imports them.
    skeleton
        Markup that the page fills.
    """
    sent = {
        "palette": _palette(),
        "skeleton": json.dumps(skeleton),
        "early": _EARLY if folder in WITH_FIGURES else "",
    }
    if static_files.versioned():
        address = f"{static_files.ADDRESS}{static_files.version()}/"
        return _IMPORT.format(address=address, folder=folder, check="", **sent)
    names = [name for name in static_files.files() if name.endswith((".js", ".css"))]
    names = [name for name in names if not name.startswith("plotly/")]
    return _IMPORT.format(
        address=static_files.ADDRESS,
        folder=folder,
        check=_CHECK.format(names=names),
        **sent,
    )


def _palette() -> str:
    """Return colours of roles and of a dark room, opacity of bands and Plotly's settings."""
    colours = {"colours": palette(), "room": room_colours()}
    found = colours | {"opacity": BAND_OPACITY, "config": CONFIG}
    return json.dumps(found, separators=(",", ":"))


def component_of(name: str, folder: str, skeleton: str = "") -> Any:
    """Register the component that a folder of ``static/`` draws into a skeleton of markup.

    Its content goes as bytes (``packed_content``): Streamlit would write a dictionary as JSON
    twice.
    """
    component = st.components.v2.component(
        name, js=mount_script(folder, skeleton), isolate_styles=False
    )

    def mounted(key: str, data: dict[str, Any], **callbacks: Any) -> Any:
        return component(key=key, data=encode(data), **callbacks)

    return mounted
