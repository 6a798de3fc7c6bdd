"""Pictures of the refutation: a needle that sticks out of an ellipse proves absence."""

import numpy as np

from dpca_core.audit.absence import RECORD
from dpca_core.linalg.arrays import Array
from ui.figures.ellipses import ellipses_of, largest_reach, screen_angle

CELL_PIXELS = 58


def ellipse_cells(matrices: Array, proved: np.ndarray, scale: float) -> str:
    """Return HTML with one cell for each release: {v : vᵀM⁻¹v ≤ 1} and the record, in one scale.

    Parameters
    ----------
    matrices
        M (T, 2, 2), published matrices minus all other records.
    proved
        Which of them (T,) prove the record absent.
    scale
        Of the noise: the largest ellipses fit their cells.
    """
    unit = CELL_PIXELS / 2 / largest_reach(scale)
    turn = screen_angle(RECORD)
    needle = f'<i class="needle" style="width: {unit:.1f}px; transform: rotate({turn:.1f}deg)"></i>'
    cells = []
    for ellipse, proof in zip(ellipses_of(matrices), proved, strict=True):
        width, height = 2 * unit * ellipse.long, 2 * unit * ellipse.short
        shape = (
            f"width: {width:.1f}px; height: {height:.1f}px; margin: {-height / 2:.1f}px 0 0 "
            f"{-width / 2:.1f}px; transform: rotate({ellipse.angle:.1f}deg)"
        )
        kind = "cell proof" if proof else "cell"
        cells.append(f'<div class="{kind}"><i class="ellipse" style="{shape}"></i>{needle}</div>')
    return "".join(cells)
