"""What stands in a column: its distinct values and how often each occurs, in some of its rows.

All patterns look at distinct values: there are few of them where there are many rows.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dpca_core.data.text_cells import numbers_of, tokens
from dpca_core.data.text_file_format import TextFileFormat, pattern, with_point
from dpca_core.linalg.arrays import Array
from dpca_core.runtime.cached_property import cached_property

if TYPE_CHECKING:
    from pandas import DataFrame, Series

MOST_ROWS = 20_000
"""Rows of a table that are looked at."""
MOST = 0.9
"""Share of cells that must fit a pattern."""
_FEW, _GLANCE, _HOPELESS = 200, 40, 0.4
"""Distinct texts that Python matches faster than Arrow; those that a pattern is tried on first; and
how far it may fall short on them."""
_SEED = 20_260


def sampled_rows(rows: int) -> NDArray[np.intp]:
    """Return the rows (m,) to look at, in order: all, or ``MOST_ROWS`` at random.

    The first rows of a sorted table would show one site or one year only. Always the same rows.
    """
    if rows <= MOST_ROWS:
        return np.arange(rows)
    chosen = np.random.default_rng(_SEED).choice(rows, MOST_ROWS, replace=False)
    return np.sort(chosen).astype(np.intp)


@dataclass(frozen=True)
class ColumnValues:
    """The distinct values of a column, in the rows that were looked at.

    Attributes
    ----------
    rows
        Rows of the table.
    counts
        How often each distinct value occurs (v,), missing ones left out.
    typed
        Distinct numbers (v,), where the column holds numbers; None where it holds text.
    texts
        Distinct texts (v), without spaces at the ends; none where the column holds numbers.
    form
        How a text is read as a number.
    """

    rows: int
    counts: NDArray[np.intp]
    typed: Array | None
    texts: Sequence[str]
    form: TextFileFormat

    @property
    def distinct(self) -> int:
        """How many different values there are, v."""
        return len(self.counts)

    @cached_property
    def filled(self) -> int:
        """Return how many of the rows looked at have a value."""
        return int(self.counts.sum())

    @cached_property
    def numbers(self) -> Array:
        """Return the distinct values (v,) as numbers, NaN where one is none."""
        return self.typed if self.typed is not None else _as_numbers(self, self.form)

    @cached_property
    def numeric_share(self) -> float:
        """Return the share of filled cells that are numbers."""
        return self._share(np.isfinite(self.numbers))

    @cached_property
    def all_whole(self) -> bool:
        """Tell whether every value is a whole number, and there is one."""
        numbers = self.numbers
        return self.distinct > 0 and bool(
            (np.isfinite(numbers) & (np.floor(numbers) == numbers)).all()
        )

    @property
    def distinct_share(self) -> float:
        """Distinct values over filled cells."""
        return self.distinct / max(self.filled, 1)

    @cached_property
    def arrow_texts(self) -> Any:
        """Return the distinct texts as an Arrow array."""
        import pyarrow as pa

        return pa.array(self.texts, pa.string())

    def matches(self, regex: str) -> NDArray[np.bool_]:
        """Tell which distinct values (v,) match a regular expression; no number does."""
        import pyarrow.compute as pc

        if not self.texts:
            return np.zeros(self.distinct, dtype=bool)
        if self.distinct <= _FEW:
            # Arrow compiles an expression at every call, which takes longer than a few texts do.
            search = re.compile(regex).search
            return np.array([search(text) is not None for text in self.texts], dtype=bool)
        return np.asarray(pc.match_substring_regex(self.arrow_texts, regex), dtype=bool)

    def share(self, regex: str, needed: float = 0.0) -> float:
        """Return the share of filled cells whose text matches.

        Where a first glance falls far short of ``needed`` only that is counted.
        """
        if not self.texts:
            return 0.0
        if needed > _HOPELESS:
            search = re.compile(regex).search
            glance = self.texts[:_GLANCE]
            share = sum(search(text) is not None for text in glance) / len(glance)
            if share == 0 or (len(glance) == _GLANCE and share < needed - _HOPELESS):
                return share
        return self._share(self.matches(regex))

    def _share(self, chosen: NDArray[np.bool_]) -> float:
        return float(self.counts[chosen].sum()) / max(self.filled, 1)

    def most_frequent(self, chosen: NDArray[np.bool_]) -> list[str]:
        """Return the chosen texts (v,), the most frequent first."""
        places = np.flatnonzero(chosen)
        order = places[np.argsort(-self.counts[places], kind="stable")]
        return [self.texts[int(place)] for place in order]


def _as_numbers(values: ColumnValues, form: TextFileFormat) -> Array:
    """Distinct texts as numbers, NaN where one is none."""
    if values.distinct > _FEW:
        return numbers_of(values.arrow_texts, form).values
    number = re.compile(pattern(form)).match
    between = form.thousands or "\0"
    found = (
        with_point(text.replace(between, ""), form) if number(text) else "nan"
        for text in values.texts
    )
    return np.array([float(text) for text in found], dtype=np.float64)


def columns_of(
    table: "DataFrame", form: TextFileFormat, texts: Any = None
) -> Iterator[tuple[str, ColumnValues | None]]:
    """Yield each column's name and values; None for a type that is neither number nor text.

    Parameters
    ----------
    texts
        Some rows of the same columns as they are written (``sampled_texts``); None to look at the
        table's own.
    """
    chosen = sampled_rows(len(table))
    whole = len(chosen) == len(table)
    sample = table if whole or texts is not None else table.iloc[chosen]
    # One after the other: to look a column up by its place takes pandas twice as long.
    for place, (name, column) in enumerate(sample.items()):
        values = (
            _of_column(column, form, len(table))
            if texts is None
            else _of_texts(texts.column(place), form, len(table))
        )
        if values is not None and values.distinct < 2 and not whole:
            # Nearly constant is not constant: one row may differ.
            values = _of_column(table.iloc[:, place], form, len(table))
        yield str(name), values


def _of_column(column: "Series", form: TextFileFormat, rows: int) -> ColumnValues | None:
    """Distinct values of one column of a table."""
    import pyarrow as pa

    from dpca_core.data.labels import as_text, is_number

    if is_number(column):
        plain = isinstance(column.dtype, np.dtype)
        numbers = column.to_numpy() if plain else column.to_numpy(dtype=float, na_value=np.nan)
        found, counts = np.unique(numbers[np.isfinite(numbers)], return_counts=True)
        found = found.astype(np.float64)
        return ColumnValues(rows, counts.astype(np.intp), found, (), form)
    if column.dtype.kind not in "OTU" and str(column.dtype) != "category":
        return None
    refused = (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, TypeError)
    with suppress(*refused):
        return _of_texts(pa.array(column.array, pa.large_string(), from_pandas=True), form, rows)
    with suppress(*refused):
        # Values of several types.
        return _of_texts(pa.array(as_text(column).array, pa.large_string()), form, rows)
    return None


def _of_texts(cells: Any, form: TextFileFormat, rows: int) -> ColumnValues:
    """Distinct values of a column of text (an Arrow array or chunked array).

    Spaces around them do not count, and missing values are left out.
    """
    import pyarrow.compute as pc

    counted = pc.value_counts(cells)
    missing = frozenset(tokens(form))
    times: dict[str, int] = {}
    for text, count in zip(counted.field(0).to_pylist(), counted.field(1).to_pylist(), strict=True):
        if text is not None and (short := text.strip()) not in missing:
            times[short] = times.get(short, 0) + count
    counts = np.fromiter(times.values(), dtype=np.intp, count=len(times))
    return ColumnValues(rows, counts, None, tuple(times), form)
