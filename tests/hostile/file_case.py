"""A hostile file, and the sentence or the table that it must give."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class File:
    """A file and what it must give: a sentence that matches ``says``, or these columns."""

    name: str
    make: Callable[[], bytes]
    says: str | None = None
    holds: dict[str, list] | None = None
    file: str = "t.csv"


AB = {"a": [1, 3, 4], "b": [2, 5, 7]}
TEXT = "a,b\n1,2\n3,5\n4,7\n"
PLAIN = TEXT.encode()

NOT_UTF8, NOT_TEXT = "is not UTF-8 text: save it", "is not a text table: save it"
EMPTY, NO_ROWS, ONE_ROW = "is empty", "has no rows below its header", "has one row"
ONE_COLUMN, NOTHING = "PCA needs at least two", "has no column of numbers"

NESTED, LONG_CELL = "holds lists or raw bytes in “c”", "has a cell of more than 128 kB"
ENDLESS, UNNAMED = "has no line break in its first 4 MB", "has no name: give it one"


def refused(name: str, content: bytes, says: str, file: str = "t.csv") -> File:
    """Return a file that must give a sentence."""
    return File(name, lambda: content, says=says, file=file)


def read(name: str, content: bytes, file: str = "t.csv", **holds: list) -> File:
    """Return a file that must give a table; without columns that of ``TEXT``."""
    return File(name, lambda: content, holds=holds or AB, file=file)
