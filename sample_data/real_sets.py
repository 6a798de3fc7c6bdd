"""Real sets of which every row is here or comes with scikit-learn, between public ranges."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from dpca_core.analysis.direction_words import ColumnWords
from dpca_core.data.clipping import centred, to_ball, to_unit_range
from dpca_core.linalg.arrays import Array
from sample_data.source import BOUND, CATEGORIES, CENTRE, NO_CATEGORIES, Contents, fixed

RAND_RADIUS = 3.0
RAND_RANGES: dict[str, tuple[str, float, float]] = {
    "mdvis": ("doctor visits", 3, 10),
    "notmdvis": ("other visits", 1, 5),
    "mentvis": ("mental health visits", 0, 5),
    "totadm": ("hospital admissions", 0, 1),
    "disea": ("chronic diseases", 10, 20),
    "physlm": ("physical limitation", 0, 1),
    "mhi": ("mental health index", 75, 25),
    "hlthg": ("health good", 0.5, 0.5),
    "hlthf": ("health fair", 0, 1),
    "hlthp": ("health poor", 0, 1),
    "income": ("family income", 8000, 8000),
    "xage": ("age", 25, 25),
    "female": ("female", 0.5, 0.5),
    "educdec": ("education, head", 12, 6),
    "num": ("family size", 4, 4),
    "child": ("child", 0.5, 0.5),
    "logc": ("log coinsurance", 2.3, 2.3),
    "idp": ("deductible plan", 0.5, 0.5),
    "lpi": ("log incentive", 4, 4),
}
"""Column: readable name, centre and half-width of its public range.

Round numbers from what the codebook says the columns mean, not from the data.
"""
_TUMOUR_RANGES = {
    "radius": 30, "texture": 40, "perimeter": 200, "area": 2500, "smoothness": 0.2,
    "compactness": 0.5, "concavity": 0.5, "concave points": 0.25, "symmetry": 0.4,
    "fractal dimension": 0.1,
}  # fmt: skip
"""Upper ends for the means over a tumour's nuclei."""
_TUMOUR_FACTORS = {"mean": 1.0, "error": 0.25, "worst": 2.0}
_WINE_RANGES = {
    "alcohol": (10, 16), "malic_acid": (0, 6), "ash": (1, 4), "alcalinity_of_ash": (10, 30),
    "magnesium": (60, 180), "total_phenols": (0, 5), "flavanoids": (0, 5),
    "nonflavanoid_phenols": (0, 1), "proanthocyanins": (0, 4), "color_intensity": (0, 15),
    "hue": (0, 2), "od280/od315_of_diluted_wines": (1, 5), "proline": (0, 2000),
}  # fmt: skip
_MIDDLE = fixed(CENTRE, "none: the origin is the middle of the public ranges")
_FOLDER = Path(__file__).parent


def rand() -> Contents:
    """5,912 people, one row each; a missing education is the centre of its range."""
    table = np.genfromtxt(_FOLDER / "rand.csv.gz", delimiter=",", skip_header=1)
    names, middle, half = zip(*RAND_RANGES.values(), strict=True)
    low, high = np.subtract(middle, half), np.add(middle, half)
    contents = _between(table, low, high, RAND_RADIUS)
    shortened = f"{contents['clipped_rows'] * 100:.0f}\u00a0% of rows shortened to norm 1"
    found = (
        fixed(BOUND, "public column ranges and R = 3", shortened),
        _MIDDLE,
        fixed(CATEGORIES, "from the questionnaire, not read from the data"),
        fixed("Rows", "a person’s years are averaged into one row first"),
    )
    return contents | {"columns": names, "disclosures": found}


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
        "disclosures": (
            fixed(BOUND, "pixels run from 0 to 16: no row can be longer than 1"),
            fixed(CENTRE, "mid-grey is subtracted, which is public"),
            NO_CATEGORIES,
        ),
    }


def breast_cancer() -> Contents:
    """569 tumours, 30 measurements each, between round public ranges from 0."""
    bunch = _scikit_learn("breast_cancer")

    def upper(name: str) -> float:
        kind = next(word for word in _TUMOUR_FACTORS if word in name.split())
        return _TUMOUR_FACTORS[kind] * _TUMOUR_RANGES[name.replace(kind, "").strip()]

    return _measured(bunch, [(0, upper(str(name))) for name in bunch.feature_names])


def wine() -> Contents:
    """178 wines, 13 chemical measurements each, between round public ranges."""
    bunch = _scikit_learn("wine")
    return _measured(bunch, [_WINE_RANGES[str(name)] for name in bunch.feature_names])


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
    contents = _between(bunch.data, low, high, float(np.sqrt(len(ranges))))
    found = (
        fixed(
            BOUND,
            f"public column ranges, R = √{len(ranges)}",
            f"{contents['clipped_cells'] * 100:.1f}\u00a0% of values clipped",
        ),
        *(_MIDDLE, NO_CATEGORIES),
    )
    names = tuple(str(name).replace("_", " ") for name in bunch.feature_names)
    return contents | {"columns": names, "disclosures": found}


def _between(table: Array, low: Array, high: Array, radius: float) -> Contents:
    """Map public ranges to [−1, 1], divide by R, and shorten rows to norm 1."""
    cells = to_unit_range(table, low, high)
    rows = to_ball(cells.values, radius)
    free = centred(table, low, high) / radius
    return {
        "rows": rows.values,
        "clipped_rows": rows.share,
        "clipped_cells": cells.share,
        "unclipped_moment": free.T @ free,
    }
