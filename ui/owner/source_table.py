"""The table that is being prepared: uploaded, or the first rows of one on the server's disk."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, BinaryIO, cast

from dpca_core.data.recipe import Reading
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.readers.gzip_unpacking import FileBytes
from dpca_core.readers.open_row_source import is_parquet
from dpca_core.readers.table import proposed_format, read_table
from dpca_core.tables.files import Upload
from dpca_core.tables.text_table import TextTable

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class SourceTable:
    """A table as it was read for preview and proposals; a release never reads it.

    Attributes
    ----------
    name
        As pages show it.
    table
        The whole table, or the first rows of one on the server.
    upload
        The file as it was uploaded, or the first rows of the one on the server.
    number_format, reading
        How ``table`` was read.
    path
        Where it is on the server; None for an upload.
    asked
        What was asked before it was read, with the owner's answers.
    """

    name: str
    table: "DataFrame"
    upload: Upload
    number_format: TextFileFormat
    path: Path | None = None
    reading: Reading = Reading.STRICT
    asked: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def read(
        cls, name: str, upload: Upload, path: Path | None = None, reading: Reading = Reading.STRICT
    ) -> "SourceTable":
        """Read a table in the format that is proposed for it.

        Raises
        ------
        TableError
            Where it is no table, in one sentence.
        """
        number_format = proposed_format(upload)
        table = read_table(upload.name, upload.content, number_format, reading=reading)
        return cls(name, table, upload, number_format, path, reading)

    @property
    def is_text(self) -> bool:
        """Whether the table is text, in which numbers can be written in several ways."""
        return not is_parquet(self.upload)

    @property
    def streamed(self) -> bool:
        """Whether it is read in place, in one pass."""
        return self.path is not None

    def is_same_table(self, other: "SourceTable") -> bool:
        """Tell whether both were read from the same file, in whatever way."""
        if self.path is not None or other.path is not None:
            return self.path == other.path
        return self.upload.content == other.upload.content

    def as_written(self) -> "DataFrame":
        """Return all cells of a text file as they are written; the table of another file."""
        if not self.is_text:
            return self.table
        import pyarrow as pa

        def opened() -> BinaryIO:
            return cast(BinaryIO, FileBytes(self.upload))

        file = TextTable(self.name, opened, self.number_format)
        nothing = pa.table({name: pa.array([], pa.string()) for name in file.columns})
        read = [pa.table(batch.columns) for batch in file.batches((), file.columns)]
        table: DataFrame = pa.concat_tables([nothing, *read]).to_pandas()
        return table

    def with_texts(self, names: Collection[str]) -> "DataFrame":
        """Return the table with some columns as they are written: ``01`` is not ``1``."""
        if not names or not self.is_text:
            return self.table
        file = self.upload
        return read_table(file.name, file.content, self.number_format, names, self.reading)
