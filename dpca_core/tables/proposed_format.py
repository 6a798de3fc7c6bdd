"""How a text file seems to be written: a proposal from its first bytes, for a person to confirm.

Until it is confirmed it counts as read from the file; then it is used, and never decided again.
"""

import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, zip_longest
from typing import Any

from dpca_core.data.errors import TableError
from dpca_core.data.text_file_format import (
    SEPARATORS,
    Escape,
    TextFileFormat,
    number_and_unit,
    pattern,
)
from dpca_core.tables.records import BOM, csv_format

HEAD = 2**20
"""Bytes that a proposal looks at."""
_RECORDS, _MOST_TITLES = 2000, 20
_WAYS = ((".", ""), (",", ""), (".", ","), (",", "."))
"""Marks of decimals and of thousands, the first as good as any other."""
_DOUBLED = re.compile(r'[^\\,;\t|\r\n"]""')
_ESCAPED = re.compile(r'\\"[^,;\t|\r\n]')
_LONE_CR = re.compile(r"\r(?!\n)")
_SEPARATOR_LINE = re.compile(r'\s*"?sep=([,;\t|])"?\s*', re.IGNORECASE)


def proposed_format(name: str, head: bytes, encoding: str = "utf-8") -> TextFileFormat:
    """Propose a separator, lines to skip, how marks are escaped, and marks in numbers.

    Of the ways to write numbers the one by which most columns are numbers. ``head`` are a file's
    first ``HEAD`` bytes, unpacked.
    """
    text = head.removeprefix(BOM).decode(encoding, "replace")
    escaped = _ESCAPED.search(text) and not _DOUBLED.search(text)
    form = TextFileFormat(
        encoding=encoding,
        escape=Escape.BACKSLASH if escaped else Escape.DOUBLED,
        cr_ends_lines="\r" in text and "\n" not in text,
    )
    lines = text.split("\r") if form.cr_ends_lines else _LONE_CR.sub(" ", text).split("\n")
    if len(head) >= HEAD:
        lines.pop()
    if not any(line.strip() for line in lines):
        raise TableError(f"{name} is empty.")
    if declared := _SEPARATOR_LINE.fullmatch(lines[0]):
        form = replace(form, delimiter=declared[1], skip=1)
    else:
        forms = [replace(form, delimiter=mark) for mark in SEPARATORS]
        form = max(forms, key=lambda one: _agreement(_records(lines, one)))
        form = replace(form, skip=_titles(lines, form))
    _, *rows = _records(lines[form.skip :], form) or [[]]
    forms = [replace(form, decimal=point, thousands=mark) for point, mark in _WAYS]
    # Where commas separate cells they are no decimal marks: "1,234" is a thousand.
    forms = [one for one in forms if one.decimal != form.delimiter]
    return max(forms, key=lambda one: _columns_of_numbers(rows, one))


def notices(head: bytes, form: TextFileFormat) -> tuple[str, ...]:
    """Return sentences on what speaks against the way marks are read, as far as that is seen."""
    text, found = head.removeprefix(BOM).decode(form.encoding, "replace"), []
    if form.escape is Escape.DOUBLED and '\\"' in text:
        found.append('The file has \\" in it: programs that write it do not double marks.')
    if not form.cr_ends_lines and _LONE_CR.search(text):
        found.append("The file has carriage returns without a line feed: each is read as a space.")
    if form.escape is Escape.BACKSLASH and re.search(rf"\\[{re.escape(form.delimiter)}\r\n]", text):
        found.append(
            "Some cells end in a backslash, which takes what follows into the cell: R’s "
            "write.table and Spark write it so, and such a file must be written anew."
        )
    if form.escape is Escape.NONE:
        return tuple(found)
    *_, last = _reader(_LONE_CR.sub(" ", text).split("\n"), form)
    if any("\n" in cell.rstrip("\n") for cell in last[-1:]) and len(head) < HEAD:
        found.append("A quotation mark seems never to be closed: all that follows is one record.")
    closed = rf'(?:^|[{re.escape(form.delimiter)}\n])"(?:[^"]|"")*"[^"{form.delimiter}\r\n]'
    if form.escape is Escape.DOUBLED and re.search(closed, text):
        found.append("Some cells go on behind their closing quotation mark.")
    return tuple(found)


def _reader(lines: Sequence[str], form: TextFileFormat) -> Any:
    return csv.reader((f"{line}\n" for line in lines), csv_format(form))


def _records(lines: Sequence[str], form: TextFileFormat) -> list[list[str]]:
    return [*islice(filter(None, _reader(lines, form)), _RECORDS)]


def _agreement(records: Sequence[Sequence[str]]) -> tuple[int, int]:
    """Return how many records have the commonest width above one cell, and that width."""
    widths = Counter(len(cells) for cells in records if len(cells) > 1)
    return max(((times, width) for width, times in widths.items()), default=(0, 1))


def _titles(lines: Sequence[str], form: TextFileFormat) -> int:
    """Return how many lines stand above the first record of the usual width, all much narrower.

    Spreadsheets write them as wide as the table.
    """
    (_, width), reader, before = _agreement(_records(lines, form)), _reader(lines, form), 0
    for cells in islice(reader, _MOST_TITLES):
        filled = max((place for place, cell in enumerate(cells, 1) if cell.strip()), default=0)
        if len(cells) == width and filled > 1:
            return before
        if filled > max(1, width // 2):
            return 0
        before = reader.line_num
    return 0


def _columns_of_numbers(rows: Sequence[Sequence[str]], form: TextFileFormat) -> int:
    """Count columns whose cells are all numbers in this format, or missing."""
    number = re.compile(pattern(form), re.ASCII)
    missing = {"", *form.missing}

    def fits(cell: str) -> bool:
        if cell in missing or number.match(cell):
            return True
        found = number_and_unit(cell)
        return found is not None and number.match(found[0]) is not None

    columns = zip_longest(*rows, fillvalue="")
    return sum(all(map(fits, {cell.strip() for cell in column})) for column in columns)
