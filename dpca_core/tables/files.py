"""Files, folders and frames that somebody gives: opened with care, told by kind, read as tables.

What cannot be opened, is no table or is beyond its bounds raises ``TableError``, in one sentence.
"""

import gzip
import io
import os
import zlib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Generator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from glob import glob, has_magic
from importlib.util import find_spec
from itertools import chain
from pathlib import Path, PurePath
from stat import S_ISREG
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias

import pyarrow as pa

from dpca_core.data.column_names import shown
from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables.proposed_format import HEAD
from dpca_core.tables.records import BOM
from dpca_core.tables.statistics_files import statistics_table
from dpca_core.tables.table import Batch, Table, arrow_table, frame_table, parquet_table
from dpca_core.tables.text_table import TextTable
from dpca_core.tables.workbooks import workbook_table

if TYPE_CHECKING:
    from pandas import DataFrame

_GZIP = b"\x1f\x8b"
_LONGEST_NAME = 60


class Kind(StrEnum):
    """What a table lies in."""

    TEXT = "text"
    PARQUET = "parquet"
    WORKBOOK = "workbook"
    STATISTICS = "statistics"


ENDINGS = {
    Kind.TEXT: (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz"),
    Kind.PARQUET: (".parquet", ".pq"),
    Kind.WORKBOOK: (".xlsx", ".xlsm", ".xls", ".ods"),
    Kind.STATISTICS: (".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt"),
}
_READERS = {Kind.WORKBOOK: "python_calamine", Kind.STATISTICS: "pyreadstat"}
"""Packages of an extra."""
_FOREIGN: dict[str, tuple[bytes, ...]] = {
    "compressed twice": (_GZIP,),
    "a Parquet file: give its name the ending .parquet": (b"par1",),
    "a workbook or an archive: give its name the ending that it had": (b"pk\x03\x04",),
    "a workbook: give its name the ending .xls": (b"\xd0\xcf\x11\xe0",),
    "a PDF document": (b"%pdf-",),
    "a picture": (b"\x89png", b"\xff\xd8\xff"),
    "compressed in another way than gzip": (b"bzh91ay&sy", b"\xfd7zxz", b"\x28\xb5\x2f\xfd"),
    "an Arrow file": (b"arrow1",),
    "a database": (b"sqlite format 3",),
    "a web page": (b"<!doctype", b"<html"),
    "XML": (b"<?xml",),
    "JSON": (b'{"', b"{\n", b"[{", b"[\n"),
}
"""How files begin that are no text tables, in small letters."""


@dataclass(frozen=True, repr=False)
class Upload:
    """A file in memory, as it was uploaded; neither its name nor a row of it is ever printed."""

    name: str
    content: bytes


Place: TypeAlias = Upload | Path
One: TypeAlias = "Place | str | DataFrame | pa.Table | Table"
Given: TypeAlias = "One | Sequence[One]"
"""A file in memory or on this machine, a folder or pattern of those, a frame, an Arrow table, one
that is open already; or several of them."""


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
    between; opening never waits for somebody to write to a pipe.
    """
    if isinstance(given, Upload):
        return io.BytesIO(given.content)
    name, flags = name_of(given), os.O_RDONLY
    for extra in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
        flags |= getattr(os, extra, 0)
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


class UnpackedFile(AbstractContextManager["UnpackedFile"]):
    """The bytes of a file, unpacked where it is gzipped; ``done`` is the share that has been read.

    That is told by its first bytes, or by its name where those are a row already (``headless``).
    """

    def __init__(self, given: Place, *, headless: bool = False) -> None:
        self.name, self.done, self._raw = name_of(given), 0.0, open_file(given)
        is_packed = self._raw.read(len(_GZIP)) == _GZIP
        if headless:
            is_packed = given.name.lower().endswith(".gz")
        self._size = self._raw.seek(0, os.SEEK_END)
        self._raw.seek(0)
        self._file: Any = gzip.GzipFile(fileobj=self._raw) if is_packed else self._raw

    def read(self, size: int) -> bytes:
        """Read so many bytes; fewer at the end, which must be where the file says that it is."""
        try:
            found: bytes = self._file.read(size)
        except (EOFError, gzip.BadGzipFile, zlib.error):
            raise TableError(f"{self.name} is a damaged gzip file: pack it again.") from None
        except OSError:
            raise TableError(f"{self.name} cannot be read: the disk reports an error.") from None
        place = self._raw.tell()
        if not found and place < self._size:
            raise TableError(f"{self.name} became shorter while it was being read: try again.")
        self.done = min(place / max(self._size, 1), 1.0)
        return found

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self._file.close()
        self._raw.close()


def first_bytes(given: Place) -> bytes:
    """Return the first bytes of a file, unpacked: what a format is proposed by."""
    with UnpackedFile(given) as opened:
        return opened.read(HEAD)


def kind(given: Place) -> Kind:
    """Tell what a table lies in by the ending of its name; of a folder, what its tables do."""
    return _kind_by_ending(_tables(given)[0].name) or Kind.TEXT


def _kind_by_ending(name: str) -> Kind | None:
    found = (kind for kind, endings in ENDINGS.items() if name.lower().endswith(endings))
    return next(found, None)


def each_once(given: Given) -> tuple[Any, ...]:
    """Find the tables in what was given; whoever is in two tables would count twice."""
    found: dict[object, Any] = {}
    several = given if isinstance(given, list | tuple) else [given]
    for table in chain.from_iterable(map(_tables, several)):
        mark: object = id(table)
        if isinstance(table, Path):
            facts = table.stat() if table.exists() else None
            mark = (facts.st_dev, facts.st_ino) if facts else str(table)
        if mark in found:
            name = name_of(table) if isinstance(table, Upload | Path) else "A data frame"
            raise TableError(f"{name} is given twice: name each table once.")
        found[mark] = table
    if not found:
        raise TableError("No table is given: name a file, a folder or a pattern.")
    return tuple(found.values())


def _tables(given: Any) -> Sequence[Any]:
    """Return the tables that are meant: one or more."""
    if not isinstance(given, str | Path):
        return [given]
    places = [Path(given)]
    if has_magic(str(given)) and not places[0].exists():
        places = [Path(path) for path in sorted(glob(str(given), recursive=True))]
        if not places:
            raise TableError(f"No file is like {name_of(Path(given))}.")
    return [table for path in places for table in (_tables_in(path) if path.is_dir() else [path])]


def _tables_in(folder: Path) -> list[Path]:
    """List all tables in a folder and its folders; names with “_” or “.” in front are skipped.

    Links are not followed: a file that is counted twice, or lies elsewhere, is none of the folder.
    """
    name = name_of(folder)
    if folder.is_symlink():
        raise TableError(f"{name} is a symbolic link: give the path of the folder itself.")
    inside = (Path(place) / file for place, _, files in os.walk(folder) for file in files)
    found = {
        path: kind
        for path in inside
        if (kind := _kind_by_ending(path.name)) and path.is_file() and not path.is_symlink()
        if not any(part.startswith(("_", ".")) for part in path.relative_to(folder).parts)
    }
    if not found:
        read = ", ".join(each for kind in ENDINGS.values() for each in kind if ".gz" not in each)
        raise TableError(f"{name} holds no table: {read} are read.")
    if len({*found.values()}) > 1:
        raise TableError(f"{name} holds tables of several kinds: keep one kind.")
    return sorted(found)


def open_table(given: Given, form: TextFileFormat) -> Table:
    """Open tables and read their headers; several are one table, each read after the other."""
    opened = [_opened(table, form) for table in each_once(given)]
    return opened[0] if len(opened) == 1 else Tables(opened)


def _opened(given: Any, form: TextFileFormat) -> Table:
    """Open one table; one that is open stays as it is."""
    if isinstance(given, Table):
        return given
    if isinstance(given, pa.Table):
        return arrow_table("The table", given)
    if not isinstance(given, Upload | Path):
        return frame_table(given)
    name, opened, told = name_of(given), partial(open_file, given), kind(given)
    if told in _READERS and find_spec(_READERS[told]) is None:
        raise TableError(
            f'{name} is a {told} file: pip install "dpca-workbench[files]" adds what reads it.'
        )
    if told is Kind.WORKBOOK:
        return workbook_table(name, opened, form)
    if told is Kind.PARQUET:
        return parquet_table(name, opened)
    if told is Kind.STATISTICS:
        return statistics_table(name, opened, Path(given.name).suffix.lower())
    if form.typed:
        raise TableError(f"{name} is a text file; the recipe was made for a file of another kind.")
    # Without a header the first bytes are a row's, and decide nothing.
    headless = form.unnamed > 0
    if not headless:
        refuse_foreign(given)
    return TextTable(name, partial(UnpackedFile, given, headless=headless), form)


def refuse_foreign(given: Place) -> None:
    """Refuse a file that begins as what is no text table does: ``TableError`` says what it is."""
    with UnpackedFile(given) as opened:
        start = opened.read(64).removeprefix(BOM).lstrip().lower()
    for what, beginnings in _FOREIGN.items():
        if start.startswith(beginnings):
            raise TableError(f"{name_of(given)} is no text table, but {what}.")
    header = start.replace(b"\r", b"\n").partition(b"\n")[0]
    if header.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or b"\0" in header:
        raise TableError(
            f"{name_of(given)} is UTF-16, or no text at all: save it as “CSV UTF-8” and use that "
            "file."
        )


class Tables(Table):
    """Tables one after another; their columns are those that all of them have, found by name."""

    def __init__(self, tables: Sequence[Table]) -> None:
        first, *others = self._tables = tables
        self.name = f"{first.name} and {len(others)} more"
        shared = {*first.columns}.intersection(*(table.columns for table in others))
        self.columns = tuple(name for name in first.columns if name in shared)

    def require(self, numbers: Sequence[str], texts: Sequence[str]) -> None:
        """Ask each of the tables."""
        for table in self._tables:
            table.require(numbers, texts)

    def _batches(self, numbers: Sequence[str], texts: Sequence[str], most: int) -> Generator[Batch]:
        # Types may differ between files: the first rows are the first one's.
        for place, table in enumerate(self._tables[: 1 if most else None]):
            for batch in table._batches(numbers, texts, most):
                self.done = (place + table.done) / len(self._tables)
                yield batch
        self.done = 1.0
