"""The figure of a fitted ``PrivatePCA``: the loadings of the directions it released."""

from html import escape
from typing import Any

import numpy as np

from dpca_core.figures.colours import family_role
from dpca_core.figures.curve_panels import MARGINS, PANEL_GAP
from dpca_core.figures.layout import Spec, shared_layout
from dpca_core.mechanisms.mechanism import Family, Mechanism
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.text.guarantee_sentences import promise

HEIGHT = 150.0
"""Of one direction's bars, in pixels."""
MOST_NAMES, LONGEST_NAME = 40, 24
"""Columns up to which each is named, and letters of a name."""


def loadings(fitted: Any) -> Spec:
    """Return bars of each component's loadings, with ``titles``: one for each direction.

    Parameters
    ----------
    fitted
        A ``PrivatePCA``. Only what it released is read: ``components_``, ``privacy_`` and the names
        of the columns.
    """
    components = np.asarray(fitted.components_, dtype=np.float32)
    k, d = components.shape
    names = [_shortened(str(name)) for name in getattr(fitted, "feature_names_in_", ())]
    most = float(np.abs(components).max()) * 1.05
    inside = k * HEIGHT + (k - 1) * PANEL_GAP
    layout = shared_layout() | {
        "margin": MARGINS | {"b": 120 if names and d <= MOST_NAMES else MARGINS["b"]},
        "xaxis": {
            "title": {"text": "column"},
            "showgrid": False,
            "zeroline": False,
            "range": [-0.5, d - 0.5],
            "anchor": f"y{k if k > 1 else ''}",
        },
    }
    if names and d <= MOST_NAMES:
        layout["xaxis"] |= {"tickvals": list(range(d)), "ticktext": names, "title": {"text": ""}}
    layout["height"] = inside + layout["margin"]["t"] + layout["margin"]["b"]
    for i in range(k):
        top = 1 - i * (HEIGHT + PANEL_GAP) / inside
        layout[f"yaxis{i + 1 if i else ''}"] = {
            "range": [-most, most],
            "domain": [max(top - HEIGHT / inside, 0.0), top],
            "side": "right",
            "anchor": "x",
            "gridcolor": "hair",
            "zerolinecolor": "rule",
        }
    color = family_role(_family(fitted.mechanism))
    said = names or [f"column {j + 1}" for j in range(d)]
    data = [
        {
            "type": "bar",
            "name": f"direction {i + 1}",
            "x": list(range(d)),
            "y": row,
            "text": said,
            "textposition": "none",
            "marker": {"color": color},
            "hovertemplate": "%{text}: %{y:.3f}<extra></extra>",
            **({"yaxis": f"y{i + 1}"} if i else {}),
        }
        for i, row in enumerate(components)
    ]
    titles = [f"Direction {i + 1}" for i in range(k)]
    titles[0] += f": loadings ({promise(fitted.privacy_)})"
    return {"data": data, "layout": layout, "titles": titles}


def _family(mechanism: str | Mechanism) -> Family:
    return (mechanism if isinstance(mechanism, Mechanism) else MECHANISMS[mechanism]).family


def _shortened(name: str) -> str:
    """Return a column's name as Plotly's markup, cut where it is long."""
    return escape(name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…", False)
