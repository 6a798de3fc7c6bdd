"""Pictures of the refutation: a needle that sticks out of an ellipse proves absence."""

from math import degrees, sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from ui.claims.measurements import RECORD

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
    unit = CELL_PIXELS / 2 / max(1.25, 3.0 * sqrt(scale))
    values, vectors = np.linalg.eigh(matrices)
    turn = -degrees(np.arctan2(RECORD[1], RECORD[0]))
    needle = f'<i class="needle" style="width: {unit:.1f}px; transform: rotate({turn:.1f}deg)"></i>'
    cells = []
    for (low, high), frame, proof in zip(values, vectors, proved, strict=True):
        width, height = (2 * unit * sqrt(max(v, 0.0)) for v in (high, low))
        angle = -degrees(np.arctan2(frame[1, 1], frame[0, 1]))
        shape = (
            f"width: {width:.1f}px; height: {height:.1f}px; margin: {-height / 2:.1f}px 0 0 "
            f"{-width / 2:.1f}px; transform: rotate({angle:.1f}deg)"
        )
        kind = "cell proof" if proof else "cell"
        cells.append(f'<div class="{kind}"><i class="ellipse" style="{shape}"></i>{needle}</div>')
    return "".join(cells)
