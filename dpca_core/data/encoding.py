"""Columns of a table as numbers: numeric as they are, categories one-hot, people as codes."""

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from dpca_core.data.column_names import label
from dpca_core.data.errors import EncodingError
from dpca_core.data.labels import (
    Labels,
    as_text,
    is_number,
    joined_labels,
    labels_from_codes,
    value_text,
)
from dpca_core.data.number_format import NumberFormat
from dpca_core.data.recipe import Reading, Recipe
from dpca_core.linalg.arrays import Array

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


class EncodedColumns(NamedTuple):
    """Columns of a table as asked for.

    Attributes
    ----------
    rows
        n.
    numbers
        p columns (n,), NaN where missing; they may be the memory of whoever read them.
    labels
        The categories.
    persons
        Who owns each row; None where each row is another person.
    """

    rows: int
    numbers: Sequence[Array]
    labels: Sequence[Labels]
    persons: Labels | None = None

    @property
    def missing(self) -> NDArray[np.bool_]:
        """Tell which rows (n,) miss a value; one that is not finite is missing too."""
        found = np.zeros(self.rows, dtype=bool)
        for column in self.numbers:
            found |= ~np.isfinite(column)
        for labels in self.labels:
            found |= labels.codes < 0
        return found

    def without(self, rows: NDArray[np.bool_]) -> "EncodedColumns":
        """Leave rows (n,) out."""
        if not rows.any():
            return self
        kept = np.flatnonzero(~rows)
        labels = [Labels(codes[kept], texts) for codes, texts in self.labels]
        who = self.persons
        persons = None if who is None else Labels(who.codes[kept], who.texts)
        return EncodedColumns(len(kept), [column[kept] for column in self.numbers], labels, persons)

    def one_hot(self, categories: Sequence[CategoryColumn]) -> Array:
        """Return a column of zeros and ones for each public value of each category (n, q)."""
        blocks = [np.empty((self.rows, 0))]
        for labels, category in zip(self.labels, categories, strict=True):
            known = np.zeros((len(labels.texts) + 1, len(category.values)))
            for place, text in enumerate(labels.texts):
                known[place] = [text == value for value in category.values]
            blocks.append(known[labels.codes])
        return np.hstack(blocks)


def categories_of(column: "Series") -> tuple[str, ...]:
    """All categories that occur, sorted: reading them from the data is not private."""
    return tuple(sorted(as_text(column).dropna().unique()))


def encode_columns(table: "DataFrame", recipe: Recipe, reading: Reading) -> EncodedColumns:
    """Numeric columns as 64 bits, categories and persons as labels.

    A total reading takes a column that holds no numbers cell by cell: texts as the recipe's format
    says, anything else as missing.

    Raises
    ------
    EncodingError
        For a column that is not there and, in strict reading, one that holds no numbers.
    """
    for name in (*(column.name for column in recipe.columns), *recipe.person):
        if name not in table.columns:
            raise EncodingError(f"The table has no column {label(name)}.")
    columns = []
    for number in recipe.numbers:
        series = table[number.name]
        if is_number(series):
            columns.append(series.to_numpy(dtype=np.float64, na_value=np.nan))
        elif reading is Reading.TOTAL:
            columns.append(_cell_by_cell(series, recipe.number_format))
        else:
            raise EncodingError(f"The column {label(number.name)} does not hold numbers.")
    labels = [_labels(table[category.name]) for category in recipe.categories]
    labels.extend(_labels(table[name]) for name in recipe.person)
    return coded_columns(len(table), columns, labels, recipe)


def coded_columns(
    rows: int, numbers: Sequence[Array], labels: Sequence[Labels], recipe: Recipe
) -> EncodedColumns:
    """Put columns together; the last of the labels are those of the columns that name a person."""
    count = len(recipe.categories)
    if not recipe.names_persons:
        return EncodedColumns(rows, numbers, labels)
    persons = joined_labels(labels[count:], ignore_case=recipe.ids_ignore_case)
    return EncodedColumns(rows, numbers, labels[:count], persons)


def _cell_by_cell(column: "Series", form: NumberFormat) -> Array:
    """Numbers of a column that holds other things too, NaN for those."""
    import pyarrow as pa
    from pandas import ArrowDtype

    from dpca_core.data.text_cells import numbers_of

    if (
        isinstance(column.dtype, ArrowDtype)
        and column.dtype.kind in "OmM"
        and not (pa.types.is_decimal(column.dtype.pyarrow_dtype))
    ):
        return np.full(len(column), np.nan)
    values = column.astype(object).tolist()
    texts = [value_text(value) if isinstance(value, str) else None for value in values]
    found = numbers_of(pa.array(texts, pa.string()), form).values
    for place, value in enumerate(values):
        if isinstance(value, (bool, int, float, complex, Decimal, np.bool_, np.number)):
            found[place] = _as_float(value)
    return found


def _as_float(value: Any) -> float:
    # One complex number makes all of its column complex, with 0 as imaginary parts.
    try:
        return float(value.real) if value.imag == 0 else float("nan")
    except (OverflowError, ValueError):
        return float("nan")


def side_by_side(columns: Sequence[Array], rows: int, out: Array | None = None) -> Array:
    """Put columns (n,) into a table (n, p) whose columns are contiguous in memory.

    ``out`` is memory for n·p numbers or more.
    """
    table = np.empty(rows * len(columns)) if out is None else out[: rows * len(columns)]
    if columns:
        np.concatenate(columns, out=table)
    return table.reshape(len(columns), rows).T


def require_finite(columns: Sequence[Array], numbers: Sequence[NumberColumn]) -> None:
    """Refuse infinite values, by the name of their column."""
    for column, number in zip(columns, numbers, strict=True):
        if np.isinf(column).any():
            raise EncodingError(
                f"The column {label(number.name)} holds infinite values: repair them or leave it "
                "out."
            )


def _labels(column: "Series") -> Labels:
    """Distinct values first: there are few, and a text takes long to make."""
    from pandas import ArrowDtype, Series, factorize

    if isinstance(column.dtype, ArrowDtype):
        from dpca_core.data.arrow_labels import arrow_labels

        return arrow_labels(column.array.__arrow_array__().combine_chunks())
    codes, found = factorize(as_text(column) if column.dtype == object else column)
    return labels_from_codes(codes, as_text(Series(found)).tolist())


def encoded_names(
    numbers: Sequence[NumberColumn], categories: Sequence[CategoryColumn]
) -> tuple[str, ...]:
    """Return the names of the columns after coding."""
    hot = (f"{category.name}: {value}" for category in categories for value in category.values)
    return (*(number.name for number in numbers), *hot)
