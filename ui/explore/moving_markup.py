"""What stands over the right column's figure and moves with the rule: dots, and the band of noise.

Nothing in a figure can move without Plotly; these are elements in the empty frames over it.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dpca_core.figures.layout import Spec
from dpca_core.linalg.arrays import Array
from ui.explore.chart_words import DOT_TEXTS
from ui.explore.release_dots_figures import DOT_SIZES, MARGINS
from ui.page.markup import element, role_style


def moving_markup(
    beside: Spec,
    dots: dict[str, Any],
    bands: list[dict[str, Any] | None] | None,
    stops: Sequence[int] | None = None,
) -> list[dict[str, str] | None]:
    """Return markup at each ε, by the part of the page in which it stands.

    Parameters
    ----------
    beside
        The right column's figure.
    dots
        As ``release_dots`` returns them.
    bands
        As ``noise_bands`` returns them.
    stops
        Where there is markup, by index of ε; elsewhere None. By default everywhere.
    """
    layout, count = beside["layout"], len(dots["kept"])
    at = list(range(count) if stops is None else stops)
    panels = {
        f"{name}_places": _panel(
            name,
            dots[name][at],
            _share(pile["x"][at], layout[f"xaxis{end}"]),
            100 - _share(pile["y"][at], layout[f"yaxis{end}"]),
            pile["y"][at] >= pile["filled_from"],
            role_style(trace["marker"]["line"]["color"]),
        )
        for name, end, pile, trace in zip(
            DOT_TEXTS, ("", "2"), dots["piles"], beside["data"], strict=False
        )
    }
    noise = [_band(bands[i] if bands else None) for i in at]
    found: list[dict[str, str] | None] = [None] * count
    for i, parts in zip(at, zip(*panels.values(), noise, strict=True), strict=True):
        found[i] = dict(zip((*panels, "noise_place"), parts, strict=True))
    return found


def _share(places: Array, axis: dict[str, Any]) -> Array:
    """Return how far along an axis places are, in per cent."""
    low, high = axis["range"]
    found: Array = 100 * (places.astype(np.float64) - low) / (high - low)
    return found


def _panel(
    name: str, values: Array, left: Array, top: Array, full: np.ndarray, style: str
) -> list[str]:
    """Return the dots of one panel at each ε: b is filled, i is not; none where nothing came."""
    said, size = DOT_TEXTS[name], DOT_SIZES[name]
    style = f"{style}; --size: {size}px; right: {MARGINS['r']}px"
    tags = np.where(full, "b", "i")
    # Lists, as writing numpy's own numbers takes several times as long.
    columns = (each.tolist() for each in (values, left.round(2), top.round(2), tags))
    return [
        element(
            "div",
            "".join(
                f'<{tag} style="left:{x}%;top:{y}%" title="{said.format(value)}"></{tag}>'
                for value, x, y, tag in zip(*at, strict=True)
                if value == value
            ),
            class_="dpca-dots",
            style=style,
        )
        for at in zip(*columns, strict=True)
    ]


def _band(band: dict[str, Any] | None) -> str:
    if band is None:
        return ""
    return element("div", class_="dpca-band", style=band["style"], data_words=band["words"])
