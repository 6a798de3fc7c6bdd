"""Plotly's settings for every figure: nothing offers to upload it, or to save it unmarked."""

from typing import Any

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
"""Pages get it with their palette; ``quiet_figure`` uses it in a notebook.

plotly.js offers "Share chart" unless it is told otherwise, which uploads a figure."""
