"""Empty cells filled from the file: extremes, and lists of values. Not private from then on."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from dpca_core.data.clipping import rounded_outwards
from dpca_core.data.recipe import Number, Use
from dpca_core.tables.files import open_table
from dpca_core.tables.rows import distinct_texts, read_numbers
from ui.owner.column import Column
from ui.owner.draft import Draft
from ui.owner.typed_values import POINT, join_values, number_codes, split_values, written_as

if TYPE_CHECKING:
    from pandas import DataFrame


def has_empty_cells(draft: Draft) -> bool:
    """Tell whether there is any cell to fill."""
    return any(map(_has_empty, draft.used))


def _has_empty(column: Column) -> bool:
    # The order of a scale is in no file; a typical value that nobody types is the range's middle.
    cells = column.used.items() if column.use is not Use.SCALE else ()
    return any(cell.empty for name, cell in cells if name != "typical")


def fill_from_file(draft: Draft, table: "DataFrame") -> Draft:
    """Fill the empty cells of columns that are used; what was typed stays."""
    found = [one for one in draft.used if _has_empty(one) and one.name in table.columns]
    return draft.with_columns(column.filled(_texts(column, table, draft)) for column in found)


def _texts(column: Column, table: "DataFrame", draft: Draft) -> Mapping[str, str]:
    """Read what a column's cells would be, by field; what it has as missing does not count."""
    form, name = draft.reading, column.name
    read = open_table(table[[name]], form)
    if column.use is not Use.NUMBER:
        found = {
            text
            for batch in read.batches([], [name])
            for text in distinct_texts(batch.columns[name], form)[0]
        }
        missing = split_values(column["missing"].text, form)
        return {"values": join_values(sorted(t for t in found - {*missing} if t), form)}
    codes = number_codes(column["missing"].text, form)
    number = Number(name, 0.0, 1.0, unit=column["unit"].text.strip(), missing=codes)
    parts = [read_numbers(batch.columns[name], number, form) for batch in read.batches([name], [])]
    values = np.concatenate([np.empty(0), *parts])
    values = values[np.isfinite(values)]
    if len(values) == 0:
        return {}
    low, high = rounded_outwards(float(values.min()), float(values.max()))
    ends = {"low": f"{low:.15g}", "high": f"{high:.15g}"}
    return {field: written_as(end, POINT, form) for field, end in ends.items()}
