"""The words inside panels: names beside curves, and what reference lines and marks say."""

from typing import Any

import numpy as np

from dpca_core.figures.axes import Axis
from dpca_core.figures.line_names import (
    LINE_HEIGHT,
    Box,
    NamedLine,
    PlacedName,
    place_names,
    text_width,
)
from dpca_core.figures.panels import Curve, Panel, Size
from dpca_core.figures.words_beside_rules_and_dots import (
    Surroundings,
    place_dot_words,
    place_rule_words,
)
from dpca_core.linalg.arrays import Array


def panel_words(
    panel: Panel, x_axis: Axis, x: Array, width: int, size: Size
) -> list[dict[str, Any]]:
    """Return the words of a panel as Plotly's annotations, without the panel's own y axis.

    Parameters
    ----------
    x
        Where curves have values, (p,).
    width
        Of the plot, in pixels.
    size
        Of panels and type at this width.
    """
    height = panel.height * size.scale
    across = x_axis.share(x) * width

    def down(values: Any) -> Any:
        return (1 - panel.y.share(values)) * height

    words, boxes = [], list[Box]()
    for annotation, box in _fixed_words(panel, x_axis, width, height, size.type_size):
        words.append(annotation)
        boxes.append(box)
    for left, right, low, high in panel.covered:
        sides = (x_axis.share([left, right]) * width).tolist()
        boxes.append(Box(*sides, *down([high, low]).tolist()))
    ordered = sorted(panel.curves, key=lambda curve: not curve.chosen)
    lines = [
        NamedLine(
            curve.name if curve.shown_name else "",
            *_drawn_points(curve, across, down),
            bold=curve.chosen,
        )
        for curve in ordered
    ]
    lines += [
        NamedLine("", np.array([0.0, width]), np.full(2, float(down(r.value))))
        for r in panel.references
    ]
    low, high = panel.y.ends
    left, right = x_axis.ends

    def annotated(spot: PlacedName, text: str, color: str) -> dict[str, Any]:
        return {
            "text": text,
            "x": round(left + spot.x / width * (right - left), 5),
            "y": round(high - spot.y / height * (high - low), 5),
            "xanchor": spot.anchor,
            "yanchor": "middle",
            "font": {"color": f"{color}/text"},
        }

    rules = [(rule, float(x_axis.share(rule.value)) * width) for rule in panel.rules]
    boxes += [Box(at - 1, at + 1, 0.0, height) for _, at in rules]
    around = Surroundings(width, height, size.type_size, lines, boxes)
    for rule, at in rules:
        if rule.text and (spot := place_rule_words(rule, at, around)):
            words.append(annotated(spot, f"<b>{rule.text}</b>", rule.color))
    for dot in panel.dots:
        at, level = float(x_axis.share(dot.x)) * width, float(down(dot.y))
        if dot.text and (spot := place_dot_words(dot, (at, level), around)):
            words.append(annotated(spot, f"<b>{dot.text}</b>", "ink"))
        boxes.append(Box(at - 5, at + 5, level - 5, level + 5))
    for spot in place_names(lines, width, height, size=size.type_size, taken=boxes):
        curve = ordered[spot.line]
        named = {"name": curve.key, "captureevents": True}
        words.append(named | annotated(spot, _styled(curve), curve.color))
    return words


def _drawn_points(curve: Curve, across: Array, down: Any) -> tuple[Array, Array]:
    """Return a curve's points in pixels; without its gaps where they are bridged."""
    y = np.asarray(down(curve.y), dtype=np.float64)
    if not curve.bridged:
        return across, y
    known = np.isfinite(y)
    return across[known], y[known]


def _fixed_words(
    panel: Panel, x_axis: Axis, width: int, height: float, type_size: float
) -> list[tuple[dict[str, Any], Box]]:
    """Return the words beside reference lines and marks, with what they cover."""
    found = []
    half = LINE_HEIGHT * type_size / 2
    low, high = panel.y.ends
    for reference in panel.references:
        if not reference.text:
            continue
        middle = (1 - float(panel.y.share(reference.value))) * height
        middle += (half + 1) * (1 if reference.below else -1)
        span = text_width(reference.text, type_size, reference.bold)
        text = f"<b>{reference.text}</b>" if reference.bold else reference.text
        annotation = {
            "text": text,
            "xref": "paper",
            "x": 1,
            "y": round(high - middle / height * (high - low), 5),
            "xanchor": "right",
            "yanchor": "middle",
            "font": {"color": reference.text_color},
        }
        found.append((annotation, Box(width - span, width, middle - half, middle + half)))
    for mark in panel.marks:
        at = float(x_axis.share(mark.x)) * width
        middle = (1 - float(panel.y.share(mark.y))) * height + half + 6
        span = text_width(mark.text, type_size)
        leftwards = at - span > 0
        annotation = {
            "text": mark.text,
            "x": round(float(x_axis.position(mark.x)), 5),
            "y": round(high - middle / height * (high - low), 5),
            "xanchor": "right" if leftwards else "left",
            "yanchor": "middle",
            "font": {"color": "ink"},
        }
        start = at - span if leftwards else at
        found.append((annotation, Box(start, start + span, middle - half, middle + half)))
    return found


def _styled(curve: Curve) -> str:
    text = f"<s>{curve.name}</s>" if curve.struck else curve.name
    return f"<b>{text}</b>" if curve.chosen else text
