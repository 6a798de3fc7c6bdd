"""Real sets of the papers as sums over their rows: what every captured variance needs.

No row is kept. ``python -m papers.data --make KEY`` makes each file from its source.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from dpca_core.data.provenance import Disclosure
from dpca_core.linalg.arrays import Array
from sample_data.source import BOUND, CATEGORIES, CENTRE, NO_CATEGORIES, Contents, fixed, reads

FOLDER = Path(__file__).parent
_LONGEST = reads(BOUND, "divided by the largest norm")
_ONE_HOT = reads(CATEGORIES, "one column for each value that occurs")
_UNCENTRED = fixed(CENTRE, "none: the papers leave these rows as they are")


class Sums(NamedTuple):
    """What a file holds: sums over n rows x, as they stand.

    Attributes
    ----------
    gram
        Σ x·xᵀ (d, d).
    total
        Σ x (d,).
    low, high
        Smallest and largest value of each column (d,).
    longest
        Largest norm of a row under each reading, by its name.
    """

    people: int
    columns: tuple[str, ...]
    gram: Array
    total: Array
    low: Array
    high: Array
    longest: dict[str, float]


def kddcup() -> Contents:
    """Chaudhuri et al. 2013: columns by their maxima, then all rows by the one largest norm."""
    sums = read_sums("kddcup")
    maxima = reads("Columns", "divided by their maxima")
    found = (maxima, _LONGEST, _UNCENTRED, _ONE_HOT)
    return _summed(sums, "by maximum", found, divisor=sums.high)


def covtype() -> Contents:
    """Imtiaz & Sarwate 2016: raw columns less their mean, all rows by the one largest norm."""
    sums = read_sums("covtype")
    found = (reads(CENTRE, "less the exact mean"), _LONGEST, NO_CATEGORIES)
    return _summed(sums, "centred", found, origin=sums.total / sums.people)


def covtype_ranged() -> Contents:
    """Columns mapped to 0 to 1, and then all rows by the one largest norm."""
    sums = read_sums("covtype")
    ranged = reads("Columns", "from smallest to largest value to 0 to 1")
    found = (ranged, _LONGEST, _UNCENTRED, NO_CATEGORIES)
    return _summed(sums, "min–max", found, origin=sums.low, divisor=sums.high - sums.low)


def covtype_unit() -> Contents:
    """Wang & Xu 2020: every row divided by its own norm, which reads nobody else's."""
    own = fixed(BOUND, "each row divided by its own length: all have length 1")
    return _summed(read_sums("covtype_unit"), "own length", (own, _UNCENTRED, NO_CATEGORIES))


def census() -> Contents:
    """Every row has as many ones as there were questions, whatever it holds."""
    equal = fixed(BOUND, "each row holds one 1 a question, so that all are equally long")
    return _summed(read_sums("census"), "one-hot", (equal, _UNCENTRED, _ONE_HOT))


def _summed(
    sums: Sums,
    reading: str,
    disclosures: tuple[Disclosure, ...],
    *,
    origin: Array | float = 0.0,
    divisor: Array | float = 1.0,
) -> Contents:
    """S (d, d) of rows (x − origin)/divisor, divided by the largest norm under a reading."""
    d = len(sums.columns)
    origin = np.broadcast_to(origin, d)
    cross = np.outer(origin, sums.total)
    gram = sums.gram - cross - cross.T + sums.people * np.outer(origin, origin)
    scale = 1 / (np.broadcast_to(divisor, d) * sums.longest[reading])
    moment = gram * np.outer(scale, scale)
    return {
        "rows": np.empty((0, d)),
        "columns": sums.columns,
        "people": sums.people,
        "summed": moment / 2 + moment.T / 2,
        "disclosures": disclosures,
    }


def path_of_sums(name: str) -> Path:
    """Return where the file of a set is, or belongs."""
    return FOLDER / f"{name}.npz"


def write_sums(path: Path, sums: Sums) -> None:
    """Write a file: the upper triangle alone, whole numbers where all are."""
    triangle = sums.gram[np.triu_indices(len(sums.gram))]
    whole = np.rint(triangle).astype(np.int64)
    np.savez_compressed(
        path,
        people=np.array(sums.people),
        columns=np.array(sums.columns),
        gram=whole if np.array_equal(whole, triangle) else triangle,
        total=sums.total,
        low=sums.low,
        high=sums.high,
        readings=np.array(list(sums.longest)),
        longest=np.array(list(sums.longest.values())),
    )


def read_sums(name: str) -> Sums:
    """Read a file."""
    with np.load(path_of_sums(name)) as file:
        columns = tuple(file["columns"].tolist())
        d = len(columns)
        gram = np.zeros((d, d))
        gram[np.triu_indices(d)] = file["gram"]
        gram += np.triu(gram, 1).T
        longest = dict(zip(file["readings"].tolist(), file["longest"].tolist(), strict=True))
        return Sums(
            int(file["people"]), columns, gram, file["total"], file["low"], file["high"], longest
        )
