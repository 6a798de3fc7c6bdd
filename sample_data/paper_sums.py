"""Real sets of the papers as sums over their rows, which ``python -m papers.data KEY`` makes."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dpca_core.linalg.arrays import Array

FOLDER = Path(__file__).parent


class Sums(NamedTuple):
    """Σ x·xᵀ (d, d) and Σ x (d,) over rows x as they stand, ends of columns (d,), largest norms."""

    people: int
    columns: tuple[str, ...]
    gram: Array
    total: Array
    low: Array
    high: Array
    longest: dict[str, float]


def contents(name: str, reading: str) -> dict[str, Any]:
    """Return the sum of a file's rows, as a paper reads them, divided by the one largest norm.

    ``centred`` is of Imtiaz & Sarwate 2016, ``by maximum`` of Chaudhuri et al. 2013.
    """
    sums = read_sums(name)
    d, n = len(sums.columns), sums.people
    origins = {"centred": sums.total / n, "min–max": sums.low}
    divisors = {"by maximum": sums.high, "min–max": sums.high - sums.low}
    origin = origins.get(reading, np.zeros(d))
    cross = np.outer(origin, sums.total)
    gram = sums.gram - cross - cross.T + n * np.outer(origin, origin)
    scale = 1 / (divisors.get(reading, np.ones(d)) * sums.longest[reading])
    moment = gram * np.outer(scale, scale)
    told = {"columns": sums.columns, "people": n}
    return {"rows": np.empty((0, d)), "summed": moment / 2 + moment.T / 2} | told


def write_sums(name: str, sums: Sums) -> None:
    """Write a set's file: the upper triangle alone, whole numbers where all are."""
    triangle = sums.gram[np.triu_indices(len(sums.gram))]
    whole = np.rint(triangle).astype(np.int64)
    told: dict[str, Any] = sums._asdict()
    told["gram"] = whole if np.array_equal(whole, triangle) else triangle
    told["readings"], told["longest"] = [*sums.longest], [*sums.longest.values()]
    np.savez_compressed(FOLDER / f"{name}.npz", **told)


def read_sums(name: str) -> Sums:
    """Read a set's file."""
    with np.load(FOLDER / f"{name}.npz") as file:
        columns = tuple(file["columns"].tolist())
        gram = np.zeros((len(columns), len(columns)))
        gram[np.triu_indices(len(columns))] = file["gram"]
        gram += np.triu(gram, 1).T
        longest = dict(zip(file["readings"].tolist(), file["longest"].tolist(), strict=True))
        ends = file["total"], file["low"], file["high"]
        return Sums(int(file["people"]), columns, gram, *ends, longest)
