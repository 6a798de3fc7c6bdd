"""Data sets of a table: all of its rows are kept, or sums of them and a sample to look at."""

from typing import Any, NamedTuple

import numpy as np

from dpca_core.data.clipping import Clipped, as_in_papers, to_ball
from dpca_core.data.column_names import MAX_COLUMNS
from dpca_core.data.dataset import Dataset
from dpca_core.data.disclosures import disclosures
from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import Recipe, RowLength, Scaling
from dpca_core.data.recipe_checks import require_valid
from dpca_core.linalg.arrays import Array
from dpca_core.tables.files import Given, open_table
from dpca_core.tables.moments import Moments
from dpca_core.tables.rows import GrowingTable, Rows, in_ball, row_parts

MORE_THAN_SUMS = (
    "A private mean needs another pass over the rows at each ε: choose public ranges, or call "
    "dpca_core.tables.second_moment.second_moment with a mean."
)


class _Part(NamedTuple):
    """Some rows in the unit ball, and sums over them that show what preparing them does."""

    inside: Array
    counts: tuple[int, int, int, int]
    """Persons, rows of the table, numbers that were cut, rows that were shortened."""
    uncut: Array | float
    at_most_r: Array | float


def prepare(source: Given, recipe: Recipe, name: str) -> Dataset:
    """Apply a recipe to a table, and keep all rows.

    The table is a file, an upload, a data frame, or several of them one after another.
    No row is refused: a cell that is no finite number is missing, a row without a person is left
    out, and no rows at all give S = 0. A row depends on no others than those of the same person,
    but with ``Scaling.AS_IN_PAPERS``, which is not private.

    Raises
    ------
    RecipeError, TableError
        Where a choice cannot be followed; nothing is guessed.
    MemoryError
        Where the rows need more memory than is free: ``second_moment`` needs little.
    """
    require_valid(recipe)
    if recipe.width > MAX_COLUMNS:
        raise RecipeError(
            f"There are {recipe.width:,} columns, counting one for each category; the limit is "
            f"{MAX_COLUMNS:,}."
        )
    papers, d, p = recipe.scaling is Scaling.AS_IN_PAPERS, recipe.width, len(recipe.numbers)
    has_mean = recipe.scaling is Scaling.PRIVATE_MEAN
    # What clipping does has no meaning beside a mean or a length of 1.
    shows_uncut = not (papers or has_mean or recipe.ends_at_length_one)
    shows_at_most_r = recipe.made_of_length_one and recipe.has_radius

    def made(rows: Rows) -> _Part:
        cells = rows.cells[:, :d]
        inside = Clipped(cells, 0, len(cells)) if papers else in_ball(cells, recipe)
        return _Part(
            inside.values,
            (rows.people, rows.read, rows.cut, inside.changed),
            _square(np.hstack([rows.cells[:, d:], cells[:, p:]]), recipe.bound)
            if shows_uncut
            else 0.0,
            _square(to_ball(cells, recipe.bound).values) if shows_at_most_r else 0.0,
        )

    kept, counts = GrowingTable(d), np.zeros(4, dtype=np.int64)
    uncut, at_most_r = np.zeros((2, d, d))
    table = open_table(source, recipe.number_format)
    for part in row_parts(table, recipe, made, uncut=shows_uncut):
        kept.add(part.inside)
        counts += part.counts
        uncut += part.uncut
        at_most_r += part.at_most_r
    people, read, cut, long = counts.tolist()
    m, finite = recipe.rows_per_person, bool(np.isfinite(uncut).all())
    return _dataset(
        recipe,
        name,
        as_in_papers(kept.values()) if papers else kept.values(),
        cut=cut / max(read * p, 1),
        long=long / max(len(kept), 1),
        people=max(people, 1),
        origin="uploaded in this session",
        unclipped_moment=uncut / m if shows_uncut and finite else None,
        at_most_r=at_most_r / m if shows_at_most_r else None,
        rows_per_person=m,
        mean_share=recipe.mean_share if has_mean else 0.0,
    )


def data_set(found: Moments, name: str) -> Dataset:
    """Return what pages and sweeps work on; rows are the sample.

    Parameters
    ----------
    found
        From ``second_moment`` or ``dask_sum``, with a sample.

    Raises
    ------
    RecipeError
        Where the recipe needs a mean.
    """
    recipe, m = found.recipe, found.rows_per_person
    if recipe is None or found.sample is None:
        raise ValueError("Compute the sums with a recipe, and keep a sample.")
    if recipe.scaling is Scaling.PRIVATE_MEAN:
        raise RecipeError(MORE_THAN_SUMS)
    return _dataset(
        recipe,
        name,
        np.ascontiguousarray(found.sample.rows),
        cut=found.cut / max(found.read * len(recipe.numbers), 1),
        long=found.clipped / max(found.rows, 1),
        people=max(found.people, 1),
        origin="read in place on the server",
        summed=found.moment / m,
        at_most_r=None if found.at_most_r is None else found.at_most_r / m,
        rows_per_person=m,
    )


def _dataset(
    recipe: Recipe, name: str, rows: Array, *, cut: float, long: float, **facts: Any
) -> Dataset:
    """Return a data set of one's own, with what is said of it: shares of values and rows cut."""
    long_share = None if recipe.ends_at_length_one else long
    return Dataset(
        key="",
        name=name,
        short=name,
        rows=rows,
        columns=recipe.coded_names,
        unit=recipe.unit,
        clipped_rows=long_share or 0.0,
        clipped_cells=cut,
        disclosures=disclosures(recipe, long_share, cut),
        private=recipe.bounds_are_public and recipe.scaling is not Scaling.AS_IN_PAPERS,
        licence="your file",
        selects_rows=recipe.selects_rows,
        row_length=RowLength.ONE if recipe.ends_at_length_one else RowLength.AT_MOST_R,
        recipe=recipe,
        **facts,
    )


@np.errstate(over="ignore", invalid="ignore")
def _square(rows: Array, radius: float = 1.0) -> Array:
    """Return Σxxᵀ (d, d) of rows divided by R."""
    rows = rows / radius
    return np.asarray(rows.T @ rows)
