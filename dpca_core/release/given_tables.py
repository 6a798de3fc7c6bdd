"""The tables somebody gave for a release: each found once, and opened before anything is spent."""

from collections.abc import Iterator, Sequence
from glob import glob, has_magic
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from dpca_core.data.errors import TableError
from dpca_core.data.recipe import Reading, Recipe
from dpca_core.readers.file_access import Upload, name_of
from dpca_core.readers.open_row_source import Frames, open_source, tables_in
from dpca_core.readers.row_source import Source, place_of

if TYPE_CHECKING:
    from pandas import DataFrame

Given: TypeAlias = "Upload | DataFrame | Path | str"
Table: TypeAlias = "Upload | DataFrame | Path"

_CHUNK = 2**20
"""Numbers of a chunk that is read at a time."""


def each_once(given: Sequence[Given]) -> tuple[Table, ...]:
    """Find files in folders and by patterns; whoever is in two tables would count twice.

    Raises
    ------
    TableError
        For a path or pattern without a table, and a table that is given twice.
    """
    found: list[Table] = []
    known: set[object] = set()
    for table in (table for each in given for table in _tables(each)):
        mark = _identity(table)
        if mark in known:
            name = name_of(table) if isinstance(table, Upload | Path) else "A data frame"
            raise TableError(f"{name} is given twice: name each table once.")
        known.add(mark)
        found.append(table)
    if not found:
        raise TableError("No table is given: name a file, a folder or a pattern.")
    return tuple(found)


def _tables(given: Given) -> Iterator[Table]:
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


def _identity(table: Table) -> object:
    """Return what is the same for the same file or object, whatever is in it."""
    if isinstance(table, Path) and table.exists():
        facts = table.stat()
        return ("file", facts.st_dev, facts.st_ino)
    return ("file", str(table)) if isinstance(table, Path) else ("object", id(table))


def open_silently(table: Table, recipe: Recipe) -> Source:
    """Open a table and read its header; nothing behind that is refused any more.

    Raises
    ------
    EncodingError, TableError
        For a file that may not be opened, and a header without a column of the recipe.
    """
    rows = max(_CHUNK // recipe.width, 256)
    source = open_source(table, recipe, rows, Reading.SILENT)
    if isinstance(source, Frames):
        names = [name for name in table.columns if isinstance(name, str)]  # type: ignore[union-attr]
        for name in (*(column.name for column in recipe.columns), *recipe.person):
            place_of(name, names)
    return source
