"""What a file of separated values is made of: header, blanks, numbers with commas, errors."""

import csv
import io
import re
from collections import Counter
from typing import Any, NamedTuple

BLANK = ("", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None", "?", "-")
LONGEST_HEADER, LONGEST_LABEL = 16 * 1024**2, 60
MAX_COLUMNS, LONGEST_NAME = 2000, 200
SEPARATORS = ",;\t|"
THOUSANDS = r"^([^,]*|[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?)$"
_JOINERS = "\u200c\u200d"
DECIMAL_COMMA = r"^[+-]?(\d+,?\d*|,\d+|inf)([eE][+-]?\d+)?$"


class TableError(ValueError):
    """A file cannot be used; the message is one sentence that says what is wrong.

    Attributes
    ----------
    readable_anyway
        Whether a total reading of the file goes on: what is wrong is in its rows.
    """

    def __init__(self, message: str, *, readable_anyway: bool = False) -> None:
        super().__init__(message)
        self.readable_anyway = readable_anyway


class Header(NamedTuple):
    """First row of a file: the separator, the columns' names, and where the rows begin."""

    separator: str
    names: list[str]
    end: int


def shown(name: str) -> str:
    """Return a name on one line, without what cannot be seen or turns the direction of reading.

    Joiners stay: scripts and emoji are written with them.
    """
    return " ".join("".join(c if c.isprintable() or c in _JOINERS else " " for c in name).split())


def label(name: object) -> str:
    """Return a column's name for a message: on one line and short."""
    return shown(str(name))[:LONGEST_LABEL]


def start_of(text: str) -> int:
    """Where the first line that is not blank begins; the length of the text where there is none."""
    first = len(text) - len(text.lstrip())
    if first == len(text):
        return first
    return max(text.rfind(end, 0, first) for end in "\r\n") + 1


def header_of(name: str, text: str) -> Header:
    """Read the first row that is not blank; the separator is what it holds most of.

    Raises
    ------
    TableError
        Where there is none, or it goes on and on.
    """
    begin = start_of(text)
    if begin == len(text):
        raise TableError(f"{name} is empty.")
    head = text[begin : begin + LONGEST_HEADER]
    first = re.split(r"[\r\n]", head, maxsplit=1)[0]
    if len(first) == LONGEST_HEADER:
        raise TableError(f"{name} has no end of line in its first 16 MB.")
    unquoted = "".join(first.split('"')[::2])
    separator = max(SEPARATORS, key=unquoted.count)
    start = io.StringIO(head, newline="")
    cells = next(csv.reader(start, delimiter=separator, skipinitialspace=True))
    return Header(separator, [shown(cell) for cell in cells], begin + start.tell())


def require_names(name: str, columns: list[str]) -> None:
    """Refuse a header whose columns cannot be told apart by short names.

    Raises
    ------
    TableError
        For too many columns, or a name that is missing, long or repeated.
    """
    if len(columns) > MAX_COLUMNS:
        raise TableError(f"{name} has {len(columns):,} columns; the limit is {MAX_COLUMNS:,}.")
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


def filled(column: Any) -> Any:
    """Stripped text (an Arrow array), blanks as missing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    text = pc.utf8_trim_whitespace(column)
    return pc.if_else(pc.is_in(text, value_set=pa.array(BLANK)), None, text)


def any_comma(text: Any) -> bool:
    """Tell whether a value has a comma."""
    import pyarrow.compute as pc

    return bool(pc.any(pc.match_substring(text, ",")).as_py())


def all_match(text: Any, pattern: str) -> bool:
    """Tell whether all values that are there match."""
    import pyarrow.compute as pc

    return bool(pc.all(pc.match_substring_regex(text, pattern)).as_py())


def without_commas(text: Any, *, decimal: bool) -> Any:
    """Numbers as text with a point for a decimal comma, or without commas between thousands."""
    import pyarrow.compute as pc

    return pc.replace_substring(text, ",", "." if decimal else "")
