"""The Explore page's instrument: one component that answers the rule without asking the server."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).parent
_PARTS = (
    "dom", "theme", "labels", "axes", "curves", "notes", "hover", "rule", "dots", "ladder",
    "spectrum", "release", "images", "downloads", "layout", "main",
)  # fmt: skip


def _joined(folder: str, names: tuple[str, ...], ending: str) -> str:
    """One text of several short files: a component takes a single module and a single sheet."""
    return "\n".join((_HERE / folder / f"{name}.{ending}").read_text("utf-8") for name in names)


_component = st.components.v2.component(
    "dpca_instrument",
    js=_joined("js", _PARTS, "js"),
    css=_joined("css", ("instrument", "phone"), "css"),
    isolate_styles=False,
)


def instrument(content: dict[str, Any], key: str, on_change: dict[str, Callable[[], None]]) -> Any:
    """Mount the instrument.

    Parameters
    ----------
    content
        What ``ui.payload.payload`` composes.
    on_change
        Callbacks by name: epsilon (the rule came to rest), more (ready for a refined
        picture), mechanism, target, public, pin.
    """
    callbacks: dict[str, Any] = {f"on_{name}_change": call for name, call in on_change.items()}
    return _component(key=key, data=content, **callbacks)
