"""Data sets of the table of results: rows in the public ball, and how many directions are kept."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from dpca_core.data.clipping import as_in_papers, to_ball
from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import orthonormal
from papers.data import INSURANCE, kddcup_rows, mnist, table_of
from sample_data import load_key

_COIL_COLUMNS = 85


@dataclass(frozen=True)
class Table:
    """A data set and what is measured on it.

    Attributes
    ----------
    rows
        Makes rows (n, d) of norm at most 1; raises ``DataMissingError`` where its file is not here.
    trials
        Releases at each point.
    large
        Whether mechanisms beside the main ones would take too long.
    """

    rows: Callable[[], Array]
    directions: tuple[int, ...]
    trials: int = 100
    large: bool = False


def _built_in(key: str) -> Array:
    return load_key(key).rows


def _imtiaz() -> Array:
    """All 60,000 rows of the built-in set, which keeps their sum and a sample."""
    data = load_key("imtiaz")
    n, d, k = data.people, data.d, 10
    head = 0.7 ** np.arange(k)
    values = np.concatenate([0.9 * head / head.sum(), np.full(d - k, 0.1 / (d - k))])
    turned = orthonormal(np.random.default_rng(1).standard_normal((d, d))).T
    drawn = np.random.default_rng(0).standard_normal((n, d)) * np.sqrt(values)
    rows = to_ball(drawn @ turned, 2.5).values
    np.testing.assert_allclose(rows.T @ rows, data.moment, rtol=0, atol=1e-6)
    return rows


def _kdd() -> Array:
    """Columns by their maxima, rows by the largest norm, as in the papers."""
    return np.asarray(kddcup_rows()[0])


def _coil() -> Array:
    """85 columns between the ends of their codes in the codebook, R = √85.

    Subtype 1 to 41, houses and main type 1 to 10, household and age 1 to 6; of the others, shares
    and contributions are 0 to 9 and numbers of policies 0 to 12.
    """
    values = table_of(INSURANCE).iloc[:, :_COIL_COLUMNS].to_numpy(dtype=float)
    low = np.repeat([1.0, 0.0], [5, 80])
    high = np.array([41.0, 10, 6, 6, 10, *np.repeat([9.0, 12.0], [59, 21])])
    return np.asarray((2 * (values - low) / (high - low) - 1) / np.sqrt(_COIL_COLUMNS))


def _mnist(radius: float) -> Array:
    """Grey levels from 0 to 1, R as given."""
    return to_ball(mnist()[0] / 255.0, radius).values


def _centred(rows: Callable[[], Array]) -> Array:
    """Less their mean, by their largest norm: a simulation, as both read the data."""
    return as_in_papers(rows())


TABLES = {
    "rand": Table(partial(_built_in, "rand"), (1, 2, 5, 10)),
    "breast_cancer": Table(partial(_built_in, "breast_cancer"), (1, 2)),
    "wine": Table(partial(_built_in, "wine"), (1, 2)),
    "chaudhuri": Table(partial(_built_in, "chaudhuri"), (1, 2)),
    "digits": Table(partial(_built_in, "digits"), (2, 10)),
    "coil2000": Table(_coil, (1, 2, 5, 10)),
    "kdd": Table(_kdd, (2, 10), 20, large=True),
    "mnist": Table(partial(_mnist, 10.0), (2, 10), 20, large=True),
    "imtiaz": Table(_imtiaz, (2, 10), large=True),
    "rand_centred": Table(partial(_centred, partial(_built_in, "rand")), (2, 10)),
    "digits_centred": Table(partial(_centred, partial(_built_in, "digits")), (2, 10)),
    "coil2000_centred": Table(partial(_centred, _coil), (2, 10)),
    "kdd_centred": Table(partial(_centred, _kdd), (2, 10), 20, large=True),
    "mnist_loose": Table(partial(_mnist, 28.0), (2, 10), 20, large=True),
    "mnist_centred": Table(partial(_centred, partial(_mnist, 10.0)), (2, 10), 20, large=True),
}
"""By name, in the order in which they are measured."""
