"""Data sets of a table: all of its rows are kept, or sums of them and a sample to look at."""

from typing import Any

import numpy as np

from dpca_core.data.clipping import Clipped, as_in_papers
from dpca_core.data.column_names import MAX_COLUMNS
from dpca_core.data.dataset import Dataset
from dpca_core.data.disclosures import disclosures
from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import Recipe, RowLength, Scaling
from dpca_core.data.recipe_checks import require_valid
from dpca_core.linalg.arrays import Array
from dpca_core.tables.files import Given, open_table
from dpca_core.tables.moments import Moments, added
from dpca_core.tables.rows import Rows, in_ball, make_room, row_parts
from dpca_core.tables.second_moment import counted, square_at_most_r


def prepare(source: Given, recipe: Recipe, name: str, *, pairs: bool = False) -> Dataset:
    """Apply a recipe to a table, and keep all rows; ``pairs`` of them are compared if asked for.

    No row is refused: a cell that is no finite number is missing, a row without a person is left
    out, and no rows at all give S = 0. A row depends on no others than those of the same person,
    but with ``Scaling.AS_IN_PAPERS``, which is not private.

    RecipeError, TableError or ValueError (``Dataset.no_pairs``) where a choice cannot be followed;
    MemoryError where the rows need more memory than is free: ``second_moment`` needs little.
    """
    require_valid(recipe)
    if recipe.width > MAX_COLUMNS:
        raise RecipeError(
            f"There are {recipe.width:,} columns, counting one for each category; the limit is "
            f"{MAX_COLUMNS:,}."
        )
    papers, none = recipe.scaling is Scaling.AS_IN_PAPERS, np.zeros(0)

    def made(rows: Rows) -> tuple[Array, Moments]:
        """Return rows in the unit ball, and what is counted of them."""
        inside = (
            Clipped(rows.filled, 0, len(rows.cells)) if papers else in_ball(rows.filled, recipe)
        )
        if pairs:
            inside.values[np.isnan(rows.cells)] = np.nan
        sums = {"moment": none, "total": none, "at_most_r": square_at_most_r(rows.filled, recipe)}
        return inside.values, counted(rows, inside, recipe, **sums)

    kept = np.empty((0, recipe.width))
    _, found = made(Rows(kept))
    table = open_table(source, recipe.number_format)
    for inside, part in row_parts(table, recipe, made):
        make_room(kept, found.rows + part.rows)
        kept[found.rows : found.rows + part.rows] = inside
        found = added(found, part)
    rows = kept[: found.rows]
    if papers:
        rows = as_in_papers(rows)
    share = recipe.mean_share if recipe.scaling is Scaling.PRIVATE_MEAN else 0.0
    if not pairs:
        return _dataset(found, name, rows, mean_share=share)
    gaps = np.isnan(rows)
    rows = np.where(gaps, 0.0, rows)
    return _dataset(found, name, rows, mean_share=share, gaps=gaps).in_pairs


def data_set(found: Moments, name: str) -> Dataset:
    """Return what pages and sweeps work on, of sums with a sample: that is its rows."""
    if found.sample is None:
        raise ValueError("There is no sample of the rows: ask second_moment for one.")
    if found.recipe.scaling is Scaling.PRIVATE_MEAN:
        raise RecipeError(
            "A private mean needs another pass over the rows at each ε: choose public ranges, or "
            "call dpca_core.tables.second_moment.second_moment with a mean."
        )
    summed = found.moment / found.recipe.rows_per_person
    rows = np.ascontiguousarray(found.sample.rows)
    return _dataset(found, name, rows, summed=summed)


def _dataset(found: Moments, name: str, rows: Array, **facts: Any) -> Dataset:
    """Return a data set of one's own, with what is said of it: shares of values and rows cut."""
    recipe, m = found.recipe, found.recipe.rows_per_person
    cut = found.cut / max(found.read * len(recipe.numbers), 1)
    long = None if recipe.ends_at_length_one else found.clipped / max(found.rows, 1)
    return Dataset(
        key="",
        name=name,
        rows=rows,
        columns=found.columns,
        unit=recipe.unit,
        people=max(found.people, 1),
        rows_per_person=m,
        at_most_r=None if found.at_most_r is None else found.at_most_r / m,
        clipped_rows=long or 0.0,
        clipped_cells=cut,
        disclosures=disclosures(recipe, long, cut),
        private=recipe.bounds_are_public and recipe.scaling is not Scaling.AS_IN_PAPERS,
        licence="your file",
        selects_rows=recipe.selects_rows,
        row_length=RowLength.ONE if recipe.ends_at_length_one else RowLength.AT_MOST_R,
        recipe=recipe,
        **facts,
    )
