"""What every table gives: named columns, read from the beginning as often as it is asked for."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dpca_core.data.column_names import MAX_COLUMNS, label, shown
from dpca_core.data.errors import TableError

if TYPE_CHECKING:
    from pandas import DataFrame


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


class Table(ABC):
    """A table of any length.

    Attributes
    ----------
    name
        Its name for messages; never published.
    columns
        Names of its columns, in order; two may be equal.
    done
        Share of the table that has been read; None where that is unknown.
    """

    name: str
    columns: tuple[str, ...]
    done: float | None = 0.0

    def require(self, numbers: Sequence[str], texts: Sequence[str]) -> None:
        """Refuse columns that cannot be read, by the header or schema alone.

        Raises
        ------
        TableError
            For a column that is not there, is there twice, or has a type that is not read.
        """
        for name in (*numbers, *texts):
            times = self.columns.count(name)
            if times > 1:
                raise TableError(
                    f"{self.name} has {times} columns named “{label(name)}”: rename them."
                )
            if not times:
                raise TableError(f"{self.name} has no column “{label(name)}”.")

    def batches(self, numbers: Sequence[str], texts: Sequence[str]) -> Iterator[Batch]:
        """Read some columns from the beginning: numbers, and others as text.

        Nothing that a row holds is refused, and what one holds changes the reading of no other.
        Columns are refused at the call, as ``require`` says.
        """
        self.require(numbers, texts)
        return self._batches([name for name in numbers if name not in texts], texts)

    @abstractmethod
    def _batches(self, numbers: Sequence[str], texts: Sequence[str]) -> Iterator[Batch]:
        """Read columns that are there, each of them once."""

    @abstractmethod
    def first_rows(self, rows: int) -> "DataFrame":
        """Return the first rows to look at: texts as they are written, numbers as numbers."""


def named(name: str, titles: Iterable[object]) -> tuple[str, ...]:
    """Return names of the columns of a table, whose own name is for the message: not too many."""
    columns = [shown(str(title)) or f"column {i}" for i, title in enumerate(titles, 1)]
    if len(columns) > MAX_COLUMNS:
        raise TableError(f"{name} has {len(columns):,} columns; the limit is {MAX_COLUMNS:,}.")
    return tuple(columns)
