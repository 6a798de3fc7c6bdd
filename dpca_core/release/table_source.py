"""Where the rows of a release come from: tables that can be read again, or rows in memory.

From a table's header on nothing that a row holds is refused: a cell that is no finite number is
missing, a record of another width is a row of missing values. What may be refused is looked at by
``check``, before anything is spent; a file that is broken off gives no sum.
"""

from collections.abc import Iterator, Sequence

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


class RowSource:
    """Rows in memory, each of a person of their own and in the unit ball: built-in sets, and tests.

    Like tables these have names of their d ``columns`` after coding, a ``check`` of what stands in
    the way, and ``blocks`` of rows on the grid (b, d), as often as they are asked for.
    """

    def __init__(self, rows: Array, columns: Sequence[str] | None = None) -> None:
        """Take rows (n, d) of real numbers; those that are longer than 1 are cut."""
        self._rows = np.asarray(rows, dtype=np.float64)
        self.columns = tuple(columns or (f"c{j + 1}" for j in range(self._rows.shape[1])))
        if len(self.columns) != self._rows.shape[1]:
            raise ValueError("Each column has one name.")

    def check(self) -> None:
        """Do nothing: the rows are here."""

    def blocks(self) -> Iterator[Whole]:
        """Yield the rows in their order."""
        yield from map(to_grid, _pieces(self._rows))


class TableSource:
    """Tables with the choices of a recipe: each row, or each person's rows, on the grid."""

    def __init__(self, tables: Sequence[Given], recipe: Recipe) -> None:
        """Take uploads, data frames, paths and patterns such as ``visits/*.csv`` as one table.

        RecipeError or TableError for a recipe that cannot be followed, or a path to no table.
        """
        require_valid(recipe)
        self.recipe, self.columns = recipe, recipe.coded_names
        self._tables = each_once(tables)
        self._opened: Table | None = None

    def check(self) -> None:
        """Look for the recipe's columns in the headers; TableError for a file or header without."""
        self._table().require(*column_names(self.recipe))

    def _table(self) -> Table:
        """Return the tables as one, whose headers are read once: they are the same in each pass."""
        if self._opened is None:
            self._opened = open_table(self._tables, self.recipe.number_format)
        return self._opened

    def blocks(self) -> Iterator[Whole]:
        """Read everything again: cells are mapped, a person's rows combined, the length set."""
        for blocks in row_parts(self._table(), self.recipe, self._on_grid):
            yield from blocks

    def _on_grid(self, rows: Rows) -> list[Whole]:
        """Set the length of rows: at most R where a mean is still to be subtracted."""
        if self.recipe.made_of_length_one:
            return [to_grid_of_length_one(part) for part in _pieces(rows.filled)]
        return [to_grid(part, self.recipe.bound) for part in _pieces(rows.filled)]


Source = RowSource | TableSource
"""Where rows come from."""


def _pieces(rows: Array) -> Iterator[Array]:
    """Cut rows into blocks that a cache holds, or as many rows as columns if that is more."""
    size = max(_CACHED // rows.shape[1], rows.shape[1])
    for start in range(0, len(rows), size):
        yield rows[start : start + size]
