"""Files, folders and frames that somebody gives: opened with care, told by kind, read as tables."""

import gzip
import io
import os
import zlib
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from glob import glob, has_magic
from pathlib import Path, PurePath
from stat import S_ISREG
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias, cast

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from dpca_core.data.column_names import shown
from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables.arrow_table import (
    ROWS,
    ArrowTable,
    FrameTable,
    TypedTable,
    cells_of,
    frame_to_look_at,
)
from dpca_core.tables.proposed_format import HEAD
from dpca_core.tables.statistics_files import StatisticsTable
from dpca_core.tables.table import Batch, Table
from dpca_core.tables.text_table import TextTable
from dpca_core.tables.workbooks import workbook_table

if TYPE_CHECKING:
    from pandas import DataFrame

GZIP = b"\x1f\x8b"
_PARQUET, _ENCRYPTED_PARQUET = b"PAR1", b"PARE"
_LONGEST_NAME = 60
_BUFFER = 2**20


class Kind(StrEnum):
    """What a table lies in."""

    TEXT = "text"
    PARQUET = "parquet"
    WORKBOOK = "workbook"
    STATISTICS = "statistics"
    FRAME = "frame"


ENDINGS = {
    Kind.TEXT: (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz"),
    Kind.PARQUET: (".parquet", ".pq"),
    Kind.WORKBOOK: (".xlsx", ".xlsm", ".xls", ".ods"),
    Kind.STATISTICS: (".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt"),
}
_BEGINNINGS = {
    b"PAR1": Kind.PARQUET,
    b"PK\x03\x04": Kind.WORKBOOK,
    b"\xd0\xcf\x11\xe0": Kind.WORKBOOK,
}
"""Of a file without an ending that is known. Statistics programs' files are told by ending alone:
their reader is given nothing that does not ask for it."""
_FOREIGN = {
    GZIP: "compressed twice",
    b"PAR1": "a Parquet file: give its name the ending .parquet",
    b"PK\x03\x04": "a workbook or an archive: give its name the ending that it had",
    b"\xd0\xcf\x11\xe0": "a workbook: give its name the ending .xls",
    b"%PDF-": "a PDF document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"BZh91AY&SY": "compressed with bzip2",
    b"\xfd7zXZ": "compressed with xz",
    b"\x28\xb5\x2f\xfd": "compressed with Zstandard",
    b"ARROW1": "an Arrow file",
    b"SQLite format 3": "a database",
    b"<!doctype": "a web page",
    b"<html": "a web page",
    b"<?xml": "XML",
    b'{"': "JSON",
    b"{\n": "JSON",
    b"[{": "JSON",
    b"[\n": "JSON",
}
"""How files begin that are no text tables, in small letters."""


@dataclass(frozen=True)
class Upload:
    """A file in memory, as it was uploaded.

    Attributes
    ----------
    name
        Name of the file; its ending, or else its first bytes, tell the kind.
    content
        The file.
    """

    name: str
    content: bytes


One: TypeAlias = "Upload | Path | str | DataFrame | pa.Table"
Given: TypeAlias = "One | Sequence[One]"
"""A file in memory or on this machine, a folder or pattern of those, a frame, an Arrow table; or
several of them."""
Place: TypeAlias = Upload | Path


def name_of(given: Place) -> str:
    """Return a file's name for messages: its last part, on one line and short."""
    if isinstance(given, Upload):
        last, otherwise = PurePath(given.name.replace("\\", "/")).name, "The file"
    else:
        last, otherwise = given.absolute().name, "The folder"
    return shown(last)[-_LONGEST_NAME:].strip() or otherwise


def open_file(given: Place) -> BinaryIO:
    """Open a file for reading: never a link, and never what only looks like a file.

    A path is checked after it is opened, so that nobody can put something else in its place in
    between; opening never waits, as it would for a pipe that nobody writes to.

    Raises
    ------
    TableError
        For a link, a pipe, a device, a folder, or a file that may not be read.
    """
    if isinstance(given, Upload):
        return io.BytesIO(given.content)
    flags = os.O_RDONLY
    for extra in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
        flags |= getattr(os, extra, 0)
    name = name_of(given)
    if given.is_symlink():
        raise TableError(f"{name} is a symbolic link: give the path of the file itself.")
    try:
        number = os.open(given, flags)
    except FileNotFoundError:
        raise TableError(f"There is no file {name}.") from None
    except OSError:
        raise TableError(f"{name} cannot be opened: check its permissions.") from None
    if not S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise TableError(f"{name} is not a file: give a table, or a folder of tables.")
    return os.fdopen(number, "rb")


def size_of(given: Place) -> int:
    """Return how many bytes a file has as it is stored."""
    with open_file(given) as opened:
        return opened.seek(0, os.SEEK_END)


class UnpackedFile:
    """The bytes of a file, unpacked where it is gzipped, and how many of it have been read.

    A gzipped file is told by its first bytes; where those are a row already (``headless``), by the
    ending of its name.

    Attributes
    ----------
    done
        Share of the file as it is stored that has been read.
    """

    def __init__(self, given: Place, *, headless: bool = False) -> None:
        self.name = name_of(given)
        self._raw = open_file(given)
        self._size = self._raw.seek(0, os.SEEK_END)
        self._raw.seek(0)
        packed = self._raw.read(len(GZIP)) == GZIP
        if headless:
            packed = given.name.lower().endswith(".gz")
        self._raw.seek(0)
        self._packed, self.done = packed, 0.0
        self._file: Any = gzip.GzipFile(fileobj=self._raw) if packed else self._raw

    def read(self, size: int) -> bytes:
        """Read up to some bytes; none at the end.

        Raises
        ------
        TableError
            For a gzip file that is damaged or breaks off, and a file that became shorter meanwhile.
        """
        try:
            found = self._file.read1(size) if self._packed else self._file.read(size)
        except (EOFError, gzip.BadGzipFile, zlib.error):
            raise TableError(f"{self.name} is a damaged gzip file: pack it again.") from None
        except OSError:
            raise TableError(f"{self.name} cannot be read: the disk reports an error.") from None
        place = self._raw.tell()
        if not found and place < self._size:
            raise TableError(f"{self.name} became shorter while it was being read: try again.")
        self.done = min(place / max(self._size, 1), 1.0)
        return cast(bytes, found)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        self._raw.close()

    def __enter__(self) -> "UnpackedFile":
        """Use it for a while."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()


def first_bytes(given: Place) -> bytes:
    """Return the first bytes of a file, unpacked: what a format is proposed by."""
    with UnpackedFile(given) as opened:
        found = b""
        while len(found) < HEAD and (more := opened.read(HEAD - len(found))):
            found += more
    return found


def kind(given: One) -> Kind:
    """Tell what a table lies in, by the ending of its name or else by its first bytes.

    Of a folder or pattern it is the kind of the tables in it.

    Raises
    ------
    TableError
        Where there is no table.
    """
    if not isinstance(given, Upload | Path | str):
        return Kind.FRAME
    place = given if isinstance(given, Upload) else next(_tables(given))
    assert isinstance(place, Upload | Path)
    if known := _kind_by_ending(place.name):
        return known
    with open_file(place) as opened:
        return _BEGINNINGS.get(opened.read(4), Kind.TEXT)


def _kind_by_ending(name: str) -> Kind | None:
    found = (kind for kind, endings in ENDINGS.items() if name.lower().endswith(endings))
    return next(found, None)


def each_once(given: Given) -> tuple[Any, ...]:
    """Find the tables in what was given; whoever is in two tables would count twice.

    Raises
    ------
    TableError
        For a path or pattern without a table, and a table that is given twice.
    """
    found: list[Any] = []
    known: set[object] = set()
    for table in (table for each in _listed(given) for table in _tables(each)):
        mark = _identity(table)
        if mark in known:
            name = name_of(table) if isinstance(table, Upload | Path) else "A data frame"
            raise TableError(f"{name} is given twice: name each table once.")
        known.add(mark)
        found.append(table)
    if not found:
        raise TableError("No table is given: name a file, a folder or a pattern.")
    return tuple(found)


def _listed(given: Given) -> Sequence[One]:
    return given if isinstance(given, list | tuple) else [given]


def _tables(given: One) -> Iterator[Any]:
    """Yield the tables that were meant."""
    if not isinstance(given, str | Path):
        yield given
        return
    place = Path(given)
    places = [place]
    if has_magic(str(given)) and not place.exists():
        places = [Path(path) for path in sorted(glob(str(given), recursive=True))]
        if not places:
            raise TableError(f"No file is like {name_of(place)}.")
    for path in places:
        if path.is_dir():
            yield from tables_in(path)
        else:
            yield path


def _identity(table: Any) -> object:
    """Return what is the same for the same file or object, whatever is in it."""
    if isinstance(table, Path) and table.exists():
        facts = table.stat()
        return ("file", facts.st_dev, facts.st_ino)
    return ("file", str(table)) if isinstance(table, Path) else ("object", id(table))


def tables_in(folder: Path) -> list[Path]:
    """List all tables in a folder and its folders; names with “_” or “.” in front are skipped.

    Links are not followed: a file that is counted twice, or lies elsewhere, is none of the folder.

    Raises
    ------
    TableError
        Where the folder is a link, holds no table, or tables of two kinds.
    """
    name = name_of(folder)
    if folder.is_symlink():
        raise TableError(f"{name} is a symbolic link: give the path of the folder itself.")
    inside = sorted(path for path in _files_in(folder) if not _hidden(path, folder))
    found = {path: kind for path in inside if (kind := _kind_by_ending(path.name))}
    if not found:
        raise TableError(f"{name} holds no table: {', '.join(_all_endings())} are read.")
    if len(set(found.values())) > 1:
        raise TableError(f"{name} holds tables of several kinds: keep one kind.")
    return list(found)


def _all_endings() -> Iterable[str]:
    return (ending for endings in ENDINGS.values() for ending in endings if ".gz" not in ending)


def _files_in(folder: Path) -> Iterator[Path]:
    """Regular files under a folder, without following a link."""
    for place, _, names in os.walk(folder, followlinks=False):
        for path in (Path(place) / name for name in names):
            if not path.is_symlink() and path.is_file():
                yield path


def _hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith(("_", ".")) for part in path.relative_to(folder).parts)


def open_table(given: Given, form: TextFileFormat) -> Table:
    """Open tables and read their headers; several are one table, each read after the other.

    Raises
    ------
    TableError
        In one sentence, for what is no table, may not be opened, or is beyond its bounds.
    """
    tables = each_once(given)
    opened = [_opened(table, form) for table in tables]
    if len(opened) == 1:
        return opened[0]
    return Tables(opened, [_weight(table) for table in tables])


def _weight(table: Any) -> int:
    """Return about how much there is to read."""
    if isinstance(table, Upload):
        return len(table.content)
    return table.stat().st_size if isinstance(table, Path) else 8 * table.shape[0] * table.shape[1]


def _opened(given: Any, form: TextFileFormat) -> Table:
    """Open one table."""
    if isinstance(given, pa.Table):
        return ArrowTable("The table", given)
    if not isinstance(given, Upload | Path):
        return FrameTable(given, form)
    name = name_of(given)
    headless = form.unnamed > 0
    # Without a header the first bytes are a row's, and decide nothing.
    told = _kind_by_ending(given.name) if headless else kind(given)
    if size_of(given) == 0 and not (headless and told in (None, Kind.TEXT)):
        raise TableError(f"{name} is empty.")
    if told is Kind.PARQUET:
        return ParquetTable(given)
    if told is Kind.WORKBOOK:
        with open_file(given) as opened:
            return workbook_table(name, opened, form)
    if told is Kind.STATISTICS:
        return StatisticsTable(name, partial(open_file, given), Path(given.name).suffix)
    if not headless:
        _refuse_foreign(given)
    return TextTable(name, lambda: cast(BinaryIO, UnpackedFile(given, headless=headless)), form)


def _refuse_foreign(given: Place) -> None:
    """Refuse a file that begins as what is no text table does."""
    with UnpackedFile(given) as opened:
        start = opened.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()
    for beginning, what in _FOREIGN.items():
        if start.lower().startswith(beginning.lower()):
            raise TableError(f"{name_of(given)} is no text table, but {what}.")


class Tables:
    """Tables of the same columns, one after another.

    Columns are found by name in each of them: ``columns`` are those that all of them have.
    """

    def __init__(self, tables: Sequence[Table], weights: Sequence[int]) -> None:
        first, *others = tables
        self.name = f"{first.name} and {len(others)} more"
        self.columns = tuple(
            name for name in first.columns if all(name in table.columns for table in others)
        )
        self.first, self._tables, self._weights = first, tables, weights
        self._finished = 0

    @property
    def done(self) -> float | None:
        """Share of all of them."""
        if self._finished == len(self._tables):
            return 1.0
        now = (self._tables[self._finished].done or 0.0) * self._weights[self._finished]
        return (sum(self._weights[: self._finished]) + now) / max(sum(self._weights), 1)

    def require(self, numbers: Sequence[str], texts: Sequence[str]) -> None:
        """Refuse columns that one of the tables does not have once."""
        for table in self._tables:
            table.require(numbers, texts)

    def batches(self, numbers: Sequence[str], texts: Sequence[str]) -> Iterator[Batch]:
        """Read table after table; refusals come at the call, before the first row is read."""
        self.require(numbers, texts)
        return self._read(numbers, texts)

    def _read(self, numbers: Sequence[str], texts: Sequence[str]) -> Iterator[Batch]:
        self._finished = 0
        for table in self._tables:
            yield from table.batches(numbers, texts)
            self._finished += 1


class ParquetTable(TypedTable):
    """A Parquet file: its footer is read when it is opened, its rows a batch at a time."""

    def __init__(self, given: Place) -> None:
        """Read the footer.

        Raises
        ------
        TableError
            Where it is damaged, encrypted, or has too many columns.
        """
        self._given = given
        with self._file(name_of(given)) as file:
            schema, self._rows = file.schema_arrow, file.metadata.num_rows
        super().__init__(name_of(given), schema.names, schema.types)
        self._fields = schema.names

    def _read(self, numbers: Sequence[str], texts: Sequence[str]) -> Iterator[Batch]:
        read, names = 0, (*numbers, *texts)
        fields = [self._fields[self.columns.index(name)] for name in names]
        with self._file(self.name) as file:
            for part in file.iter_batches(ROWS, columns=fields, use_threads=True):
                chosen = {n: part.column(f) for n, f in zip(names, fields, strict=True)}
                read += len(part)
                self.done = read / max(self._rows, 1)
                yield Batch(len(part), cells_of(chosen, numbers))
        self.done = 1.0

    @contextmanager
    def _file(self, name: str) -> Generator[Any]:
        """Open it as ``pyarrow.parquet.ParquetFile``."""
        with open_file(self._given) as opened:
            begin = opened.read(len(_PARQUET))
            opened.seek(-min(opened.seek(0, os.SEEK_END), len(_PARQUET)), os.SEEK_END)
            end = opened.read(len(_PARQUET))
            if _ENCRYPTED_PARQUET in (begin, end):
                raise TableError(f"{name} is an encrypted Parquet file: save it unencrypted.")
            if begin != _PARQUET or end != _PARQUET:
                raise TableError(
                    f"{name} is a damaged Parquet file: its beginning or end is missing."
                )
            try:
                with pq.ParquetFile(opened, buffer_size=_BUFFER, pre_buffer=False) as file:
                    yield file
            except (pa.ArrowException, OSError):
                raise TableError(f"{name} cannot be read as a table; it may be damaged.") from None

    def first_rows(self, rows: int) -> "DataFrame":
        """Return the first rows to look at: texts as texts, numbers as numbers."""
        with self._file(self.name) as file:
            first = next(file.iter_batches(rows), None)
            table = pa.Table.from_batches([] if first is None else [first], file.schema_arrow)
        return frame_to_look_at(self.columns, table.columns)


def first_rows(given: "Given | Table", form: TextFileFormat, rows: int = 5000) -> "DataFrame":
    """Return the first rows of a table, or of the first of several, to look at.

    Cells of text files are texts as they are written, codes of missing values too; other sources'
    numbers are numbers, and what no column of a recipe can be, such as a date, is shown as text.
    A table that is open already is not read anew.

    Raises
    ------
    TableError
        Where it cannot be opened, in one sentence.
    """
    is_open = isinstance(given, TextTable | TypedTable | Tables)
    table: Any = given if is_open else _opened(each_once(cast(Given, given))[0], form)
    if isinstance(table, Tables):
        table = table.first
    if not isinstance(table, TextTable):
        return cast("DataFrame", table.first_rows(rows))
    found: list[Batch] = []
    with closing(cast(Generator[Batch], table.batches((), table.columns))) as batches:
        for batch in batches:
            found.append(batch)
            if sum(one.rows for one in found) >= rows:
                break
    columns = []
    for name in table.columns:
        parts = [batch.columns[name] for batch in found]
        texts = pc.utf8_trim_whitespace(pa.chunked_array(parts, pa.string()).slice(0, rows))
        columns.append(pc.if_else(pc.equal(texts, ""), None, texts))
    return frame_to_look_at(table.columns, columns)
