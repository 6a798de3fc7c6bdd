"""Ellipses of published remainders, each with the needle of a record."""

import numpy as np

from dpca_core.audit.absence import RECORD
from dpca_core.linalg.arrays import Array
from ui.figures.ellipses import Ellipse, ellipses_of, largest_reach
from ui.page.markup import element, role_style

_CELL = 46.0
"""Side of a cell, in units of its own viewBox."""
_SHARE, _LEAST = "4.9%", "2.05rem"
"""Width of a cell: twenty to a row, or as many as fit on a phone."""


def ellipses(matrices: Array | None, proved: np.ndarray, scale: float, label: str) -> str:
    """Return markup with one cell for each of T releases: {v : vᵀM⁻¹v ≤ 1}, and a record's needle.

    Parameters
    ----------
    matrices
        M (T, 2, 2), published matrices minus all other records; None for the needles alone.
    proved
        Whether the needle sticks out, (T,): these are in the accent colour.
    scale
        Of the noise: the largest ellipses fit their cells.
    label
        What the picture says, for those who do not see it.
    """
    unit = _CELL / 2 / largest_reach(scale)
    found: list[Ellipse | None] = [None] * len(proved)
    if matrices is not None:
        found = [*ellipses_of(matrices)]
    cells = (_cell(e, bool(proof), unit) for e, proof in zip(found, proved, strict=True))
    style = f"display: flex; flex-wrap: wrap; {role_style('accent')}"
    return element("div", *cells, role="img", aria_label=label, style=style)


def _cell(ellipse: Ellipse | None, proof: bool, unit: float) -> str:
    colour = "var(--role)" if proof else "currentColor"
    x, y = unit * RECORD[0], -unit * RECORD[1]
    parts = [
        element("path", d=f"M0 0L{x:.1f} {y:.1f}", stroke=colour, stroke_width="1.6"),
        element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r="2.6", fill=colour),
    ]
    if ellipse is not None:
        axes = {"rx": f"{unit * ellipse.long:.1f}", "ry": f"{unit * ellipse.short:.1f}"}
        turn = f"rotate({ellipse.angle:.1f})"
        drawn = element("ellipse", **axes, transform=turn, fill="none", stroke="var(--grey)")
        parts.insert(0, drawn)
    half = _CELL / 2
    size = f"width: max({_SHARE}, {_LEAST}); height: auto; overflow: visible"
    box = f"{-half:g} {-half:g} {_CELL:g} {_CELL:g}"
    return element("svg", *parts, viewBox=box, style=size, aria_hidden="true")
