"""Sheets of workbooks (.xlsx, .xls, .ods) as tables.

Each cell becomes a value by itself, by a fixed rule. A number is a number, in a column that holds
texts as well its shortest text that reads back, with the format's decimal mark; a text is a text;
true and false are "TRUE" and "FALSE"; a date is an ISO text; an error, and a formula without a
value, is missing. The first row with anything on it is the header; the columns are those from
column A to its last named cell. A row with anything beside them is a row of missing values, and a
row without anything is no record.

Before the reader sees a workbook, it is unpacked under a bound and packed anew without compression,
with cells that lie far away moved beside the columns, or below the rows: the reader takes memory
for the whole rectangle around all cells.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from functools import partial
from io import BytesIO
from itertools import islice, pairwise
from typing import Any, BinaryIO
from zipfile import BadZipFile, ZipFile

import pyarrow as pa
import pyarrow.compute as pc

from dpca_core.data.column_names import MAX_COLUMNS, shown
from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables.apart import read_apart, require_installed
from dpca_core.tables.arrow_table import ArrowTable, number_text
from dpca_core.tables.records import LONGEST_CELL

MOST_UNPACKED, MOST_CELLS, MOST_PARTS = 2**28, 2**23, 10_000
"""Bytes of a workbook's parts, cells of a sheet, and parts of a workbook."""
ERRORS = frozenset(
    (
        *("#NULL!", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#N/A", "#GETTING_DATA"),
        *("#SPILL!", "#CALC!", "#FIELD!", "#BLOCKED!", "#CONNECT!", "#BUSY!", "#UNKNOWN!"),
    )
)
"""What stands for a value that a formula does not have, in programs of any age."""
_AT_A_TIME, _ROWS, _GAP, _LONGEST_TAG = 2**20, 2**13, 1000, 2**10
_WRONG = "wrong width"


def workbook_table(name: str, file: BinaryIO, form: TextFileFormat) -> ArrowTable:
    """Read a sheet: ``form.sheet`` or the first, below ``form.skip`` rows.

    Raises
    ------
    TableError
        For a workbook that is damaged, protected or beyond its bounds, a sheet that is not there,
        and one without a header.
    """
    require_installed(name, "python_calamine", "a workbook")
    options = {
        "sheet": form.sheet,
        "skip": form.skip,
        "unnamed": form.unnamed,
        "mark": form.decimal[0],
        "missing": form.missing,
    }
    with read_apart(name, file, sheet_batches, options) as stream:
        table = stream.read_all()
    wrong = table.column(table.num_columns - 1)
    return ArrowTable(name, table.select(range(table.num_columns - 1)), wrong.combine_chunks())


def sheet_batches(
    file: BinaryIO,
    *,
    name: str,
    sheet: str,
    skip: int,
    unnamed: int,
    mark: str,
    missing: Sequence[str],
) -> tuple[Any, Iterator[Any]]:
    """Return the Arrow schema and batches of a sheet; the last column marks rows of wrong width.

    Raises
    ------
    TableError
        As ``workbook_table`` says.
    """
    cells = _Cells(mark, missing)
    if unnamed:
        rows, left, _ = _rows_of(file, name, sheet, skip, unnamed)
        names = [f"c{place}" for place in range(1, unnamed + 1)]
    else:
        rows, left, in_place = _rows_of(file, name, sheet, skip, 0)
        names = _header(next(rows, []), left, name)
        if len(names) > in_place:
            # The header is not the row that looked like it.
            rows, left, _ = _rows_of(file, name, sheet, skip, MAX_COLUMNS)
            names = _header(next(rows, []), left, name)
    table = _as_table(rows, names, left, cells)
    return table.schema, iter(table.to_batches())


def _rows_of(
    file: BinaryIO, name: str, sheet: str, skip: int, width: int
) -> tuple[Iterator[list[Any]], int, int]:
    """Return a sheet's rows with anything on them, the place of their first cells, and ``width``.

    Raises
    ------
    TableError
        Where there is no such sheet, or no workbook.
    """
    import python_calamine as calamine

    file.seek(0)
    is_archive = file.read(4) == b"PK\x03\x04"
    file.seek(0)
    try:
        if is_archive:
            file, width = _packed_anew(file, name, skip, width)
            skip = 0
        book = calamine.CalamineWorkbook.from_filelike(file)
        if sheet and sheet not in book.sheet_names:
            sheets = ", ".join(map(shown, book.sheet_names))
            raise TableError(f"{name} has no sheet “{shown(sheet)}”; it has {sheets}.")
        found = book.get_sheet_by_name(sheet or book.sheet_names[0])
    except calamine.PasswordError:
        raise TableError(f"{name} is protected by a password: save it without one.") from None
    except (calamine.CalamineError, BadZipFile, OSError, IndexError):
        raise TableError(f"{name} cannot be read as a workbook; it may be damaged.") from None
    top, left = found.start or (0, 0)
    return _below(found.iter_rows(), top, skip), left, width if is_archive else MAX_COLUMNS


def _below(rows: Iterable[list[Any]], top: int, skip: int) -> Iterator[list[Any]]:
    """Yield rows with anything on them, but those above the table."""
    for number, row in enumerate(rows, top):
        if number >= skip and row.count("") < len(row):
            yield row


def _header(cells: Sequence[Any], left: int, name: str) -> list[str]:
    """Return names of the columns from column A to the last with a name."""
    texts = [*[""] * left, *(shown(_Cells(".", ()).text(cell) or "") for cell in cells)]
    count = max((place for place, text in enumerate(texts, 1) if text), default=0)
    if not count:
        raise TableError(f"{name} is empty: its sheet has no row that names columns.")
    if count > MAX_COLUMNS:
        raise TableError(f"{name} has more than {MAX_COLUMNS:,} columns, which is the limit.")
    return [text or f"column {place}" for place, text in enumerate(texts[:count], 1)]


def _as_table(rows: Iterator[list[Any]], names: Sequence[str], left: int, cells: "_Cells") -> Any:
    """Return an Arrow table of the columns, and of marks for rows with anything beside them.

    Parameters
    ----------
    left
        Columns in front of the first cells of ``rows``.
    """
    width = len(names)
    kept: list[list[Any]] = [[] for _ in names]
    wrong: list[Any] = []
    before, nothing = [""] * left, [""] * width
    while block := list(islice(rows, _ROWS)):
        marks = [False] * len(block)
        if left or set(map(len, block)) != {width}:
            for place, row in enumerate(block):
                found = before + row
                beside = found[width:]
                marks[place] = beside.count("") < len(beside)
                block[place] = nothing if marks[place] else (found + nothing)[:width]
        wrong.append(pa.array(marks, pa.bool_()))
        for parts, column in zip(kept, zip(*block, strict=True), strict=True):
            parts.append(cells.column(column))
    columns = [cells.whole(parts) for parts in kept]
    marked = pa.chunked_array(wrong, pa.bool_())
    return pa.table([*columns, marked], names=[*names, _WRONG])


class _Cells:
    """What a cell becomes."""

    def __init__(self, mark: str, missing: Sequence[str]) -> None:
        self._mark, self._missing = mark, frozenset(missing)
        self._nothing = ERRORS | self._missing | {""}

    def text(self, cell: Any) -> str | None:
        """Return a cell's text; None where it is missing."""
        if isinstance(cell, str):
            return None if cell in self._nothing or len(cell) > LONGEST_CELL else cell
        if isinstance(cell, bool):
            return "TRUE" if cell else "FALSE"
        if isinstance(cell, datetime):
            return str(cell.date() if cell.time() == time() else cell)
        if isinstance(cell, date | time | timedelta):
            return str(cell)
        return number_text(cell, self._mark)

    def column(self, cells: Sequence[Any]) -> Any:
        """Return cells of a column as float64 where each is a number or nothing; else as texts."""
        kinds = set(map(type, cells))
        if kinds == {str}:
            found = pa.array(cells, pa.string())
            long = pc.greater(pc.binary_length(found), LONGEST_CELL)
            gone = pc.or_(long, pc.is_in(found, pa.array(self._nothing, pa.string())))
            found = pc.if_else(gone, None, found)
            return pa.nulls(len(found)) if found.null_count == len(found) else found
        if str in kinds:
            # Often the only texts in a column of numbers.
            cells = [None if cell in self._nothing else cell for cell in cells]
            kinds = set(map(type, cells)) - {type(None)}
        if kinds <= {float, int}:
            return self._known(pa.array(cells, pa.float64()))
        texts = [None if cell is None else self.text(cell) for cell in cells]
        return pa.array([None if text in self._missing else text for text in texts], pa.string())

    def _known(self, numbers: Any) -> Any:
        """Return numbers without those that are not finite, or stand for a missing value."""
        codes = [value for text in self._missing if (value := self._number(text)) is not None]
        gone = pc.or_(
            pc.invert(pc.is_finite(numbers)), pc.is_in(numbers, pa.array(codes, pa.float64()))
        )
        return pc.if_else(gone, None, numbers)

    def _number(self, text: str) -> float | None:
        """Return the number whose text this is."""
        try:
            value = float(text.replace(self._mark, "."))
        except ValueError:
            return None
        return value if number_text(value, self._mark) == text else None

    def whole(self, parts: Sequence[Any]) -> Any:
        """Return the parts of a column as one: float64 if all of them are, else texts."""
        kinds = {part.type for part in parts} - {pa.null()}
        if kinds <= {pa.float64()}:
            kind = pa.float64() if kinds else pa.string()
            return pa.chunked_array([part.cast(kind) for part in parts], kind)
        return pa.chunked_array([self._texts(part) for part in parts], pa.string())

    def _texts(self, part: Any) -> Any:
        if part.type != pa.float64():
            return part.cast(pa.string())
        return pa.array([None if v is None else self.text(v) for v in part.to_pylist()])


def _packed_anew(file: BinaryIO, name: str, skip: int, width: int) -> tuple[BinaryIO, int]:
    """Return the archive with its tables and texts alone, and how many columns are in place.

    Parameters
    ----------
    width
        Columns that stay where they are; 0 for those of a sheet's first row below ``skip`` rows.
    """
    out, widths = BytesIO(), []
    with ZipFile(file) as archive, ZipFile(out, "w") as copy:
        parts = [p for p in archive.infolist() if p.filename.endswith((".xml", ".rels", "type"))]
        if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED:
            raise _too_large(name)
        for part in parts:
            # Python's reader never unpacks more of a part than it says that it holds.
            with archive.open(part) as source, copy.open(part.filename, "w") as target:
                content: Iterable[bytes] = iter(partial(source.read, _AT_A_TIME), b"")
                kind = _kind_of_part(part.filename)
                if kind is not None:
                    sheet = kind(name, skip, width)
                    content = sheet.drawn_together(content)
                for piece in content:
                    target.write(piece)
                if kind is not None:
                    widths.append(sheet.narrowest)
    out.seek(0)
    return out, min(widths, default=MAX_COLUMNS)


def _too_large(name: str) -> TableError:
    return TableError(
        f"{name} is larger than a workbook may be: unpacked {MOST_UNPACKED // 2**20} MB, and "
        f"{MOST_CELLS / 1e6:.0f} million cells in a sheet. Save the sheet as CSV."
    )


def _kind_of_part(part: str) -> "type[_Sheet] | None":
    if part == "content.xml":
        return _OpenDocument
    return _ExcelSheet if re.search(r"worksheets/[^/]+\.xml$", part) else None


class _Sheet:
    """A sheet's XML, passed on row by row without rows above the table and those without a value.

    What lies beside the columns is moved next to them, and rows far below are moved up.
    """

    row: re.Pattern[bytes]
    """Where a row begins: its start tag."""
    end: re.Pattern[bytes]

    def __init__(self, name: str, skip: int, width: int) -> None:
        self._name, self._skip, self._given = name, skip, width
        self._width = width
        self._cells = 0
        self.narrowest = MAX_COLUMNS

    def drawn_together(self, content: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the XML in pieces.

        Raises
        ------
        TableError
            Where the rectangle around all values has too many cells.
        """
        waiting: list[bytes] = []
        for piece in content:
            if not waiting:
                self._begin(piece)
            # A tag may lie over the end of a piece. What waits begins with the tag of its own row.
            overlap = waiting[-1][1:][-_LONGEST_TAG:] if waiting else b""
            if self.row.search(overlap + piece) is None:
                waiting.append(piece)
                continue
            rest = b"".join([*waiting, piece])
            starts = [found.start() for found in self.row.finditer(rest, 1)]
            yield from self._block(rest, [0, *starts])
            waiting = [rest[starts[-1] :]]
        yield self._passed_on(b"".join(waiting))

    def _begin(self, start: bytes) -> None:
        """Look at the first bytes of the XML."""

    def _block(self, block: bytes, places: Sequence[int]) -> Iterator[bytes]:
        """Pass on the rows between these places."""
        for start, stop in pairwise(places):
            yield self._passed_on(block[start:stop])

    def _passed_on(self, part: bytes) -> bytes:
        """Return a row, if it is one, with what stands behind it."""
        start = self.row.match(part)
        if start is None:
            return part
        end = start.end()
        if not part[:end].endswith(b"/>"):
            found = self.end.search(part, end)
            end = len(part) if found is None else found.end()
        return self._drawn(part[:end]) + part[end:]

    def _drawn(self, row: bytes) -> bytes:
        raise NotImplementedError

    def _find_width(self, places: Iterable[int]) -> None:
        """Take the columns up to the last one with a value in the first row."""
        if not self._width:
            self._width = min(max(places, default=0) + 1, MAX_COLUMNS)
            self.narrowest = min(self.narrowest, self._width)

    def _count(self, cells: int) -> None:
        """Bound the cells of the rectangle."""
        self._cells = max(self._cells, cells)
        if self._cells > MOST_CELLS:
            raise _too_large(self._name)


class _ExcelSheet(_Sheet):
    """A worksheet of a .xlsx file: cells say where they are."""

    _number = re.compile(rb'\sr="(\d+)"')
    _place = re.compile(rb'(\sr="[A-Z]*)(\d+)"')
    _letters = re.compile(rb'[^>]*?\sr="([A-Z]+)')

    def __init__(self, name: str, skip: int, width: int) -> None:
        super().__init__(name, skip, width)
        self._before = self._last = self._moved_up = 0
        self._far: re.Pattern[bytes] | None = None
        self._begin(b"")

    def _begin(self, start: bytes) -> None:
        """Find how tags are written: some programs put a prefix before their names."""
        found = re.search(rb"<(\w+:)sheetData\b", start)
        prefix = found[1] if found else b""
        self.row = re.compile(rb"<%srow(?=[\s>/])[^>]*>" % prefix)
        self.end = re.compile(rb"</%srow>" % prefix)
        self._numbers = re.compile(rb'<%srow(?=\s)[^>]*?\sr="(\d+)"' % prefix)
        self._cell = re.compile(rb"<%sc(?=[\s>/])" % prefix)
        self._value = re.compile(rb"<%s(?:v|is)(?=[\s>])" % prefix)

    def _block(self, block: bytes, places: Sequence[int]) -> Iterator[bytes]:
        """Pass on the rows between these places, as a whole where they follow one another."""
        block = block[: places[-1]]
        numbers = [int(number) for number in self._numbers.findall(block)]
        if (
            self._far is None
            or self._moved_up
            or numbers != list(range(self._last + 1, self._last + len(places)))
            # Rows without a value stay where they are: half of the cells are kept for others.
            or 2 * numbers[-1] * (self._width + 1) > MOST_CELLS
        ):
            yield from super()._block(block, places)
            return
        self._before = self._last = numbers[-1]
        yield self._in_place(block)

    def _in_place(self, rows: bytes) -> bytes:
        """Return rows with errors as texts, and with cells beside the columns next to them."""
        assert self._far is not None
        # Newer kinds of errors are unknown to the reader; as texts they are known here.
        rows = rows.replace(b' t="e"', b' t="str"')
        return self._far.sub(rb' r="%s\1' % _letters_of(self._width), rows)

    def _drawn(self, row: bytes) -> bytes:
        found = self._number.search(row, 0, row.index(b">"))
        number = self._before = int(found[1]) if found else self._before + 1
        if number <= self._skip or not self._value.search(row):
            return b""
        self._find_width(self._valued_places(row) if not self._width else ())
        if self._far is None:
            self._far = _beyond(self._width)
        row = self._in_place(row)
        if number - self._moved_up > self._last + _GAP:
            self._moved_up = number - self._last - 1
        self._last = number - self._moved_up
        if self._last < 1:
            raise TableError(f"{self._name} cannot be read as a workbook; it may be damaged.")
        self._count(self._last * (self._width + 1))
        if self._moved_up:
            row = self._place.sub(self._higher, row)
        return row

    def _higher(self, place: re.Match[bytes]) -> bytes:
        return b'%s%d"' % (place[1], int(place[2]) - self._moved_up)

    def _valued_places(self, row: bytes) -> Iterator[int]:
        """Yield the columns, from 0, of cells with a value."""
        place = -1
        starts = [found.start() for found in self._cell.finditer(row)]
        for start, stop in pairwise([*starts, len(row)]):
            found = self._letters.match(row, start)
            place = _column_of(found[1]) if found else place + 1
            if self._value.search(row, start, stop):
                yield place


def _column_of(letters: bytes) -> int:
    """Return a column's place from 0: A is 0, Z 25, AA 26."""
    place = 0
    for letter in letters:
        place = 26 * place + letter - 64
    return place - 1


def _letters_of(place: int) -> bytes:
    """Return the name of the column in a place from 0."""
    letters, left = b"", place + 1
    while left:
        left, letter = divmod(left - 1, 26)
        letters = bytes([65 + letter]) + letters
    return letters


def _beyond(width: int) -> re.Pattern[bytes]:
    """Match places of cells beyond so many columns: what stands around the column's letters."""
    last = _letters_of(width - 1)
    longer = rb"[A-Z]{%d,}" % (len(last) + 1)
    later = [
        rb"%s[%c-Z][A-Z]{%d}" % (last[:i], letter + 1, len(last) - i - 1)
        for i, letter in enumerate(last)
        if letter < ord("Z")
    ]
    return re.compile(rb' r="(?:%s)(\d+")' % b"|".join([longer, *later]))


class _OpenDocument(_Sheet):
    """The tables of an .ods file: rows and cells may say how often they are repeated."""

    row = re.compile(rb"<table:table-row(?=[\s>/])[^>]*>")
    end = re.compile(rb"</table:table-row>")
    _value = re.compile(rb"<text:p|office:value")
    _cell = re.compile(rb"<table:(?:covered-)?table-cell")
    _rows = re.compile(rb'(table:number-rows-repeated=")(\d+)"')
    _columns = re.compile(rb'(table:number-columns-repeated=")(\d+)"')

    def __init__(self, name: str, skip: int, width: int) -> None:
        super().__init__(name, skip, width)
        self._before = self._kept = 0

    def _passed_on(self, part: bytes) -> bytes:
        passed = super()._passed_on(part)
        if b"<table:table " in part:
            self._width, self._before, self._kept = self._given, 0, 0
        return passed

    def _drawn(self, row: bytes) -> bytes:
        found = self._rows.search(row, 0, row.index(b">"))
        times = int(found[2]) if found else 1
        self._before += times
        times = min(times, self._before - self._skip)
        if times < 1 or not self._value.search(row):
            return b""
        row = _without_end(self._rows.sub(rb'\g<1>%d"' % times, row, count=1))
        self._find_width(self._valued_places(row) if not self._width else ())
        row = self._columns.sub(self._fewer, row)
        self._kept += times
        wide = row.count(b"table-cell") + sum(int(n) for _, n in self._columns.findall(row))
        self._count(self._kept * max(wide, self._width + 1))
        return row

    def _fewer(self, repeated: re.Match[bytes]) -> bytes:
        return b'%s%d"' % (repeated[1], min(int(repeated[2]), self._width + 1))

    def _valued_places(self, row: bytes) -> Iterator[int]:
        """Yield the columns, from 0, of cells with a value."""
        place = 0
        starts = [found.start() for found in self._cell.finditer(row)]
        for start, stop in pairwise([*starts, len(row)]):
            found = self._columns.search(row, start, row.index(b">", start))
            place += int(found[2]) if found else 1
            if self._value.search(row, start, stop):
                yield place - 1


def _without_end(row: bytes) -> bytes:
    """Return a row of an OpenDocument without the empty cells behind its last value."""
    last = max(row.rfind(b"</table:table-cell>"), row.rfind(b"office:value"))
    return row[: row.index(b">", last) + 1] + b"</table:table-row>"
