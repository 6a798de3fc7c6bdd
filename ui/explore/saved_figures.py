"""The figures that Explore saves, as they stand at the ε of its rule."""

from typing import Any

import numpy as np

from dpca_core.figures.layout import Spec
from ui.figures.saved_figure import FigureRequest


def shown_figure(content: dict[str, Any], request: FigureRequest) -> Spec | None:
    """Find the figure of a request in the page's content; None where it is not there."""
    if request.figure == "curves":
        curves: Spec = content["curves"]
        return curves
    if request.figure == "beside":
        return beside_at(content, min(max(request.index, 0), len(content["axis"]["values"]) - 1))
    if request.figure == "projection_figure" and content["projection"]:
        return _projection_at(content["projection"], request.frame)
    return None


def beside_at(content: dict[str, Any], index: int) -> Spec:
    """Return the dots of one ε and the spectrum as one figure.

    Its ``table`` holds the releases that the dots are, but for those that were refused, and ``at``
    says the ε. The band of noise, which lies over the figure on the page, is one of its shapes.
    """
    beside, dots, bands = content["beside"], content["dots"], content["noise_bands"]
    kept, sin = (dots[name][index].astype(float) for name in ("kept", "sin"))
    drawn = [
        _dots_at(trace, pile, index, said)
        for trace, pile, said in zip(beside["data"], dots["piles"], (kept, sin), strict=False)
    ]
    released = [
        [content["axis"]["values"][index], i + 1, share, sin[i]]
        for i, share in enumerate(kept)
        if not np.isnan(share)
    ]
    band = bands[index] if bands else None
    shapes = [*beside["layout"]["shapes"], *([band["shape"]] if band else [])]
    tables = {axis: [*beside["table"][axis], *released] for axis in ("y", "y2")}
    return {
        "data": [*drawn, *beside["data"][len(drawn) :]],
        "layout": beside["layout"] | {"shapes": shapes},
        "table": beside["table"] | tables,
        "at": content["axis"]["texts"][index],
    }


def _dots_at(
    trace: dict[str, Any], pile: dict[str, Any], index: int, values: np.ndarray
) -> dict[str, Any]:
    """Return a trace of dots in their places at one ε, filled where they reach the line."""
    up, role = pile["y"][index], trace["marker"]["line"]["color"]
    colours = [role if place >= pile["filled_from"] else "page" for place in up]
    marker = trace["marker"] | {"color": colours}
    return trace | {"x": pile["x"][index], "y": up, "customdata": values, "marker": marker}


def _projection_at(projection: dict[str, Any], frame: int) -> Spec:
    """Return the planes with the points of one release; the pictures are leafed through in turn."""
    (shown,) = projection["figures"]
    *others, released = shown["figure"]["data"]
    points = shown["frames"][frame % len(shown["frames"])]
    figure: Spec = shown["figure"] | {"data": [*others, released | points]}
    return figure
