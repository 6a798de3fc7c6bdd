"""Real sets of which every row is here or comes with scikit-learn, between public ranges."""

import json
import tomllib
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dpca_core.analysis.direction_words import ColumnWords
from dpca_core.data.clipping import to_ball, to_unit_range
from dpca_core.linalg.arrays import Array

_FOLDER = Path(__file__).parent
_TOLD = tomllib.loads((_FOLDER / "catalogue.toml").read_text("utf-8"))
RAND_RADIUS = 3.0
RAND_RANGES: dict[str, tuple[str, float, float]] = {
    key: tuple(told) for key, told in _TOLD["rand"]["ranges"].items()
}
"""Column: readable name, centre and half-width of its public range."""


def rand() -> dict[str, Any]:
    """5,912 people, one row each; a missing education is the centre of its range."""
    table = np.genfromtxt(_FOLDER / "rand.csv.gz", delimiter=",", skip_header=1)
    names, middle, half = zip(*RAND_RANGES.values(), strict=True)
    ends = np.subtract(middle, half), np.add(middle, half)
    return _between(table, *ends, RAND_RADIUS) | {"columns": names}


def rand_words() -> dict[str, ColumnWords]:
    """Return what the ends of columns are called: ``datasets/randhie``, Cameron & Trivedi 2005.

    Who does not rate health "good" may rate it better or worse; the mental health index has no
    words.
    """
    words = json.loads((_FOLDER / "rand_words.json").read_text("utf-8"))
    return {name: ColumnWords(**ends) for name, ends in words.items()}


def digits() -> dict[str, Any]:
    """1,797 images of 8 × 8 pixels from 0 to 16, about mid-grey; divided by the longest row, 8."""
    return {
        "rows": to_ball(_scikit_learn("digits").data / 8 - 1, 8.0).values,
        "columns": tuple(f"row {i + 1}, column {j + 1}" for i in range(8) for j in range(8)),
        "image_shape": (8, 8),
    }


def measured(name: str) -> dict[str, Any]:
    """Tumours or wines between round public ranges, divided by √d so that every row fits."""
    bunch = _scikit_learn(name)
    ranges = _TOLD[name]["ranges"]
    low, high = np.array([ranges[one] for one in bunch.feature_names], dtype=float).T
    columns = tuple(str(one).replace("_", " ") for one in bunch.feature_names)
    return _between(bunch.data, low, high, float(np.sqrt(len(low)))) | {"columns": columns}


def _scikit_learn(name: str) -> Any:
    try:
        from sklearn import datasets
    except ModuleNotFoundError as error:
        said = "This data set is scikit-learn's: pip install '.[sklearn]' in this project’s folder"
        raise ImportError(f"{said} adds it.") from error
    return getattr(datasets, f"load_{name}")()


breast_cancer, wine = partial(measured, "breast_cancer"), partial(measured, "wine")


def _between(table: Array, low: Array, high: Array, radius: float) -> dict[str, Any]:
    cells = to_unit_range(table, low, high)
    rows = to_ball(cells.values, radius)
    return {"rows": rows.values, "clipped_rows": rows.share, "clipped_cells": cells.share}
