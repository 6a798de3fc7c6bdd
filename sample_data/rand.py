"""RAND Health Insurance Experiment: 5,912 people, one row each, between public ranges."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np

from dpca_core.analysis.direction_words import ColumnWords
from dpca_core.data.clipping import centred, to_ball, to_unit_range
from dpca_core.data.dataset import Dataset
from sample_data.source import PUBLIC_SIZE, Source, ball, centre, fixed

RADIUS = 3.0
RANGES: dict[str, tuple[str, float, float]] = {
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
MISSING_EDUCATION = 12.0
_FOLDER = Path(__file__).parent


def _column_words() -> dict[str, ColumnWords]:
    """Return what the two ends of columns are called, by the codebook of the experiment.

    Definitions: ``datasets/randhie`` of statsmodels and Cameron & Trivedi 2005 (mma data).
    Excellent health is the category left out, so that a person who does not rate it "good" may rate
    it better or worse. Which end of the mental health index is the healthy one is not in the
    codebook: no words.
    """
    words = json.loads((_FOLDER / "rand_words.json").read_text("utf-8"))
    return {name: ColumnWords(**ends) for name, ends in words.items()}


def load(key: str) -> Dataset:
    """Read the people, clip every column to its range and every row to norm 1 after dividing by 3.

    Education of the head of the family is missing for a few people: the centre of its range.
    """
    path = _FOLDER / "rand.csv.gz"
    place = list(RANGES).index("educdec")
    known: dict[int | str, Callable[[str], float]] = {
        place: lambda cell: float(cell or MISSING_EDUCATION)
    }
    table = np.loadtxt(path, delimiter=",", skiprows=1, encoding="utf-8", converters=known)
    middle, half = (np.array([r[i] for r in RANGES.values()], dtype=float) for i in (1, 2))
    low, high = middle - half, middle + half
    cells = to_unit_range(table, low, high)
    rows = to_ball(cells.values, RADIUS)
    free = centred(table, low, high) / RADIUS
    return Dataset(
        key=key,
        name=SOURCE.name,
        short=SOURCE.short,
        rows=rows.values,
        columns=tuple(name for name, _, _ in RANGES.values()),
        clipped_rows=rows.share,
        clipped_cells=cells.share,
        unclipped_moment=free.T @ free,
        disclosures=(
            ball(
                "public column ranges and R = 3",
                f"{rows.share * 100:.0f}\u00a0% of rows shortened to norm 1",
            ),
            centre("none: the origin is the middle of the public ranges"),
            fixed("Categories", "from the questionnaire, not read from the data"),
            fixed("Rows", "a person’s years are averaged into one row first"),
            PUBLIC_SIZE,
        ),
        public=True,
        origin=SOURCE.origin,
        licence=SOURCE.licence,
    )


SOURCE = Source(
    key="rand",
    name="RAND Health Insurance Experiment",
    short="RAND Health",
    description="Medical care, health, income and insurance plan of 5,912 people who were assigned "
    "a plan at random between 1974 and 1982; averages over each person’s years.",
    origin="datasets/randhie of statsmodels; Newhouse et al. 1981, Deb & Trivedi 2002",
    licence="public domain",
    default_k=2,
    load=load,
    column_words=_column_words(),
)
