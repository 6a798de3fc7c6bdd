"""Plotly in a browser: its bundle, which pages load and offline pages contain, and settings."""

from pathlib import Path
from typing import Any

NAME = "plotly-basic-4.1.1.min.js"
"""The version is that of plotly.js in the pinned ``plotly``; its licence (MIT) lies beside it."""
_PLACES = (Path(__file__).parent, Path(__file__).parents[2] / "static" / "plotly")
"""In an installed package, and in a checkout."""

CONFIG: dict[str, Any] = {
    "displaylogo": False,
    "showSendToCloud": False,
    "plotlyServerURL": "",
    "responsive": False,
    "doubleClick": "reset",
    "showTips": False,
    "displayModeBar": "hover",
    "modeBarButtonsToRemove": ["lasso2d", "select2d", "autoScale2d", "toImage"],
}
"""Plotly's settings for every figure: nothing offers to upload it, or to save it unmarked.

plotly.js offers "Share chart" unless it is told otherwise, which uploads a figure."""


def bundle_text() -> str:
    """Return the text of the bundle, from beside this module or from ``static/plotly``."""
    for place in _PLACES:
        if (place / NAME).is_file():
            return (place / NAME).read_text("utf-8")
    raise FileNotFoundError(f"{NAME} is missing: install dpca again, or restore static/plotly.")
