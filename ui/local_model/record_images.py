"""Pictures of the local model: one record, its report, and the average of all reports."""

from textwrap import wrap
from typing import Any

import numpy as np

from dpca_core.figures.layout import Spec, shared_layout
from dpca_core.figures.line_names import LETTER
from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import top_basis
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import InfeasibleBudget
from sample_data.wang_xu import sample_rows
from ui.figures.packed_content import float32
from ui.figures.signed_image import signed_image
from ui.local_model import text
from ui.local_model.measurements import LOCAL_KEY
from ui.local_model.query import LocalModelQuery

MOST_COLUMNS_SHOWN = 64
LAYOUTS = ((260, 2, 140.0), (620, 4, 140.0), (1000, 4, 220.0))
"""Width of the figure, images in a row, and their side, in pixels."""
CAPTION, GAP = 48.0, 0.06
"""Height below an image for its caption, in pixels, and share of a column between images."""
TYPE = 12.0
"""Size of the captions' type, in pixels."""


def record_of(query: LocalModelQuery) -> Array:
    """Return one person's record (d,): the data's middle one, or one drawn from the design."""
    if query.data is not None:
        return np.asarray(query.data.rows[len(query.data.rows) // 2])
    used = query.columns if query.is_sparse else query.p
    return np.asarray(sample_rows(1, query.p, query.k, used, seed=query.seed).rows[0])


def record_pictures(query: LocalModelQuery) -> dict[str, Any] | None:
    """One record before and after, and the average.

    None where nothing is released, and of a data set that is only a sum.
    """
    if query.data is not None and len(query.data.rows) == 0:
        return None
    x = record_of(query)
    problem = query.ground_truth.problem
    mechanism = MECHANISMS[LOCAL_KEY]
    try:
        tau = mechanism.calibrate(problem.scaled(1.0), query.mechanism_budget).scale
    except InfeasibleBudget:
        return None
    noise = mechanism.unit(query.d, 1, np.random.default_rng(query.seed), 2)[0]  # type: ignore[attr-defined]
    record = np.outer(x, x)
    report = record + tau * noise[0]
    truth = problem.moment / problem.n
    average = truth + tau / np.sqrt(problem.n) * noise[1]
    shown = [m[:MOST_COLUMNS_SHOWN, :MOST_COLUMNS_SHOWN] for m in (record, report, average, truth)]
    captions = [
        text.with_largest_entry(caption, float(np.abs(matrix).max()))
        for caption, matrix in zip(text.matrix_captions(problem.n), shown, strict=True)
    ]
    pictures = dict(zip(captions, shown, strict=True))
    if query.data is not None and query.data.image_shape:
        shape, first = query.data.image_shape, problem.basis[:, 0]
        vectors = (x, _top_direction(report, x), _top_direction(average, first), first)
        pictures |= {
            caption: vector.reshape(shape)
            for caption, vector in zip(text.VECTOR_CAPTIONS, vectors, strict=True)
        }
    labels = text.record_labels(query, MOST_COLUMNS_SHOWN)
    return {"key": "record", "wide": True, "figure": pictures_figure(pictures), **labels}


def pictures_figure(pictures: dict[str, Array]) -> Spec:
    """Return matrices by their captions as images in rows, each on its own scale.

    Their entries are traces that are not drawn: what is saved as numbers.
    """
    entries = {caption: _relative(matrix) for caption, matrix in pictures.items()}
    traces = [
        {
            "type": "scatter",
            "visible": False,
            "name": caption,
            "x": float32(np.arange(1.0, values.size + 1)),
            "y": float32(values.ravel()),
        }
        for caption, values in entries.items()
    ]
    addresses = {caption: signed_image(values, 1.0) for caption, values in entries.items()}
    sizes = {
        width: {"type": TYPE, "scale": 1.0, **_rows_of_pictures(addresses, width, columns, side)}
        for width, columns, side in LAYOUTS
    }
    axes = {
        "xaxis": {"visible": False, "fixedrange": True, "title": {"text": text.ENTRY}},
        "yaxis": {"visible": False, "fixedrange": True},
    }
    layout = shared_layout() | axes | sizes[LAYOUTS[0][0]]["layout"]
    return {
        "data": traces,
        "layout": layout | {"margin": {"l": 0, "r": 0, "t": 0, "b": 0}},
        "sizes": {str(width): size for width, size in sizes.items()},
    }


def _rows_of_pictures(
    addresses: dict[str, str], width: int, columns: int, side: float
) -> dict[str, Any]:
    """Return layout and captions of images with so many in a row, in shares of the figure."""
    letters = int(width / columns / (LETTER * TYPE))
    rows = -(-len(addresses) // columns)
    height = rows * (side + CAPTION)
    images, captions = [], []
    for i, (caption, address) in enumerate(addresses.items()):
        x, top = (i % columns) / columns, 1 - (i // columns) / rows
        images.append(
            {
                "source": address,
                "xref": "paper",
                "yref": "paper",
                "x": x,
                "y": top,
                "sizex": (1 - GAP) / columns,
                "sizey": side / height,
                "sizing": "contain",
                "xanchor": "left",
                "yanchor": "top",
            }
        )
        captions.append(
            {
                "text": "<br>".join(
                    line for part in caption.split("; ") for line in wrap(part, letters)
                ),
                "xref": "paper",
                "yref": "paper",
                "x": x,
                "y": top - side / height,
                "xanchor": "left",
                "yanchor": "top",
                "align": "left",
                "font": {"color": "grey"},
            }
        )
    return {"layout": {"height": height, "images": images}, "annotations": captions}


def _top_direction(matrix: Array, like: Array) -> Array:
    """Return the first direction of a matrix, with the sign of another vector."""
    vector = top_basis(matrix, 1)[:, 0]
    return np.asarray(vector * (1 if vector @ like >= 0 else -1))


def _relative(values: Array) -> Array:
    """Return the entries divided by the largest."""
    return values / (float(np.abs(values).max()) or 1.0)
