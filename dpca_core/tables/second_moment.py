"""A table of which only sums are kept: any length, one pass, bounded memory.

S = Σxxᵀ is a sum, so that parts of it add up: of blocks of a file, of files, days and machines.
Nothing that is private is looked for on the way: ranges, categories and R are the recipe's.
"""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np

from dpca_core.data.clipping import Clipped, to_ball, to_length_one
from dpca_core.data.column_names import MAX_COLUMNS
from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import Recipe, Scaling
from dpca_core.data.recipe_checks import require_valid
from dpca_core.linalg.arrays import Array
from dpca_core.tables.files import Given, open_table
from dpca_core.tables.moments import Moments, RowSample, added
from dpca_core.tables.rows import Rows, in_ball, row_parts

MOST_COLUMNS, SAMPLED_ROWS = 10_000, 2000
"""Columns after coding that S is held for, and rows of the sample that a page asks for."""
_NARROW = 512
"""Columns up to which threads hold an S of their own."""


class Cancelled(Exception):
    """The caller stopped a sum; there is no result."""


@dataclass(frozen=True)
class Progress:
    """How far a sum has come: rows, seconds, and the share of the whole."""

    rows: int
    seconds: float
    done: float

    @property
    def rows_per_second(self) -> float:
        """Speed so far."""
        return self.rows / max(self.seconds, 1e-9)

    @property
    def seconds_left(self) -> float:
        """Time that the rest will take at this speed; 0 before anything is done."""
        return self.seconds * (1 / self.done - 1) if self.done else 0.0


def second_moment(
    source: Given,
    recipe: Recipe,
    *,
    on_progress: Callable[[Progress], bool | None] | None = None,
    sample: int = 0,
    mean: Array | None = None,
) -> Moments:
    """Sum up x·xᵀ over the rows of a table, or of several as one, a batch at a time.

    With columns that name persons the memory of one row of sums a person is needed. ``TableError``
    or ``RecipeError`` for a table that cannot be read, or choices that it does not allow.

    Parameters
    ----------
    on_progress
        Called after every batch; where it returns False, ``Cancelled`` is raised.
    sample
        How many rows to keep, drawn at random: to show, not to sum up. With a sample, rows at most
        R are summed up beside rows of length 1, to show what that costs.
    mean
        Released mean (d,) of rows in the unit ball, as ``private_mean_of_sum`` draws one from
        ``total`` and ``rows`` of a first pass: it is subtracted, and rows are brought into the ball
        again.
    """
    require_valid(recipe)
    if recipe.scaling is Scaling.AS_IN_PAPERS:
        raise RecipeError(
            "The sample mean and the largest length are known only at the end of a stream: choose "
            "public bounds, or load the whole table."
        )
    if (d := recipe.width) > MOST_COLUMNS:
        raise RecipeError(f"There are {d:,} columns after coding; the limit is {MOST_COLUMNS:,}.")
    is_shown = sample > 0 and mean is None and d <= MAX_COLUMNS

    def summed(rows: Rows) -> Moments:
        inside = in_ball(rows.filled, recipe)
        if mean is not None:
            to_end = to_length_one if recipe.ends_at_length_one else _shortened
            inside = inside._replace(values=to_end(inside.values - mean))
        vectors = inside.values
        draws = np.random.default_rng().random(len(vectors) if sample else 0)
        return counted(
            rows,
            inside,
            recipe,
            moment=np.asarray(vectors.T @ vectors),
            total=vectors.sum(axis=0),
            mean=mean,
            sample=RowSample.of(sample, draws, vectors) if sample else None,
            at_most_r=square_at_most_r(rows.filled, recipe) if is_shown else None,
        )

    start, found = perf_counter(), summed(Rows(np.empty((0, d))))
    table = open_table(source, recipe.number_format)
    if d <= _NARROW:
        sums = row_parts(table, recipe, summed)
    else:
        sums = (summed(rows) for rows in row_parts(table, recipe, lambda rows: rows))
    with closing(sums):
        for part in sums:
            found = added(found, part)
            told = Progress(found.read, perf_counter() - start, table.done)
            if on_progress is not None and on_progress(told) is False:
                raise Cancelled(
                    f"The sum was cancelled after {found.read:,} rows; there is no result."
                )
    return found


def counted(rows: Rows, inside: Clipped, recipe: Recipe, **sums: Any) -> Moments:
    """Return sums over rows with what is counted of these on their way into the ball."""
    sums |= {"people": rows.people, "rows": inside.of, "read": rows.read}
    return Moments(recipe=recipe, clipped=inside.changed, cut=rows.cut, **sums)


def square_at_most_r(cells: Array, recipe: Recipe) -> Array | None:
    """Return Σxxᵀ (d, d) of rows (b, d) at most R, where they are made of length 1."""
    if not (recipe.made_of_length_one and recipe.has_radius):
        return None
    rows = _shortened(cells, recipe.bound)
    return np.asarray(rows.T @ rows)


def _shortened(rows: Array, radius: float = 1.0) -> Array:
    return to_ball(rows, radius).values
