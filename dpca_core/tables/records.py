"""Bytes of a text file, cut into runs of whole records.

A record ends with LF or CR LF outside quotation marks, as in RFC 4180 and Python's ``csv``: a mark
opens a quotation at the start of a cell only, two marks inside one are a mark, and whatever follows
a closing mark up to the separator belongs to the cell. No library's blocks decide where a record
ends: at the ends of its own Arrow reads well-formed records wrongly.

A record changes where others end only if it leaves a mark open. Then the file was not written as
its format says (``TextFileFormat.escape``), which the page and the certificate take for granted.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any, TypeAlias

import numpy as np

from dpca_core.data.text_file_format import Escape, TextFileFormat

RUN, LONGEST_CELL, LONGEST_RECORD = 2**21, 2**20, 2**24
"""Bytes that are read at a time; of a cell, and of a record, that is not missing."""
BOM = b"\xef\xbb\xbf"
_LONE_CR = re.compile(rb"\r(?!\n)")
_LF, _CR, _MARK = b'\n\r"'

csv.field_size_limit(max(csv.field_size_limit(), 4 * LONGEST_RECORD))

Records: TypeAlias = list[tuple[str, ...]]
"""The cells of each record, () of one above the limit."""
Run: TypeAlias = bytes | Records
"""Whole records: in UTF-8 where every reader finds the same cells in them, else their cells."""


def runs(file: Any, form: TextFileFormat) -> Iterator[Run]:
    """Yield all records of an unpacked file below the lines that are skipped; blank lines are none.

    One that is too long is yielded when that is known, and read past in bounded memory.
    """
    texts, rest, is_past = _texts(file, form), b"", False
    while found := _at_least(len(rest) // 4, texts):
        is_long = is_past or len(rest) > LONGEST_CELL
        rest += found
        if end := 0 if is_long else _end_of_clean_records(rest, form):
            yield rest[:end]
            rest = rest[end:]
            continue
        records, rest = parsed(rest, form)
        if records:
            yield records[is_past:]
            is_past = False
        elif is_past or len(rest) > LONGEST_RECORD:
            if not is_past:
                yield [()]
            rest, is_past = _in_short(rest, form), True
    if rest:
        yield parsed(rest.removesuffix(b"\n") + b"\n", form, at_end=True)[0][is_past:]


def csv_format(form: TextFileFormat) -> type[csv.Dialect]:
    """Return how Python's ``csv`` reads a file of this format."""

    class Format(csv.Dialect):
        delimiter, quotechar, lineterminator = form.delimiter, '"', "\n"
        quoting = csv.QUOTE_NONE if form.escape is Escape.NONE else csv.QUOTE_MINIMAL
        doublequote = form.escape is Escape.DOUBLED
        escapechar = "\\" if form.escape is Escape.BACKSLASH else None

    return Format


def _texts(file: Any, form: TextFileFormat) -> Iterator[bytes]:
    """Yield the file in UTF-8 below the lines that are skipped.

    Bytes that are no text become U+FFFD; a CR without LF a space, or a line end where the format
    says so.
    """
    decoder = codecs.getincrementaldecoder(form.encoding)("replace")
    skip, kept = form.skip, b""
    found = file.read(max(RUN, len(BOM))).removeprefix(BOM)
    last = False
    while not last:
        following = file.read(RUN)
        last = not following
        if decoder.getstate()[0] or not found.isascii():
            found = decoder.decode(found, final=last).encode()
        found, kept = kept + found, b""
        if found.endswith(b"\r") and not last:
            found, kept = found[:-1], b"\r"
        if b"\r" in found:
            found = _LONE_CR.sub(b"\n" if form.cr_ends_lines else b" ", found)
        while skip and found:
            _, end, found = found.partition(b"\n")
            skip -= len(end)
        if found:
            yield found
        found = following


def _at_least(size: int, texts: Iterator[bytes]) -> bytes:
    """Return the next texts, so many bytes or more: a long record is looked at seldom."""
    found = next(texts, b"")
    while len(found) < size and (more := next(texts, b"")):
        found += more
    return found


def _end_of_clean_records(run: bytes, form: TextFileFormat) -> int:
    """Return where the last record ends; 0 if there is none, or a mark is not where it should be.

    0 as well where a record is longer than a cell may be, or has something escaped.
    """
    if form.escape is Escape.BACKSLASH and b"\\" in run:
        return 0
    letters = np.frombuffer(run, np.uint8)
    ends = np.flatnonzero(letters == _LF)
    if form.escape is not Escape.NONE and b'"' in run:
        marks = np.flatnonzero(letters == _MARK)
        if not _are_clean(run, marks, form):
            return 0
        ends = ends[np.searchsorted(marks, ends) % 2 == 0]
    if not len(ends) or np.diff(ends, prepend=-1).max() > LONGEST_CELL:
        return 0
    return int(ends[-1]) + 1


def _are_clean(run: bytes, marks: np.ndarray, form: TextFileFormat) -> bool:
    """Tell whether every second mark opens a cell, and those between end one, or are doubled."""
    opening, closing = marks[::2], marks[1::2]
    around = np.frombuffer(b"\n" + run + b"\n", np.uint8)
    opens = np.isin(around[opening], (ord(form.delimiter), _LF))
    closes = np.isin(around[closing + 2], (ord(form.delimiter), _LF, _CR))
    if form.escape is Escape.DOUBLED:
        twins = np.flatnonzero(opening[1:] == closing[: len(opening) - 1] + 1)
        opens[twins + 1] = closes[twins] = True
    return bool(opens.all() and closes.all())


def parsed(
    run: bytes, form: TextFileFormat, *, most: int | None = None, at_end: bool = False
) -> tuple[Records, bytes]:
    """Return the cells of the records that end in a run, or the first of them, and what is left.

    ``csv`` says how many lines a record takes. Another line is added: a record that takes it, too,
    has not ended yet.
    """
    text = run.decode()
    lines, ends = io.StringIO(text[: text.rfind("\n") + 1]), text.count("\n")
    reader = csv.reader(chain(lines, () if at_end else ("end",)), csv_format(form))
    records: Records = []
    used = 0
    for cells in reader:
        if reader.line_num > ends:
            break
        end = lines.tell()
        if cells:
            is_too_long = len(text[used:end].encode()) > LONGEST_RECORD
            records.append(() if is_too_long else tuple(cells))
        used = end
        if len(records) == most:
            break
    return records, text[used:].encode()


def _in_short(record: bytes, form: TextFileFormat) -> bytes:
    """Return a short beginning of a record, behind which others end as behind this long one."""
    escaping = (len(record) - len(record.rstrip(b"\\"))) % 2 * (form.escape is Escape.BACKSLASH)
    record, kept = record[: len(record) - escaping], record[len(record) - escaping :]
    if not parsed(record + b"\n", form)[0]:
        return b'"' + kept
    opens = not parsed(record + b'"\n', form)[0]
    return (form.delimiter.encode() if opens else b"x") + kept
