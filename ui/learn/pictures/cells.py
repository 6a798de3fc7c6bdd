"""Symmetric tables as cells: signed heat maps side by side on one scale."""

from collections.abc import Sequence
from html import escape

import numpy as np

from dpca_core.linalg.arrays import Array
from ui.learn.pictures.svg import picture, text
from ui.page.markup import element

_SIDE, _GAP, _HEAD, _NAME = 270.0, 45.0, 40.0, 29.0
_POSITIVE, _NEGATIVE = "var(--gaussian)", "var(--laplace)"
_SHADES = 12


def cells(matrices: Sequence[tuple[str, Array | None]], label: str) -> str:
    """Return SVG of (d, d) tables with their names: blue is positive, orange negative.

    A cell's strength is the square root of its size beside the largest of all tables, so that
    small cells are seen beside large ones. None is a table that is not shown yet: a frame.
    """
    known = [float(np.abs(matrix).max()) for _, matrix in matrices if matrix is not None]
    largest = max(known) or 1.0
    parts = []
    for number, (name, matrix) in enumerate(matrices):
        left = number * (_SIDE + _GAP)
        parts.append(text(left, 26, escape(name), _NAME, bold=matrix is not None))
        parts.append("" if matrix is None else _table(matrix / largest, left))
        frame = {"x": f"{left:g}", "y": _HEAD, "width": _SIDE, "height": _SIDE}
        parts.append(element("rect", **frame, fill="none", stroke="var(--rule)"))
    width = len(matrices) * (_SIDE + _GAP) - _GAP
    # A lone table stays as large as one of three.
    return picture(max(width, 3 * _SIDE + 2 * _GAP), _SIDE + _HEAD + 1, label, *parts)


def _table(matrix: Array, left: float) -> str:
    d = len(matrix)
    side = _SIDE / d
    strength = np.round(np.sqrt(np.abs(matrix)) * _SHADES).astype(int)
    paths = []
    for colour, chosen in ((_POSITIVE, matrix > 0), (_NEGATIVE, matrix < 0)):
        for shade in range(1, _SHADES + 1):
            rows, columns = np.nonzero(chosen & (strength == shade))
            drawn = "".join(
                f"M{left + j * side:.1f} {_HEAD + i * side:.1f}h{side:.2f}v{side:.2f}h{-side:.2f}z"
                for i, j in zip(rows, columns, strict=True)
            )
            if drawn:
                paths.append(
                    element("path", d=drawn, fill=colour, opacity=f"{shade / _SHADES:.2f}")
                )
    return "".join(paths)
