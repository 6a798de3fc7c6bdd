"""The one reader of text files: header, then blocks of lines as columns, side by side on threads.

A file, perhaps gzipped, on disk or as it was uploaded. How it is written is the recipe's
(``TextFileFormat``). Two modes differ in what they refuse, never in what they read: ``STRICT``
refuses the first line or cell that is not as it should be, ``TOTAL`` none.
"""

import codecs
from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from dpca_core.data.column_names import shown
from dpca_core.data.errors import TableError
from dpca_core.data.recipe import Reading
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.readers.csv_blocks import (
    CACHED_BYTES,
    NOT_TEXT,
    NOT_UTF8,
    Columns,
    Converter,
    Wanted,
    refusal,
)
from dpca_core.readers.csv_lines import (
    Header,
    LineBlock,
    blocks,
    find_header,
    numbered_blocks,
    split_fields,
)
from dpca_core.readers.file_access import name_of
from dpca_core.readers.file_signatures import refuse_foreign_bytes, refuse_foreign_text
from dpca_core.readers.gzip_unpacking import FileBytes
from dpca_core.runtime.threads import prefetch
from dpca_core.tables.files import Upload

Made = TypeVar("Made")

LARGEST_BLOCK = 2**22
_FIRST = 64


class TextFile:
    """A file of separated values; its header is read when it is made."""

    def __init__(
        self, given: Path | Upload, form: TextFileFormat, reading: Reading = Reading.STRICT
    ) -> None:
        """Read the header.

        Raises
        ------
        TableError
            Where there is none, or the file is known to be something else.
        """
        self.given, self.form, self.name = given, form, name_of(given)
        self._strict, self._silent = reading is Reading.STRICT, reading is Reading.SILENT
        with self._opened() as content:
            self.size = content.size
            head = self._head(content, CACHED_BYTES)
            first = next(head.rest, None)
        # A first line that is a row decides nothing about the others: not even how long they are.
        self.names = made_up_names(form.unnamed) or names_of(
            self.name, head.content, form.delimiter
        )
        self.head = head.content.decode("utf-8", "replace")
        self._line = 1.0
        if first is not None:
            lines = first.content.count(b"\n") or first.content.count(b"\r")
            self._line = len(first.content) / max(lines, 1)

    def _opened(self) -> FileBytes:
        by_ending = self._silent and self.form.unnamed > 0
        return FileBytes(self.given, silent=self._silent, by_ending=by_ending)

    def _head(self, content: FileBytes, size: int) -> Header:
        """Find the first line of an opened file, and go on in blocks of so many bytes."""
        parts = blocks(self._read(content, size))
        if self._silent and self.form.unnamed:
            # There is no header, so that no line may be refused, not even the first.
            return Header(1, b"", numbered_blocks(1, parts))
        return find_header(self.name, parts)

    def _read(self, content: FileBytes, size: int) -> Callable[[], bytes]:
        """Return what reads some more of an opened file, as UTF-8."""
        start = content.read(_FIRST)
        if self._strict or not self.form.unnamed:
            refuse_foreign_bytes(self.name, start)
        if self.form.encoding == "utf-8":
            if not (self._silent and self.form.unnamed):
                # In front of a row it is a letter like others: what a row is depends on no place.
                start = start.removeprefix(codecs.BOM_UTF8)
            return _after(start, content, size)
        decode = codecs.getincrementaldecoder(self.form.encoding)(
            "strict" if self._strict else "surrogateescape"
        )
        return partial(self._recoded, content, decode, [start], size)

    def _rows(self, content: FileBytes, size: int) -> Iterator[LineBlock]:
        """Yield all lines but a header, in blocks of so many bytes."""
        try:
            head = self._head(content, size)
        except TableError:
            if not self._silent:
                raise
            # The header was there when the file was opened; now nothing is.
            return
        if self.form.unnamed and head.content:
            yield LineBlock(head.line, head.content + b"\n")
        yield from head.rest

    def _recoded(
        self, content: FileBytes, decode: codecs.IncrementalDecoder, before: list[bytes], size: int
    ) -> bytes:
        """Read some more as UTF-8; a byte that is no letter stays one that is none."""
        while True:
            found = (before.pop() if before else b"") or content.read(size)
            try:
                text = decode.decode(found, final=not found)
            except UnicodeDecodeError:
                raise refusal(f"{self.name} {NOT_UTF8}") from None
            if text or not found:
                return text.encode("utf-8", "surrogateescape")

    def place(self, name: str) -> int | None:
        """Where a column is; None where there is none of that name, or several."""
        return self.names.index(name) if self.names.count(name) == 1 else None

    def parts(
        self,
        wanted: Wanted,
        make: Callable[[Columns], Made],
        rows: int | None = None,
        on_read: Callable[[float], None] = lambda _: None,
    ) -> Generator[Made]:
        """Yield what is made of the columns of some rows after others; threads work ahead.

        Parameters
        ----------
        rows
            About how many are held at a time; None for as many as are read fastest.
        on_read
            Told the share of the file that has been read.
        """
        size = (
            LARGEST_BLOCK if rows is None else int(min(max(rows * self._line, 64), LARGEST_BLOCK))
        )
        converter = Converter(self.name, self.names, self.form, wanted, self._strict)
        with self._opened() as content:

            def counted() -> Iterator[LineBlock]:
                for block in self._rows(content, size):
                    yield block
                    on_read(min(content.read_so_far / max(self.size, 1), 1.0))

            yield from prefetch(lambda block: make(converter.columns(block)), counted())
            on_read(1.0)

    def texts(self, places: Sequence[int]) -> Generator[Any]:
        """Yield Arrow tables of some columns (named f0, f1, …) as text, without a conversion."""
        converter = Converter(self.name, self.names, self.form, Wanted(labels=places), self._strict)
        with self._opened() as content:
            yield from prefetch(converter.texts, self._rows(content, LARGEST_BLOCK))


def _after(start: bytes, content: FileBytes, size: int) -> Callable[[], bytes]:
    """Read what was read before, then on from there."""
    waiting = [start]
    return lambda: (waiting.pop() if waiting else b"") or content.read(size)


def made_up_names(columns: int) -> list[str]:
    """Name columns that have no names."""
    return [f"c{place}" for place in range(1, columns + 1)]


def names_of(name: str, head: bytes, delimiter: str) -> list[str]:
    """Columns' names from the header line, on one line each.

    Raises
    ------
    TableError
        Where the header is no line of separated names.
    """
    try:
        text = head.decode()
    except UnicodeDecodeError:
        raise TableError(f"{name} {NOT_UTF8}") from None
    if "\0" in text:
        raise TableError(f"{name} {NOT_TEXT}")
    refuse_foreign_text(name, text)
    found = split_fields(head, delimiter)
    if found.long:
        raise TableError(
            f"The header of {name} has a cell of more than 128 kB: check its quotation marks."
        )
    if found.open:
        raise TableError(
            f"The header of {name} opens a quotation mark and does not close it on its line: "
            "write each name on one line."
        )
    return [shown(cell) for cell in found.cells]
