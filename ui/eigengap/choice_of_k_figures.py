"""Charts about the number of directions: the gap behind each k, and a private choice of k."""

from typing import Any

import numpy as np

from dpca_core.analysis.choose_k import gaps
from dpca_core.mechanisms.base import Family
from ui.eigengap import text
from ui.eigengap.measurements import choice_probabilities
from ui.eigengap.query import EigengapQuery
from ui.figures.axes import axis
from ui.figures.palette import colour
from ui.text.numbers import count


def gaps_by_k(query: EigengapQuery) -> dict[str, Any]:
    """The gap behind each k: what a look at the data shows."""
    values = np.maximum(gaps(query.problem, query.most_directions), 1e-3)
    low, high = 10 ** np.floor(np.log10(values.min())), 10 ** np.ceil(np.log10(values.max()) + 0.1)
    return {
        "key": "choice",
        "height": 230,
        **text.gaps_labels(query),
        "x": _directions_axis(query),
        "y": axis("", "", float(low), float(high)),
        "lines": [],
        "bars": _bars(query, values, "ink"),
    }


def choice_by_k(query: EigengapQuery) -> dict[str, Any]:
    """How likely the private choice selects each k."""
    probabilities = choice_probabilities(query)
    best = int(np.argmax(probabilities)) + 1
    return {
        "key": "private-choice",
        "height": 230,
        **text.choice_labels(query, best, float(probabilities[best - 1])),
        "x": _directions_axis(query),
        "y": axis("", "", 0, 1, log=False),
        "lines": [],
        "bars": _bars(query, probabilities, colour(Family.SMOOTH)),
    }


def _directions_axis(query: EigengapQuery) -> dict[str, Any]:
    most = query.most_directions
    ks = np.arange(1, most + 1)
    return axis("k", "directions k", 0.5, most + 0.5, log=False, values=ks, text=count)


def _bars(query: EigengapQuery, values: np.ndarray, shade: object) -> list[dict[str, Any]]:
    """Return one bar for each k, the one of the selected k filled."""
    return [
        {"x": k, "y": float(value), "filled": k == query.k, "color": shade}
        for k, value in enumerate(values, start=1)
    ]
