"""What a file of separated values is made of: separators, names, missing values, errors."""

import re
from collections import Counter

BLANK = ("", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None", "?", "-")
LONGEST_CELL, LONGEST_LABEL = 2**17, 60
"""Letters of a cell that is read, and of a column's name in a message."""
MAX_COLUMNS, LONGEST_NAME = 2000, 200
SEPARATORS = ",;\t|"
_JOINERS = "\u200c\u200d"
STANDS_FOR_BYTES = re.compile(rb"\xf4\x8f[\xbe\xbf]")
"""Begins a letter that ``text_of`` uses for bytes, in UTF-8."""
_STRANGE = re.compile("[\udc80-\udcff\U0010ff80-\U0010ffff]+")
_LETTERS = {byte: 0x10FF00 + byte for byte in range(0x80, 0x100)}


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


def shown(name: str) -> str:
    """Return a name on one line, without what cannot be seen or turns the direction of reading.

    Joiners stay: scripts and emoji are written with them.
    """
    return " ".join("".join(c if c.isprintable() or c in _JOINERS else " " for c in name).split())


def text_of(content: bytes) -> str:
    """Return what UTF-8 bytes say, one to one: different bytes are different texts.

    A byte that is no text becomes one of 128 letters at the very end of Unicode, which are for
    private use; such a letter in the content becomes those of its own four bytes.
    """
    return _STRANGE.sub(_letters, content.decode("utf-8", "surrogateescape"))


def _letters(found: re.Match[str]) -> str:
    return found[0].encode("utf-8", "surrogateescape").decode("latin-1").translate(_LETTERS)


def label(name: object) -> str:
    """Return a column's name for a message: on one line and short."""
    return shown(str(name))[:LONGEST_LABEL]


def separator_of(line: str) -> str:
    """Guess what separates the names of a header: what it holds most of outside of quotes."""
    unquoted = "".join(line.split('"')[::2])
    return max(SEPARATORS, key=unquoted.count)


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
