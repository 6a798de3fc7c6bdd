"""A made-up table with somebody's header, drawn from public choices alone: no table is read.

Columns share a few hidden factors, so that there are directions to find, if not the real ones.
"""

import csv
import io
import re
from collections.abc import Sequence
from math import floor, log10

import numpy as np

from dpca_core.data.recipe import Category, Number, Recipe, Scale
from dpca_core.data.text_file_format import EITHER, Escape
from dpca_core.linalg.arrays import Array
from dpca_core.tables.records import csv_format
from sample_data.made_up_clinic import MADE_UP

MOST_MADE_UP_ROWS = 20_000
MADE_UP_FILE_NAME = "made-up-table.csv"
_FACTORS, _COMMON = 3, 0.75
"""Hidden factors, each shared by every third column, and its correlation with them."""
_SIGMAS, _DIGITS = 3.0, 3
"""Standard deviations from a typical value to an end of the range; digits of a quarter of it."""


def made_up_csv(header: Sequence[str], recipe: Recipe, people: int) -> bytes:
    """Return a text file with a header's columns, written as the recipe says, one row a person.

    How many ``people``, at most 20,000, is the owner's guess, never the table's own number.
    """
    rows = max(1, min(people, MOST_MADE_UP_ROWS))
    rng = np.random.default_rng(0)
    factors = rng.standard_normal((rows, _FACTORS))
    form = recipe.number_format
    columns = {name: [f"{MADE_UP} {i:06d}" for i in range(1, rows + 1)] for name in recipe.person}
    for place, column in enumerate(recipe.columns):
        own = rng.standard_normal(rows)
        hidden = _COMMON * factors[:, place % _FACTORS] + np.sqrt(1 - _COMMON**2) * own
        if isinstance(column, Number):
            mark = "." if form.decimal == EITHER else form.decimal
            cells = [cell.replace(".", mark) for cell in _numbers(column, hidden)]
        else:
            cells = _labels(column, hidden)
        columns.setdefault(column.name, cells)
    marked = [MADE_UP] * rows
    records = [*zip(*(columns.get(name, marked) for name in header), strict=True)]
    if not form.unnamed:
        records.insert(0, tuple(header))
    quote: str | None = '"'
    if form.escape is Escape.NONE:
        # No cell of such a file holds what would end it.
        quote = None
        ends = re.compile(rf"[{form.delimiter}\r\n]")
        records = [tuple(ends.sub(" ", cell) for cell in record) for record in records]
    text = io.StringIO()
    text.write(f"{MADE_UP}\n" * form.skip)
    csv.writer(text, csv_format(form), quotechar=quote).writerows(records)
    content = text.getvalue().replace("\n", "\r") if form.cr_ends_lines else text.getvalue()
    return content.encode(form.encoding, "replace")


def _numbers(column: Number, hidden: Array) -> list[str]:
    low, high = column.low, column.high
    typical = low / 2 + high / 2 if column.typical is None else column.typical
    below, above = typical / _SIGMAS - low / _SIGMAS, high / _SIGMAS - typical / _SIGMAS
    with np.errstate(over="ignore"):
        values = np.clip(typical + hidden * np.where(hidden < 0, below, above), low, high)
    digits = max(0, _DIGITS - 1 - floor(log10(high / 4 - low / 4)))
    # Very small and very large ranges are written with an exponent.
    style = f".{digits}f" if digits <= 12 and max(abs(low), abs(high)) < 1e15 else ".9e"
    return [format(value, style) for value in values.tolist()]


def _labels(column: Scale | Category, hidden: Array) -> list[str]:
    """Return a value of the list a row: those of a scale equally often, else the first most."""
    many = len(column.values)
    weights = np.ones(many) if isinstance(column, Scale) else 1 / np.arange(1, many + 1)
    shares = np.cumsum(weights) / weights.sum()
    ranks = (np.argsort(np.argsort(hidden)) + 0.5) / len(hidden)
    return [column.values[place] for place in np.searchsorted(shares, ranks).tolist()]
