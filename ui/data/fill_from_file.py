"""Ranges and categories read from the file where the owner typed none; not private then."""

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from dpca_core.data.encoding import categories_of
from dpca_core.data.recipe import Number
from dpca_core.data.scaling import rounded_ranges
from ui.data.column_kinds import different_texts
from ui.data.recipe_draft import ColumnKind, FileValues, RecipeDraft

if TYPE_CHECKING:
    from pandas import DataFrame


def fill_from_file(draft: RecipeDraft, table: "DataFrame") -> RecipeDraft:
    """Read every used column from the file; what was typed stays, a declaration does not."""
    found = {name: read_column(table, name, draft.kind(name)) for name in draft.used}
    # The owner's declaration did not cover these values.
    values = MappingProxyType({**draft.from_file, **found})
    return replace(draft, from_file=values, declared_public=False)


def read_column(table: "DataFrame", name: str, kind: ColumnKind) -> FileValues:
    """Read one column's extremes, rounded outwards, or its categories."""
    if kind is ColumnKind.CATEGORY:
        column = table[name]
        texts = column.dtype.kind in "OT"
        return FileValues(
            values=tuple(sorted(different_texts(column))) if texts else categories_of(column)
        )
    low, high = _extremes(table[name])
    rounded = rounded_ranges([Number(name, low, high)])[0]
    return FileValues(rounded.low, rounded.high)


def _extremes(column: Any) -> tuple[float, float]:
    from pandas import to_numeric

    if column.dtype.kind not in "iufb":
        column = to_numeric(column.astype("string"), errors="coerce")
    values = column.to_numpy(dtype=float, na_value=np.nan)
    finite = values[np.isfinite(values)]
    return (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 0.0)
