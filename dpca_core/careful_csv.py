"""Separated values as text, with the number of the row in every complaint."""

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from dpca_core.choices import Number
from dpca_core.separated import (
    DECIMAL_COMMA,
    THOUSANDS,
    TableError,
    all_match,
    any_comma,
    filled,
    label,
    without_commas,
)

_BLOCK = 2**22
_END = "end of the table"
_WIDTH = re.compile(r"(?:Row #(\d+): )?Expected (\d+) columns, got (\d+)")


class CarefulReader:
    """Reads rows below a header: numbers (as Arrow arrays), then the other columns as text."""

    def __init__(
        self, name: str, separator: str, width: int, numbers: Sequence[Number],
        places: Sequence[int],
    ) -> None:  # fmt: skip
        self._name, self._separator, self._width, self._places = name, separator, width, places
        self._numbers = [NumberReader(name, number.name, separator) for number in numbers]

    def read(self, pieces: Iterable[bytes], rows: int) -> Iterator[list[Any]]:
        """Yield the columns asked for, some rows at a time, after ``rows`` that came before.

        Raises
        ------
        TableError
            For a row of another width than the header, a quotation mark that is never closed, a
            text among numbers, or bytes that are not UTF-8.
        """
        for batch in self._batches(pieces, rows):
            columns = [batch.column(f"f{place}") for place in self._places]
            for j, reader in enumerate(self._numbers):
                columns[j] = reader.numbers(columns[j], rows)
            rows += len(batch)
            yield columns

    def _batches(self, pieces: Iterable[bytes], rows: int) -> Iterator[Any]:
        """Yield all rows as text; a row of our own behind them must come out as it went in."""
        import pyarrow as pa
        from pyarrow.csv import ConvertOptions, ParseOptions, ReadOptions, open_csv

        last = f"f{self._width - 1}"
        wanted = list(dict.fromkeys([*(f"f{place}" for place in self._places), last]))
        end = f"\n{self._separator.join([_END] * self._width)}\n".encode()
        names = [f"f{i}" for i in range(self._width)]
        held = None
        try:
            with open_csv(
                io.BufferedReader(_Pieces(chain(pieces, [end]))),
                ReadOptions(column_names=names, block_size=_BLOCK, use_threads=False),
                ParseOptions(delimiter=self._separator, newlines_in_values=True),
                ConvertOptions(
                    column_types=dict.fromkeys(wanted, pa.string()), include_columns=wanted
                ),
            ) as reader:
                for batch in reader:
                    if held is not None:
                        yield held
                        rows += len(held)
                    held = batch if len(batch) else None
        except pa.ArrowInvalid as error:
            raise TableError(self._complaint(str(error), rows)) from None
        if held is None or held.column(last)[-1].as_py() != _END:
            raise TableError(self._unclosed(rows))
        yield held.slice(0, len(held) - 1)

    def _complaint(self, error: str, rows: int) -> str:
        """Arrow's message as a sentence."""
        if "straddl" in error or _END in error:
            return self._unclosed(rows)
        if width := _WIDTH.search(error):
            row, expected, found = width.groups()
            first = f"Row {int(row):,}" if row else f"A row after row {rows:,}"
            fields = f"{int(found):,} field{'s' if found != '1' else ''}"
            return f"{first} of {self._name} has {fields}; its header has {expected}."
        if "UTF8" in error:
            return f"{self._name} is not UTF-8 text: save it as “CSV UTF-8”."
        return f"{self._name} cannot be read as a table; it may be damaged."

    def _unclosed(self, rows: int) -> str:
        return f"{self._name} never closes a quotation mark opened after row {rows:,}."


class NumberReader:
    """Turns text into numbers.

    A comma stands before decimals or between thousands in all of a column, whichever all of its
    cells allow (``dpca_core.tables``). Where later cells change that, the file is refused.
    """

    def __init__(self, name: str, column: str, separator: str) -> None:
        self._name, self._column = name, label(column)
        self._decimal, self._thousands = separator == ";", True
        self._used: str | None = None

    def numbers(self, cells: Any, rows: int) -> Any:
        """Return numbers (an Arrow array), missing ones as null; ``rows`` came before them."""
        import pyarrow as pa
        import pyarrow.compute as pc

        text = filled(cells)
        commas = any_comma(text)
        self._decimal = self._decimal and all_match(text, DECIMAL_COMMA)
        self._thousands = self._thousands and (not commas or all_match(text, THOUSANDS))
        meant = "decimal" if self._decimal else "thousands" if self._thousands else "text"
        if self._used not in (None, meant):
            raise TableError(
                f"The column {self._column} of {self._name} has commas of two kinds; the second "
                f"comes after row {rows:,}."
            )
        if commas:
            self._used = meant
            if meant != "text":
                text = without_commas(text, decimal=meant == "decimal")
        try:
            return pc.cast(text, pa.float64())
        except pa.ArrowInvalid:
            place = _first_text(text)
            cell = label(text[place].as_py())
            raise TableError(
                f"Row {rows + place + 1:,} of {self._name} has “{cell}” in the column "
                f"{self._column}, which is not a number."
            ) from None


def _first_text(cells: Any) -> int:
    """Place of the first cell that is no number; at least one is not."""
    import pyarrow as pa
    import pyarrow.compute as pc

    low, high = 0, len(cells)
    while high - low > 1:
        middle = (low + high) // 2
        try:
            pc.cast(cells.slice(low, middle - low), pa.float64())
            low = middle
        except pa.ArrowInvalid:
            high = middle
    return low


class _Pieces(io.RawIOBase):
    """Bytes that come in pieces, as a file."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces, self._rest = iter(pieces), b""

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, room: Any) -> int:
        """Fill the room with what is left of a piece, or with the next one."""
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = piece
        size = min(len(room), len(self._rest))
        room[:size], self._rest = self._rest[:size], self._rest[size:]
        return size
