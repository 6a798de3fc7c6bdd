"""A table becomes rows in the unit ball, as its recipe says."""

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from dpca_core.data.clipping import as_in_papers, to_ball, to_length_one
from dpca_core.data.column_names import MAX_COLUMNS
from dpca_core.data.dataset import Dataset
from dpca_core.data.disclosures import disclosures
from dpca_core.data.encoding import EncodedColumns, require_finite, side_by_side
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
from dpca_core.data.recipe_checks import require_valid
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

_FAINTEST = 1e-100
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
        In a data frame a column that names persons should be text or ``Int64``: pandas turns whole
        numbers with a missing one into ``float64``, in which those above 2⁵³ become equal.
    reading
        ``STRICT`` refuses rows that are not as they should be, in a sentence for a page that is not
        private. ``TOTAL`` never refuses a row: a cell that is no finite number is missing, a row
        without a person is left out, and no rows at all give S = 0.

    Raises
    ------
    RecipeError, EncodingError, TableError
        Where a choice cannot be followed; nothing is guessed.
    """
    require_valid(recipe)
    strict, papers = reading is Reading.STRICT, recipe.scaling is Scaling.AS_IN_PAPERS
    has_mean, ends_at_one = recipe.scaling is Scaling.PRIVATE_MEAN, recipe.ends_at_length_one
    keeps_at_most_r = ends_at_one and recipe.has_radius and not has_mean
    # What clipping does has no meaning beside a mean or a length of 1.
    keeps_uncut = not (papers or has_mean or ends_at_one)
    prepared, width = Preparation(table, recipe, reading), recipe.width
    rows, long = GrowingTable(width), 0
    sum_uncut, sum_at_most_r = np.zeros((2, width, width))
    for block in prepared.blocks():
        if keeps_uncut:
            with np.errstate(over="ignore", invalid="ignore"):
                uncut = block.uncut / recipe.bound
                sum_uncut += uncut.T @ uncut
        if keeps_at_most_r:
            inside = to_ball(block.cells, recipe.bound).values
            sum_at_most_r += inside.T @ inside
        if papers:
            rows.add(block.cells)
        elif ends_at_one and not has_mean:
            rows.add(to_length_one(block.cells))
        else:
            found = to_ball(block.cells, recipe.bound)
            long += round(found.share * len(found.values))
            rows.add(found.values)
    values = as_in_papers(rows.values()) if papers else rows.values()
    if strict and len(values) < 2:
        left = "one row" if len(values) else "no row"
        raise RecipeError(f"{name} has {left} left; at least two are needed.")
    if strict and not float(np.abs(values).max()) > _FAINTEST:
        raise RecipeError(
            f"Every row of {name} is zero after preparation, so there is no direction to find."
        )
    long_share = None if ends_at_one else long / max(len(values), 1)
    cut_share = prepared.cut / max(prepared.read, 1)
    finite = bool(np.isfinite(sum_uncut).all())
    return Dataset(
        key="",
        name=name,
        short=name,
        rows=values,
        columns=recipe.coded_names,
        unit=recipe.unit,
        clipped_rows=long_share or 0.0,
        clipped_cells=cut_share,
        unclipped_moment=sum_uncut / recipe.rows_per_person if keeps_uncut and finite else None,
        at_most_r=sum_at_most_r / recipe.rows_per_person if keeps_at_most_r else None,
        disclosures=disclosures(recipe, long_share, cut_share),
        private=recipe.bounds_are_public and not papers,
        people=max(prepared.people, 1),
        licence="your file",
        origin="uploaded in this session",
        rows_per_person=recipe.rows_per_person,
        mean_share=recipe.mean_share if has_mean else 0.0,
        selects_rows=recipe.selects_rows,
        row_length=RowLength.ONE if ends_at_one else RowLength.AT_MOST_R,
        recipe=recipe,
    )


class Block(NamedTuple):
    """Some rows, each cell mapped to its scale by itself; what is missing is the centre.

    Attributes
    ----------
    cells
        (b, d), cut to their ranges.
    uncut
        (b, d), of numbers that are not cut, where those are summed up; else the same.
    """

    cells: Array
    uncut: Array


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
        if (wide := recipe.width) > MAX_COLUMNS:
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

    def blocks(self) -> Iterator[Block]:
        """Yield rows in the order of the table; averages in that of each person's first row."""
        with closing(self._source.chunks(self._mapped)) as source:
            chunks = self._counted(source)
            if not self._recipe.names_persons:
                for rows, _ in chunks:
                    self.people += len(rows)
                    yield self._block(rows)
            elif self._recipe.combine is Combine.AT_MOST:
                yield from self._first_rows(chunks)
            else:
                yield from self._averages(chunks)

    @np.errstate(all="ignore")
    def _mapped(self, chunk: EncodedColumns) -> tuple[Array, Labels | None, int]:
        """Map each cell by itself, NaN where a number is missing.

        Cut cells (b, d) and uncut numbers beside them, whose rows they are, how many were cut.
        """
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
        return np.hstack(parts), chunk.persons, cut

    def _counted(
        self, chunks: Iterator[tuple[Array, Labels | None, int]]
    ) -> Iterator[tuple[Array, Any]]:
        for rows, persons, cut in chunks:
            self.read += len(rows) * len(self._recipe.numbers)
            self.cut += cut
            yield rows, persons

    def _first_rows(self, chunks: Iterator[tuple[Array, Labels]]) -> Iterator[Block]:
        """Keep the first m rows of each person, in the order of the table."""
        known: dict[str | int, int] = {}
        seen = np.zeros(0, dtype=np.intp)
        for rows, persons in chunks:
            groups = number_people(persons, known)
            seen = np.concatenate([seen, np.zeros(len(known) - len(seen), dtype=np.intp)])
            kept = first_of_each(groups, self._recipe.most, seen)
            seen += np.bincount(groups, minlength=len(seen))
            yield self._block(rows[kept])
        self.people = len(known)

    def _averages(self, chunks: Iterator[tuple[Array, Labels]]) -> Iterator[Block]:
        """Average each person's rows."""
        known: dict[str | int, int] = {}
        averages = Averages(self._recipe.width + self._uncut)
        for rows, persons in chunks:
            averages.add(number_people(persons, known), rows)
        for start in range(0, len(known), self._chunk):
            yield self._block(without_infinite(averages.rows(start, start + self._chunk)))
        self.people = len(known)

    def _block(self, rows: Array) -> Block:
        p, d = len(self._recipe.numbers), self._recipe.width
        rows[np.isnan(rows)] = 0.0
        cells = rows[:, :d]
        return Block(cells, np.hstack([rows[:, d:], rows[:, p:d]]) if self._uncut else cells)
