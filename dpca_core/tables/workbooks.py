"""Sheets of workbooks (.xlsx, .xls, .ods) as tables.

Each cell becomes a value by itself, by a fixed rule. A number is a number, whatever else its column
holds; a text is a text; true and false are "TRUE" and "FALSE"; a date is an ISO text; an error, and
a formula without a value, is missing. The first row with anything on it is the header; the columns
are those from column A to its last named cell. A row with anything beside them is a row of missing
values, and a row without anything is no record.

The reader takes memory for the rectangle around all cells, and has a bounded amount (``apart``).
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from io import BytesIO
from itertools import islice
from typing import Any, BinaryIO
from zipfile import BadZipFile, ZipFile

import pyarrow as pa
import pyarrow.compute as pc

from dpca_core.data.column_names import shown
from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables.apart import NAME, read_apart
from dpca_core.tables.records import LONGEST_CELL
from dpca_core.tables.table import MIXED, Table, arrow_table, mixed, named, text_of

MOST_UNPACKED, MOST_PARTS = 2**28, 10_000
"""Bytes of a workbook's parts, and how many of them there may be."""
ERRORS = {
    *("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A", "#GETTING_DATA"),
    *("#SPILL!", "#CALC!", "#FIELD!", "#BLOCKED!", "#CONNECT!", "#BUSY!", "#UNKNOWN!"),
}
"""What stands for a value that a formula does not have, in programs of any age."""
_ERROR = re.compile(rb'(<(?:\w+:)?c\s[^<>]*\bt=)"e"')
"""How a cell says that it holds one."""
_AT_A_TIME, _ROWS = 2**20, 2**13


def workbook_table(name: str, open_: Callable[[], BinaryIO], form: TextFileFormat) -> Table:
    """Read a sheet: ``form.sheet`` or the first, below ``form.skip`` rows."""
    choices = {one: getattr(form, one) for one in ("sheet", "skip", "unnamed", "missing")}
    with open_() as file, read_apart(name, file, sheet_batches, **choices) as stream:
        table = stream.read_all()
    found, about = arrow_table(name, table), table.schema.metadata
    found.wrong, found.sheets = json.loads(about[b"wrong"]), tuple(json.loads(about[b"sheets"]))
    return found


def sheet_batches(
    file: BinaryIO, *, sheet: str, skip: int, unnamed: int, missing: Sequence[str]
) -> tuple[Any, Iterator[Any]]:
    """Return the Arrow schema and batches of a sheet."""
    found, sheets = _sheet(file, sheet)
    rows, no_value = _rows(found, skip), {*missing, *ERRORS, ""}
    names = [f"c{place}" for place in range(1, unnamed + 1)] or _header(next(rows, []))
    width, nothing, read = len(names), [""] * len(names), 0
    batches, wrong = [], []
    while block := list(islice(rows, _ROWS)):
        for place, row in enumerate(block):
            if is_wrong := any(cell != "" for cell in row[width:]):
                wrong.append(read + place)
            if len(row) != width:
                block[place] = nothing if is_wrong else (row + nothing)[:width]
        read += len(block)
        columns = [_column(cells, no_value) for cells in zip(*block, strict=True)]
        batches.append(pa.record_batch(columns, names=[*names]))
    about = {"sheets": json.dumps(sheets), "wrong": json.dumps(wrong)}
    return pa.schema([(name, MIXED) for name in names], about), iter(batches)


def _sheet(file: BinaryIO, sheet: str) -> tuple[Any, list[str]]:
    """Return a sheet, or the first for "", and the names of all."""
    import python_calamine as calamine

    try:
        is_archive = file.read(4) == b"PK\x03\x04"
        file.seek(0)
        book = calamine.CalamineWorkbook.from_filelike(_mended(file) if is_archive else file)
        if sheet and sheet not in book.sheet_names:
            sheets = ", ".join(map(shown, book.sheet_names))
            raise TableError(f"{NAME} has no sheet “{shown(sheet)}”; it has {sheets}.")
        return book.get_sheet_by_name(sheet or book.sheet_names[0]), book.sheet_names
    except calamine.PasswordError:
        raise TableError(f"{NAME} is protected by a password: save it without one.") from None
    except (calamine.CalamineError, BadZipFile, OSError, IndexError):
        raise TableError(
            f"{NAME} cannot be read as a workbook: it may be damaged, or be text, whose name ends "
            "with .csv."
        ) from None


def _rows(found: Any, skip: int) -> Iterator[list[Any]]:
    """Yield the rows of a sheet with anything on them, each from column A."""
    top, left = found.start or (0, 0)
    for number, row in enumerate(found.iter_rows(), top):
        if number >= skip and row.count("") < len(row):
            yield [""] * left + row


def _mended(file: BinaryIO) -> BinaryIO:
    """Return a workbook with its tables and texts alone, where they are as large as they may be.

    Newer kinds of errors are unknown to the reader: they become texts, which are known here.
    """
    out = BytesIO()
    with ZipFile(file) as archive, ZipFile(out, "w") as copy:
        parts = [p for p in archive.infolist() if p.filename.endswith((".xml", ".rels", "type"))]
        if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED:
            raise TableError(
                f"{NAME} is larger than a workbook may be, {MOST_UNPACKED // 2**20} MB unpacked: "
                "save the sheet as CSV."
            )
        for part in parts:
            # Python's reader never unpacks more of a part than it says that it holds.
            with archive.open(part) as source, copy.open(part.filename, "w") as target:
                target.writelines(_mended_part(source))
    out.seek(0)
    return out


def _mended_part(source: Any) -> Iterator[bytes]:
    """Yield the XML of a part up to the ends of tags; a text that is too long is no value."""
    rest, is_too_long = b"", False
    while found := source.read(_AT_A_TIME):
        if is_too_long:
            # Up to the next tag nothing is kept of it.
            found = b"".join(found.partition(b"<")[1:])
            is_too_long = not found
        found = rest + found
        end = found.rfind(b">") + 1
        tags, rest = found[:end], found[end:]
        yield _ERROR.sub(rb'\1"str"', tags) if b' t="e"' in tags else tags
        if len(rest) > LONGEST_CELL:
            if b"<" in rest:
                raise BadZipFile
            rest, is_too_long = b"", True
    yield rest


def _header(cells: Sequence[Any]) -> tuple[str, ...]:
    """Return names of the columns from column A to the last with a name."""
    titles = [shown(text_of(_value(cell, ERRORS)) or "") for cell in cells]
    while titles and not titles[-1]:
        titles.pop()
    if not titles:
        raise TableError(f"{NAME} is empty: its sheet has no row that names columns.")
    return named(NAME, titles)


def _column(cells: Sequence[Any], no_value: Collection[str]) -> Any:
    """Return cells of a column as texts and numbers."""
    if {*map(type, cells)} != {float}:
        return mixed(_value(cell, no_value) for cell in cells)
    numbers = pa.array(cells)
    numbers = pc.if_else(pc.is_finite(numbers), numbers, None)
    return pa.StructArray.from_arrays([pa.nulls(len(cells), pa.string()), numbers], fields=[*MIXED])


def _value(cell: Any, no_value: Collection[str]) -> str | float | None:
    """Return a cell's number or text; None where it is missing."""
    if isinstance(cell, int | float) and not isinstance(cell, bool):
        return cell
    text = str(cell).upper() if isinstance(cell, bool) else str(cell)
    if isinstance(cell, datetime):
        text = text.removesuffix(" 00:00:00")
    return None if text in no_value else text
