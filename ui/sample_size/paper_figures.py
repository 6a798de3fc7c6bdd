"""Two of the papers' experiments at the page's settings: Chaudhuri's Figure 1, Jiang's Table 1."""

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from dpca_core.figures.axes import Axis
from dpca_core.figures.chart import chart
from dpca_core.figures.colours import family_role
from dpca_core.figures.line_styles import CHOSEN_WIDTH, dash, width
from dpca_core.figures.panels import Curve
from dpca_core.mechanisms.mechanism import Family, Mechanism
from dpca_core.mechanisms.registry import DEFAULT, MECHANISMS, PURE_DEFAULT
from dpca_core.privacy.budget import Budget
from dpca_core.simulation.trials import median_norm
from dpca_core.text.privacy_numbers import epsilon_text
from papers.chaudhuri_bound import (
    PANEL_COLUMNS,
    PANEL_EPSILONS,
    PANEL_LOG_PEOPLE,
    expected_correlation,
)
from papers.jiang import NOISE_COLUMNS, NORM_ORDERS
from ui.sample_size import text

PANEL_COLOURS = (
    Family.EXPONENTIAL,
    Family.GAUSSIAN,
    Family.GAUSSIAN_TRIANGLE,
    Family.WISHART,
    Family.LAPLACE,
)
ORDER_DASH, ORDER_WIDTH = "1px,4px", 1.2
PANEL_HEIGHT, NOISE_HEIGHT = 190.0, 300.0
"""Of their frames, in pixels."""


@lru_cache(maxsize=16)
def figure_one(epsilon: float) -> tuple[dict[str, Any], ...]:
    """Chaudhuri, Sarwate & Sinha 2013, Figure 1, all four panels, with the selected ε added."""
    return tuple(_panel(d, epsilon, first=d == PANEL_COLUMNS[0]) for d in PANEL_COLUMNS)


def _panel(d: int, epsilon: float, *, first: bool) -> dict[str, Any]:
    curves = [
        _panel_curve(f"ε = {epsilon_text(e)}", expected_correlation(d, e), family_role(family))
        for e, family in zip(PANEL_EPSILONS, PANEL_COLOURS, strict=True)
    ]
    if epsilon not in PANEL_EPSILONS:
        y = np.array(expected_correlation(d, epsilon))
        name = text.selected_epsilon(epsilon)
        curves.append(Curve(name, name, y, "ink", width=CHOSEN_WIDTH, chosen=True))
    return {
        "key": f"figure-1-d{d}",
        "figure": chart(
            Axis(2, 9, title=text.LOG_PEOPLE_AXIS),
            Axis(0.8, 1.0),
            PANEL_LOG_PEOPLE,
            curves,
            height=PANEL_HEIGHT,
            revision=f"{d} {epsilon}",
        ),
        **text.panel_labels(d, PANEL_EPSILONS, first=first),
    }


def _panel_curve(name: str, correlation: tuple[float, ...], color: str) -> Curve:
    return Curve(name, name, np.array(correlation), color)


@lru_cache(maxsize=16)
def noise_by_columns(epsilon: float, delta: float) -> dict[str, Any]:
    """Jiang et al. 2016, Table 1: their orders beside measured norms."""
    budget, sizes = Budget(epsilon, delta), NOISE_COLUMNS
    in_table = [m for m in MECHANISMS.values() if m.key in NORM_ORDERS]
    curves = []
    for mechanism in (*in_table, DEFAULT, PURE_DEFAULT):
        norms = [median_norm(mechanism, d, budget) for d in sizes]
        curves.append(_noise_curve(mechanism, mechanism.name, norms))
    for mechanism in in_table:
        orders = [NORM_ORDERS[mechanism.key](d, epsilon) for d in sizes]
        order = _noise_curve(mechanism, text.order_name(mechanism.name), orders)
        curves.append(replace(order, dash=ORDER_DASH, width=ORDER_WIDTH))
    known = np.concatenate([curve.y[np.isfinite(curve.y)] for curve in curves])
    low, high = 10 ** np.floor(np.log10(known.min())), 10 ** np.ceil(np.log10(known.max()))
    return {
        "key": "noise-columns",
        "wide": True,
        "figure": chart(
            Axis(
                sizes[0] / 1.02,
                sizes[-1] * 1.02,
                log=True,
                title=text.COLUMNS_AXIS,
                ticks=sizes,
                tick_texts=tuple(map(str, sizes)),
            ),
            Axis(float(low), float(high), log=True, tick_format="~s", hover_format=",.3~r"),
            np.array(sizes, dtype=np.float64),
            [curve for curve in curves if np.isfinite(curve.y).any()],
            height=NOISE_HEIGHT,
            wide=True,
            revision=f"{epsilon} {delta}",
        ),
        **text.noise_labels(epsilon),
    }


def _noise_curve(mechanism: Mechanism, name: str, norms: list[float]) -> Curve:
    return Curve(
        key=name,
        name=name,
        y=np.array(norms, dtype=np.float64),
        color=family_role(mechanism.family),
        dash=dash(mechanism),
        width=width(mechanism),
    )
