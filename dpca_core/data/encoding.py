"""Columns of a table as numbers: numeric as they are, categories one-hot, people as codes."""

from collections import Counter
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
from dpca_core.data.recipe import Category, CategoryCoding, Number, Reading, Recipe
from dpca_core.data.text_cells import Numbers, numbers_of
from dpca_core.data.text_file_format import TextFileFormat, parsed
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

    def one_hot(
        self,
        categories: Sequence[CategoryColumn],
        coding: CategoryCoding = CategoryCoding.INDICATORS,
    ) -> Array:
        """Return a column for each public value of each category (n, q): zeros and ones.

        Centred, those of a category of m values are less by 1/m. What is missing, or none of the
        values, is 0 in all of them.
        """
        blocks = [np.empty((self.rows, 0))]
        for labels, category in zip(self.labels, categories, strict=True):
            known = np.zeros((len(labels.texts) + 1, len(category.values)))
            mean = 1 / len(category.values) if coding is CategoryCoding.CENTRED else 0.0
            for place, text in enumerate(labels.texts):
                if text in category.values:
                    known[place] = [(text == value) - mean for value in category.values]
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
        For a column that is not there, or there twice, and, in strict reading, one that holds no
        numbers.
    """
    times = Counter(table.columns)
    for name in (*(column.name for column in recipe.columns), *recipe.person):
        if times[name] != 1:
            counted = f"{times[name]} columns" if times[name] else "no column"
            raise EncodingError(f"The table has {counted} {label(name)}.")
    columns = []
    for number in recipe.numbers:
        series = table[number.name]
        if is_number(series):
            columns.append(series.to_numpy(dtype=np.float64, na_value=np.nan))
        else:
            found = _cell_by_cell(series, number, recipe.number_format)
            # Text is no number where nobody says how it becomes one.
            told = bool(number.unit or text_codes(number, recipe.number_format))
            if reading is Reading.STRICT and (found.wrong.any() or not told):
                raise EncodingError(f"The column {label(number.name)} does not hold numbers.")
            columns.append(found.values)
    labels = [_labels(table[category.name]) for category in recipe.categories]
    labels.extend(_labels(table[name]) for name in recipe.person)
    return coded_columns(len(table), columns, labels, recipe)


def coded_columns(
    rows: int, numbers: Sequence[Array], labels: Sequence[Labels], recipe: Recipe
) -> EncodedColumns:
    """Put columns together, with their codes for a missing value as missing.

    The last of the labels are those of the columns that name a person.
    """
    count = len(recipe.categories)
    numbers = [
        _without_codes(column, number, recipe.number_format)
        for column, number in zip(numbers, recipe.numbers, strict=True)
    ]
    labels = [
        *(_known(label, c) for label, c in zip(labels[:count], recipe.categories, strict=True)),
        *labels[count:],
    ]
    if not recipe.names_persons:
        return EncodedColumns(rows, numbers, labels)
    persons = joined_labels(labels[count:], ignore_case=recipe.ids_ignore_case)
    return EncodedColumns(rows, numbers, labels[:count], persons)


def text_codes(number: Number, form: TextFileFormat) -> tuple[str, ...]:
    """Return a column's codes for a missing value that are no numbers themselves."""
    return tuple(code.strip() for code in number.missing if parsed(code, form) is None)


def _without_codes(column: Array, number: Number, form: TextFileFormat) -> Array:
    """Numbers (n,) with NaN for a column's codes, which are compared as numbers."""
    codes = [value for code in number.missing if (value := parsed(code, form)) is not None]
    found = np.isin(column, codes) if codes else np.zeros(0, dtype=bool)
    return np.where(found, np.nan, column) if found.any() else column


def _known(labels: Labels, category: Category) -> Labels:
    """Labels with a column's codes for a missing value as missing."""
    codes = {code.strip() for code in category.missing}
    if codes.isdisjoint(labels.texts):
        return labels
    return labels_from_codes(labels.codes, [None if t in codes else t for t in labels.texts])


def _cell_by_cell(column: "Series", number: Number, form: TextFileFormat) -> Numbers:
    """Numbers of a column that holds other things too, NaN for those, and which those are."""
    import pyarrow as pa
    from pandas import ArrowDtype

    if (
        isinstance(column.dtype, ArrowDtype)
        and column.dtype.kind in "OmM"
        and not (pa.types.is_decimal(column.dtype.pyarrow_dtype))
    ):
        return Numbers(np.full(len(column), np.nan), column.notna().to_numpy(dtype=bool))
    values = column.astype(object).tolist()
    texts = [value_text(value) if isinstance(value, str) else None for value in values]
    codes = text_codes(number, form)
    found, wrong = numbers_of(pa.array(texts, pa.string()), form, number.unit, codes)
    for place, value in enumerate(values):
        if _is_number(value):
            found[place] = _as_float(value)
        else:
            wrong[place] |= not isinstance(value, str) and not _is_nothing(value)
    return Numbers(found, wrong)


def _is_number(value: Any) -> bool:
    # NumPy counts its durations, but no other ones, among whole numbers.
    numbers = (bool, int, float, complex, Decimal, np.bool_, np.number)
    return isinstance(value, numbers) and not isinstance(value, np.timedelta64)


def _is_nothing(value: Any) -> bool:
    """Tell a missing value of any library from other objects."""
    from pandas import NA, NaT

    if isinstance(value, (np.datetime64, np.timedelta64)):
        return bool(np.isnat(value))
    return value is None or value is NA or value is NaT


def _as_float(value: Any) -> float:
    # One complex number makes all of its column complex, with 0 as imaginary parts.
    try:
        return float(value.real) if value.imag == 0 else float("nan")
    except (OverflowError, TypeError, ValueError):
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
    # Pandas cannot look for equal ones among complex numbers of more than 128 bits.
    by_text = column.dtype == object or column.dtype.kind == "c"
    codes, found = factorize(as_text(column) if by_text else column)
    return labels_from_codes(codes, as_text(Series(found)).tolist())
