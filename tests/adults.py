"""Adult as CSV text: a look-alike drawn by a seed, always; the real one where it is at hand."""

import numpy as np
import pandas as pd
import pytest

from tests.real_data import marks, path_of

NUMBERS = {
    "age": (17, 90), "education-num": (1, 16), "capital-gain": (0, 99_999),
    "capital-loss": (0, 4356), "hours-per-week": (1, 99),
}  # fmt: skip
"""Smallest and largest value of each."""

TEXTS = {
    "workclass": 8, "education": 16, "marital-status": 7, "occupation": 14, "relationship": 6,
    "race": 5, "sex": 2, "native-country": 41, "income": 2,
}  # fmt: skip
"""Number of values, a missing one not counted."""

UNKNOWN = ("workclass", "occupation", "native-country")
REAL_SHAPE, LOOK_ALIKE_ROWS, COLUMNS = (48_842, 106), 3000, 106


def look_alike() -> str:
    """Return a table of Adult's columns and ranges; in three of them some values are missing."""
    rng, n = np.random.default_rng(0), LOOK_ALIKE_ROWS
    table = {"fnlwgt": rng.integers(12_285, 1_490_400, n)}
    for name, (low, high) in NUMBERS.items():
        values = np.round(low + (high - low) * rng.beta(1.2, 4, n)).astype(int)
        values[:2] = low, high
        table[name] = values
    for name, count in TEXTS.items():
        values = np.array([f"{name} {i}, <=50K" for i in range(count)], dtype=object)
        column = values[np.minimum(rng.geometric(2 / count, n) - 1, count - 1)]
        column[2 : count + 2] = values
        if name in UNKNOWN:
            column[rng.random(n) < 0.05] = "?"
            column[2 : count + 2] = values
        table[name] = column
    table["split"] = rng.choice(["train", "test"], n)
    return pd.DataFrame(table).to_csv(index=False)


def adults() -> list[object]:
    """Return parameters of a test: texts, and how many people and columns they have."""
    path = path_of("adult.parquet")
    real = "" if path is None else pd.read_parquet(path).to_csv(index=False)
    return [
        pytest.param(look_alike(), (LOOK_ALIKE_ROWS, COLUMNS), id="look-alike"),
        pytest.param(real, REAL_SHAPE, id="real", marks=marks("adult.parquet")),
    ]
