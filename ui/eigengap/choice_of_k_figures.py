"""Charts about the number of directions: the gap behind each k, and a private choice of k."""

from html import escape
from typing import Any

import numpy as np

from dpca_core.analysis.choose_k import gaps
from dpca_core.figures.axes import POWERS, Axis
from dpca_core.figures.colours import family_role
from dpca_core.figures.panels_chart import Bars, chart
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Family
from ui.eigengap import text
from ui.eigengap.measurements import choice_probabilities
from ui.eigengap.query import EigengapQuery

MOST_TICKED = 20
"""Directions that each have a tick; of more, Plotly chooses some."""


def gaps_by_k(query: EigengapQuery) -> dict[str, Any]:
    """The gap behind each k: what a look at the data shows."""
    values = np.maximum(gaps(query.problem, query.most_directions), 1e-3)
    low, high = 10 ** np.floor(np.log10(values.min())), 10 ** np.ceil(np.log10(values.max()) + 0.1)
    axis = Axis(float(low), float(high), log=True, tick_format=POWERS, hover_format=",.3~r")
    bars = _bars(query, "gap", values, "ink")
    unit = escape(query.data.unit.many, quote=False)
    return {
        "key": "choice",
        **text.gaps_labels(query),
        "figure": chart(*_axes(query, axis), [], bars=[bars], hover=f"k = %{{x}} → %{{y}} {unit}"),
    }


def choice_by_k(query: EigengapQuery) -> dict[str, Any]:
    """How likely the private choice selects each k."""
    probabilities = choice_probabilities(query)
    best = int(np.argmax(probabilities)) + 1
    bars = _bars(query, "probability", probabilities, family_role(Family.SMOOTH))
    return {
        "key": "private-choice",
        **text.choice_labels(query, best, float(probabilities[best - 1])),
        "figure": chart(*_axes(query, Axis(0, 1)), [], bars=[bars], hover="k = %{x} → %{y}"),
    }


def _axes(query: EigengapQuery, y: Axis) -> tuple[Axis, Axis, Array]:
    """Return the axis of directions, that of their values, and the directions (k_max,)."""
    most = query.most_directions
    ks = np.arange(1.0, most + 1)
    ticks = tuple(ks.tolist()) if most <= MOST_TICKED else ()
    return Axis(0.5, most + 0.5, title="directions k", ticks=ticks), y, ks


def _bars(query: EigengapQuery, name: str, values: Array, color: str) -> Bars:
    """Return one bar for each k, the one of the selected k filled."""
    ks = np.arange(1.0, len(values) + 1)
    return Bars(name, ks, values, color, filled=ks == query.k)
