"""Where rows come from, a chunk at a time: frames in memory, CSV and Parquet files, folders."""

from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from dpca_core.ahead import in_order
from dpca_core.choices import Recipe
from dpca_core.coding import Coded, CodingError, coded
from dpca_core.separated import TableError, label, shown

if TYPE_CHECKING:
    from pandas import DataFrame

Made = TypeVar("Made")

CSV_ENDINGS = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")
PARQUET_ENDINGS = (".parquet", ".pq")


class Source(Protocol):
    """Rows in chunks, and how far they have been read."""

    name: str

    @property
    def done(self) -> float | None:
        """Share that has been read, from 0 to 1; None where the end is not known."""
        ...

    def chunks(self, make: Callable[[Coded], Made]) -> Generator[Made]:
        """Yield what is made of the recipe's columns, some rows at a time.

        Threads work ahead, so that columns are still in the processor's cache when it is made.
        """
        ...


class Frames:
    """Data frames, one or many, cut into chunks."""

    name = "The table"

    def __init__(
        self, frames: "DataFrame | Iterable[DataFrame]", recipe: Recipe, chunk_rows: int
    ) -> None:
        from pandas import DataFrame

        self._rows = len(frames) if isinstance(frames, DataFrame) else None
        self._frames = [frames] if isinstance(frames, DataFrame) else frames
        self._recipe, self._chunk_rows, self._read = recipe, chunk_rows, 0

    @property
    def done(self) -> float | None:
        """Share of the frame; None for a stream of frames."""
        return None if self._rows is None else self._read / max(self._rows, 1)

    def chunks(self, make: Callable[[Coded], Made]) -> Generator[Made]:
        """Code some rows after others."""
        for rows, made in in_order(partial(self._made, make), self._parts()):
            self._read += rows
            yield made

    def _parts(self) -> "Iterator[DataFrame]":
        for frame in self._frames:
            for start in range(0, len(frame), self._chunk_rows):
                yield frame.iloc[start : start + self._chunk_rows]

    def _made(self, make: Callable[[Coded], Made], part: "DataFrame") -> tuple[int, Made]:
        return len(part), make(coded(part, self._recipe.numbers, self._recipe.categories))


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

    def chunks(self, make: Callable[[Coded], Made]) -> Generator[Made]:
        """Read file after file."""
        for file in self._files:
            yield from file.chunks(make)
            self._finished += 1


def open_source(given: Any, recipe: Recipe, chunk_rows: int) -> Source:
    """Open a path (CSV, Parquet, or a folder of either), a data frame or an iterable of frames.

    Raises
    ------
    TableError, CodingError
        Where a file is not there, is no table, or has not the columns that the recipe asks for.
    """
    if not isinstance(given, str | Path):
        return Frames(given, recipe, chunk_rows)
    path = Path(given)
    if path.is_dir():
        return _folder(path, recipe, chunk_rows)
    if not path.is_file():
        raise TableError(f"There is no file {_named(path)}.")
    return _file(path, recipe, chunk_rows)


def _file(path: Path, recipe: Recipe, chunk_rows: int) -> Source:
    """Tell the format by the ending, or by the first bytes."""
    from dpca_core.csv_stream import CsvFile
    from dpca_core.parquet_stream import ParquetFile

    name = _named(path)
    if path.stat().st_size == 0:
        raise TableError(f"{name} is empty.")
    with path.open("rb") as file:
        marked = file.read(4) == b"PAR1"
    kind = ParquetFile if marked or path.name.lower().endswith(PARQUET_ENDINGS) else CsvFile
    try:
        return kind(path, name, recipe, chunk_rows)
    except CodingError as error:
        raise CodingError(f"{name}: {error}") from None


def _folder(folder: Path, recipe: Recipe, chunk_rows: int) -> Source:
    paths = tables_in(folder)
    files = [_file(path, recipe, chunk_rows) for path in paths]
    return Files(_named(folder), files, [path.stat().st_size for path in paths])


def tables_in(folder: Path) -> list[Path]:
    """List all tables in a folder and its folders; names with “_” or “.” in front are skipped.

    Raises
    ------
    TableError
        Where there are none, or tables of two kinds.
    """
    name = _named(folder)
    inside = [p for p in sorted(folder.rglob("*")) if p.is_file() and not _hidden(p, folder)]
    csv = [p for p in inside if p.name.lower().endswith(CSV_ENDINGS)]
    parquet = [p for p in inside if p.name.lower().endswith(PARQUET_ENDINGS)]
    if csv and parquet:
        raise TableError(f"{name} holds both CSV and Parquet files: keep one kind.")
    if not (paths := csv or parquet):
        raise TableError(f"{name} holds no CSV or Parquet file.")
    return paths


def _hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith(("_", ".")) for part in path.relative_to(folder).parts)


def _named(path: Path) -> str:
    return shown(path.resolve().name)[-60:].strip() or "The folder"


def place_of(column: str, names: list[str]) -> int:
    """Return where a file has a column.

    Raises
    ------
    CodingError
        Where it has none of that name, or several.
    """
    if (times := names.count(column)) == 1:
        return names.index(column)
    found = f"{times} columns" if times else "no column"
    raise CodingError(f"The table has {found} {label(column)}.")
