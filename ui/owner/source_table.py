"""The table that is being prepared: uploaded, or the first rows of one on the server's disk."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from dpca_core.data.column_names import label
from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables.files import (
    Kind,
    Upload,
    each_once,
    first_bytes,
    first_rows,
    kind,
    name_of,
)
from dpca_core.tables.proposed_format import notices

if TYPE_CHECKING:
    from pandas import DataFrame

ROWS = 5000
"""Rows that are looked at of a table on the server; of an upload all are."""
_ALL = 2**31


@dataclass(frozen=True)
class SourceTable:
    """A table as it was read for preview and proposals; a release never reads it.

    Attributes
    ----------
    name
        As pages show it.
    table
        The whole table, or the first rows of one on the server: cells of text files and workbooks
        as they are written.
    place
        The file as it was uploaded, or where the table is on the server.
    number_format
        How ``table`` was read.
    asked
        What was asked before it was read, with the owner's answers.
    notices
        What speaks against the way in which its quotation marks are read.
    """

    name: str
    table: "DataFrame"
    place: Upload | Path
    number_format: TextFileFormat
    asked: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    notices: tuple[str, ...] = ()

    @classmethod
    def read(
        cls,
        name: str,
        place: Upload | Path,
        number_format: TextFileFormat,
        asked: Mapping[str, str] = MappingProxyType({}),
    ) -> "SourceTable":
        """Read a table in a format.

        Raises
        ------
        TableError
            Where it is no table, in one sentence.
        """
        table = first_rows(place, number_format, _ALL if isinstance(place, Upload) else ROWS)
        if table.shape[1] < 2:
            raise TableError(f"{name_of(place)} has only one column; PCA needs at least two.")
        names = list(table.columns)
        if again := [one for one in names if names.count(one) > 1]:
            raise TableError(
                f"{name_of(place)} has {names.count(again[0])} columns named “{label(again[0])}”: "
                "rename them."
            )
        said: tuple[str, ...] = ()
        if kind(place) is Kind.TEXT:
            said = notices(first_bytes(each_once(place)[0]), number_format)
        return cls(name, table, place, number_format, asked, said)

    @property
    def is_text(self) -> bool:
        """Whether the table is text, in which numbers can be written in several ways."""
        return kind(self.place) is Kind.TEXT

    @property
    def path(self) -> Path | None:
        """Where it is on the server; None for an upload."""
        return self.place if isinstance(self.place, Path) else None

    @property
    def streamed(self) -> bool:
        """Whether it is read in place, in one pass."""
        return self.path is not None

    def is_same_table(self, other: "SourceTable") -> bool:
        """Tell whether both were read from the same file, in whatever way."""
        if isinstance(self.place, Upload) and isinstance(other.place, Upload):
            return self.place.content == other.place.content
        return self.place == other.place
