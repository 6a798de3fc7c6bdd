"""An uploaded table becomes rows in the unit ball, as its recipe says."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from dpca_core.choices import Combine, Missing, Number, Reading, Recipe, RecipeError, Scaling, leaks
from dpca_core.coding import coded, coded_names, grouped, require_finite, side_by_side
from dpca_core.dataset import Dataset
from dpca_core.files import Upload
from dpca_core.linalg import Array
from dpca_core.preprocess import (
    Clipped,
    as_in_papers,
    average_by,
    centred,
    first_of_each,
    to_ball,
    to_unit_range,
)
from dpca_core.separated import MAX_COLUMNS, label
from dpca_core.tables import read_table

if TYPE_CHECKING:
    from pandas import DataFrame

FAINTEST = 1e-100
"""Rows all of whose entries are smaller count as 0: their squares vanish."""

_LARGEST = float(np.finfo(float).max)


def prepare(
    table: "DataFrame | Upload", recipe: Recipe, name: str, reading: Reading = Reading.STRICT
) -> Dataset:
    """Apply a recipe to a table.

    Parameters
    ----------
    table
        A data frame, or a file as it was uploaded.
    recipe
        All choices; of a text file also how it is written.
    name
        What the data set is called.
    reading
        ``STRICT`` refuses rows that are not as they should be, in a sentence for a page that is not
        private. ``TOTAL`` never refuses a row.

    Raises
    ------
    RecipeError
        Where a choice cannot be followed; nothing is guessed.
    """
    check(recipe)
    if isinstance(table, Upload):
        table = read_table(table.name, table.content, recipe.number_format)
    people, cells, free = _cells(table, recipe)
    if len(cells.values) < 2:
        raise RecipeError(f"{name} has one row left; a spectrum needs two.")
    private = recipe.bounds_are_public
    if recipe.scaling is Scaling.AS_IN_PAPERS:
        rows, private = Clipped(as_in_papers(cells.values), 0.0), False
    else:
        rows = to_ball(cells.values, recipe.bound)
    if not float(np.abs(rows.values).max()) > FAINTEST:
        raise RecipeError(f"Every row of {name} is at the origin: there is no direction to find.")
    return Dataset(
        key="", name=name, short=name, rows=rows.values,
        columns=coded_names(recipe.numbers, recipe.categories), unit=recipe.unit,
        clipped_rows=rows.share, clipped_cells=cells.share,
        unclipped_moment=_second_moment(recipe, free),
        leaks=leaks(recipe, rows.share, cells.share), private=private, people=people,
        licence="your file", origin="uploaded in this session",
        rows_per_person=recipe.rows_per_person,
        mean_share=recipe.mean_share if recipe.scaling is Scaling.PRIVATE_MEAN else 0.0,
        recipe=recipe,
    )  # fmt: skip


def lengths(table: "DataFrame", recipe: Recipe) -> Array:
    """Return how long each row (n,) is before it is divided by R: what R would shorten.

    Raises
    ------
    RecipeError
        Where a choice cannot be followed.
    """
    check(recipe)
    with np.errstate(over="ignore"):
        return np.asarray(np.linalg.norm(_cells(table, recipe)[1].values, axis=1))


def _cells(table: "DataFrame", recipe: Recipe) -> tuple[int, Clipped, Array]:
    """Number of people, their cells on scale, and the same without clipping."""
    if (width := _width(recipe)) > MAX_COLUMNS:
        raise RecipeError(
            f"There are {width:,} columns with one for each category; the limit is {MAX_COLUMNS:,}."
        )
    found = coded(table, recipe.numbers, recipe.categories)
    require_finite(found.numbers, recipe.numbers)
    numbers = np.ascontiguousarray(side_by_side(found.numbers, found.rows))
    one_hot = found.one_hot(recipe.categories)
    if recipe.missing is Missing.DROP:
        kept = ~found.missing
        table, numbers, one_hot = table[kept], numbers[kept], one_hot[kept]
    if len(numbers) == 0:
        raise RecipeError("No row is left: each one misses a value.")
    people, numbers, one_hot = _combined(table, recipe, numbers, one_hot)
    inside, free = on_scale(recipe, numbers), _unclipped(recipe, numbers)
    cells = Clipped(np.hstack([inside.values, one_hot]), inside.share)
    return people, cells, np.hstack([free, one_hot])


def check(recipe: Recipe) -> None:
    """Refuse choices that cannot be followed, whatever the table."""
    if _width(recipe) < 2:
        raise RecipeError("Choose at least two columns: with one there is no direction to choose.")
    for chosen in (recipe.numbers, recipe.categories):
        if again := _repeated(c.name for c in chosen):
            raise RecipeError(f"The column {label(again[0])} is chosen twice.")
    if recipe.ranged:
        for column in recipe.numbers:
            if not (np.isfinite(column.low) and np.isfinite(column.high)):
                raise RecipeError(
                    f"Give the column {label(column.name)} a public range from low to high, or "
                    "leave it out."
                )
            if not column.high / 4 - column.low / 4 > 0:
                raise RecipeError(
                    f"The range of {label(column.name)} must rise from low to high, not "
                    f"{column.low:g} to {column.high:g}; leave a constant column out."
                )
    if recipe.scaling is Scaling.NORM_ONLY and recipe.radius is None:
        raise RecipeError("Give a public norm bound R: no row’s length may exceed it by much.")
    if not (np.isfinite(recipe.bound) and recipe.bound > 0):
        raise RecipeError(f"The norm bound R must be a positive number, not {recipe.bound:g}.")
    for category in recipe.categories:
        if len(category.values) < 2:
            raise RecipeError(
                f"Give the column {label(category.name)} at least two categories, or leave it out."
            )
        if again := _repeated(category.values):
            raise RecipeError(
                f"The column {label(category.name)} has the category {label(again[0])} twice."
            )
    if not recipe.most >= 1:
        raise RecipeError("At least one row a person must be kept.")
    if not 0 < recipe.mean_share < 1:
        raise RecipeError("The mean’s share of the budget must lie between 0 and 1.")


def _width(recipe: Recipe) -> int:
    """Columns after coding."""
    return len(recipe.numbers) + sum(len(c.values) for c in recipe.categories)


def _repeated(names: Iterable[str]) -> list[str]:
    """Names that occur more than once."""
    return [name for name, times in Counter(names).items() if times > 1]


def _combined(
    table: "DataFrame", recipe: Recipe, numbers: Array, one_hot: Array
) -> tuple[int, Array, Array]:
    """Bring the rows of each person together; the number of people comes first."""
    if recipe.person is None:
        return len(numbers), numbers, one_hot
    groups = grouped(table, recipe.person)
    people = int(groups.max()) + 1
    if recipe.combine is Combine.AVERAGE:
        return people, average_by(groups, numbers), average_by(groups, one_hot)
    kept = first_of_each(groups, recipe.most)
    return people, numbers[kept], one_hot[kept]


def on_scale(
    recipe: Recipe, numbers: Array, out: Array | None = None, *, finite: bool = False
) -> Clipped:
    """Numbers (n, p) on their scale, cut to their ranges; a missing one becomes 0.

    Where memory (n, p) for the result is given, the numbers may be overwritten on the way. A caller
    may know that all of them are finite.
    """
    if recipe.ranged:
        return to_unit_range(numbers, *recipe.ranges, out, finite=finite)
    free = numbers if finite else _unclipped(recipe, numbers)
    if out is not None:
        np.copyto(out, free)
    return Clipped(free, 0.0)


def _unclipped(recipe: Recipe, numbers: Array) -> Array:
    """Numbers on their scale as they are."""
    if recipe.ranged:
        return centred(numbers, *recipe.ranges)
    return np.nan_to_num(numbers, posinf=1e300, neginf=-1e300)


def _second_moment(recipe: Recipe, free: Array) -> Array | None:
    """S of rows on their scale but not clipped; None where that has no meaning or overflows."""
    if recipe.scaling not in (Scaling.BOUNDED, Scaling.NORM_ONLY):
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        rows = free / recipe.bound
        moment = rows.T @ rows / recipe.rows_per_person
    return np.asarray(moment) if np.isfinite(moment).all() else None


def suggested(ranges: Sequence[Number]) -> tuple[Number, ...]:
    """Round ranges outwards to two digits. They were read from the data: not private."""
    out = []
    for column in ranges:
        step = 10.0 ** np.floor(np.log10(max(abs(column.low), abs(column.high), 1e-300)) - 1)
        with np.errstate(over="ignore"):
            low, high = np.floor(column.low / step) * step, np.ceil(column.high / step) * step
        low, high = (
            float(np.clip(float(f"{end:.6g}"), -_LARGEST, _LARGEST)) for end in (low, high)
        )
        out.append(Number(column.name, low, high))
    return tuple(out)
