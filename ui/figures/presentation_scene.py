"""What a room has beside a page's picture: a list that keys choose from, and an axis of ε."""

from dataclasses import dataclass
from html import escape
from typing import Any

from dpca_core.text.privacy_numbers import epsilon_text
from ui.page.markup import element, role_style
from ui.text import present as words

SCENE_ROWS = 6
"""Rows that a room reads."""


@dataclass(frozen=True)
class SceneRow:
    """A row of the list.

    Attributes
    ----------
    key
        What is chosen by it.
    value
        Its number, as it is shown.
    role
        Of its colour.
    """

    key: str
    name: str
    value: str
    role: str = "ink"
    chosen: bool = False


@dataclass(frozen=True)
class Scene:
    """What stands beside the picture of a page whose charts have no handle of their own.

    Attributes
    ----------
    title
        Of the list; its rows are the picture's legend, too.
    epsilons
        Stops of ε.
    lights
        Whether a row lights its line in the browser; otherwise the page is told.
    chart
        Key of the chart whose axis is of ε: the handle lies on it. "" for an axis of its own.
    """

    title: str
    rows: tuple[SceneRow, ...]
    epsilons: tuple[float, ...]
    lights: bool = False
    chart: str = ""


def list_markup(scene: Scene) -> str:
    """Return the list, each row a button."""
    rows = (
        element(
            "button",
            element("i"),
            element("span", escape(row.name)),
            element("b", escape(row.value)),
            type="button",
            class_="dpca-scene-row",
            aria_pressed=str(row.chosen).lower(),
            data_value=row.key,
            style=role_style(row.role),
        )
        for row in scene.rows[:SCENE_ROWS]
    )
    return element("h2", escape(scene.title)) + "".join(rows) if scene.rows else ""


def scene_content(scene: Scene, epsilon: float) -> dict[str, Any]:
    """Return what the browser draws the axis of ε with; ``epsilon`` is one of its stops."""
    written = [epsilon_text(stop) for stop in scene.epsilons]
    return {
        "values": list(scene.epsilons),
        "texts": written,
        "named": [f"ε\u00a0=\u00a0{text}" for text in written],
        "index": scene.epsilons.index(epsilon),
        "label": words.EPSILON_AXIS,
        "chart": scene.chart,
        "lights": scene.lights,
    }
