"""Bars with their names, on one scale."""

from collections.abc import Sequence

from ui.learn.pictures.svg import TEXT, picture, text
from ui.page.markup import element, sentence

_NARROW, _WIDE = (300.0, 62.0, 26.0), (600.0, 50.0, 20.0)
"""Width of a picture, height of a row and of its bar."""
_NAME = 26.0
"""Height of a bar's name."""


def bars(
    rows: Sequence[tuple[str, float, str]],
    label: str,
    *,
    largest: float = 0.0,
    wide: bool = False,
) -> str:
    """Return SVG of bars from the left, one below the other.

    Parameters
    ----------
    rows
        Name with **bold**, value, and role of the colour.
    largest
        The value that fills the width, where that is more than all of these.
    wide
        For a picture that has half the width of a page.
    """
    width, high, bar = _WIDE if wide else _NARROW
    longest = max([largest, *(value for _, value, _ in rows)]) or 1.0
    parts = []
    for number, (name, value, role) in enumerate(rows):
        top = number * high
        # SVG knows no <b>: its text is bold by an attribute of a span.
        written = (
            sentence(name).replace("<b>", '<tspan font-weight="650">').replace("</b>", "</tspan>")
        )
        parts.append(text(0, top + 18, written, TEXT, fill="currentColor"))
        size = {
            "x": 0,
            "y": f"{top + _NAME:g}",
            "height": bar,
            "width": f"{width * value / longest:.1f}",
        }
        parts.append(element("rect", **size, fill=f"var(--{role})"))
    height = len(rows) * high
    end = f"{height - high + _NAME + bar / 2:g}"
    places = {"data_x0": "0", "data_x1": f"{width:g}", "data_y": end}
    return picture(width, height, label, *parts, **places)
