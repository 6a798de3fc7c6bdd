"""Blocks of lines as columns: plain ones by Arrow as they stand, odd ones after a rewriting.

Columns with cells that are not plain numbers are read as text and converted cell by cell
(``text_cells``), odd lines are rewritten first (``csv_lines``): both give the
same rows as the quick way where that would do, only slower.
"""

import codecs
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NoReturn

import numpy as np

from dpca_core.data.byte_text import STANDS_FOR_BYTES
from dpca_core.data.column_names import LONGEST_CELL, label
from dpca_core.data.errors import TableError
from dpca_core.data.labels import Labels
from dpca_core.data.text_cells import are_plain, labels_of, numbers_of, tokens
from dpca_core.data.text_file_format import TextFileFormat, pattern
from dpca_core.linalg.arrays import Array
from dpca_core.readers.arrow_arrays import as_float
from dpca_core.readers.csv_lines import (
    LineBlock,
    LineFields,
    is_blank,
    normalised_lines,
    split_lines,
)

CACHED_BYTES = 2**20
_LETTER = re.compile(rb"[^\r\n]")
NOT_UTF8 = "is not UTF-8 text: save it as “CSV UTF-8” and use that file."
NOT_TEXT = "is not a text table: save it as “CSV UTF-8” and use that file."


@dataclass(frozen=True)
class Wanted:
    """Which columns to read, by their place in the header: as numbers, and as labels.

    ``units`` and ``codes`` say of some numbers what their cells may end with, and which texts that
    are no numbers stand for a missing value.
    """

    numbers: Sequence[int] = ()
    labels: Sequence[int] = ()
    units: Mapping[int, str] = field(default_factory=dict)
    codes: Mapping[int, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Columns:
    """Rows of a block.

    Attributes
    ----------
    rows
        How many, b.
    numbers
        Columns (b,), NaN where missing; they may be infinite.
    labels
        Columns of text.
    """

    rows: int
    numbers: list[Array]
    labels: list[Labels]


class Converter:
    """Turns blocks of lines into columns; many threads may use it.

    What it learns about the file, which columns need to be read as text, only saves time.
    """

    def __init__(
        self, name: str, names: Sequence[str], form: TextFileFormat, wanted: Wanted, strict: bool
    ) -> None:
        self._name, self._names, self._form = name, names, form
        self._wanted, self._strict, self._width = wanted, strict, len(names)
        self._mark = self._form.delimiter.encode()
        number = re.compile(pattern(self._form))
        self._codes = any(number.match(token) for token in self._form.missing)
        self._as_text: frozenset[int] = frozenset()

    def columns(self, block: LineBlock) -> Columns:
        """Convert a block of lines."""
        everything = frozenset(self._wanted.numbers)
        labelled = everything.intersection(self._wanted.labels)
        # A code such as 999 with spaces around it would pass for a number.
        spaced = self._codes and any(space in block.content for space in (b" ", b"\t"))
        as_text = everything if spaced else self._as_text | labelled
        table = self._table(block, as_text, everything)
        numbers = [self._numbers(block, table, place) for place in self._wanted.numbers]
        labels = [labels_of(table[f"f{place}"], self._form) for place in self._wanted.labels]
        return Columns(len(table), numbers, labels)

    def texts(self, block: LineBlock) -> Any:
        """Return a block's columns as text."""
        import pyarrow as pa

        return self._table(block, frozenset(), frozenset(), pa.string())

    def _table(
        self,
        block: LineBlock,
        as_text: frozenset[int],
        everything: frozenset[int],
        kind: Any = None,
    ) -> Any:
        """Columns as an Arrow table; numbers that are not plain as text, or all of them."""
        if self._strict and b"\0" in block.content:
            raise refusal(f"{self._name} {NOT_TEXT}")
        content, formed = block.content, False
        if self._is_odd(content):
            content, formed = self._well_formed(block), True
        while True:
            table = self._arrow(content, as_text, kind)
            if table is None and as_text != everything:
                table = self._arrow(content, everything, kind)
                if table is not None:
                    self._learn(table)
            if table is not None:
                return table
            if formed:
                return self._line_by_line(content, everything, kind)
            content, formed = self._well_formed(block), True

    def _line_by_line(self, content: bytes, as_text: frozenset[int], kind: Any) -> Any:
        """Read well-formed lines each by itself: whatever Arrow cannot read is a bad line."""
        import pyarrow as pa

        if self._strict:
            raise refusal(f"{self._name} has a line that cannot be read.")
        missing = self._mark.join([b'""'] * self._width)
        tables = []
        for line in split_lines(content):
            table = self._arrow(line + b"\n", as_text, kind)
            if table is None or len(table) != 1:
                table = self._arrow(missing + b"\n", as_text, kind)
            tables.append(table)
        return pa.concat_tables(tables)

    def _is_odd(self, content: bytes) -> bool:
        """Tell whether Arrow might see other cells than there are.

        It knows no space before a quotation mark, no bound on the length of a line, and no letters
        that stand for bytes.
        """
        if self._width == 1 or _may_have_long_line(content):
            return True
        if b"\xf4" in content and STANDS_FOR_BYTES.search(content):
            return True
        if b'"' not in content:
            return False
        # A search for one byte is many times as fast as one for two.
        if b" " in content and b' "' in content:
            return True
        return b"\r" in content and content.count(b"\r") != content.count(b"\r\n")

    def _arrow(self, content: bytes, as_text: frozenset[int], kind: Any) -> Any:
        """Arrow's table; None where a cell does not convert or rows are not lines.

        In blocks with quotes a row of zeros is added: if there are as many rows as line ends then
        none of them stood within quotes. An empty line in front keeps Arrow from leaving out a mark
        of byte order, which is a letter like others anywhere but at the beginning of a file.
        """
        import pyarrow as pa
        from pyarrow.csv import ConvertOptions, ParseOptions, ReadOptions, read_csv

        # Arrow reads no line that is longer than its blocks.
        long = _may_have_long_line(content)
        longest = max(map(len, content.split(b"\n"))) if long else LONGEST_CELL
        quoted, lines = b'"' in content, 0
        if quoted:
            content += self._mark.join([b"0"] * self._width) + b"\n"
            lines = content.count(b"\n")
        if content.startswith(codecs.BOM_UTF8):
            content = b"\n" + content
        label = kind or pa.dictionary(pa.int32(), pa.string())
        kinds = {
            f"f{place}": pa.string() if place in as_text else pa.float64()
            for place in self._wanted.numbers
        }
        kinds |= {f"f{place}": label for place in self._wanted.labels if f"f{place}" not in kinds}
        if not _LETTER.search(content):
            return pa.schema(kinds).empty_table()
        try:
            table = read_csv(
                pa.py_buffer(content),
                ReadOptions(
                    column_names=[f"f{i}" for i in range(self._width)],
                    use_threads=False,
                    block_size=max(CACHED_BYTES, longest + 2),
                ),
                ParseOptions(delimiter=self._form.delimiter, newlines_in_values=False),
                ConvertOptions(
                    column_types=kinds,
                    include_columns=list(kinds),
                    null_values=tokens(self._form),
                    decimal_point=self._form.decimal[0],
                ),
            )
        except pa.ArrowInvalid:
            return None
        if not quoted:
            return table
        return table.slice(0, len(table) - 1) if len(table) == lines else None

    def _learn(self, table: Any) -> None:
        """Remember columns that Arrow does not read as plain numbers."""
        places = set(self._wanted.numbers) - self._as_text
        self._as_text |= {p for p in places if not are_plain(table[f"f{p}"], self._form)}

    def _numbers(self, block: LineBlock, table: Any, place: int) -> Array:
        """Return a column as numbers, of text cell by cell."""
        import pyarrow.types as t

        column = table[f"f{place}"]
        if not t.is_string(column.type):
            return as_float(column.combine_chunks())
        unit, codes = self._wanted.units.get(place, ""), self._wanted.codes.get(place, ())
        found = numbers_of(column, self._form, unit, codes)
        if self._strict and found.wrong.any():
            row = int(np.flatnonzero(found.wrong)[0])
            cell, line = label(column[row].as_py()), self._line_of(block, row)
            raise refusal(
                f"Line {line} of {self._name} has “{cell}” in the column "
                f"{label(self._names[place])}, which is not a number."
            )
        return found.values

    def _line_of(self, block: LineBlock, row: int) -> int:
        """Number of the line that holds a row of a block."""
        lines = split_lines(block.content)
        return block.line + [i for i, li in enumerate(lines) if not is_blank(li, self._mark)][row]

    def _well_formed(self, block: LineBlock) -> bytes:
        """Return a block whose odd lines are rewritten or, in strict reading, refused."""
        refuse = partial(self._refuse, block) if self._strict else None
        try:
            return normalised_lines(block.content, self._form.delimiter, self._width, refuse)
        except UnicodeDecodeError:
            raise refusal(f"{self._name} {NOT_UTF8}") from None

    def _refuse(self, block: LineBlock, place: int, found: LineFields) -> NoReturn:
        """Say what is wrong with a line."""
        line = f"Line {block.line + place} of {self._name}"
        if found.open:
            message = (
                f"{line} opens a quotation mark and does not close it: a cell must end on its own "
                "line; Parquet allows line breaks in cells."
            )
        elif found.long:
            message = f"{line} has a cell of more than 128 kB: check its quotation marks."
        else:
            some = f"{len(found.cells):,} field{'s' if len(found.cells) > 1 else ''}"
            message = f"{line} has {some}; its header has {self._width}."
        raise refusal(message)


def refusal(message: str) -> TableError:
    """Say what is wrong with a row: a total reading goes on."""
    return TableError(message, readable_anyway=True)


def _may_have_long_line(content: bytes) -> bool:
    """Tell whether a line may be as long as a cell may be; a line end in each half says no."""
    step = LONGEST_CELL // 2
    starts = range(0, len(content) - step, step)
    return any(content.find(b"\n", start, start + step) < 0 for start in starts)
