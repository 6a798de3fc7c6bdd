"""What a reader is: rows of a recipe's columns, a chunk at a time."""

from collections.abc import Callable, Generator
from typing import Protocol, TypeVar

from dpca_core.data.column_names import label
from dpca_core.data.encoding import EncodedColumns
from dpca_core.data.errors import EncodingError

Made = TypeVar("Made")


class Source(Protocol):
    """Rows in chunks, and how far they have been read."""

    name: str

    @property
    def done(self) -> float | None:
        """Share that has been read, from 0 to 1; None where the end is not known."""
        ...

    def chunks(self, make: Callable[[EncodedColumns], Made]) -> Generator[Made]:
        """Yield what is made of the recipe's columns, some rows at a time.

        Threads work ahead, so that columns are still in the processor's cache when it is made.
        """
        ...


def place_of(column: str, names: list[str]) -> int:
    """Return where a file has a column.

    Raises
    ------
    EncodingError
        Where it has none of that name, or several.
    """
    if (times := names.count(column)) == 1:
        return names.index(column)
    found = f"{times} columns" if times else "no column"
    raise EncodingError(f"The table has {found} {label(column)}.")
