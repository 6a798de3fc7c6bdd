"""A table becomes rows in the unit ball, as its recipe says."""

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dpca_core.data.clipping import Clipped, as_in_papers, to_ball, to_length_one
from dpca_core.data.column_names import MAX_COLUMNS
from dpca_core.data.dataset import Dataset
from dpca_core.data.disclosures import disclosures
from dpca_core.data.encoding import EncodedColumns, encoded_names, require_finite, side_by_side
from dpca_core.data.errors import RecipeError
from dpca_core.data.growing_table import GrowingTable
from dpca_core.data.labels import Labels, number_people, without_person
from dpca_core.data.recipe import (
    Combine,
    Missing,
    MissingPerson,
    Reading,
    Recipe,
    RowLength,
    Scaling,
)
from dpca_core.data.recipe_checks import encoded_width, require_valid
from dpca_core.data.rows_per_person import Averages, first_of_each
from dpca_core.data.scaling import to_scale, unclipped, without_infinite
from dpca_core.linalg.arrays import Array
from dpca_core.readers.csv_table import AT_WORK, lines_and_size
from dpca_core.readers.file_access import Upload, name_of
from dpca_core.readers.memory import require_memory
from dpca_core.readers.open_row_source import Files, open_source
from dpca_core.readers.parquet_chunks import ParquetFile

if TYPE_CHECKING:
    from pandas import DataFrame


FAINTEST = 1e-100
"""Rows all of whose entries are smaller count as 0: their squares vanish."""

_CELLS = 2**20
"""Numbers of a block that is prepared at a time."""


def prepare(
    table: "DataFrame | Upload", recipe: Recipe, name: str, reading: Reading = Reading.STRICT
) -> Dataset:
    """Apply a recipe to a table.

    Parameters
    ----------
    table
        A data frame, or a file as it was uploaded. In a data frame a column that names persons
        should be text or ``Int64``: pandas turns whole numbers with a missing one into ``float64``,
        in which those above 2⁵³ become equal before they arrive here.
    recipe
        All choices; of a text file also how it is written.
    name
        What the data set is called.
    reading
        ``STRICT`` refuses rows that are not as they should be, in a sentence for a page that is not
        private. ``TOTAL`` never refuses a row: a cell that is no finite number is missing, a row
        without a person is left out, and no rows at all give S = 0. A row that both take is the
        same in both.

    Raises
    ------
    RecipeError, EncodingError, TableError
        Where a choice cannot be followed; nothing is guessed.
    """
    require_valid(recipe)
    strict, papers = reading is Reading.STRICT, recipe.scaling is Scaling.AS_IN_PAPERS
    width, prepared = encoded_width(recipe), Preparation(table, recipe, reading)
    rows, sums, long = GrowingTable(width), _Sums(width), 0
    for block in prepared.blocks():
        if papers:
            rows.add(block.cells)
            continue
        found = _finished(block, recipe, sums)
        long += round(found.share * len(found.values))
        rows.add(found.values)
    values, private = rows.values(), recipe.bounds_are_public and not papers
    if strict and len(values) < 2:
        left = "one row" if len(values) else "no row"
        raise RecipeError(f"{name} has {left} left; at least two are needed.")
    if papers:
        values = as_in_papers(values)
    if strict and not float(np.abs(values).max()) > FAINTEST:
        raise RecipeError(
            f"Every row of {name} is zero after preparation, so there is no direction to find."
        )
    share = None if recipe.ends_at_length_one else long / max(len(values), 1)
    cells = prepared.cut / max(prepared.read, 1)
    return Dataset(
        key="",
        name=name,
        short=name,
        rows=values,
        columns=encoded_names(recipe.numbers, recipe.categories),
        unit=recipe.unit,
        clipped_rows=share or 0.0,
        clipped_cells=cells,
        unclipped_moment=_unclipped_moment(recipe, sums.unclipped),
        at_most_r=sums.at_most_r / recipe.rows_per_person if _keeps_at_most_r(recipe) else None,
        disclosures=disclosures(recipe, share, cells),
        private=private,
        people=max(prepared.people, 1),
        licence="your file",
        origin="uploaded in this session",
        rows_per_person=recipe.rows_per_person,
        mean_share=recipe.mean_share if recipe.scaling is Scaling.PRIVATE_MEAN else 0.0,
        selects_rows=recipe.selects_rows,
        row_length=RowLength.ONE if recipe.ends_at_length_one else RowLength.AT_MOST_R,
        recipe=recipe,
    )


class _Sums:
    """Second moments (d, d) of rows that are not clipped, and of rows at most R."""

    def __init__(self, d: int) -> None:
        self.unclipped, self.at_most_r = np.zeros((d, d)), np.zeros((d, d))


def _finished(block: "Scaled", recipe: Recipe, sums: _Sums) -> Clipped:
    """Rows (b, d) as the data set keeps them: before a private mean, if there is one."""
    if not recipe.ends_at_length_one:
        with np.errstate(over="ignore", invalid="ignore"):
            free = block.free / recipe.bound
            sums.unclipped += free.T @ free
    if not recipe.ends_at_length_one or recipe.scaling is Scaling.PRIVATE_MEAN:
        return to_ball(block.cells, recipe.bound)
    if recipe.has_radius:
        inside = to_ball(block.cells, recipe.bound).values
        sums.at_most_r += inside.T @ inside
    return Clipped(to_length_one(block.cells), 0.0)


def _keeps_at_most_r(recipe: Recipe) -> bool:
    """Tell whether rows at most R are summed up beside rows of length 1."""
    one = recipe.ends_at_length_one and recipe.scaling is not Scaling.PRIVATE_MEAN
    return one and recipe.has_radius


def lengths(table: "DataFrame | Upload", recipe: Recipe) -> Array:
    """Return how long each row (n,) is before it is divided by R: what R would shorten.

    Raises
    ------
    RecipeError, EncodingError, TableError
        Where a choice cannot be followed.
    """
    require_valid(recipe)
    found = [np.empty(0)]
    with np.errstate(over="ignore"):
        for block in Preparation(table, recipe, Reading.TOTAL).blocks():
            found.append(np.linalg.norm(block.cells, axis=1))
    return np.concatenate(found)


class Scaled(NamedTuple):
    """Some rows on their scale.

    Attributes
    ----------
    cells
        (b, d), of cells cut to their ranges; what is missing in all of a person's rows is 0.
    free
        (b, d), of cells that are not cut, where those are summed up; else the same.
    """

    cells: Array
    free: Array


class Preparation:
    """Rows of a table on their scale, those of one person brought together; a block at a time.

    Attributes
    ----------
    people, read, cut
        How many people there are, how many numbers were read and how many of them cut, once all
        blocks are read.
    """

    def __init__(
        self, table: "DataFrame | Upload | Files", recipe: Recipe, reading: Reading
    ) -> None:
        if (wide := encoded_width(recipe)) > MAX_COLUMNS:
            raise RecipeError(
                f"There are {wide:,} columns, counting one for each category; the limit is "
                f"{MAX_COLUMNS:,}."
            )
        self._recipe, self._strict = recipe, reading is Reading.STRICT
        self.people = self.read = self.cut = 0
        summed = recipe.scaling is Scaling.BOUNDED and not recipe.ends_at_length_one
        summed = summed and reading is not Reading.SILENT
        self._uncut = len(recipe.numbers) if summed else 0
        self._chunk = max(_CELLS // wide, 256)
        self._source = open_source(table, recipe, self._chunk, reading)
        if isinstance(table, Upload):
            source = self._source
            rows = source.rows if isinstance(source, ParquetFile) else lines_and_size(table)[0]
            held = wide + self._uncut
            require_memory(name_of(table), AT_WORK + 2 * 8 * rows * held)

    def blocks(self) -> Iterator[Scaled]:
        """Yield rows in the order of the table; averages in that of each person's first row."""
        with closing(self._source.chunks(self._mapped)) as source:
            chunks = self._counted(source)
            if not self._recipe.names_persons:
                for mapped in chunks:
                    self.people += len(mapped.rows)
                    yield self._scaled(mapped)
                return
            known: dict[str | int, int] = {}
            if self._recipe.combine is Combine.AT_MOST:
                yield from self._first_rows(chunks, known)
            else:
                yield from self._averages(chunks, known)
            self.people = len(known)

    @np.errstate(all="ignore")
    def _mapped(self, chunk: EncodedColumns) -> "_Mapped":
        """Map each cell by itself, NaN where a number is missing."""
        recipe = self._recipe
        if self._strict:
            require_finite(chunk.numbers, recipe.numbers)
        if recipe.missing is Missing.DROP:
            chunk = chunk.without(chunk.missing)
        if chunk.persons is not None and recipe.missing_person is MissingPerson.LEAVE_OUT:
            chunk = chunk.without(without_person(chunk.persons))
        hot = chunk.one_hot(recipe.categories, recipe.category_coding)
        numbers = without_infinite(side_by_side(chunk.numbers, chunk.rows))
        inside = to_scale(recipe, numbers, missing=np.nan)
        cut = round(inside.share * inside.values.size)
        parts = [inside.values, hot]
        if self._uncut:
            parts.append(unclipped(recipe, numbers, missing=np.nan))
        return _Mapped(np.hstack(parts), chunk.persons, cut)

    def _first_rows(
        self, chunks: Iterator["_Mapped"], known: dict[str | int, int]
    ) -> Iterator[Scaled]:
        """Keep the first m rows of each person, in the order of the table."""
        seen = np.zeros(0, dtype=np.intp)
        for mapped in chunks:
            assert mapped.persons is not None
            groups = number_people(mapped.persons, known)
            seen = np.concatenate([seen, np.zeros(len(known) - len(seen), dtype=np.intp)])
            kept = first_of_each(groups, self._recipe.most, seen)
            seen += np.bincount(groups, minlength=len(seen))
            yield self._scaled(mapped._replace(rows=mapped.rows[kept]))

    def _averages(
        self, chunks: Iterator["_Mapped"], known: dict[str | int, int]
    ) -> Iterator[Scaled]:
        """Average each person's rows."""
        averages = Averages(encoded_width(self._recipe) + self._uncut)
        for mapped in chunks:
            assert mapped.persons is not None
            averages.add(number_people(mapped.persons, known), mapped.rows)
        for start in range(0, len(known), self._chunk):
            rows = averages.rows(start, start + self._chunk)
            yield self._scaled(_Mapped(without_infinite(rows), None, 0))

    def _counted(self, chunks: Iterator["_Mapped"]) -> Iterator["_Mapped"]:
        for mapped in chunks:
            self.read += len(mapped.rows) * len(self._recipe.numbers)
            self.cut += mapped.cut
            yield mapped

    def _scaled(self, mapped: "_Mapped") -> Scaled:
        """Make what is missing the centre; rows of cut cells, and of cells that are not."""
        p, d, rows = len(self._recipe.numbers), encoded_width(self._recipe), mapped.rows
        rows[np.isnan(rows)] = 0.0
        cells = rows[:, :d]
        return Scaled(cells, np.hstack([rows[:, d:], rows[:, p:d]]) if self._uncut else cells)


class _Mapped(NamedTuple):
    """Rows of a chunk, each cell mapped (b, d), and numbers uncut (b, p) if they are summed up.

    With whose rows they are, and how many numbers were cut.
    """

    rows: Array
    persons: Labels | None
    cut: int


def _unclipped_moment(recipe: Recipe, total: Array) -> Array | None:
    """S of rows on their scale but not clipped; None where that has no meaning or overflows."""
    known = recipe.scaling in (Scaling.BOUNDED, Scaling.NORM_ONLY)
    if not known or recipe.ends_at_length_one:
        return None
    moment = total / recipe.rows_per_person
    return np.asarray(moment) if np.isfinite(moment).all() else None
