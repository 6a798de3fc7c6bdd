"""Charts of what a guarantee means: the membership test, and belief before and after a release."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpca_core.figures.axes import Axis
from dpca_core.figures.chart_key import with_key
from dpca_core.figures.curve_panels import curve_panels
from dpca_core.figures.layout import Spec
from dpca_core.figures.line_styles import CHOSEN_WIDTH
from dpca_core.figures.panels import Band, Curve, Panel
from dpca_core.figures.panels_chart import COLUMN_SIZES
from dpca_core.linalg.arrays import Array
from dpca_core.privacy.budget import Guarantee
from dpca_core.privacy.inference_risk import gaussian_roc, membership_roc, posterior_bounds
from ui.claims import text

HEIGHT = 300.0
"""Of a frame, in pixels."""
FALSE_POSITIVE_RATES = np.concatenate(
    [[0.0], np.geomspace(1e-6, 0.01, 60), np.linspace(0.012, 1, 200)]
)
_LARGEST_EPSILON = 700.0
"""Beyond it e^ε is no double-precision number."""
_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


def membership_chart(guarantee: Guarantee, color: str) -> dict[str, Any]:
    """Draw what a guarantee allows a membership test, and the best test of Gaussian noise.

    Parameters
    ----------
    color
        Role of the mechanism's colour.
    """
    rates = FALSE_POSITIVE_RATES
    bound = membership_roc(rates, guarantee.epsilon, guarantee.delta)
    curves = [Curve("bound", text.ALLOWED, bound, color, width=1.0), _diagonal(rates, text.COIN)]
    if guarantee.noise_multiplier is not None:
        best = gaussian_roc(rates, guarantee.noise_multiplier)
        curves.insert(0, Curve("best", text.BEST_TEST, best, color, width=CHOSEN_WIDTH))
    return {
        "key": "roc",
        "title": text.MEMBERSHIP_TITLE,
        "sub": text.membership_subtitle(guarantee),
        "figure": _figure(rates, curves, Band(rates, bound, f"{color}/.14"), text.MEMBERSHIP_AXES),
    }


def belief_chart(guarantee: Guarantee, color: str) -> dict[str, Any]:
    """Draw the largest and smallest belief after a release against the belief before it.

    Parameters
    ----------
    color
        Role of the mechanism's colour.
    """
    prior = np.linspace(0, 1, 201)
    low, high = posterior_bounds(prior, min(guarantee.epsilon, _LARGEST_EPSILON))
    curves = [
        Curve("highest", text.HIGHEST_BELIEF, high, color, width=2.0),
        Curve("lowest", text.LOWEST_BELIEF, low, color, width=2.0),
        _diagonal(prior, text.UNCHANGED_BELIEF),
    ]
    return {
        "key": "belief",
        "title": text.BELIEF_TITLE,
        "sub": text.BELIEF_SUBTITLE,
        "figure": _figure(prior, curves, Band(low, high, f"{color}/.14"), text.BELIEF_AXES),
    }


def _diagonal(x: Array, name: str) -> Curve:
    return Curve("diagonal", name, x, "grey", dash="5px,4px", width=1.2)


def _figure(x: Array, curves: Sequence[Curve], band: Band, titles: tuple[str, str]) -> Spec:
    """Return curves between probabilities; the hover shows all of them at one place."""
    across, up = (_probabilities(title) for title in titles)
    panel = Panel("chart", up, HEIGHT, curves, bands=[band], hover="%{fullData.name}: %{y:.1%}")
    found = curve_panels(across, x, [panel], sizes=COLUMN_SIZES)
    with_key(found, curves, HEIGHT, COLUMN_SIZES)
    for size in found["sizes"].values():
        size["layout"]["margin"]["r"] += 1.6 * size["type"]
    found["layout"]["hovermode"] = "x unified"
    return found


def _probabilities(title: str) -> Axis:
    texts = tuple(f"{100 * tick:.0f}\u00a0%" for tick in _TICKS)
    return Axis(0.0, 1.02, title=title, ticks=_TICKS, tick_texts=texts, hover_format=".1%")
