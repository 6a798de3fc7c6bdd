"""A made-up table with the header of somebody's own: drawn from public choices alone.

No table is read: a column's values follow from its range, its typical value or its list, and from a
few hidden factors that columns share, so that there are directions to find. The real table's
directions are others.
"""

import csv
import io
from collections.abc import Sequence
from math import floor, log10

import numpy as np

from dpca_core.data.recipe import Category, Number, Recipe, Scale
from dpca_core.data.text_file_format import EITHER
from dpca_core.linalg.arrays import Array
from sample_data.made_up_clinic import MADE_UP

MOST_MADE_UP_ROWS = 20_000
"""Rows that are made up at most: more show no more."""
MADE_UP_FILE_NAME = "made-up-table.csv"
_FACTORS = 3
_COMMON = 0.75
"""Correlation of a column with the factor it shares with every third one."""
_SIGMAS = 3.0
"""Standard deviations between a typical value and an end of the range."""
_DIGITS = 3
"""Digits of a quarter of the range that a cell shows."""


def made_up_csv(header: Sequence[str], recipe: Recipe, people: int, seed: int = 0) -> bytes:
    """Return a CSV file written as the recipe says, one row a person.

    Parameters
    ----------
    header
        Names of the columns, in order; no line where the table has none. Those that the recipe
        does not use hold ``MADE_UP``, those that name the person too, with a number.
    people
        Number of rows, at most ``MOST_MADE_UP_ROWS``: the owner's guess, never the table's own.
    seed
        Of the draws.
    """
    rows = max(1, min(people, MOST_MADE_UP_ROWS))
    rng = np.random.default_rng(seed)
    factors = rng.standard_normal((rows, _FACTORS))
    form = recipe.number_format
    decimal = "." if form.decimal == EITHER else form.decimal
    columns = {}
    for place, column in enumerate(recipe.columns):
        own = rng.standard_normal(rows)
        hidden = _COMMON * factors[:, place % _FACTORS] + np.sqrt(1 - _COMMON**2) * own
        columns[column.name] = (
            _numbers(column, hidden, decimal)
            if isinstance(column, Number)
            else _labels(column, hidden)
        )
    for name in recipe.person:
        columns[name] = [f"{MADE_UP} {number:06d}" for number in range(1, rows + 1)]
    text = io.StringIO()
    writer = csv.writer(text, delimiter=form.delimiter, lineterminator="\n")
    if not form.unnamed:
        writer.writerow(header)
    marked = [MADE_UP] * rows
    writer.writerows(zip(*(columns.get(name, marked) for name in header), strict=True))
    return text.getvalue().encode(form.encoding, "replace")


def _numbers(column: Number, hidden: Array, decimal: str) -> list[str]:
    """Return cells around the typical value, within the range."""
    low, high = column.low, column.high
    typical = low / 2 + high / 2 if column.typical is None else column.typical
    below, above = typical / _SIGMAS - low / _SIGMAS, high / _SIGMAS - typical / _SIGMAS
    reach = np.where(hidden < 0, below, above)
    with np.errstate(over="ignore"):
        values = np.clip(typical + hidden * reach, low, high)
    digits = max(0, _DIGITS - 1 - floor(log10(high / 4 - low / 4)))
    # Very small and very large ranges are written with an exponent.
    style = f".{digits}f" if digits <= 12 and max(abs(low), abs(high)) < 1e15 else ".9e"
    return [format(value, style).replace(".", decimal) for value in values.tolist()]


def _labels(column: Scale | Category, hidden: Array) -> list[str]:
    """Return a value of the list a row: the first is the most frequent."""
    weights = 1 / np.arange(1, len(column.values) + 1)
    shares = np.cumsum(weights) / weights.sum()
    ranks = (np.argsort(np.argsort(hidden)) + 0.5) / len(hidden)
    return [column.values[place] for place in np.searchsorted(shares, ranks).tolist()]
