"""The Explore page's instrument: one component that answers the rule without asking the server."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from ui.figures.wire import packed

_HERE = Path(__file__).parent
_PARTS = (
    "dom", "theme", "mount", "labels", "axes", "curves", "notes", "hover", "rule", "dots",
    "ladder", "spectrum", "release", "images", "downloads", "layout", "main",
)  # fmt: skip
COMPARE_PARTS = (
    "dom", "theme", "mount", "labels", "axes", "curves", "downloads", "compare_chart",
    "compare_table", "compare",
)  # fmt: skip
COMPARE_SHEETS = ("instrument", "compare")


def script_text(parts: tuple[str, ...]) -> str:
    """Return one script of several short files: a component takes a single module."""
    return "\n".join((_HERE / "js" / f"{part}.js").read_text("utf-8") for part in parts)


def sheet_text(sheets: tuple[str, ...]) -> str:
    """Return one style sheet of several."""
    return "\n".join((_HERE / "css" / f"{sheet}.css").read_text("utf-8") for sheet in sheets)


def component_of(name: str, parts: tuple[str, ...], sheets: tuple[str, ...]) -> Any:
    """Register a component made of parts.

    Its content goes as bytes: Streamlit would write a dictionary as JSON twice (``wire``).
    """
    script = f"{script_text(parts)}\nexport default (sent) => draw(received(sent));\n"
    component = st.components.v2.component(
        name, js=script, css=sheet_text(sheets), isolate_styles=False
    )

    def mounted(key: str, data: dict[str, Any], **callbacks: Any) -> Any:
        return component(key=key, data=packed(data), **callbacks)

    return mounted


_component = component_of("dpca_instrument", _PARTS, ("instrument", "phone"))


def instrument(content: dict[str, Any], key: str, on_change: dict[str, Callable[[], None]]) -> Any:
    """Mount the instrument.

    Parameters
    ----------
    content
        What ``ui.explore.figures.payload`` composes.
    on_change
        Callbacks by name: epsilon (the rule came to rest), more (ready for a refined
        picture), mechanism, target, public, pin.
    """
    callbacks: dict[str, Any] = {f"on_{name}_change": call for name, call in on_change.items()}
    return _component(key=key, data=content, **callbacks)
