"""What a file of separated values is made of: separators, names, missing values, errors."""

import re
from collections import Counter

from dpca_core.data.errors import TableError

LONGEST_CELL, LONGEST_LABEL = 2**17, 60
"""Letters of a cell that is read, and of a column's name in a message."""
MAX_COLUMNS, LONGEST_NAME = 2000, 200
_JOINERS = "\u200c\u200d"
NUMBER_LIKE = re.compile(r"[-+]?[\d.,]*\d(e[-+]?\d+)?", re.IGNORECASE)


def shown(name: str) -> str:
    """Return a name on one line, without what cannot be seen or turns the direction of reading.

    Joiners stay: scripts and emoji are written with them.
    """
    return " ".join("".join(c if c.isprintable() or c in _JOINERS else " " for c in name).split())


def label(name: object) -> str:
    """Return a column's name for a message: on one line and short."""
    return shown(str(name))[:LONGEST_LABEL]


def require_names(name: str, columns: list[str]) -> None:
    """Refuse a header whose columns cannot be told apart by short names.

    Raises
    ------
    TableError
        For too many columns, or a name that is missing, long or repeated; where most names are
        numbers it says that the header itself is missing.
    """
    if len(columns) > MAX_COLUMNS:
        raise TableError(f"{name} has {len(columns):,} columns; the limit is {MAX_COLUMNS:,}.")
    numbers = sum(NUMBER_LIKE.fullmatch(column) is not None for column in columns)
    if 2 * numbers > len(columns) and ("" in columns or len(columns) > len(set(columns))):
        raise TableError(f"{name} begins with numbers: add a first line that names the columns.")
    if unnamed := columns.count(""):
        place = columns.index("") + 1
        if unnamed == 1:
            raise TableError(f"Column {place} of {name} has no name: give it one.")
        raise TableError(f"{name} has {unnamed} unnamed columns, first column {place}: name them.")
    long = next((i for i, column in enumerate(columns, 1) if len(column) > LONGEST_NAME), None)
    if long is not None:
        raise TableError(
            f"The name of column {long} of {name} is longer than {LONGEST_NAME} characters: "
            "shorten it."
        )
    twice = [column for column, times in Counter(columns).items() if times > 1]
    if not twice:
        return
    first, times = f"“{label(twice[0])}”", columns.count(twice[0])
    if len(twice) > 1:
        raise TableError(f"{name} has {len(twice)} repeated names, the first {first}: rename them.")
    some, which = ("two", "one") if times == 2 else (f"{times}", "all but one")
    raise TableError(f"{name} has {some} columns named {first}: rename {which}.")
