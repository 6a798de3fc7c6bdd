"""Text files as tables: the cells of whole records, a run of them at a time."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from itertools import chain
from typing import Any

import pyarrow as pa
from pyarrow.csv import ConvertOptions, ParseOptions, ReadOptions, read_csv

from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import SEPARATORS, Escape, TextFileFormat, require_valid_format
from dpca_core.runtime.threads import prefetch
from dpca_core.tables.records import BOM, Run, parsed, runs
from dpca_core.tables.table import Batch, Table, named, texts_of


class TextTable(Table):
    """A text file, as the format of a recipe says it is written.

    A record of another width than the header's, and one that is too long, is a row of missing
    values, and so is a cell of more than ``LONGEST_CELL`` bytes.
    """

    def __init__(
        self, name: str, unpacked: Callable[[], AbstractContextManager[Any]], form: TextFileFormat
    ) -> None:
        """Read the header; ``TableError`` where there is none, or one of too many columns."""
        require_valid_format(form)
        self.name, self._open, self._form = name, unpacked, form
        self._not_plain: set[str] = set()
        if form.unnamed:
            self.columns = tuple(f"c{place}" for place in range(1, form.unnamed + 1))
            return
        with unpacked() as file:
            header, _ = self._records(file)
        if not header:
            raise TableError(f"{name} is empty.")
        self.columns = named(name, header)
        if len(header) == 1 and {*self.columns[0]} & {*SEPARATORS}:
            raise TableError(
                f"{name} has one column as it is read here: choose its separator again."
            )

    def _batches(self, numbers: Sequence[str], texts: Sequence[str], most: int) -> Generator[Batch]:
        with self._open() as file:
            _, records = self._records(file)
            wanted = partial(self._batch, numbers=numbers, texts=texts)
            for batch in prefetch(wanted, filter(None, records)):
                self.done = file.done
                yield batch

    def _records(self, file: Any) -> tuple[Sequence[str], Iterator[Run]]:
        """Return the header, () where there is none, and the records below it."""
        form, found = self._form, runs(file, self._form)
        below: Run
        for run in () if form.unnamed else found:
            if isinstance(run, bytes):
                first, below = parsed(run, form, most=1)
            else:
                first, below = run[:1], run[1:]
            if first == [()]:
                raise TableError("The header is longer than 16 MB.")
            if first:
                return first[0], chain([below], found)
        return (), found

    def _batch(self, run: Run, numbers: Sequence[str], texts: Sequence[str]) -> Batch:
        """Return the wanted cells of some records."""
        if isinstance(run, bytes):
            with suppress(pa.ArrowInvalid):
                return self._by_arrow(run, numbers, texts)
        records = parsed(run, self._form, at_end=True)[0] if isinstance(run, bytes) else run
        width = len(self.columns)
        wrong = tuple(row for row, cells in enumerate(records) if len(cells) != width)
        rows = [cells if len(cells) == width else ("",) * width for cells in records]
        places = {name: self.columns.index(name) for name in (*numbers, *texts)}
        columns = {
            name: texts_of(pa.array([cells[place] for cells in rows], pa.string()))
            for name, place in places.items()
        }
        return Batch(len(rows), columns, wrong)

    def _by_arrow(self, run: bytes, numbers: Sequence[str], texts: Sequence[str]) -> Batch:
        """Return the cells of clean records; ``pa.ArrowInvalid`` where one is of another width.

        A column that was not plainly numbers once is read as text from then on: that changes how
        fast it is, not what a cell is.
        """
        plain = [name for name in numbers if name not in self._not_plain]
        others = [name for name in (*texts, *numbers) if name not in plain]
        with suppress(pa.ArrowInvalid):
            return self._arrow(run, plain, others)
        found = self._arrow(run, (), [*texts, *numbers])
        for name in plain:
            try:
                self._arrow(run, [name], ())
            except pa.ArrowInvalid:
                self._not_plain.add(name)
        return found

    def _arrow(self, run: bytes, plain: Sequence[str], texts: Sequence[str]) -> Batch:
        """Read records as one block: Arrow never sees a part of one."""
        form = self._form
        types = dict.fromkeys(plain, pa.float64()) | dict.fromkeys(texts, pa.string())
        places = {name: str(self.columns.index(name)) for name in types}
        # Arrow takes a byte order mark off at the start of what it reads.
        run = b"\n" + run if run.startswith(BOM) else run
        found = read_csv(
            pa.py_buffer(run),
            ReadOptions(
                use_threads=False,
                block_size=len(run) + 1,
                column_names=[*map(str, range(len(self.columns)))],
            ),
            ParseOptions(
                delimiter=form.delimiter,
                quote_char=False if form.escape is Escape.NONE else '"',
                double_quote=form.escape is Escape.DOUBLED,
                newlines_in_values=True,
            ),
            ConvertOptions(
                include_columns=[*places.values()],
                column_types={places[name]: kind for name, kind in types.items()},
                null_values=["", *form.missing],
                decimal_point=form.decimal[0],
            ),
        )
        columns = {name: found[place].combine_chunks() for name, place in places.items()}
        return Batch(len(found), columns)
