"""Text files as tables: the cells of whole records, a run of them at a time."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, closing, suppress
from typing import TYPE_CHECKING, cast

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow.csv import ConvertOptions, ParseOptions, ReadOptions, read_csv

from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import SEPARATORS, Escape, TextFileFormat, require_valid_format
from dpca_core.runtime.threads import prefetch
from dpca_core.tables.records import BOM, LONGEST_CELL, Bytes, Run, by_cells, runs
from dpca_core.tables.table import Batch, Table, named
from dpca_core.tables.typed_table import frame_to_look_at

if TYPE_CHECKING:
    from pandas import DataFrame

Open = Callable[[], AbstractContextManager[Bytes]]
"""Opens a file for reading from its beginning, unpacked."""


class TextTable(Table):
    """A text file, as the format of a recipe says it is written.

    A record of another width than the header's, and one that is too long, is a row of missing
    values, and so is a cell of more than ``LONGEST_CELL`` bytes.
    """

    def __init__(self, name: str, open_: Open, form: TextFileFormat) -> None:
        """Read the header; ``TableError`` where there is none, or one of too many columns."""
        require_valid_format(form)
        self.name, self._open, self._form = name, open_, form
        self._not_plain: set[str] = set()
        if form.unnamed:
            self.columns = tuple(f"c{place}" for place in range(1, form.unnamed + 1))
            return
        with open_() as file:
            header = next(runs(file, form), Run(None)).cells
        if not header:
            raise TableError(f"{name} is empty.")
        self.columns = named(name, header[0])

    def require(self, numbers: Sequence[str], texts: Sequence[str]) -> None:
        """Refuse columns that the header does not have once."""
        missing = {*numbers, *texts} - {*self.columns}
        if missing and len(self.columns) == 1 and {*self.columns[0]} & {*SEPARATORS}:
            raise TableError(
                f"{self.name} has one column as it is read here: choose its separator again."
            )
        super().require(numbers, texts)

    def first_rows(self, rows: int) -> "DataFrame":
        """Return the first rows to look at: texts, without spaces around them."""
        found: list[Batch] = []
        with closing(cast(Generator[Batch], self.batches((), self.columns))) as batches:
            for batch in batches:
                found.append(batch)
                if sum(one.rows for one in found) >= rows:
                    break
        columns = []
        for name in self.columns:
            parts = [batch.columns[name] for batch in found]
            texts = pc.utf8_trim_whitespace(pa.chunked_array(parts, pa.string()).slice(0, rows))
            columns.append(pc.if_else(pc.equal(texts, ""), None, texts))
        return frame_to_look_at(self.columns, columns)

    def _batches(self, numbers: Sequence[str], texts: Sequence[str]) -> Iterator[Batch]:
        """Read some columns; numbers as text in a run of which one cell is not plainly a number."""
        with self._open() as file:
            for batch in prefetch(lambda run: self._batch(run, numbers, texts), self._rows(file)):
                self.done = getattr(file, "done", None)
                yield batch

    def _rows(self, file: Bytes) -> Iterator[Run]:
        """Yield the records below the header."""
        found = runs(file, self._form)
        if not self._form.unnamed and (below := next(found, Run(None)).cells[1:]):
            yield Run(None, below)
        yield from found

    def _batch(self, run: Run, numbers: Sequence[str], texts: Sequence[str]) -> Batch:
        """Return the wanted cells of some records."""
        if run.content is not None:
            with suppress(pa.ArrowInvalid):
                return self._by_arrow(run.content, numbers, texts)
            run = by_cells(run.content, self._form)
        width = len(self.columns)
        wrong = tuple(row for row, cells in enumerate(run.cells) if len(cells) != width)
        rows = [cells if len(cells) == width else ("",) * width for cells in run.cells]
        by_place = list(zip(*rows, strict=True))
        columns = {
            name: pa.array(map(_bounded, by_place[self.columns.index(name)]), pa.string())
            for name in (*numbers, *texts)
        }
        return Batch(len(rows), columns, wrong)

    def _by_arrow(self, content: bytes, numbers: Sequence[str], texts: Sequence[str]) -> Batch:
        """Return the cells of clean records; ``pa.ArrowInvalid`` where one is of another width.

        A column that was not plainly numbers once is read as text from then on: that changes how
        fast it is, not what a cell is.
        """
        plain = [name for name in numbers if name not in self._not_plain]
        others = [*texts, *(name for name in numbers if name in self._not_plain)]
        try:
            return self._arrow(content, plain, others)
        except pa.ArrowInvalid:
            found = self._arrow(content, (), [*numbers, *texts])
        for name in plain:
            try:
                found.columns.update(self._arrow(content, [name], ()).columns)
            except pa.ArrowInvalid:
                self._not_plain.add(name)
        return found

    def _arrow(self, content: bytes, plain: Sequence[str], texts: Sequence[str]) -> Batch:
        """Read records as one block: Arrow never sees a part of one."""
        form, width = self._form, len(self.columns)
        places = {name: str(self.columns.index(name)) for name in (*plain, *texts)}
        kinds = {places[name]: pa.float64() for name in plain}
        # Arrow takes a byte order mark off at the start of what it reads.
        content = b"\n" + content if content.startswith(BOM) else content
        found = read_csv(
            pa.py_buffer(content),
            ReadOptions(
                use_threads=False,
                block_size=len(content) + 1,
                column_names=[str(place) for place in range(width)],
            ),
            ParseOptions(
                delimiter=form.delimiter,
                quote_char=False if form.escape is Escape.NONE else '"',
                double_quote=form.escape is Escape.DOUBLED,
                newlines_in_values=True,
            ),
            ConvertOptions(
                include_columns=list(places.values()),
                column_types={place: kinds.get(place, pa.string()) for place in places.values()},
                null_values=["", *form.missing],
                decimal_point=form.decimal[0],
            ),
        )
        columns = {name: found[place].combine_chunks() for name, place in places.items()}
        return Batch(len(found), columns)


def _bounded(cell: str) -> str | None:
    """Return a cell that is not too long."""
    fits = 4 * len(cell) <= LONGEST_CELL or len(cell.encode()) <= LONGEST_CELL
    return cell if fits else None
