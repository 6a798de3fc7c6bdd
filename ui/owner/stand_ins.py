"""What can be looked at in place of the owner's table: nothing here reads a row of it."""

import numpy as np

from dpca_core.analysis.expected_spectrum import expected_spectrum
from dpca_core.data.clipping import to_ball
from dpca_core.data.dataset import Dataset
from dpca_core.data.provenance import FREE, SIZE, Disclosure, Mark, Unit
from dpca_core.data.recipe import Source
from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import orthonormal
from sample_data.made_up_clinic import MADE_UP
from sample_data.made_up_table import made_up_csv
from ui.owner.draft import Draft

SIMULATED_NAME = "Stand-in: a simulated table"

_FEW_ROWS, _MOST_SIMULATED = 1000, 2_000_000
"""Rows of a file where nobody guessed, and values of a simulated table at most."""

_STAND_IN_SEED, _ROUNDS = 7, 12


def synthetic_file(draft: Draft, people: float | None) -> bytes | None:
    """Return a CSV file with the table's header and made-up rows, from public choices alone.

    None where a range, a list or the use of a column was read from the file, since that would leave
    with this one; and while the draft is no recipe.

    Parameters
    ----------
    people
        The owner's guess; None where there is none.
    """
    recipe = draft.recipe()
    if isinstance(recipe, tuple) or any(c.origin is Source.FILE for c in draft.used):
        return None
    return made_up_csv(draft.header, recipe, int(people or _FEW_ROWS))


def simulated_table(people: float, shares: tuple[float, ...], columns: int, unit: Unit) -> Dataset:
    """Return rows of length 1, of a Gaussian law, with the expected shares along random axes.

    At most as many as fit in memory; Explore counts them as so many people as were guessed.

    Raises
    ------
    ValueError
        For shares that no spectrum has.
    """
    spectrum = expected_spectrum(shares, columns)
    rows = int(min(people, max(100, _MOST_SIMULATED // columns)))
    rng = np.random.default_rng(_STAND_IN_SEED)
    axes = orthonormal(rng.standard_normal((columns, columns)))
    drawn = _rows_of_length_one(rng.standard_normal((rows, columns)), spectrum)
    return Dataset(
        key="",
        name=SIMULATED_NAME,
        short="Stand-in",
        rows=to_ball(drawn @ axes.T).values,
        columns=tuple(f"x{i + 1}" for i in range(columns)),
        unit=unit,
        disclosures=(
            Disclosure("Norm bound", Mark.NOTHING, "rows are made of length 1", FREE),
            Disclosure("Centring", Mark.NOTHING, "none: generated with mean 0", FREE),
            Disclosure("Rows", Mark.NOTHING, MADE_UP, FREE),
            Disclosure(SIZE, Mark.NOTHING, "chosen by you", FREE),
        ),
        synthetic=True,
        public=True,
    )


def _rows_of_length_one(normal: Array, shares: Array) -> Array:
    """Scale standard normal rows (n, d), made of length 1, so that the sums of squares are shares.

    Rows of length 1 have shares closer together than the Gaussian law they were made of; its
    variances are raised until the rows' own are as expected.
    """
    variances = shares.copy()
    for _ in range(_ROUNDS):
        rows = _unit(normal * np.sqrt(variances))
        found = np.square(rows).mean(axis=0)
        variances *= np.divide(shares, found, out=np.ones_like(found), where=found > 0)
    return _unit(normal * np.sqrt(variances))


def _unit(rows: Array) -> Array:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.maximum(lengths, np.finfo(float).tiny))
