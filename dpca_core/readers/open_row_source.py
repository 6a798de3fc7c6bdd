"""Where rows come from, a chunk at a time: frames in memory, CSV and Parquet files, folders."""

import os
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpca_core.data.encoding import EncodedColumns, coded_columns, encode_columns, text_codes
from dpca_core.data.errors import EncodingError, TableError
from dpca_core.data.recipe import Reading, Recipe
from dpca_core.data.text_file_format import SEPARATORS
from dpca_core.readers.csv_blocks import Columns, Wanted
from dpca_core.readers.csv_file import TextFile
from dpca_core.readers.file_access import PARQUET, begins_with, name_of, open_file, size_of
from dpca_core.readers.row_source import Made, Source, place_of
from dpca_core.readers.rows_apart import coded_apart
from dpca_core.runtime.threads import prefetch
from dpca_core.tables.files import Upload

if TYPE_CHECKING:
    from pandas import DataFrame


CSV_ENDINGS = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")
PARQUET_ENDINGS = (".parquet", ".pq")


class Frames:
    """Data frames, one or many, cut into chunks."""

    name = "The table"

    def __init__(
        self,
        frames: "DataFrame | Iterable[DataFrame]",
        recipe: Recipe,
        chunk_rows: int,
        reading: Reading = Reading.STRICT,
    ) -> None:
        from pandas import DataFrame

        self._rows = len(frames) if isinstance(frames, DataFrame) else None
        self._frames = [frames] if isinstance(frames, DataFrame) else frames
        self._recipe, self._chunk_rows, self._read = recipe, chunk_rows, 0
        self._reading = reading

    @property
    def done(self) -> float | None:
        """Share of the frame; None for a stream of frames."""
        return None if self._rows is None else self._read / max(self._rows, 1)

    def chunks(self, make: Callable[[EncodedColumns], Made]) -> Generator[Made]:
        """Code some rows after others."""
        for parts in prefetch(partial(self._made, make), self._parts()):
            for rows, made in parts:
                self._read += rows
                yield made

    def _parts(self) -> "Iterator[DataFrame]":
        for frame in self._frames:
            # A frame without rows still has columns, or lacks them.
            for start in range(0, max(len(frame), 1), self._chunk_rows):
                yield frame.iloc[start : start + self._chunk_rows]

    def _made(
        self, make: Callable[[EncodedColumns], Made], part: "DataFrame"
    ) -> list[tuple[int, Made]]:
        def code(start: int, stop: int) -> EncodedColumns:
            return encode_columns(part.iloc[start:stop], self._recipe, self._reading)

        if self._reading is not Reading.SILENT:
            return [(len(part), make(code(0, len(part))))]
        return [(found.rows, make(found)) for found in coded_apart(len(part), code, self._recipe)]


class CsvFile:
    """A text file, with the columns of a recipe."""

    def __init__(
        self, given: Path | Upload, recipe: Recipe, chunk_rows: int, reading: Reading
    ) -> None:
        """Read the header.

        Raises
        ------
        TableError, EncodingError
            Where there is none, or a column of the recipe is not in it.
        """
        self._file = TextFile(given, recipe.number_format, reading)
        self.name, self._recipe, self._rows, self.done = self._file.name, recipe, chunk_rows, 0.0
        numbers = [self._place(column.name) for column in recipe.numbers]
        pairs = list(zip(numbers, recipe.numbers, strict=True))
        self._wanted = Wanted(
            numbers,
            [self._place(name) for name in (*(c.name for c in recipe.categories), *recipe.person)],
            {place: column.unit for place, column in pairs},
            {place: text_codes(column, recipe.number_format) for place, column in pairs},
        )

    def _place(self, column: str) -> int:
        names, used = self._file.names, self._recipe.number_format.delimiter
        others = [mark for mark in SEPARATORS if mark != used and mark in names[0]]
        if len(names) == 1 and column not in names and others:
            raise TableError(
                f"With “{used}” between columns, the header of {self.name} is a single name: "
                f"choose another separator, perhaps “{others[0]}”."
            )
        return place_of(column, names)

    def chunks(self, make: Callable[[EncodedColumns], Made]) -> Generator[Made]:
        """Read blocks of lines side by side."""
        yield from self._file.parts(
            self._wanted, lambda columns: make(self._coded(columns)), self._rows, self._told
        )

    def _told(self, share: float) -> None:
        self.done = share

    def _coded(self, found: Columns) -> EncodedColumns:
        return coded_columns(found.rows, found.numbers, found.labels, self._recipe)


class Files:
    """Files of the same columns, one after another."""

    def __init__(self, name: str, files: list["Source"], sizes: list[int]) -> None:
        self.name, self._files, self._sizes = name, files, sizes
        self._finished = 0

    @property
    def done(self) -> float | None:
        """Share of the bytes of all files."""
        if self._finished == len(self._files):
            return 1.0
        now = self._files[self._finished].done or 0.0
        read = sum(self._sizes[: self._finished]) + now * self._sizes[self._finished]
        return read / max(sum(self._sizes), 1)

    def chunks(self, make: Callable[[EncodedColumns], Made]) -> Generator[Made]:
        """Read file after file."""
        self._finished = 0
        for file in self._files:
            yield from file.chunks(make)
            self._finished += 1


def open_source(
    given: Any, recipe: Recipe, chunk_rows: int, reading: Reading = Reading.STRICT
) -> Source:
    """Open a path (CSV, Parquet, or a folder of either), an upload, or data frames.

    Files that are open already are returned as they are.

    Raises
    ------
    TableError, EncodingError
        Where a file is not there, is no table, or has not the columns that the recipe asks for.
    ImportError
        Without pandas or PyArrow.
    """
    if isinstance(given, Files):
        return given
    if not isinstance(given, str | Path | Upload):
        return Frames(given, recipe, chunk_rows, reading)
    _require_installed()
    place = given if isinstance(given, Upload) else Path(given)
    if isinstance(place, Path) and place.is_dir():
        paths = tables_in(place)
        files = [_file(path, recipe, chunk_rows, reading) for path in paths]
        return Files(name_of(place), files, [path.stat().st_size for path in paths])
    return _file(place, recipe, chunk_rows, reading)


def _require_installed() -> None:
    """Name the extra that reads files; asked for at once, not in the middle of a file."""
    if missing := [name for name in ("pandas", "pyarrow") if find_spec(name) is None]:
        raise ImportError(
            f"Reading a table needs {' and '.join(missing)}: "
            "pip install '.[tables]' in this project’s folder adds what is missing."
        )


def _file(given: Path | Upload, recipe: Recipe, chunk_rows: int, reading: Reading) -> Source:
    """Tell the format by the ending, or by the first bytes."""
    from dpca_core.readers.parquet_chunks import ParquetFile

    name = name_of(given)
    # Without a header the first bytes are a row's, and decide nothing in silent reading.
    headless = reading is Reading.SILENT and recipe.number_format.unnamed > 0
    with open_file(given) as opened:
        if size_of(opened) == 0 and not headless:
            raise TableError(f"{name} is empty.")
    parquet = ends_as_parquet(given) if headless else is_parquet(given)
    kind = ParquetFile if parquet else CsvFile
    try:
        return kind(given, recipe, chunk_rows, reading)
    except EncodingError as error:
        raise EncodingError(f"{name}: {error}") from None


def is_parquet(given: Path | Upload) -> bool:
    """Tell Parquet from text by the ending, or by the first bytes."""
    return begins_with(given, PARQUET) or ends_as_parquet(given)


def ends_as_parquet(given: Path | Upload) -> bool:
    """Tell Parquet from text by the ending."""
    return given.name.lower().endswith(PARQUET_ENDINGS)


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
    csv = [p for p in inside if p.name.lower().endswith(CSV_ENDINGS)]
    parquet = [p for p in inside if p.name.lower().endswith(PARQUET_ENDINGS)]
    if csv and parquet:
        raise TableError(f"{name} holds both CSV and Parquet files: keep one kind.")
    if not (paths := csv or parquet):
        raise TableError(f"{name} holds no CSV or Parquet file.")
    return paths


def _files_in(folder: Path) -> Iterator[Path]:
    """Regular files under a folder, without following a link."""
    for place, _, names in os.walk(folder, followlinks=False):
        for path in (Path(place) / name for name in names):
            if not path.is_symlink() and path.is_file():
                yield path


def _hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith(("_", ".")) for part in path.relative_to(folder).parts)
