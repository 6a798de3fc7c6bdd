"""A table becomes rows in the unit ball, as its recipe says."""

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from dpca_core.data.clipping import as_in_papers, to_ball
from dpca_core.data.column_names import MAX_COLUMNS, label
from dpca_core.data.dataset import Dataset
from dpca_core.data.encoding import EncodedColumns, encoded_names, require_finite, side_by_side
from dpca_core.data.errors import EncodingError, RecipeError
from dpca_core.data.growing_table import GrowingTable
from dpca_core.data.labels import Labels, number_people, without_person
from dpca_core.data.recipe import Combine, Missing, Reading, Recipe, Scaling, disclosures
from dpca_core.data.recipe_checks import encoded_width, require_valid
from dpca_core.data.rows_per_person import Averages, first_of_each
from dpca_core.data.scaling import to_scale, unclipped, without_infinite
from dpca_core.linalg.arrays import Array
from dpca_core.readers.csv_table import AT_WORK, lines_and_size
from dpca_core.readers.file_access import Upload, name_of
from dpca_core.readers.memory import require_memory
from dpca_core.readers.open_row_source import open_source
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
    rows, total = GrowingTable(encoded_width(recipe)), np.zeros((encoded_width(recipe),) * 2)
    cut = long = 0
    prepared = Preparation(table, recipe, reading)
    for block in prepared.blocks():
        cut += block.cut
        if papers:
            rows.add(block.cells)
            continue
        with np.errstate(over="ignore", invalid="ignore"):
            free = block.free / recipe.bound
            total += free.T @ free
        inside = to_ball(block.cells, recipe.bound)
        long += round(inside.share * len(inside.values))
        rows.add(inside.values)
    values, private = rows.values(), recipe.bounds_are_public and not papers
    if strict and len(values) < 2:
        raise RecipeError(f"{name} has {_rows(len(values))} left; at least two are needed.")
    if papers:
        values = as_in_papers(values)
    if strict and not float(np.abs(values).max()) > FAINTEST:
        raise RecipeError(
            f"Every row of {name} is zero after preparation, so there is no direction to find."
        )
    share, numbers = long / max(len(values), 1), len(values) * len(recipe.numbers)
    cells = cut / max(numbers, 1)
    return Dataset(
        key="",
        name=name,
        short=name,
        rows=values,
        columns=encoded_names(recipe.numbers, recipe.categories),
        unit=recipe.unit,
        clipped_rows=share,
        clipped_cells=cells,
        unclipped_moment=_unclipped_moment(recipe, total),
        disclosures=disclosures(recipe, share, cells),
        private=private,
        people=max(prepared.people, 1),
        licence="your file",
        origin="uploaded in this session",
        rows_per_person=recipe.rows_per_person,
        mean_share=recipe.mean_share if recipe.scaling is Scaling.PRIVATE_MEAN else 0.0,
        selects_rows=recipe.selects_rows,
        recipe=recipe,
    )


def _rows(count: int) -> str:
    return "one row" if count else "no row"


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
        (b, d), cut to their ranges; a missing number is 0, the centre.
    free
        (b, d), not cut.
    cut
        How many numbers were cut.
    """

    cells: Array
    free: Array
    cut: int


class Preparation:
    """Rows of a table on their scale, those of one person brought together; a block at a time.

    Attributes
    ----------
    people
        How many there are, once all blocks are read.
    """

    def __init__(self, table: "DataFrame | Upload", recipe: Recipe, reading: Reading) -> None:
        if (wide := encoded_width(recipe)) > MAX_COLUMNS:
            raise RecipeError(
                f"There are {wide:,} columns, counting one for each category; the limit is "
                f"{MAX_COLUMNS:,}."
            )
        self._recipe, self._strict, self.people = recipe, reading is Reading.STRICT, 0
        self._chunk = max(_CELLS // wide, 256)
        self._source = open_source(table, recipe, self._chunk, reading)
        if isinstance(table, Upload):
            source = self._source
            rows = source.rows if isinstance(source, ParquetFile) else lines_and_size(table)[0]
            require_memory(name_of(table), AT_WORK + 2 * 8 * rows * wide)

    def blocks(self) -> Iterator[Scaled]:
        """Yield rows in the order of the table; averages in that of each person's first row."""
        with closing(self._source.chunks(self._raw)) as chunks:
            if not self._recipe.names_persons:
                for rows, _ in chunks:
                    self.people += len(rows)
                    yield self._scaled(rows)
                return
            known: dict[str, int] = {}
            if self._recipe.combine is Combine.AT_MOST:
                yield from self._first_rows(chunks, known)
            else:
                yield from self._averages(chunks, known)
            self.people = len(known)

    def _raw(self, chunk: EncodedColumns) -> tuple[Array, Labels | None]:
        """Numbers and zeros and ones (b, p + q), NaN where a number is missing."""
        recipe = self._recipe
        if self._strict:
            require_finite(chunk.numbers, recipe.numbers)
        if recipe.missing is Missing.DROP:
            chunk = chunk.without(chunk.missing)
        if chunk.persons is not None:
            nobody = without_person(chunk.persons)
            if self._strict and nobody.any():
                raise EncodingError(
                    f"Some rows have no value in the ID column {label(recipe.person[0])}, so it is "
                    "unknown whose they are."
                )
            chunk = chunk.without(nobody)
        columns = [*chunk.numbers, *chunk.one_hot(recipe.categories).T]
        return without_infinite(side_by_side(columns, chunk.rows)), chunk.persons

    def _first_rows(
        self, chunks: Iterator[tuple[Array, Labels | None]], known: dict[str, int]
    ) -> Iterator[Scaled]:
        """Keep the first m rows of each person, in the order of the table."""
        seen = np.zeros(0, dtype=np.intp)
        for rows, persons in chunks:
            assert persons is not None
            groups = number_people(persons, known)
            seen = np.concatenate([seen, np.zeros(len(known) - len(seen), dtype=np.intp)])
            kept = first_of_each(groups, self._recipe.most, seen)
            seen += np.bincount(groups, minlength=len(seen))
            yield self._scaled(rows[kept])

    def _averages(
        self, chunks: Iterator[tuple[Array, Labels | None]], known: dict[str, int]
    ) -> Iterator[Scaled]:
        """Average each person's rows."""
        averages = Averages(encoded_width(self._recipe))
        for rows, persons in chunks:
            assert persons is not None
            averages.add(number_people(persons, known), rows)
        for start in range(0, len(known), self._chunk):
            yield self._scaled(without_infinite(averages.rows(start, start + self._chunk)))

    def _scaled(self, rows: Array) -> Scaled:
        """Bring rows on their scale."""
        numbers, hot = np.split(rows, [len(self._recipe.numbers)], axis=1)
        inside = to_scale(self._recipe, numbers)
        free = np.hstack([unclipped(self._recipe, numbers), hot])
        cut = round(inside.share * inside.values.size)
        return Scaled(np.hstack([inside.values, hot]), free, cut)


def _unclipped_moment(recipe: Recipe, total: Array) -> Array | None:
    """S of rows on their scale but not clipped; None where that has no meaning or overflows."""
    if recipe.scaling not in (Scaling.BOUNDED, Scaling.NORM_ONLY):
        return None
    moment = total / recipe.rows_per_person
    return np.asarray(moment) if np.isfinite(moment).all() else None
