"""Pictures without axes: a needle that turns, fans of releases about the truth, and lengths."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, cos, degrees, pi, sin
from typing import Any

import numpy as np

from dpca_core.figures.layout import Spec, shared_layout
from dpca_core.figures.line_names import LETTER, LINE_HEIGHT

TRUTH = pi / 4
"""Angle at which the true direction is drawn."""
NEEDLE_SIDE = 210
"""Width and height of a needle's picture, in pixels."""


@dataclass(frozen=True)
class Lengths:
    """Bars to one scale, from the top: names, texts above them, values (b,) and colours."""

    names: Sequence[str]
    texts: Sequence[str]
    values: Sequence[float]
    colors: Sequence[str]


@dataclass(frozen=True)
class Fan:
    """Directions about the true one, at angles (t,) in radians, with a caption below.

    The sign says only on which side a direction is drawn.
    """

    name: str
    caption: str
    angles: Sequence[float]
    color: str


@dataclass(frozen=True)
class PictureSize:
    """How pictures are laid out at one width of the plot, in pixels.

    Attributes
    ----------
    columns
        Pictures side by side.
    side
        Height of a picture.
    plot
        Least width of the plot.
    """

    columns: int
    side: float
    type_size: float
    plot: float


def picture_sizes(count: int) -> dict[int, PictureSize]:
    """Return the layouts of a number of pictures, by width of the plot in pixels."""
    return {
        260: PictureSize(1, 190, 12.0, 260),
        470: PictureSize(min(count, 2), 190, 12.5, 470),
        700: PictureSize(count, 200, 12.5, 700),
        1300: PictureSize(count, 260, 15.0, 1300),
    }


def needle(angle: float) -> Spec:
    """Return a direction, and the same turned by an angle in radians with the arc between them."""
    turned = TRUTH + angle
    sweep = np.linspace(TRUTH, turned, 40)
    arc = {"x": 0.62 * np.cos(sweep), "y": 0.62 * np.sin(sweep)}
    lines = (
        (_through(TRUTH), "ink", 2.0, "0°"),
        (_through(turned), "accent", 2.5, f"{degrees(angle):.3g}°"),
        (arc, "accent", 2.0, f"{degrees(angle):.3g}°"),
    )
    layout = shared_layout() | {
        "width": NEEDLE_SIDE,
        "height": NEEDLE_SIDE,
        "margin": {"l": 2, "r": 2, "t": 2, "b": 2},
        "xaxis": _hidden(),
        "yaxis": _hidden(),
        "shapes": [_circle("x", "y")],
    }
    data = [
        {
            "type": "scatter",
            "mode": "lines",
            **{side: np.asarray(values, dtype=np.float32) for side, values in points.items()},
            "line": {"color": color, "width": width},
            "hovertemplate": f"{text}<extra></extra>",
        }
        for points, color, width, text in lines
    ]
    return {"data": data, "layout": layout}


def pictures(shown: Sequence[Lengths | Fan]) -> Spec:
    """Return pictures as one figure: side by side where there is room, else below each other."""
    sizes = picture_sizes(len(shown))
    usual = _Sheet(shown, sizes[700])
    return {
        "table": picture_table(shown),
        "data": [trace for i, picture in enumerate(shown) for trace in _traces(picture, i)],
        "layout": shared_layout() | usual.layout(),
        "sizes": {
            str(width): {
                "scale": 1.0,
                "type": size.type_size,
                "annotations": _Sheet(shown, size).words(),
                "layout": _Sheet(shown, size).layout(),
            }
            for width, size in sizes.items()
        },
    }


def picture_table(shown: Sequence[Lengths | Fan]) -> list[list[Any]]:
    """Return the numbers behind pictures: lengths, and angles in degrees without their sign."""
    rows: list[list[Any]] = [["picture", "what", "value"]]
    for picture in shown:
        if isinstance(picture, Lengths):
            rows += [["lengths", *each] for each in zip(picture.names, picture.values, strict=True)]
        else:
            rows += [[picture.caption, "turned, degrees", abs(degrees(a))] for a in picture.angles]
    return rows


class _Sheet:
    """Where pictures and their captions are, at one size; pixels from the top left corner."""

    gap, edge = 36.0, 4.0

    def __init__(self, shown: Sequence[Lengths | Fan], size: PictureSize) -> None:
        self.shown, self.size = shown, size
        self.cell = (size.plot - self.gap * (size.columns - 1)) / size.columns
        self.line = LINE_HEIGHT * size.type_size
        letters = int(self.cell / (LETTER * size.type_size))
        self.captions = [
            textwrap.wrap(p.caption, letters) if isinstance(p, Fan) else [] for p in shown
        ]
        self.tops = [self.edge]
        for first in range(0, len(shown), size.columns):
            most = max(len(lines) for lines in self.captions[first : first + size.columns])
            self.tops.append(self.tops[-1] + size.side + 8 + (most + 0.6) * self.line)
        self.height = ceil(self.tops[-1])

    def layout(self) -> dict[str, Any]:
        """Return the axes of the pictures and the figure's height."""
        found: dict[str, Any] = {
            "height": self.height,
            "margin": {"l": 4, "r": 4, "t": 0, "b": 0},
            "shapes": [],
        }
        for i, picture in enumerate(self.shown):
            end = str(i + 1) if i else ""
            x, y = _hidden(), _hidden()
            y |= {"domain": self._down(i), "anchor": f"x{end}"}
            x |= {"domain": self._across(i), "anchor": f"y{end}"}
            if isinstance(picture, Fan):
                y |= {"scaleanchor": f"x{end}", "constrain": "domain"}
                x["constrain"] = "domain"
                found["shapes"].append(_circle(f"x{end}", f"y{end}"))
            else:
                x["range"] = [0, max(picture.values) * 1.02]
                y["range"] = [len(picture.values) - 0.4, -0.6]
            found |= {f"xaxis{end}": x, f"yaxis{end}": y}
        return found

    def words(self) -> list[dict[str, Any]]:
        """Return the captions below fans, and the texts above bars."""
        found = []
        for i, picture in enumerate(self.shown):
            end = str(i + 1) if i else ""
            if isinstance(picture, Fan):
                left, right = self._across(i)
                caption = {"xref": "paper", "x": (left + right) / 2, "xanchor": "center"}
                below = {"yref": "paper", "y": self._down(i)[0], "yanchor": "top", "yshift": -4}
                text = "<br>".join(self.captions[i])
                found.append(caption | below | {"text": text, "font": {"color": "grey"}})
                continue
            for level, text in enumerate(picture.texts):
                at = {"xref": f"x{end}", "x": 0, "xanchor": "left", "yref": f"y{end}"}
                above = {"y": level - 0.3, "yanchor": "bottom", "text": f"<b>{text}</b>"}
                found.append(at | above | {"font": {"color": "ink"}})
        return found

    def _across(self, number: int) -> list[float]:
        step = (self.cell + self.gap) / self.size.plot
        left = (number % self.size.columns) * step
        return [left, min(left + self.cell / self.size.plot, 1.0)]

    def _down(self, number: int) -> list[float]:
        top = self.tops[number // self.size.columns]
        return [1 - (top + self.size.side) / self.height, 1 - top / self.height]


def _traces(picture: Lengths | Fan, number: int) -> list[dict[str, Any]]:
    end = str(number + 1) if number else ""
    axes = {"xaxis": f"x{end}", "yaxis": f"y{end}"} if number else {}
    if isinstance(picture, Lengths):
        bars = {
            "type": "bar",
            "orientation": "h",
            "x": list(picture.values),
            "y": list(range(len(picture.values))),
            "width": 0.5,
            "marker": {"color": list(picture.colors), "line": {"width": 0}},
            "text": list(picture.texts),
            "textposition": "none",
            "hovertemplate": "%{text}<extra></extra>",
        }
        return [bars | axes]
    each = [_through(TRUTH + angle) for angle in picture.angles]
    gaps = [np.nan]
    fan = {
        "type": "scatter",
        "mode": "lines",
        "name": picture.name,
        "x": np.array([v for p in each for v in (*p["x"], *gaps)], dtype=np.float32),
        "y": np.array([v for p in each for v in (*p["y"], *gaps)], dtype=np.float32),
        "customdata": [abs(degrees(angle)) for angle in picture.angles for _ in range(3)],
        "line": {"color": f"{picture.color}/.55", "width": 1.4},
        "hovertemplate": "%{fullData.name}: %{customdata:.2~g}°<extra></extra>",
    }
    truth = {
        "type": "scatter",
        "mode": "lines",
        **_through(TRUTH),
        "line": {"color": "ink", "width": 2.4},
        "hoverinfo": "skip",
    }
    return [fan | axes, truth | axes]


def _through(angle: float) -> dict[str, list[float]]:
    """Return a diameter of the unit circle."""
    return {"x": [-cos(angle), cos(angle)], "y": [-sin(angle), sin(angle)]}


def _circle(x: str, y: str) -> dict[str, Any]:
    ends = {"x0": -1, "x1": 1, "y0": -1, "y1": 1}
    return {
        "type": "circle",
        "xref": x,
        "yref": y,
        **ends,
        "line": {"color": "rule", "width": 1},
        "layer": "below",
    }


def _hidden() -> dict[str, Any]:
    return {"range": [-1.03, 1.03], "visible": False, "fixedrange": True}
