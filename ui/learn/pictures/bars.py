"""Bars with their names, on one scale."""

from collections.abc import Sequence

from ui.figures.markup import element, sentence
from ui.learn.pictures.svg import TEXT, picture, text

_WIDTH, _ROW, _BAR = 300.0, 62.0, 26.0


def bars(rows: Sequence[tuple[str, float, str]], label: str, *, largest: float = 0.0) -> str:
    """Return SVG of bars from the left, one below the other.

    Parameters
    ----------
    rows
        Name with **bold**, value, and role of the colour.
    largest
        The value that fills the width, where that is more than all of these.
    """
    longest = max([largest, *(value for _, value, _ in rows)]) or 1.0
    parts = []
    for number, (name, value, role) in enumerate(rows):
        top = number * _ROW
        # SVG knows no <b>: its text is bold by an attribute of a span.
        written = (
            sentence(name).replace("<b>", '<tspan font-weight="650">').replace("</b>", "</tspan>")
        )
        parts.append(text(0, top + 18, written, TEXT, fill="currentColor"))
        size = {
            "x": 0,
            "y": f"{top + 26:g}",
            "height": _BAR,
            "width": f"{_WIDTH * value / longest:.1f}",
        }
        parts.append(element("rect", **size, fill=f"var(--{role})"))
    height = len(rows) * _ROW
    end = f"{height - _ROW + 26 + _BAR / 2:g}"
    places = {"data_x0": "0", "data_x1": f"{_WIDTH:g}", "data_y": end}
    return picture(_WIDTH, height, label, *parts, **places)
