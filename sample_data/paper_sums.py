"""Three real sets of the papers as sums over their rows: what every captured variance needs.

No row is kept. ``python -m papers.data --make KEY`` makes each file from its source.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dpca_core.data.dataset import Dataset
from dpca_core.data.provenance import Disclosure, Mark, Unit
from dpca_core.linalg.arrays import Array
from sample_data.source import NO_CATEGORIES, PUBLIC_SIZE, Source, centre, fixed

FOLDER = Path(__file__).parent


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


def moment_of(
    sums: Sums, divisor: Array | float, longest: float, origin: Array | None = None
) -> Array:
    """Return S (d, d) of rows (x − origin)/divisor/longest."""
    people, total = sums.people, sums.total
    gram = sums.gram
    if origin is not None:
        cross = np.outer(origin, total)
        gram = gram - cross - cross.T + people * np.outer(origin, origin)
    scale = 1 / (np.broadcast_to(divisor, total.shape) * longest)
    moment = gram * np.outer(scale, scale)
    return np.asarray(moment / 2 + moment.T / 2)


def _reads(name: str, text: str) -> Disclosure:
    return Disclosure(name, Mark.READS, f"{text}: reads private data", "not private")


_LONGEST = _reads("Norm bound", "divided by the largest norm")
_ONE_HOT = _reads("Categories", "one column for each value that occurs")
_UNCENTRED = centre("none: the papers leave these rows as they are")


class _Way(NamedTuple):
    """What is done with the rows of a file: (x − origin)/divisor, and then by the longest."""

    file: str
    longest: str
    disclosures: tuple[Disclosure, ...]
    divisor: Callable[[Sums], Array | float] = lambda sums: 1.0
    origin: Callable[[Sums], Array | None] = lambda sums: None


_WAYS = {
    # Chaudhuri et al. 2013: columns by their maxima, then all rows by the one largest norm.
    "kddcup": _Way(
        "kddcup",
        "by maximum",
        (_reads("Columns", "divided by their maxima"), _LONGEST, _UNCENTRED, _ONE_HOT),
        divisor=lambda sums: sums.high,
    ),
    # Imtiaz & Sarwate 2016: raw columns less their mean, all rows by the one largest norm.
    "covtype": _Way(
        "covtype",
        "centred",
        (_reads("Centring", "less the exact mean"), _LONGEST, NO_CATEGORIES),
        origin=lambda sums: sums.total / sums.people,
    ),
    "covtype_ranged": _Way(
        "covtype",
        "min–max",
        (
            _reads("Columns", "from smallest to largest value to 0 to 1"),
            *(_LONGEST, _UNCENTRED, NO_CATEGORIES),
        ),
        divisor=lambda sums: sums.high - sums.low,
        origin=lambda sums: sums.low,
    ),
    # Wang & Xu 2020: every row divided by its own norm, which reads nobody else's.
    "covtype_unit": _Way(
        "covtype_unit",
        "own length",
        (
            fixed("Norm bound", "each row divided by its own length: all have length 1"),
            *(_UNCENTRED, NO_CATEGORIES),
        ),
    ),
    # Every row has as many ones as there were questions, whatever it holds.
    "census": _Way(
        "census",
        "one-hot",
        (
            fixed("Norm bound", "each row holds one 1 a question, so that all are equally long"),
            *(_UNCENTRED, _ONE_HOT),
        ),
    ),
}


def _source(
    key: str, name: str, unit: Unit, default_k: int, *, short: str, description: str, origin: str
) -> Source:
    def load(full_key: str) -> Dataset:
        way = _WAYS[key]
        sums = read_sums(way.file)
        moment = moment_of(sums, way.divisor(sums), sums.longest[way.longest], way.origin(sums))
        return Dataset(
            key=full_key,
            name=name,
            short=short,
            rows=np.empty((0, len(moment))),
            columns=sums.columns,
            unit=unit,
            disclosures=(*way.disclosures, PUBLIC_SIZE),
            private=all(found.mark is not Mark.READS for found in way.disclosures),
            public=True,
            origin=origin,
            licence="CC BY 4.0",
            people=sums.people,
            summed=moment,
        )

    return Source(
        key=key,
        name=name,
        short=short,
        description=description,
        origin=origin,
        licence="CC BY 4.0",
        default_k=default_k,
        load=load,
        unit=unit,
        has_rows=False,
    )


_PATCH = Unit("patch of forest", "patches of forest")
_COVTYPE_ORIGIN = "UCI Covertype; Blackard 1998"
KDDCUP = _source(
    "kddcup",
    "KDD Cup 1999",
    Unit("connection", "connections"),
    4,
    short="KDD Cup",
    description="494,021 network connections (the 10 % file), 116 columns as in Chaudhuri, Sarwate "
    "& Sinha 2013; the sum over all rows alone.",
    origin="UCI KDD Cup 1999 Data; Stolfo et al. 1999",
)
COVTYPE = _source(
    "covtype",
    "Covertype, raw columns",
    _PATCH,
    2,
    short="Covertype",
    description="581,012 patches of forest, 54 columns, centred as in Imtiaz & Sarwate 2016; the "
    "sum over all rows alone.",
    origin=_COVTYPE_ORIGIN,
)
COVTYPE_RANGED = _source(
    "covtype_ranged",
    "Covertype, columns from 0 to 1",
    _PATCH,
    10,
    short="Covertype 0–1",
    description="The same patches, each column mapped from its smallest and largest value to 0 to "
    "1; the sum over all rows alone.",
    origin=_COVTYPE_ORIGIN,
)
COVTYPE_UNIT = _source(
    "covtype_unit",
    "Covertype, rows of length 1",
    _PATCH,
    2,
    short="Covertype, length 1",
    description="The same patches, each row divided by its own length as in Wang & Xu 2020; the "
    "sum over all rows alone.",
    origin=_COVTYPE_ORIGIN,
)
CENSUS = _source(
    "census",
    "Census income (KDD)",
    Unit(),
    8,
    short="Census",
    description="299,285 people of the US Current Population Surveys of 1994 and 1995, the 33 "
    "questions with categories as 503 columns; the sum over all rows alone.",
    origin="UCI Census-Income (KDD), training and test part; US Census Bureau",
)
