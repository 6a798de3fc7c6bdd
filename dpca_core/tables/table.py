"""What every table gives: named columns, read from the beginning as often as it is asked for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class Batch:
    """Some rows of a table, in its order.

    Attributes
    ----------
    rows
        How many there are.
    columns
        Arrow arrays by name: numbers as float64, or as text where cells have to be looked at; the
        others as text. Null is a missing value.
    wrong
        Which of the rows, from 0, stand for a record that did not have as many cells as the header,
        or was too long: every cell of theirs is missing.
    """

    rows: int
    columns: dict[str, Any]
    wrong: tuple[int, ...] = ()


class Table(Protocol):
    """A table of any length.

    Attributes
    ----------
    name
        Its name for messages; never published.
    columns
        Names of its columns, in order; two may be equal.
    """

    name: str
    columns: tuple[str, ...]

    @property
    def done(self) -> float | None:
        """Share of the table that has been read; None where that is unknown."""
        ...

    def require(self, numbers: Sequence[str], texts: Sequence[str]) -> None:
        """Refuse columns that cannot be read, by the header or schema alone.

        Raises
        ------
        TableError
            For a column that is not there, is there twice, or has a type that is not read.
        """
        ...

    def batches(self, numbers: Sequence[str], texts: Sequence[str]) -> Iterator[Batch]:
        """Read some columns from the beginning: numbers, and others as text.

        Nothing that a row holds is refused, and what one holds changes the reading of no other.
        """
        ...
