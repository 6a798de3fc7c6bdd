"""A table of which only sums are kept: any length, one pass, bounded memory.

S = Σxxᵀ is a sum, so that parts of it add up: of blocks of a file, of files, days and machines.
Nothing that is private is looked for on the way: ranges, categories and R are the recipe's.
"""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from time import perf_counter
from typing import NamedTuple

import numpy as np

from dpca_core.data.clipping import Clipped, to_ball, to_length_one
from dpca_core.data.column_names import MAX_COLUMNS
from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import Recipe, Scaling
from dpca_core.data.recipe_checks import require_valid
from dpca_core.linalg.arrays import Array
from dpca_core.problem import Problem
from dpca_core.tables.row_sample import RowSample
from dpca_core.tables.rows import Rows, in_ball, row_parts
from dpca_core.tables.table import Table

MOST_COLUMNS, SAMPLED_ROWS = 10_000, 2000
"""Columns after coding that S is held for, and rows of the sample that a page asks for."""
_NARROW = 512
"""Columns up to which threads hold an S of their own."""


class Cancelled(Exception):
    """The caller stopped a sum; there is no result."""


@dataclass(frozen=True)
class Progress:
    """How far a sum has come.

    Attributes
    ----------
    rows
        Rows read.
    seconds
        Time since the beginning.
    done
        Share of the whole from 0 to 1; None where the end is not known.
    """

    rows: int
    seconds: float
    done: float | None

    @property
    def rows_per_second(self) -> float:
        """Speed so far."""
        return self.rows / max(self.seconds, 1e-9)

    @property
    def seconds_left(self) -> float | None:
        """Time that the rest will take at this speed; None where that is not known."""
        return self.seconds * (1 / self.done - 1) if self.done else None


@dataclass(frozen=True, eq=False)
class Moments:
    """Sums over rows of norm at most 1: all that a mechanism needs of them.

    Attributes
    ----------
    moment
        Σxxᵀ (d, d), in rows.
    total
        Σx (d,).
    rows
        How many, those of one person averaged or the first m of them.
    clipped
        Rows that were shortened to norm 1.
    columns
        Names of the d columns.
    cut
        Values that were cut to their column's public range.
    recipe, mean
        How rows were prepared, and the released mean (d,) subtracted from them; None for neither.
    sample
        Some of the rows, where they were asked for.
    at_most_r
        Σxxᵀ (d, d) of the same rows at most R, where they are of length 1 and some are shown.
    people, read
        Persons that the rows belong to, and rows of the table they were made of; one each unless
        told otherwise.
    """

    moment: Array
    total: Array
    rows: int
    clipped: int
    columns: tuple[str, ...]
    cut: int = 0
    recipe: Recipe | None = None
    mean: Array | None = None
    sample: RowSample | None = None
    at_most_r: Array | None = None
    people: int = -1
    read: int = -1

    def __post_init__(self) -> None:
        """Count one person and one row of a table a row, unless told otherwise."""
        for name in ("people", "read"):
            if getattr(self, name) < 0:
                object.__setattr__(self, name, self.rows)

    @property
    def rows_per_person(self) -> int:
        """Return m, by which Σxxᵀ is divided to make S."""
        return 1 if self.recipe is None else self.recipe.rows_per_person

    def problem(self, k: int) -> Problem:
        """Return the problem of k directions.

        Whatever the rows: of none S is 0 and n is 1, as a refusal would tell that there is none.

        Raises
        ------
        ValueError
            For k outside 1 ≤ k ≤ d.
        """
        m = self.rows_per_person
        return Problem.from_moment(self.moment / m, max(self.people, 1), k, m)


def merge(a: Moments, b: Moments) -> Moments:
    """Add two parts of a sum, of disjoint rows: from two machines, files or days.

    Raises
    ------
    ValueError
        Unless both have the same columns and were prepared in the same way, each row another
        person.
    """
    if a.columns != b.columns:
        raise ValueError("The parts have different columns; sum the same columns in each.")
    same_mean = (a.mean is None and b.mean is None) or (
        a.mean is not None and b.mean is not None and np.array_equal(a.mean, b.mean)
    )
    # By their text: a range that was not asked for is NaN, which equals nothing.
    if repr(a.recipe) != repr(b.recipe) or not same_mean:
        raise ValueError("The parts were prepared differently; use one recipe and one mean.")
    if a.recipe is not None and a.recipe.names_persons:
        raise ValueError(
            "Rows of one person may lie in both parts, so their sums cannot be added: sum up all "
            "parts as one table."
        )
    return Moments(
        a.moment + b.moment,
        a.total + b.total,
        a.rows + b.rows,
        a.clipped + b.clipped,
        a.columns,
        a.cut + b.cut,
        a.recipe,
        a.mean,
        a.sample.merged(b.sample) if a.sample is not None and b.sample is not None else None,
        None if a.at_most_r is None or b.at_most_r is None else a.at_most_r + b.at_most_r,
    )


class _Part(NamedTuple):
    """Some rows in the unit ball; Σxxᵀ of them where a thread made it, and of them at most R."""

    rows: Rows
    inside: Clipped
    moment: Array | None
    at_most_r: Array | float


def second_moment(
    table: Table,
    recipe: Recipe,
    *,
    on_progress: Callable[[Progress], bool | None] | None = None,
    sample: int = 0,
    mean: Array | None = None,
) -> Moments:
    """Sum up x·xᵀ over the rows of a table, a batch at a time.

    With columns that name persons the memory of one row of sums a person is needed.

    Parameters
    ----------
    on_progress
        Called after every batch; what it returns stops the sum if it is False.
    sample
        How many rows to keep, drawn at random: to show, not to sum up. With a sample, rows at most
        R are summed up beside rows of length 1, to show what that costs.
    mean
        Released mean (d,) of rows in the unit ball, as ``private_mean_of_sum`` draws one from
        ``total`` and ``rows`` of a first pass: it is subtracted, and rows are brought into the ball
        again.

    Raises
    ------
    TableError, RecipeError
        For a table that cannot be read, or choices that it does not allow, in one sentence.
    Cancelled
        Where ``on_progress`` returned False.
    """
    require_valid(recipe)
    if recipe.scaling is Scaling.AS_IN_PAPERS:
        raise RecipeError(
            "The sample mean and the largest length are known only at the end of a stream: choose "
            "public bounds, or load the whole table."
        )
    if (d := recipe.width) > MOST_COLUMNS:
        raise RecipeError(f"There are {d:,} columns after coding; the limit is {MOST_COLUMNS:,}.")
    shown = sample > 0 and mean is None and d <= MAX_COLUMNS
    shows_at_most_r = shown and recipe.made_of_length_one and recipe.has_radius

    def made(rows: Rows) -> _Part:
        inside = _in_ball_about(mean, rows.cells, recipe)
        return _Part(
            rows,
            inside,
            _square(inside.values) if d <= _NARROW else None,
            _square(to_ball(rows.cells, recipe.bound).values) if shows_at_most_r else 0.0,
        )

    moment, at_most_r, total = np.zeros((d, d)), np.zeros((d, d)), np.zeros(d)
    rows = clipped = cut = people = read = 0
    kept, rng, start = RowSample.none(sample, d), np.random.default_rng(), perf_counter()
    with closing(row_parts(table, recipe, made)) as parts:
        for part in parts:
            inside = part.inside.values
            moment += _square(inside) if part.moment is None else part.moment
            at_most_r += part.at_most_r
            total += inside.sum(axis=0)
            rows, clipped = rows + len(inside), clipped + part.inside.changed
            cut, people, read = (
                cut + part.rows.cut,
                people + part.rows.people,
                read + part.rows.read,
            )
            if sample:
                kept = kept.seen(inside, rng)
            if on_progress is None:
                continue
            if on_progress(Progress(read, perf_counter() - start, table.done)) is False:
                raise Cancelled(f"The sum was cancelled after {read:,} rows; there is no result.")
    return Moments(
        moment,
        total,
        rows,
        clipped,
        recipe.coded_names,
        cut,
        recipe,
        mean,
        kept if sample else None,
        at_most_r if shows_at_most_r else None,
        people,
        read,
    )


def _in_ball_about(mean: Array | None, cells: Array, recipe: Recipe) -> Clipped:
    """Bring rows (b, d) into the unit ball, less a released mean and in it again."""
    inside = in_ball(cells, recipe)
    if mean is None:
        return inside
    moved = inside.values - mean
    again = to_length_one(moved) if recipe.ends_at_length_one else to_ball(moved).values
    return Clipped(again, inside.changed, inside.of)


def _square(rows: Array) -> Array:
    """Return Σxxᵀ (d, d) of rows (b, d)."""
    return np.asarray(rows.T @ rows)
