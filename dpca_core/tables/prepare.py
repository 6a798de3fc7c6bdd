"""Data sets of a table: all of its rows are kept, or sums of them and a sample to look at."""

from typing import Any

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
from dpca_core.tables.moments import Moments, added
from dpca_core.tables.rows import GrowingTable, Rows, in_ball, row_parts

MORE_THAN_SUMS = (
    "A private mean needs another pass over the rows at each ε: choose public ranges, or call "
    "dpca_core.tables.second_moment.second_moment with a mean."
)


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

    names = recipe.coded_names

    def made(rows: Rows) -> tuple[Array, Moments]:
        """Return rows in the unit ball, and what is counted of them; S had nothing been cut."""
        cells = rows.cells[:, :d]
        inside = Clipped(cells, 0, len(cells)) if papers else in_ball(cells, recipe)
        uncut = np.hstack([rows.cells[:, d:], cells[:, p:]]) if shows_uncut else np.empty((0, 1))
        return inside.values, Moments(
            _square(uncut, recipe.bound),
            np.zeros(0),
            len(inside.values),
            inside.changed,
            names,
            rows.cut,
            recipe,
            at_most_r=_square(to_ball(cells, recipe.bound).values) if shows_at_most_r else None,
            people=rows.people,
            read=rows.read,
        )

    kept, found = GrowingTable(d), made(Rows(np.empty((0, d + p * shows_uncut)), None, 0, 0, 0))[1]
    table = open_table(source, recipe.number_format)
    for inside, part in row_parts(table, recipe, made, uncut=shows_uncut):
        kept.add(inside)
        found = added(found, part)
    finite = shows_uncut and bool(np.isfinite(found.moment).all())
    return _dataset(
        found,
        name,
        as_in_papers(kept.values()) if papers else kept.values(),
        origin="uploaded in this session",
        unclipped_moment=found.moment / found.rows_per_person if finite else None,
        mean_share=recipe.mean_share if has_mean else 0.0,
    )


def data_set(found: Moments, name: str) -> Dataset:
    """Return what pages and sweeps work on, of sums with a sample: that is its rows.

    ``RecipeError`` where the recipe needs a mean.
    """
    if found.recipe is None or found.sample is None:
        raise ValueError("Compute the sums with a recipe, and keep a sample.")
    if found.recipe.scaling is Scaling.PRIVATE_MEAN:
        raise RecipeError(MORE_THAN_SUMS)
    rows, summed = np.ascontiguousarray(found.sample.rows), found.moment / found.rows_per_person
    return _dataset(found, name, rows, origin="read in place on the server", summed=summed)


def _dataset(found: Moments, name: str, rows: Array, **facts: Any) -> Dataset:
    """Return a data set of one's own, with what is said of it: shares of values and rows cut."""
    recipe, m = found.recipe, found.rows_per_person
    assert recipe is not None
    cut = found.cut / max(found.read * len(recipe.numbers), 1)
    long = None if recipe.ends_at_length_one else found.clipped / max(found.rows, 1)
    return Dataset(
        key="",
        name=name,
        short=name,
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


@np.errstate(over="ignore", invalid="ignore")
def _square(rows: Array, radius: float = 1.0) -> Array:
    """Return Σxxᵀ (d, d) of rows divided by R."""
    rows = rows / radius
    return np.asarray(rows.T @ rows)
