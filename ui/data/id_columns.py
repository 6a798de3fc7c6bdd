"""Columns that may be IDs: they seem to name the person a row belongs to, and values repeat.

Finding none proves nothing. Whatever is found becomes a question to the owner, never a decision.
"""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ui.data.column_kinds import FIRST_ROWS

if TYPE_CHECKING:
    from pandas import DataFrame, Series


FIRST_COLUMNS = 200
"""Columns that are examined without having an ID's name."""

MOST_COMPARED = 40
"""Other columns that such a column is compared with."""

MOST_CANDIDATES = 3
"""Columns that the owner is asked about."""

OWNER_WORDS = {
    "id", "ids", "pid", "mrn", "ssn", "nhs", "uid", "uuid", "patient", "person", "subject",
    "participant", "respondent", "proband", "pupil", "student", "household", "hh", "member",
    "client", "customer", "user", "employee", "case", "record",
}  # fmt: skip
OWNER_ABBREVIATIONS = {
    "pat", "subj", "usubj", "usub", "s", "p", "e", "rec", "pers", "emp", "resp", "part",
}  # fmt: skip
NUMBER_WORDS = {"key", "no", "nr", "number", "code"}
OTHER_KINDS = {
    "type", "kind", "class", "group", "status", "count", "age", "sex", "year", "date",
}  # fmt: skip
FEWEST_VALUES_NAMED, FEWEST_VALUES = 3, 20
"""Different values that an ID column has at least: with an ID's name, and without."""

MOST_NAMED = 50
"""Columns with an ID's name that are examined."""

MOST_MEAN_ROWS, MOST_ROWS = 20.0, 50
"""Rows of a value, on average and at most, in a column without an ID's name."""

MOST_VARIANCE = 0.25
"""Variance of the rows of a value, relative to their mean, of values that repeat about equally."""

FIXED_SHARE = 0.97
"""Share of values within which a column must not vary to count as fixed."""

MOST_COMMON_SHARE = 0.9
"""Share of the commonest value of a column above which it says nothing."""

_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@dataclass(frozen=True)
class RepeatedColumn:
    """A column whose values have several rows each.

    Attributes
    ----------
    name
        The column.
    usual
        Rows that more than half of its values have; 0 where there is no such number.
    most
        Rows that the most frequent value has.
    """

    name: str
    usual: int
    most: int


def id_candidates(table: "DataFrame") -> tuple[RepeatedColumn, ...]:
    """Find columns that may name the person, the likeliest first; at most three.

    A column with a name such as ``patient_id`` is asked about as soon as a value repeats. Without
    such a name its values must repeat about equally: texts always, whole numbers where two other
    columns never change within a value.
    """
    found = _candidates_by_name(table) or _candidates_by_value(table.head(FIRST_ROWS))
    return tuple(column for *_, column in sorted(found, key=lambda one: one[:2])[:MOST_CANDIDATES])


def _candidates_by_name(table: "DataFrame") -> list[tuple[int, int, RepeatedColumn]]:
    """Candidates by name, the smallest numbers before them for the likeliest."""
    strengths = {place: _name_strength(str(name)) for place, name in enumerate(table.columns)}
    found = []
    for place in [place for place, strength in strengths.items() if strength][:MOST_NAMED]:
        rows = _rows_per_value(table.iloc[:, place])
        sure = strengths[place] == 2
        if (len(rows) >= FEWEST_VALUES_NAMED if sure else _repeats_evenly(rows)) and rows.max() > 1:
            found.append(
                (-strengths[place], -len(rows), _repeated_column(table.columns[place], rows))
            )
    return found


def _candidates_by_value(table: "DataFrame") -> list[tuple[int, int, RepeatedColumn]]:
    """Candidates by their values alone."""
    found: list[tuple[int, int, RepeatedColumn]] = []
    for place in range(min(table.shape[1], FIRST_COLUMNS)):
        column = table.iloc[:, place]
        if not _texts_or_whole_numbers(column) or not _repeats_evenly(
            rows := _rows_per_value(column)
        ):
            continue
        if column.dtype.kind not in "iuf" or _columns_fixed_within(table, place) >= 2:
            found.append((0, -len(rows), _repeated_column(table.columns[place], rows)))
        if len(found) == MOST_CANDIDATES:
            break
    return found


def _name_strength(name: str) -> int:
    """2 for a name that says whose, 1 for one that says that it numbers something, else 0."""
    words = [word.lower() for word in _PARTS.findall(name)]
    if not words or words[-1] in OTHER_KINDS:
        return 0
    owners = (word.removesuffix("id") for word in words if word.endswith("id"))
    if OWNER_WORDS.intersection(words) or not (OWNER_WORDS | OWNER_ABBREVIATIONS).isdisjoint(
        owners
    ):
        return 2
    return 1 if NUMBER_WORDS.intersection(words) else 0


def _codes(column: "Series") -> NDArray[np.intp]:
    from pandas import factorize

    codes, _ = factorize(column)
    return np.asarray(codes)


def _rows_per_value(column: "Series") -> NDArray[np.intp]:
    """Count the rows of each value."""
    codes = _codes(column)
    return np.bincount(codes[codes >= 0])


def _repeated_column(name: object, rows: NDArray[np.intp]) -> RepeatedColumn:
    usual = int(np.bincount(rows).argmax())
    return RepeatedColumn(str(name), usual if (rows == usual).mean() > 0.5 else 0, int(rows.max()))


def _texts_or_whole_numbers(column: "Series") -> bool:
    """Tell whether a column holds texts or whole numbers."""
    if column.dtype.kind in "iuOT":
        return True
    if column.dtype.kind != "f":
        return False
    values = column.to_numpy(dtype=float, na_value=np.nan)
    finite = values[np.isfinite(values)]
    return len(finite) > 0 and bool((finite == np.round(finite)).all())


def _repeats_evenly(rows: NDArray[np.intp]) -> bool:
    """Tell whether many values have about as many rows each, and few."""
    if len(rows) < FEWEST_VALUES or rows.max() > MOST_ROWS:
        return False
    mean = float(rows.mean())
    return 1.5 <= mean <= MOST_MEAN_ROWS and float(rows.var()) <= MOST_VARIANCE * mean


def _columns_fixed_within(table: "DataFrame", place: int) -> int:
    """Count the columns that vary in the table and (nearly) never within a value of this one."""
    values = _codes(table.iloc[:, place])
    several = np.bincount(values[values >= 0]) > 1
    found = 0
    for other in range(min(table.shape[1], MOST_COMPARED)):
        if other == place:
            continue
        codes = _codes(table.iloc[:, other])
        there = (values >= 0) & (codes >= 0)
        counts = np.bincount(codes[there])
        if len(counts) < 2 or counts.max() > MOST_COMMON_SHARE * there.sum():
            continue
        pairs = np.unique(values[there] * len(counts) + codes[there])
        kinds = np.bincount(pairs // len(counts), minlength=len(several))
        found += bool((kinds[several] <= 1).mean() >= FIXED_SHARE)
    return found
