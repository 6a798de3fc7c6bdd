"""Where the rows of a release come from: tables that can be read again, or rows in memory.

From a table's header on nothing that a row holds is refused: a cell that is no finite number is
missing, a record of another width is a row of missing values. What may be refused is looked at by
``check``, before anything is spent; a file that is broken off gives no sum.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from dpca_core.data.recipe import Recipe
from dpca_core.data.recipe_checks import require_valid
from dpca_core.linalg.arrays import Array
from dpca_core.release.grid import Whole, to_grid, to_grid_of_length_one
from dpca_core.tables.files import Given, each_once, open_table
from dpca_core.tables.rows import Rows, column_names, row_parts
from dpca_core.tables.table import Table

_CACHED = 2**17
"""Numbers of a block: what a processor's cache holds."""


class Source(Protocol):
    """Rows on the grid, as often as they are asked for."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the d columns after coding."""
        ...

    @property
    def rows_per_person(self) -> int:
        """Return m: rows one person owns at most."""
        ...

    def check(self) -> None:
        """Raise for whatever stands in the way of reading, before anything is spent."""
        ...

    def blocks(self) -> Iterator[Whole]:
        """Yield some rows (b, d) after others, each of norm ``GRID`` at most."""
        ...


class RowSource:
    """Rows in memory, each a person's or at most m of one: built-in sets, and tests."""

    def __init__(
        self,
        rows: Array,
        radius: float = 1.0,
        columns: Sequence[str] | None = None,
        rows_per_person: int = 1,
        *,
        length_one: bool = False,
    ) -> None:
        """Take rows (n, d) of real numbers, to be cut at a public radius or made of length 1."""
        self._rows, self._radius = np.asarray(rows, dtype=np.float64), radius
        self.columns = tuple(columns or (f"c{j + 1}" for j in range(self._rows.shape[1])))
        if len(self.columns) != self._rows.shape[1]:
            raise ValueError("Each column has one name.")
        self.rows_per_person, self._length_one = rows_per_person, length_one

    def check(self) -> None:
        """Do nothing: the rows are here."""

    def blocks(self) -> Iterator[Whole]:
        """Yield the rows in their order."""
        for part in _pieces(self._rows):
            yield to_grid_of_length_one(part) if self._length_one else to_grid(part, self._radius)


class TableSource:
    """Tables with the choices of a recipe: each row, or each person's rows, on the grid.

    Parameters
    ----------
    tables
        Uploads, data frames, paths of CSV and Parquet files and of folders of those, and patterns
        such as ``visits/*.csv``; together they are one table, read in this order. In a data frame a
        column that names persons should be text or ``Int64``.
    recipe
        Everything that is decided about a row.

    Raises
    ------
    RecipeError, TableError
        For a recipe that cannot be followed, or a path to no table: before anything is read. What
        nothing can be promised with, a plan of the same recipe refuses.
    """

    def __init__(self, tables: Sequence[Given], recipe: Recipe) -> None:
        require_valid(recipe)
        self.recipe, self.columns = recipe, recipe.coded_names
        self._tables = each_once(tables)
        self._opened: Table | None = None

    @property
    def rows_per_person(self) -> int:
        """Return m."""
        return self.recipe.rows_per_person

    def check(self) -> None:
        """Open all tables, and look for the recipe's columns in their headers.

        Raises
        ------
        TableError
            In one sentence, for a file that may not be opened, or a header without a column of the
            recipe.
        """
        self._table().require(*column_names(self.recipe))

    def _table(self) -> Table:
        """Return the tables as one, whose headers are read once: they are the same in each pass."""
        if self._opened is None:
            self._opened = open_table(self._tables, self.recipe.number_format)
        return self._opened

    def blocks(self) -> Iterator[Whole]:
        """Read everything again: cells are mapped, a person's rows combined, the length set.

        Raises
        ------
        TableError
            Where a path leads nowhere any more, a file is broken off, or a disk fails.
        MemoryError
            Where there is not enough for the persons' averages.
        """
        for blocks in row_parts(self._table(), self.recipe, self._on_grid):
            yield from blocks

    def _on_grid(self, rows: Rows) -> list[Whole]:
        """Set the length of rows: at most R where a mean is still to be subtracted."""
        if self.recipe.made_of_length_one:
            return [to_grid_of_length_one(part) for part in _pieces(rows.cells)]
        return [to_grid(part, self.recipe.bound) for part in _pieces(rows.cells)]


def _pieces(rows: Array) -> Iterator[Array]:
    """Cut rows into blocks that a cache holds, or as many rows as columns if that is more."""
    size = max(_CACHED // rows.shape[1], rows.shape[1])
    for start in range(0, len(rows), size):
        yield rows[start : start + size]
