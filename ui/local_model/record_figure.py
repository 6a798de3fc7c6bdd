"""Pictures of the local model: one record, its report, and the average of all reports."""

from typing import Any

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import top_basis
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import InfeasibleBudget
from dpca_core.simulation.wang_xu import sparse_design
from ui.local_model.measurements import Asked
from ui.text.numbers import count, significant

MOST_SHOWN = 64


def record_of(asked: Asked) -> Array:
    """Return one person's record (d,): the data's middle one, or one drawn from the design."""
    if asked.data is not None:
        return np.asarray(asked.data.rows[len(asked.data.rows) // 2])
    used = asked.columns if asked.source == "sparse" else asked.p
    return np.asarray(sparse_design(1, asked.p, asked.k, used, seed=asked.seed).rows[0])


def record_chart(asked: Asked, many: str) -> dict[str, Any] | None:
    """One record before and after, and the crowd; None where nothing is released."""
    x = record_of(asked)
    problem = asked.ground[0]
    mechanism = MECHANISMS["local_gaussian"]
    try:
        tau = mechanism.calibrate(problem.scaled(1.0), asked.budget).scale
    except InfeasibleBudget:
        return None
    noise = mechanism.unit(asked.d, 1, np.random.default_rng(asked.seed), 2)[0]  # type: ignore[attr-defined]
    own = np.outer(x, x)
    report = own + tau * noise[0]
    average = problem.moment / problem.n + tau / np.sqrt(problem.n) * noise[1]
    pictures = [
        _matrix("one record, x·xᵀ", own), _matrix("its report, x·xᵀ + Z", report),
        _matrix(f"average of {count(problem.n)} reports", average),
        _matrix("without privacy, S/n", problem.moment / problem.n),
    ]  # fmt: skip
    if asked.data is not None and asked.data.image_shape:
        vectors = (x, _first(report, x), _first(average, problem.basis[:, 0]), problem.basis[:, 0])
        names = ("the record x", "guessed from its report", "first direction of the average",
                 "first direction without privacy")  # fmt: skip
        pictures += [
            {"caption": name, "image": _rounded(v), "shape": list(asked.data.image_shape)}
            for name, v in zip(names, vectors, strict=True)
        ]
    return {
        "key": "record", "wide": True, "pictures": pictures,
        "title": "What one person sends, and what all of them say together",
        "sub": f"each picture on its own scale, orange positive, violet negative"
        f"{'' if asked.d <= MOST_SHOWN else f'; the first {MOST_SHOWN} columns'}; ε holds for the "
        f"report of each of the {many}",
    }  # fmt: skip


def _matrix(caption: str, matrix: Array) -> dict[str, Any]:
    shown = matrix[:MOST_SHOWN, :MOST_SHOWN]
    largest = significant(float(np.abs(shown).max()))
    return {
        "caption": f"{caption}; largest entry {largest}", "image": _rounded(shown),
        "shape": list(shown.shape),
    }  # fmt: skip


def _first(matrix: Array, like: Array) -> Array:
    vector = top_basis(matrix, 1)[:, 0]
    return np.asarray(vector * (1 if vector @ like >= 0 else -1))


def _rounded(values: Array) -> list[float]:
    scale = float(np.abs(values).max()) or 1.0
    return [round(float(v), 3) for v in (values / scale).ravel()]
