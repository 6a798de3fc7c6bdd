"""A CSV file as chunks of coded columns: plain blocks side by side, everything else with care.

A block of whole lines in which every number is a plain number is converted by Arrow, one block a
thread. From the first block on that needs more (a line break between quotes, blanks with spaces,
commas in numbers) the file is read as text, by the rules of ``dpca_core.tables``. What only a look
at the whole file could decide is refused in one sentence.
"""

import csv
import gzip
from codecs import BOM_UTF8
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import IO, Any, NamedTuple, cast
from zlib import error as zlib_error

from dpca_core.ahead import in_order
from dpca_core.arrow import as_float
from dpca_core.careful_csv import CarefulReader
from dpca_core.choices import Recipe
from dpca_core.coding import Coded
from dpca_core.csv_labels import LabelReader
from dpca_core.separated import BLANK, TableError, header_of
from dpca_core.sources import Made, place_of

_HEAD = 2**20
_BLOCK, _LARGEST_BLOCK = 2**22, 2**24
_CACHED = 2**20
_GZIP = b"\x1f\x8b"


class _Block(NamedTuple):
    """Whole lines, how many rows they hold, and what was made of them: None for more care."""

    content: bytes
    rows: int
    made: Any


class CsvFile:
    """One file, perhaps gzipped; its header is read when it is opened."""

    def __init__(self, path: Path, name: str, recipe: Recipe, chunk_rows: int) -> None:
        self.name, self._path, self._recipe, self._rows = name, path, recipe, chunk_rows
        self._size, self._read, self._odd = path.stat().st_size, 0, False
        with path.open("rb") as raw:
            head = self._bytes(self._opened(raw), raw, _HEAD)
        if head[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in head:
            raise TableError(f"{name} is not UTF-8 text: save it as “CSV UTF-8”.")
        mark = len(BOM_UTF8) if head.startswith(BOM_UTF8) else 0
        text = head[mark:].decode("utf-8", "replace")
        try:
            self._separator, names, end = header_of(name, text)
        except csv.Error:
            raise TableError(f"The header of {name} has a cell of more than 128 kB.") from None
        if len(head) == _HEAD and end >= len(text) - 1:
            raise TableError(f"The header of {name} is longer than a megabyte.")
        header = text[:end].encode()
        if not head.startswith(header, mark):
            raise TableError(f"{name} is not UTF-8 text: save it as “CSV UTF-8”.")
        self._start = mark + len(header)
        self._places = [place_of(column.name, names) for column in recipe.columns]
        self._zeros = self._separator.join(["0"] * len(names)).encode() + b"\n"
        self._width, lines = len(names), max(head.count(b"\n", self._start), 1)
        line = (len(head) - self._start) / lines
        self._block = int(min(max(chunk_rows * line, 64), _BLOCK))
        self._labels = LabelReader(name, recipe.categories, self._separator)

    @property
    def done(self) -> float | None:
        """Share of the bytes."""
        return self._read / max(self._size, 1)

    def chunks(self, make: Callable[[Coded], Made]) -> Generator[Made]:
        """Convert plain blocks side by side, and read on as text from the first other one."""
        rows, self._odd = 0, self._separator == ";"
        with self._path.open("rb") as raw:
            file = self._opened(raw)
            self._bytes(file, raw, self._start)
            blocks = in_order(partial(self._quick, make), self._blocks(file, raw))
            ahead: list[bytes] = []
            for block in blocks:
                if block.made is None:
                    self._odd = True
                    ahead = [block.content, *(later.content for later in blocks)]
                    break
                self._labels.require_one_way()
                rows += block.rows
                yield block.made
            if self._odd:
                more = iter(lambda: self._bytes(file, raw, _HEAD), b"")
                yield from in_order(make, self._carefully(chain(ahead, more), rows))

    def _carefully(self, pieces: Iterable[bytes], rows: int) -> Iterator[Coded]:
        """Read what is left as text."""
        reader = CarefulReader(
            self.name, self._separator, self._width, self._recipe.numbers, self._places
        )
        for columns in reader.read(pieces, rows):
            for start in range(0, len(columns[0]), self._rows):
                found = self._coded([c.slice(start, self._rows) for c in columns])
                self._labels.require_one_way()
                yield found

    def _opened(self, raw: IO[bytes]) -> IO[bytes]:
        packed = raw.read(2) == _GZIP
        raw.seek(0)
        return cast(IO[bytes], gzip.GzipFile(fileobj=raw)) if packed else raw

    def _bytes(self, file: IO[bytes], raw: IO[bytes], size: int) -> bytes:
        """Read up to some bytes, unpacked."""
        try:
            content = file.read(size)
        except (EOFError, OSError, zlib_error):
            raise TableError(f"{self.name} is a damaged gzip file.") from None
        self._read = raw.tell()
        return content

    def _blocks(self, file: IO[bytes], raw: IO[bytes]) -> Iterator[bytes]:
        """Yield whole lines up to the end, or to an odd block; then what is left of a line."""
        rest = b""
        while not self._odd:
            read = self._bytes(file, raw, self._block)
            content = rest + read
            end = content.rfind(b"\n") + 1
            if not read:
                if content:
                    yield content + b"\n"
                return
            if len(content) > 2 * _LARGEST_BLOCK:
                end = len(content)
            rest = content[end:]
            if end:
                yield content[:end]
        if rest:
            yield rest

    def _quick(self, make: Callable[[Coded], Any], content: bytes) -> _Block:
        """Convert a block; a row of zeros after it shows whether its last quotation is closed."""
        import pyarrow as pa
        from pyarrow.csv import ConvertOptions, ParseOptions, ReadOptions, read_csv

        if not content.endswith(b"\n"):
            return _Block(content, 0, None)
        quoted = b'"' in content
        text = content + self._zeros if quoted else content
        number, label = pa.float64(), pa.dictionary(pa.int32(), pa.string())
        p, last = len(self._recipe.numbers), self._width - 1
        kinds = {f"f{place}": number if j < p else label for j, place in enumerate(self._places)}
        wanted = dict(kinds) if not quoted else {f"f{last}": pa.string(), **kinds}
        try:
            table = read_csv(
                pa.py_buffer(text),
                ReadOptions(
                    column_names=[f"f{i}" for i in range(self._width)], use_threads=False,
                    block_size=_CACHED,
                ),
                ParseOptions(delimiter=self._separator, newlines_in_values=quoted),
                ConvertOptions(
                    column_types=wanted, include_columns=list(wanted), null_values=BLANK
                ),
            )  # fmt: skip
        except pa.ArrowInvalid:
            return _Block(content, 0, None)
        if quoted:
            if table[f"f{last}"][-1].as_py() not in (0, "0"):
                return _Block(content, 0, None)
            table = table.slice(0, len(table) - 1)
        columns = [table[f"f{place}"].combine_chunks() for place in self._places]
        return _Block(content, len(table), make(self._coded(columns)))

    def _coded(self, columns: list[Any]) -> Coded:
        p = len(self._recipe.numbers)
        labels = [self._labels.labels(j, cells) for j, cells in enumerate(columns[p:])]
        return Coded(len(columns[0]), [as_float(c) for c in columns[:p]], labels)
