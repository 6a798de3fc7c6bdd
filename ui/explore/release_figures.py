"""What single releases look like: their loadings beside the true ones, and the data on both."""

from html import escape
from typing import Any

import numpy as np

from dpca_core.figures.axes import Axis
from dpca_core.figures.colours import family_role
from dpca_core.figures.layout import Spec, shared_layout
from dpca_core.linalg.arrays import Array
from dpca_core.text.privacy_numbers import epsilon_text
from ui.explore.chart_words import EXPLORE_WORDS, FIGURE_WORDS
from ui.explore.example_loadings_and_projections import Loadings, Projections, SampleReleases
from ui.explore.text import IMAGES_NOTE, LOADINGS_NOTE, RELEASE_TITLE, ExploreText
from ui.figures.packed_content import float32
from ui.figures.signed_image import signed_image
from ui.page.markup import element
from ui.state.slider_stops import EPSILON_STOPS

MOST_ROWS = 20
"""Loadings that are drawn of each direction: the largest."""
ROW_HEIGHT, FOOT = 18, 30
"""Height of a row and of the axis below, in pixels."""
MOST_LETTERS = 26
"""Of a column's name; a longer one is cut in the figure and whole in the hover and the file."""
PROJECTION_SIDE = 300


def release_content(samples: SampleReleases) -> dict[str, Any] | None:
    """Return releases to leaf through: a figure a direction, or images; None where infeasible."""
    found = samples.loadings()
    if found is None:
        return None
    images = samples.dataset.image_shape
    epsilon = epsilon_text(EPSILON_STOPS[samples.epsilon_index])
    count = len(found.refused)
    says = [
        EXPLORE_WORDS["release_refused" if refused else "release"].format(
            number=t + 1, count=count, epsilon=epsilon
        )
        for t, refused in enumerate(found.refused)
    ]
    common = {
        "epsilon_index": samples.epsilon_index,
        "title": RELEASE_TITLE,
        "counts": says,
        "stale": EXPLORE_WORDS["stale"].format(epsilon=epsilon),
    }
    if images:
        return common | {"note": IMAGES_NOTE, "figures": [], "markup": _images(found, images)}
    role = family_role(samples.study.query.mechanism.family)
    labels = list(samples.dataset.columns)
    order = [largest_rows(truth) for truth in found.true]
    captions = [_caption(j, len(rows), len(labels)) for j, rows in enumerate(order)]
    figures = [
        {
            "figure": loadings_figure(found, j, rows, labels, role),
            "frames": [{"x": float32(release[j][rows])} for release in found.released],
        }
        for j, rows in enumerate(order)
    ]
    return common | {"note": LOADINGS_NOTE, "figures": figures, "markup": ["".join(captions)]}


def _caption(direction: int, shown: int, count: int) -> str:
    """Return the place of a direction's figure, below its caption."""
    values = {"number": direction + 1, "shown": shown, "count": count}
    words = EXPLORE_WORDS["largest_loadings" if shown < count else "direction"]
    caption = element("figcaption", escape(words.format(**values)))
    label = EXPLORE_WORDS["loadings"].format(**values)
    return element("figure", caption, element("div", role="figure", aria_label=label))


def _images(found: Loadings, shape: tuple[int, int]) -> list[str]:
    """Return the directions as two strips of images: the true ones, and those of each release."""
    most = max(float(np.abs(found.true).max()), 1e-9)

    def strip(directions: Array, name: str) -> str:
        images = "".join(
            f'<img src="{signed_image(row.reshape(shape), most)}" '
            f'alt="{escape(EXPLORE_WORDS["image"].format(name=name, number=j + 1))}">'
            for j, row in enumerate(directions)
        )
        return element("div", element("span", name), element("div", images), class_="dpca-strip")

    truth = strip(found.true, EXPLORE_WORDS["image_true"])
    refused = element("p", EXPLORE_WORDS["image_refused"])
    return [
        truth
        + (refused if no else strip(each, EXPLORE_WORDS["image_released"].format(number=t + 1)))
        for t, (each, no) in enumerate(zip(found.released, found.refused, strict=True))
    ]


def largest_rows(loadings: Array) -> np.ndarray:
    """Return the numbers of the largest loadings (d,) by magnitude, ``MOST_ROWS`` at most."""
    return np.argsort(-np.abs(loadings), kind="stable")[:MOST_ROWS]


def loadings_figure(
    found: Loadings, direction: int, rows: np.ndarray, labels: list[str], role: str
) -> Spec:
    """Return the loadings of one direction, one row a column of the data.

    Traces: bars that hold 80 % of releases, the true loadings as ticks, and the release shown,
    whose places the browser fills in.
    """
    truth, low, high = (a[direction][rows] for a in (found.true, found.low, found.high))
    place = np.arange(float(len(rows)))
    reach = max(np.abs(found.true).max(), np.abs(low).max(), np.abs(high).max(), 0.05) * 1.08
    names = [escape(labels[i]) for i in rows]
    common = {"type": "scatter", "mode": "markers", "y": float32(place), "text": names}
    bars = {
        "type": "bar",
        "orientation": "h",
        "y": float32(place),
        "base": float32(low),
        "x": float32(high - low),
        "width": 0.45,
        "marker": {"color": f"{role}/.3"},
        "hoverinfo": "skip",
    }
    true = common | {
        "name": FIGURE_WORDS["plane_true"],
        "x": float32(truth),
        "marker": {
            "symbol": "line-ns-open",
            "size": 15,
            "color": "ink",
            "line": {"width": 2.4, "color": "ink"},
        },
        "hovertemplate": "%{text}: %{x:.3f} (%{fullData.name})<extra></extra>",
    }
    released = common | {
        "name": FIGURE_WORDS["plane_released"],
        "x": [],
        "marker": {"size": 9, "color": role},
        "hovertemplate": "%{text}: %{x:.3f} (%{fullData.name})<extra></extra>",
    }
    short = tuple(_short(labels[i]) for i in rows)
    y = Axis(len(rows) - 0.4, -0.6, ticks=tuple(place), tick_texts=short).layout()
    layout = shared_layout() | {
        "height": ROW_HEIGHT * len(rows) + FOOT,
        "margin": {"l": 150, "r": 6, "t": 2, "b": FOOT},
        "xaxis": Axis(-float(reach), float(reach)).layout()
        | {"nticks": 5, "fixedrange": True, "zeroline": True, "zerolinecolor": "rule"},
        "yaxis": y | {"fixedrange": True, "tickfont": {"color": "ink"}},
    }
    return {"data": [bars, true, released], "layout": layout}


def projection_content(samples: SampleReleases, text: ExploreText) -> dict[str, Any] | None:
    """Return some rows of the data on the true plane and on released ones; None for k = 1."""
    found = samples.projections()
    if found is None:
        return None
    role = family_role(samples.study.query.mechanism.family)
    title = text.projection_title()
    frames = [{"x": float32(some[:, 0]), "y": float32(some[:, 1])} for some in found.released]
    place = {"role": "figure", "aria_label": title, "data_part": "projection_figure"}
    return {
        "title": title,
        "note": text.projection_note(len(found.true)),
        "figures": [{"figure": projection_figure(found, role), "frames": frames}],
        "markup": [element("figure", element("div", **place))],
    }


def projection_figure(found: Projections, role: str) -> Spec:
    """Return both planes side by side, on one scale; the browser fills in the released points."""
    seen = np.concatenate([found.true, *found.released])
    low, high = np.nanmin(seen, axis=0), np.nanmax(seen, axis=0)
    middle, reach = (low + high) / 2, max(float((high - low).max()), 0.05) * 0.54
    axes: dict[str, Any] = {}
    for number, domain in (("", [0, 0.48]), ("2", [0.52, 1])):
        for letter, centre in zip("xy", middle, strict=True):
            axes[f"{letter}axis{number}"] = {
                "range": [float(centre - reach), float(centre + reach)],
                "fixedrange": True,
                "showticklabels": False,
                "ticks": "",
                "showgrid": False,
                "zeroline": True,
                "zerolinecolor": "hair",
                "showline": True,
                "mirror": True,
                "linecolor": "rule",
                "anchor": f"{'y' if letter == 'x' else 'x'}{number}",
            } | ({"domain": domain} if letter == "x" else {})
    layout = (
        shared_layout()
        | axes
        | {
            "height": PROJECTION_SIDE + 24,
            "margin": {"l": 1, "r": 1, "t": 24, "b": 1},
            "annotations": [
                {
                    "xref": f"x{number} domain",
                    "yref": "paper",
                    "x": 0,
                    "y": 1,
                    "xanchor": "left",
                    "yanchor": "bottom",
                    "text": FIGURE_WORDS[name],
                    "font": {"color": "grey", "size": 13},
                }
                for number, name in (("", "plane_true"), ("2", "plane_released"))
            ],
        }
    )
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "mode": "markers",
            "name": FIGURE_WORDS[name],
            "x": x,
            "y": y,
            "xaxis": f"x{number}",
            "yaxis": f"y{number}",
            "marker": {"size": 5, "color": color, "opacity": 0.55},
            "hoverinfo": "skip",
        }
        for number, name, color, x, y in (
            ("", "plane_true", "ink", float32(found.true[:, 0]), float32(found.true[:, 1])),
            ("2", "plane_released", role, [], []),
        )
    ]
    return {"data": traces, "layout": layout}


def _short(label: str) -> str:
    cut = label if len(label) <= MOST_LETTERS else f"{label[: MOST_LETTERS - 1]}…"
    return escape(cut)
