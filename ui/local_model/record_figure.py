"""Pictures of the local model: one record, its report, and the average of all reports."""

from typing import Any

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import top_basis
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import InfeasibleBudget
from dpca_core.simulation.wang_xu import sparse_design
from ui.figures.packed_content import Float32Array, float32
from ui.local_model import text
from ui.local_model.measurements import LOCAL_KEY
from ui.local_model.query import LocalModelQuery

MOST_COLUMNS_SHOWN = 64


def record_of(query: LocalModelQuery) -> Array:
    """Return one person's record (d,): the data's middle one, or one drawn from the design."""
    if query.data is not None:
        return np.asarray(query.data.rows[len(query.data.rows) // 2])
    used = query.columns if query.is_sparse else query.p
    return np.asarray(sparse_design(1, query.p, query.k, used, seed=query.seed).rows[0])


def record_pictures(query: LocalModelQuery) -> dict[str, Any] | None:
    """One record before and after, and the average; None where nothing is released."""
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
    captions = text.matrix_captions(problem.n)
    matrices = (record, report, average, truth)
    images = [_matrix_image(*each) for each in zip(captions, matrices, strict=True)]
    if query.data is not None and query.data.image_shape:
        shape, first = list(query.data.image_shape), problem.basis[:, 0]
        vectors = (x, _top_direction(report, x), _top_direction(average, first), first)
        images += [
            {"caption": caption, "values": _relative(vector), "shape": shape}
            for caption, vector in zip(text.VECTOR_CAPTIONS, vectors, strict=True)
        ]
    labels = text.record_labels(query, MOST_COLUMNS_SHOWN)
    return {"key": "record", "wide": True, "images": images, **labels}


def _matrix_image(caption: str, matrix: Array) -> dict[str, Any]:
    shown = matrix[:MOST_COLUMNS_SHOWN, :MOST_COLUMNS_SHOWN]
    return {
        "caption": text.with_largest_entry(caption, float(np.abs(shown).max())),
        "values": _relative(shown),
        "shape": list(shown.shape),
    }


def _top_direction(matrix: Array, like: Array) -> Array:
    """Return the first direction of a matrix, with the sign of another vector."""
    vector = top_basis(matrix, 1)[:, 0]
    return np.asarray(vector * (1 if vector @ like >= 0 else -1))


def _relative(values: Array) -> Float32Array:
    """Return the entries divided by the largest, row by row."""
    scale = float(np.abs(values).max()) or 1.0
    return float32(values / scale).ravel()
