"""Real sets of which every row is here or comes with scikit-learn, between public ranges."""

import json
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from dpca_core.analysis.direction_words import ColumnWords
from dpca_core.data.clipping import to_ball, to_unit_range
from dpca_core.linalg.arrays import Array
from sample_data.source import Contents

_FOLDER = Path(__file__).parent
_RANGES = tomllib.loads((_FOLDER / "ranges.toml").read_text("utf-8"))
RAND_RADIUS = 3.0
RAND_RANGES: dict[str, tuple[str, float, float]] = {k: tuple(v) for k, v in _RANGES["rand"].items()}
"""Column: readable name, centre and half-width of its public range."""
_TUMOUR_FACTORS = {"mean": 1.0, "error": 0.25, "worst": 2.0}


def rand() -> Contents:
    """5,912 people, one row each; a missing education is the centre of its range."""
    table = np.genfromtxt(_FOLDER / "rand.csv.gz", delimiter=",", skip_header=1)
    names, middle, half = zip(*RAND_RANGES.values(), strict=True)
    low, high = np.subtract(middle, half), np.add(middle, half)
    return _between(table, low, high, RAND_RADIUS) | {"columns": names}


def rand_words() -> dict[str, ColumnWords]:
    """Return what the two ends of columns are called, by the codebook of the experiment.

    Definitions: ``datasets/randhie`` of statsmodels and Cameron & Trivedi 2005 (mma data).
    Excellent health is the category left out, so that a person who does not rate it "good" may rate
    it better or worse. Which end of the mental health index is the healthy one is not in the
    codebook: no words.
    """
    words = json.loads((_FOLDER / "rand_words.json").read_text("utf-8"))
    return {name: ColumnWords(**ends) for name, ends in words.items()}


def digits() -> Contents:
    """1,797 images of 8 × 8 pixels from 0 to 16, about mid-grey; divided by the longest row, 8."""
    return {
        "rows": to_ball(_scikit_learn("digits").data / 8 - 1, 8.0).values,
        "columns": tuple(f"row {i + 1}, column {j + 1}" for i in range(8) for j in range(8)),
        "image_shape": (8, 8),
    }


def breast_cancer() -> Contents:
    """569 tumours, 30 measurements each, between round public ranges from 0."""
    bunch = _scikit_learn("breast_cancer")

    def upper(name: str) -> float:
        kind = next(word for word in _TUMOUR_FACTORS if word in name.split())
        most: float = _RANGES["breast_cancer"][name.replace(kind, "").strip()]
        return _TUMOUR_FACTORS[kind] * most

    return _measured(bunch, [(0, upper(str(name))) for name in bunch.feature_names])


def wine() -> Contents:
    """178 wines, 13 chemical measurements each, between round public ranges."""
    bunch = _scikit_learn("wine")
    return _measured(bunch, [_RANGES["wine"][str(name)] for name in bunch.feature_names])


def _scikit_learn(name: str) -> Any:
    try:
        from sklearn import datasets
    except ModuleNotFoundError as error:
        raise ImportError(
            "This data set is scikit-learn's: "
            "pip install '.[sklearn]' in this project’s folder adds it."
        ) from error
    return getattr(datasets, f"load_{name}")()


def _measured(bunch: Any, ranges: list[tuple[float, float]]) -> Contents:
    """Divide by √d, so that every row fits the ball."""
    low, high = np.array(ranges, dtype=float).T
    names = tuple(str(name).replace("_", " ") for name in bunch.feature_names)
    return _between(bunch.data, low, high, float(np.sqrt(len(ranges)))) | {"columns": names}


def _between(table: Array, low: Array, high: Array, radius: float) -> Contents:
    """Map public ranges to [−1, 1], divide by R, and shorten rows to norm 1."""
    cells = to_unit_range(table, low, high)
    rows = to_ball(cells.values, radius)
    return {
        "rows": rows.values,
        "clipped_rows": rows.share,
        "clipped_cells": cells.share,
    }
