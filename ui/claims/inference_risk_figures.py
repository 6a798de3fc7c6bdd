"""Charts of what a guarantee means: the membership test, and belief before and after a release."""

from typing import TYPE_CHECKING

import numpy as np

from dpca_core.privacy.budget import Guarantee
from dpca_core.privacy.inference_risk import gaussian_roc, membership_roc, posterior_bounds
from ui.claims.text import BELIEF_AXES, MEMBERSHIP_AXES

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

CHART_HEIGHT = 330
FALSE_POSITIVE_RATES = np.concatenate(
    [[0.0], np.geomspace(1e-6, 0.01, 60), np.linspace(0.012, 1, 200)]
)
_LARGEST_EPSILON = 700.0
"""Beyond it e^ε is no double-precision number."""
_DIAGONAL = {"color": "#8A9099", "width": 1, "dash": "dash"}


def membership_chart(guarantee: Guarantee, shade: str) -> "Figure":
    """Draw what a guarantee allows a membership test, and the best test of Gaussian noise."""
    import plotly.graph_objects as go

    rates = FALSE_POSITIVE_RATES
    bound = membership_roc(rates, guarantee.epsilon, guarantee.delta)
    figure = go.Figure()
    figure.add_scatter(x=[0, 1], y=[0, 1], line=_DIAGONAL, hoverinfo="skip")
    figure.add_scatter(
        x=rates,
        y=bound,
        fill="tonexty",
        fillcolor=_faint(shade),
        line={"color": shade, "width": 0.8},
        hovertemplate="allowed by ε and δ: %{y:.1%}<extra></extra>",
    )
    if guarantee.noise_multiplier is not None:
        figure.add_scatter(
            x=rates,
            y=gaussian_roc(rates, guarantee.noise_multiplier),
            line={"color": shade, "width": 2.75},
            hovertemplate="best test: %{y:.1%}<extra></extra>",
        )
    return _with_layout(figure, *MEMBERSHIP_AXES)


def belief_chart(guarantee: Guarantee, shade: str) -> "Figure":
    """Draw the largest and smallest belief after a release against the belief before it."""
    import plotly.graph_objects as go

    prior = np.linspace(0, 1, 201)
    low, high = posterior_bounds(prior, min(guarantee.epsilon, _LARGEST_EPSILON))
    figure = go.Figure()
    figure.add_scatter(
        x=prior,
        y=low,
        line={"color": shade, "width": 2},
        hovertemplate="lowest: %{y:.1%}<extra></extra>",
    )
    figure.add_scatter(
        x=prior,
        y=high,
        line={"color": shade, "width": 2},
        fill="tonexty",
        fillcolor=_faint(shade),
        hovertemplate="highest: %{y:.1%}<extra></extra>",
    )
    figure.add_scatter(x=[0, 1], y=[0, 1], line=_DIAGONAL, hoverinfo="skip")
    return _with_layout(figure, *BELIEF_AXES)


def _faint(shade: str) -> str:
    red, green, blue = (int(shade[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},.14)"


def _with_layout(figure: "Figure", x: str, y: str) -> "Figure":
    axis = {
        "range": [0, 1.02],
        "tickformat": ".0%",
        "tickvals": [0, 0.2, 0.4, 0.6, 0.8, 1],
        "zeroline": False,
    }
    figure.update_layout(
        height=CHART_HEIGHT,
        margin={"l": 0, "r": 12, "t": 6, "b": 0},
        showlegend=False,
        hovermode="x unified",
        xaxis={**axis, "title": x},
        yaxis={**axis, "title": y},
    )
    return figure
