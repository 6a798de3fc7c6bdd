"""A data set of a table that was summed up where it lies: S, and a sample of rows to look at."""

import numpy as np

from dpca_core.data.dataset import Dataset
from dpca_core.data.disclosures import disclosures
from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import Reading, Recipe, RowLength, Scaling
from dpca_core.streaming.mergeable_sums import Moments

SAMPLED_ROWS = 2000
"""Rows of the sample."""
MORE_THAN_SUMS = (
    "A private mean needs another pass over the rows at each ε: choose public ranges, or call "
    "dpca_core.streaming.second_moment.centred_moment at one ε."
)


def data_set(found: Moments, name: str, reading: Reading = Reading.STRICT) -> Dataset:
    """Return what pages and sweeps work on; rows are the sample.

    Parameters
    ----------
    found
        From ``second_moment`` or ``dask_moment``, with a
        sample.
    reading
        ``STRICT`` refuses a sum that no picture can be drawn of; ``TOTAL`` takes every sum.

    Raises
    ------
    RecipeError
        Where the recipe needs a mean and, in strict reading, the sum is of fewer than two rows or
        of rows at the origin only.
    """
    recipe, sample = found.recipe, found.sample
    if not isinstance(recipe, Recipe) or sample is None:
        raise ValueError("Compute the sums with a recipe, and keep a sample.")
    if recipe.scaling is Scaling.PRIVATE_MEAN:
        raise RecipeError(MORE_THAN_SUMS)
    if reading is Reading.STRICT:
        if found.rows < 2:
            raise RecipeError(f"Usable rows: {found.rows}; at least two are needed.")
        if not found.moment.any():
            raise RecipeError(
                "Every row is zero after preparation, so there is no direction to find."
            )
    people = max(found.rows, 1)
    clipped = None if recipe.ends_at_length_one else found.clipped / people
    cut = found.cut / (people * max(len(recipe.numbers), 1))
    return Dataset(
        key="",
        name=name,
        short=name,
        rows=np.ascontiguousarray(sample.rows),
        columns=found.columns,
        unit=recipe.unit,
        clipped_rows=clipped or 0.0,
        clipped_cells=cut,
        disclosures=disclosures(recipe, clipped, cut),
        selects_rows=recipe.selects_rows,
        private=recipe.bounds_are_public,
        people=people,
        licence="your file",
        origin="read in place on the server",
        recipe=recipe,
        summed=found.moment,
        row_length=RowLength.ONE if recipe.ends_at_length_one else RowLength.AT_MOST_R,
        at_most_r=found.at_most_r,
    )
