"""Columns of a table as numbers: numeric as they are, categories one-hot, people as codes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from dpca_core.linalg import Array

if TYPE_CHECKING:
    from pandas import DataFrame, Series

MOST_CATEGORIES = 50


class NumberColumn(Protocol):
    """Anything with the name of a numeric column."""

    @property
    def name(self) -> str:
        """Column of the table."""
        ...


class CategoryColumn(Protocol):
    """Anything with the name of a categorical column and its public values."""

    @property
    def name(self) -> str:
        """Column of the table."""
        ...

    @property
    def values(self) -> tuple[str, ...]:
        """Categories, as text."""
        ...


class CodingError(ValueError):
    """A column cannot be used as asked; the message is one sentence."""


def is_number(column: "Series") -> bool:
    """Tell whether a column holds numbers (or true and false)."""
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    return bool(is_numeric_dtype(column) or is_bool_dtype(column))


def as_text(column: "Series") -> "Series":
    """Values as stripped text, missing ones as missing; whole numbers without a point."""
    if is_number(column) and (column.dropna() % 1 == 0).all():
        column = column.astype("Int64")
    return column.astype("string").str.strip()


def categories_of(column: "Series") -> tuple[str, ...]:
    """All categories that occur, sorted: reading them from the data is not private."""
    return tuple(sorted(as_text(column).dropna().unique()))


def coded(
    table: "DataFrame", numbers: Sequence[NumberColumn], categories: Sequence[CategoryColumn]
) -> tuple[Array, Array, tuple[str, ...]]:
    """Numeric columns (n, p) with NaN where missing, one-hot columns (n, q), and all names.

    Raises
    ------
    CodingError
        For a column that is not there, holds no numbers, or holds infinite values.
    """
    for column in (*numbers, *categories):
        if column.name not in table.columns:
            raise CodingError(f"The table has no column {column.name}.")
    values = np.empty((len(table), len(numbers)))
    for j, number in enumerate(numbers):
        series = table[number.name]
        if not is_number(series):
            raise CodingError(f"The column {number.name} does not hold numbers.")
        values[:, j] = series.to_numpy(dtype=np.float64, na_value=np.nan)
        if np.isinf(values[:, j]).any():
            raise CodingError(
                f"The column {number.name} holds infinite values; repair them or leave it out."
            )
    blocks = [np.empty((len(table), 0))]
    names = [number.name for number in numbers]
    for category in categories:
        text = as_text(table[category.name]).fillna("").astype(object).to_numpy()
        blocks += [np.asarray(text == value, dtype=float)[:, None] for value in category.values]
        names += [f"{category.name}: {value}" for value in category.values]
    return values, np.hstack(blocks), tuple(names)


def missing_rows(table: "DataFrame", names: Sequence[str]) -> np.ndarray:
    """Tell which rows (n,) miss a value in one of these columns."""
    return np.asarray(table[list(names)].isna().any(axis=1))


def grouped(table: "DataFrame", person: str) -> np.ndarray:
    """Codes (n,) of the person each row belongs to, in the order of first appearance.

    Raises
    ------
    CodingError
        Where the column is not there or a row has no person.
    """
    from pandas import factorize

    if person not in table.columns:
        raise CodingError(f"The table has no column {person}.")
    codes, _ = factorize(table[person])
    if (codes < 0).any():
        raise CodingError(f"Some rows have no value in {person}, so nobody knows whose they are.")
    return np.asarray(codes)
