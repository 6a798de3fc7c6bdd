"""Rows that cannot be coded together are coded apart: one odd cell changes its own row alone."""

from collections.abc import Callable

import numpy as np

from dpca_core.data.encoding import EncodedColumns, coded_columns
from dpca_core.data.errors import EncodingError
from dpca_core.data.labels import Labels
from dpca_core.data.recipe import Recipe

Code = Callable[[int, int], EncodedColumns]
"""Codes the rows from one place up to another."""


def coded_apart(rows: int, code: Code, recipe: Recipe, start: int = 0) -> list[EncodedColumns]:
    """Code rows together; where that fails, each half of them, and so on.

    A row that fails by itself is one of which nothing is known. Readers refuse no cell, but a table
    may hold an object that nobody thought of; without this it would take other people's rows along.

    Raises
    ------
    EncodingError, MemoryError
        For a column that is not there, and where memory does not suffice.
    """
    try:
        return [code(start, start + rows)]
    except (EncodingError, MemoryError):
        raise
    except Exception:
        if rows <= 1:
            return [nothing_known(rows, recipe)]
    half = rows // 2
    return [
        *coded_apart(half, code, recipe, start),
        *coded_apart(rows - half, code, recipe, start + half),
    ]


def nothing_known(rows: int, recipe: Recipe) -> EncodedColumns:
    """Return rows of missing values, which name no person."""
    labels = [
        Labels(np.full(rows, -1, dtype=np.intp), ())
        for _ in range(len(recipe.categories) + len(recipe.person))
    ]
    return coded_columns(rows, [np.full(rows, np.nan) for _ in recipe.numbers], labels, recipe)
