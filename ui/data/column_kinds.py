"""What each column of a table looks like: a proposal to the owner, and nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from dpca_core.data.encoding import MOST_CATEGORIES, categories_of

if TYPE_CHECKING:
    from pandas import DataFrame, Series


FIRST_ROWS = 20_000
"""Rows by which columns are judged: enough for a proposal."""

EMPTY, SAME = "empty", "the same in every row"
MANY = f"more than {MOST_CATEGORIES} different texts"
DATES = "dates or times"
UNSUPPORTED = "an unsupported type"
"""Reasons to leave a column out."""


@dataclass(frozen=True)
class Roles:
    """What each column of a table is proposed for, judged by its type and its values.

    Attributes
    ----------
    numbers, categories
        Names of columns that look like numbers, and like texts that repeat.
    left_out
        Why each of the other columns is proposed to be left out, by its name.
    numeric
        Names of all columns that hold numbers, constant ones among them.
    """

    numbers: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    numeric: frozenset[str] = frozenset()

    @classmethod
    def of(cls, table: "DataFrame") -> "Roles":
        """Sort columns; constant ones and those of many different texts are left out."""
        numbers, categories, left_out, numeric = [], [], {}, set()
        for key, column in table.items():
            name = str(key)
            if column.dtype.kind in "iufb":
                numeric.add(name)
                reason = _why_not_a_number(column)
                if reason is None:
                    numbers.append(name)
            else:
                reason = _why_not_a_category(column)
                if reason is None:
                    categories.append(name)
            if reason is not None:
                left_out[name] = reason
        return cls(tuple(numbers), tuple(categories), left_out, frozenset(numeric))

    @property
    def neither(self) -> tuple[str, ...]:
        """Names of the columns that are proposed to be left out."""
        return tuple(self.left_out)


def _why_not_a_number(column: "Series") -> str | None:
    plain = isinstance(column.dtype, np.dtype)
    values = column.to_numpy() if plain else column.to_numpy(dtype=float, na_value=np.nan)
    if len(values) == 0:
        return EMPTY
    with np.errstate(invalid="ignore"):
        low, high = np.fmin.reduce(values), np.fmax.reduce(values)
    if low != low:
        return EMPTY
    return SAME if low == high else None


def _why_not_a_category(column: "Series") -> str | None:
    if column.dtype.kind in "mM":
        return DATES
    if column.dtype.kind not in "OT":
        return UNSUPPORTED
    different = _different_texts_at_first(column)
    if different <= 1 and len(column) > FIRST_ROWS:
        different = len(different_texts(column))
    if different <= 1:
        return SAME if different else EMPTY
    return None if different <= MOST_CATEGORIES else MANY


def _different_texts_at_first(column: "Series") -> int:
    """Count the texts of the first rows, without the spaces around them."""
    found = _unique(column.array[:FIRST_ROWS])
    return len(categories_of(column.head(FIRST_ROWS))) if found is None else len(found)


def different_texts(column: "Series") -> list[str]:
    """Return the texts of a column, each once and without the spaces around it."""
    found = _unique(column.array)
    return list(categories_of(column)) if found is None else found.to_pylist()


def _unique(values: Any) -> Any:
    """Return distinct stripped texts as an Arrow array; None for values of several types."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        texts = pa.array(values, pa.large_string(), from_pandas=True)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
        return None
    return pc.unique(pc.utf8_trim_whitespace(texts)).drop_null()
