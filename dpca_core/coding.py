"""Columns of a table as numbers: numeric as they are, categories one-hot, people as codes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from dpca_core.linalg import Array
from dpca_core.separated import label

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
    """Tell whether a column holds real numbers (or true and false)."""
    from pandas.api.types import is_bool_dtype, is_complex_dtype, is_numeric_dtype

    real = is_numeric_dtype(column) and not is_complex_dtype(column)
    return bool(real or is_bool_dtype(column))


class Labels(NamedTuple):
    """A categorical column: codes (n,) into its distinct texts, −1 where a value is missing."""

    codes: NDArray[np.intp]
    texts: Sequence[str | None]


class Coded(NamedTuple):
    """Columns of a table as asked for.

    Attributes
    ----------
    rows
        n.
    numbers
        p columns (n,), NaN where missing; they may be the memory of whoever read them.
    labels
        The categories.
    """

    rows: int
    numbers: Sequence[Array]
    labels: Sequence[Labels]

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Tell which rows (n,) miss a value."""
        found = np.zeros(self.rows, dtype=bool)
        for column in self.numbers:
            found |= np.isnan(column)
        for labels in self.labels:
            found |= labels.codes < 0
        return found

    def without(self, rows: NDArray[np.bool_]) -> "Coded":
        """Leave rows (n,) out."""
        if not rows.any():
            return self
        kept = np.flatnonzero(~rows)
        labels = [Labels(codes[kept], texts) for codes, texts in self.labels]
        return Coded(len(kept), [column[kept] for column in self.numbers], labels)

    def one_hot(self, categories: Sequence[CategoryColumn]) -> Array:
        """Return a column of zeros and ones for each public value of each category (n, q)."""
        blocks = [np.empty((self.rows, 0))]
        for labels, category in zip(self.labels, categories, strict=True):
            known = np.zeros((len(labels.texts) + 1, len(category.values)))
            for place, text in enumerate(labels.texts):
                known[place] = [text == value for value in category.values]
            blocks.append(known[labels.codes])
        return np.hstack(blocks)


def number_text(value: Any) -> str:
    """A number as a category: whole ones without a point."""
    whole = abs(value) < 2**63 and value % 1 == 0
    return str(int(value)) if whole else str(value)


def as_text(column: "Series") -> "Series":
    """Values as stripped text, missing ones as missing; whole numbers without a point.

    Each value by itself: another row never changes what this one counts as.
    """
    if is_number(column):
        return column.astype(object).map(number_text, na_action="ignore").astype("string")
    if column.dtype.kind in "mM":
        column = column.astype(object)
    return column.astype("string").str.strip()


def categories_of(column: "Series") -> tuple[str, ...]:
    """All categories that occur, sorted: reading them from the data is not private."""
    return tuple(sorted(as_text(column).dropna().unique()))


def coded(
    table: "DataFrame", numbers: Sequence[NumberColumn], categories: Sequence[CategoryColumn]
) -> Coded:
    """Numeric columns as 64 bits, categories as labels.

    Raises
    ------
    CodingError
        For a column that is not there or holds no numbers.
    """
    for column in (*numbers, *categories):
        if column.name not in table.columns:
            raise CodingError(f"The table has no column {label(column.name)}.")
    columns = []
    for number in numbers:
        series = table[number.name]
        if not is_number(series):
            raise CodingError(f"The column {label(number.name)} does not hold numbers.")
        columns.append(series.to_numpy(dtype=np.float64, na_value=np.nan))
    labels = [_labels(table[category.name]) for category in categories]
    return Coded(len(table), columns, labels)


def side_by_side(columns: Sequence[Array], rows: int, room: Array | None = None) -> Array:
    """Put columns (n,) into a table (n, p) whose columns are contiguous in memory.

    ``room`` is memory for n·p numbers or more.
    """
    table = np.empty(rows * len(columns)) if room is None else room[: rows * len(columns)]
    if columns:
        np.concatenate(columns, out=table)
    return table.reshape(len(columns), rows).T


def require_finite(columns: Sequence[Array], numbers: Sequence[NumberColumn]) -> None:
    """Refuse infinite values, by the name of their column."""
    for column, number in zip(columns, numbers, strict=True):
        if np.isinf(column).any():
            raise CodingError(
                f"The column {label(number.name)} holds infinite values; repair them or leave it "
                "out."
            )


def _labels(column: "Series") -> Labels:
    """Distinct values first: there are few, and a text takes long to make."""
    from pandas import Series, factorize

    codes, found = factorize(as_text(column) if column.dtype == object else column)
    return Labels(codes, as_text(Series(found)).tolist())


def coded_names(
    numbers: Sequence[NumberColumn], categories: Sequence[CategoryColumn]
) -> tuple[str, ...]:
    """Return the names of the columns after coding."""
    hot = (f"{category.name}: {value}" for category in categories for value in category.values)
    return (*(number.name for number in numbers), *hot)


def grouped(table: "DataFrame", person: str) -> np.ndarray:
    """Codes (n,) of the person each row belongs to, in the order of first appearance.

    Raises
    ------
    CodingError
        Where the column is not there or a row has no person.
    """
    from pandas import factorize

    if person not in table.columns:
        raise CodingError(f"The table has no column {label(person)}.")
    codes, _ = factorize(table[person])
    if (codes < 0).any():
        raise CodingError(
            f"Some rows have no value in {label(person)}, so nobody knows whose they are."
        )
    return np.asarray(codes)
