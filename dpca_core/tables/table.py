"""What every table gives: named columns, read from the beginning as often as it is asked for."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
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


@dataclass(frozen=True)
class Labels:
    """What a file of a statistics program says about one of its columns.

    Attributes
    ----------
    text
        The column's label; "" for none.
    values
        Each value, as it is read as a text, with its label; none of a list that is too long.
    missing
        Values that the file declares missing, such as "9" or "97 to 99"; they are read so.
    """

    text: str = ""
    values: tuple[tuple[str, str], ...] = ()
    missing: tuple[str, ...] = ()


class Table(ABC):
    """A table of any length; its name is for messages and never published.

    Attributes
    ----------
    columns
        Names of its columns, in order; two may be equal.
    done
        Share of the table that has been read; None where that is unknown.
    labels, sheets
        By column of a statistics program's file, where it has any; of the workbook it lies in.
    """

    name: str
    columns: tuple[str, ...]
    done: float | None = 0.0
    labels: Mapping[str, Labels] = MappingProxyType({})
    sheets: tuple[str, ...] = ()

    def require(self, numbers: Sequence[str], texts: Sequence[str]) -> None:
        """Refuse columns that cannot be read, by the header or schema alone: ``TableError``.

        One that is not there, is there twice, or has a type that is not read.
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
