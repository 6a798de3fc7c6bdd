"""What can be looked at in place of the owner's table: nothing here reads a row of it."""

import numpy as np

from dpca_core.analysis.expected_spectrum import expected_spectrum
from dpca_core.data.clipping import to_ball
from dpca_core.data.dataset import Dataset
from dpca_core.data.provenance import FREE, SIZE, Disclosure, Mark, Unit
from dpca_core.data.recipe import Source
from dpca_core.linalg.symmetric import orthonormal
from sample_data.made_up_clinic import MADE_UP
from sample_data.made_up_table import made_up_csv
from ui.owner.draft import Draft

STAND_IN = "Stand-in. Your file was not read."
SIMULATED_NAME = f"{STAND_IN} Simulated table"

_FEW_ROWS, _MOST_SIMULATED = 1000, 2_000_000
"""Rows of a file where nobody guessed, and values of a simulated table at most."""

_STAND_IN_SEED = 7


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
    """Return Gaussian rows with the expected shares along random axes, made of length 1.

    At most as many as fit in memory; Explore counts them as so many people as were guessed.

    Raises
    ------
    ValueError
        For shares that no spectrum has.
    """
    spectrum = expected_spectrum(1.0, shares, columns)
    rows = int(min(people, max(100, _MOST_SIMULATED // columns)))
    rng = np.random.default_rng(_STAND_IN_SEED)
    axes = orthonormal(rng.standard_normal((columns, columns)))
    drawn = (rng.standard_normal((rows, columns)) * np.sqrt(spectrum)) @ axes.T
    lengths = np.linalg.norm(drawn, axis=1, keepdims=True)
    return Dataset(
        key="",
        name=SIMULATED_NAME,
        short="Stand-in",
        rows=to_ball(drawn / np.maximum(lengths, np.finfo(float).tiny)).values,
        columns=tuple(f"x{i + 1}" for i in range(columns)),
        unit=unit,
        disclosures=(
            Disclosure("Norm bound", Mark.NOTHING, "rows are made of length 1", FREE),
            Disclosure("Centring", Mark.NOTHING, "none: generated with mean 0", FREE),
            Disclosure("Rows", Mark.NOTHING, f"{MADE_UP}; {STAND_IN}", FREE),
            Disclosure(SIZE, Mark.NOTHING, "chosen by you", FREE),
        ),
        synthetic=True,
        public=True,
        origin=STAND_IN,
    )
