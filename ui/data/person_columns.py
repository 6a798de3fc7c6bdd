"""Columns that seem to name the person a row belongs to, with several rows of one.

Finding none proves nothing. Whatever is found is a question to the owner, never a decision.
"""

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pandas import DataFrame, Series


FIRST_ROWS, FIRST_COLUMNS, MOST_BESIDE, MOST_ASKED = 20_000, 200, 40, 3
"""Columns without such a name are judged by these rows and columns."""

NAMED = {
    "id", "ids", "pid", "mrn", "ssn", "nhs", "uid", "uuid", "patient", "person", "subject",
    "participant", "respondent", "proband", "pupil", "student", "household", "hh", "member",
    "client", "customer", "user", "employee", "case", "record",
}  # fmt: skip
SHORTENED = {"pat", "subj", "usubj", "usub", "s", "p", "e", "rec", "pers", "emp", "resp", "part"}
NUMBERED = {"key", "no", "nr", "number", "code"}
OF_ANOTHER_KIND = {
    "type", "kind", "class", "group", "status", "count", "age", "sex", "year", "date",
}  # fmt: skip
FEWEST_NAMED, FEWEST, MOST_ROWS_EACH, LARGEST, MOST_NAMED = 3, 20, 20.0, 50, 50
EQUAL, FIXED, COMMONEST = 0.25, 0.97, 0.9
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


@dataclass(frozen=True)
class Repeats:
    """A column each of whose values has several rows.

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

    @property
    def said(self) -> str:
        """The number of rows of a value, as the question says it."""
        if self.usual > 1:
            return f"{self.usual} rows for most values"
        return f"up to {self.most:,} rows for one value"


def repeated_ids(table: "DataFrame") -> tuple[Repeats, ...]:
    """Find columns that may name the person, the likeliest first; at most three.

    A column with a name such as ``patient_id`` is asked about as soon as a value repeats. Without
    such a name its values must repeat about equally: texts always, whole numbers where two other
    columns never change within a value.
    """
    found = _named(table) or _quiet(table.head(FIRST_ROWS))
    return tuple(repeats for *_, repeats in sorted(found, key=lambda one: one[:2])[:MOST_ASKED])


def _named(table: "DataFrame") -> list[tuple[int, int, Repeats]]:
    """Candidates by name, the smallest numbers before them for the likeliest."""
    strengths = {place: _strength(str(name)) for place, name in enumerate(table.columns)}
    found = []
    for place in [place for place, strength in strengths.items() if strength][:MOST_NAMED]:
        rows = _rows_each(table.iloc[:, place])
        sure = strengths[place] == 2
        if (len(rows) >= FEWEST_NAMED if sure else _about_equal(rows)) and rows.max() > 1:
            found.append((-strengths[place], -len(rows), _repeats(table.columns[place], rows)))
    return found


def _quiet(table: "DataFrame") -> list[tuple[int, int, Repeats]]:
    """Candidates by their values alone."""
    found: list[tuple[int, int, Repeats]] = []
    for place in range(min(table.shape[1], FIRST_COLUMNS)):
        column = table.iloc[:, place]
        if not _may_be_quiet(column) or not _about_equal(rows := _rows_each(column)):
            continue
        if column.dtype.kind not in "iuf" or _fixed_within(table, place) >= 2:
            found.append((0, -len(rows), _repeats(table.columns[place], rows)))
        if len(found) == MOST_ASKED:
            break
    return found


def _strength(name: str) -> int:
    """2 for a name that says whose, 1 for one that says that it numbers something, else 0."""
    words = [word.lower() for word in _PARTS.findall(name)]
    if not words or words[-1] in OF_ANOTHER_KIND:
        return 0
    owners = (word.removesuffix("id") for word in words if word.endswith("id"))
    if NAMED.intersection(words) or not (NAMED | SHORTENED).isdisjoint(owners):
        return 2
    return 1 if NUMBERED.intersection(words) else 0


def _codes(column: "Series") -> NDArray[np.intp]:
    from pandas import factorize

    codes, _ = factorize(column)
    return np.asarray(codes)


def _rows_each(column: "Series") -> NDArray[np.intp]:
    """Count the rows of each value."""
    codes = _codes(column)
    return np.bincount(codes[codes >= 0])


def _repeats(name: object, rows: NDArray[np.intp]) -> Repeats:
    usual = int(np.bincount(rows).argmax())
    return Repeats(str(name), usual if (rows == usual).mean() > 0.5 else 0, int(rows.max()))


def _may_be_quiet(column: "Series") -> bool:
    """Tell whether a column holds texts or whole numbers."""
    if column.dtype.kind in "iuOT":
        return True
    if column.dtype.kind != "f":
        return False
    values = column.to_numpy(dtype=float, na_value=np.nan)
    finite = values[np.isfinite(values)]
    return len(finite) > 0 and bool((finite == np.round(finite)).all())


def _about_equal(rows: NDArray[np.intp]) -> bool:
    """Tell whether many values have about as many rows each, and few."""
    if len(rows) < FEWEST or rows.max() > LARGEST:
        return False
    mean = float(rows.mean())
    return 1.5 <= mean <= MOST_ROWS_EACH and float(rows.var()) <= EQUAL * mean


def _fixed_within(table: "DataFrame", place: int) -> int:
    """Count the columns that vary in the table and (nearly) never within a value of this one."""
    values = _codes(table.iloc[:, place])
    several = np.bincount(values[values >= 0]) > 1
    found = 0
    for other in range(min(table.shape[1], MOST_BESIDE)):
        if other == place:
            continue
        codes = _codes(table.iloc[:, other])
        there = (values >= 0) & (codes >= 0)
        counts = np.bincount(codes[there])
        if len(counts) < 2 or counts.max() > COMMONEST * there.sum():
            continue
        pairs = np.unique(values[there] * len(counts) + codes[there])
        kinds = np.bincount(pairs // len(counts), minlength=len(several))
        found += bool((kinds[several] <= 1).mean() >= FIXED)
    return found
