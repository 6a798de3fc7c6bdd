"""Lines of a text file: blocks of them, a header, and lines that are not as they should be.

A record is one physical line, ended by LF, CRLF or CR. A quotation mark reaches to the end of its
line at most, so that no row can swallow or move another one. A line of another width than the
header, one that does not close a quotation mark, and one that is longer than any line should be
are *bad*: a strict reader refuses them, a total one counts a row of missing values. A line of
nothing but spaces is no row.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from dpca_core.data.byte_text import text_of
from dpca_core.data.column_names import LONGEST_CELL
from dpca_core.data.errors import TableError

LONGEST_LINE = 2**22
"""Bytes of a line; of what is longer only the beginning is kept, and the line is bad."""
_END = re.compile(rb"\r\n|\r|\n")
_LETTER = re.compile(rb"[^ \t\r\n\f\v]")


class LineBlock(NamedTuple):
    """Whole lines, and the number of the first of them, from 1."""

    line: int
    content: bytes


class Header(NamedTuple):
    """First line that is not blank, with its end left off, and the blocks behind it."""

    line: int
    content: bytes
    rest: Iterator[LineBlock]


def blocks(read: Callable[[], bytes]) -> Iterator[bytes]:
    """Cut what is read into blocks that end with a line; a line too long loses its later part."""
    rest = b""
    while found := read():
        content = rest + found
        # A carriage return at the very end may be half of a line's end.
        end = max(content.rfind(b"\n"), content.rfind(b"\r", 0, len(content) - 1)) + 1
        rest = content[end:]
        if end:
            yield content[:end]
        if len(rest) > 2 * LONGEST_LINE:
            # What follows up to the line's end is left out; the line stays longer than allowed.
            rest = rest[: LONGEST_LINE + 1] + (b"\r" if rest.endswith(b"\r") else b"")
    if rest:
        yield rest + b"\n"


def find_header(name: str, parts: Iterable[bytes]) -> Header:
    """Find the header: the first line that is not blank.

    Raises
    ------
    TableError
        Where there is none, or it never ends.
    """
    line, parts = 1, iter(parts)
    for content in parts:
        start = 0
        while letter := _LETTER.search(content, start):
            ends = (content.rfind(end, start, letter.start()) for end in (b"\n", b"\r"))
            begin, end = max(start, max(ends) + 1), _END.search(content, letter.start())
            assert end is not None
            if end.start() - begin > LONGEST_LINE:
                raise TableError(f"{name} has no line break in its first 4 MB.")
            found = content[begin : end.start()]
            if found.decode("utf-8", "replace").strip():
                line += count_lines(content[:begin])
                after = content[end.end() :]
                rest = chain([after] if after else [], parts)
                return Header(line, found, numbered_blocks(line + 1, rest))
            start = end.end()
        line += count_lines(content)
    raise TableError(f"{name} is empty.")


def numbered_blocks(line: int, parts: Iterable[bytes]) -> Iterator[LineBlock]:
    """Yield blocks with the numbers of their first lines, from ``line``."""
    for content in parts:
        yield LineBlock(line, content)
        line += count_lines(content)


def count_lines(content: bytes) -> int:
    """How many line ends there are."""
    ends = content.count(b"\n")
    if b"\r" in content:
        ends += content.count(b"\r") - content.count(b"\r\n")
    return ends


def split_lines(content: bytes) -> list[bytes]:
    """Lines without their ends; the content ends with a line."""
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    lines = content.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines


def is_blank(line: bytes, delimiter: bytes) -> bool:
    """Tell whether a line is no row: nothing but spaces, and no delimiter."""
    return delimiter not in line and not line.decode("utf-8", "replace").strip()


class LineFields(NamedTuple):
    """Cells of one line, or why there are none: it leaves a quotation open, or is too long."""

    cells: list[str]
    open: bool = False
    long: bool = False


def split_fields(line: bytes, delimiter: str) -> LineFields:
    """Split one line at its delimiters, outside of quotes."""
    if len(line) > LONGEST_LINE:
        return LineFields([], long=True)
    text = text_of(line)
    # A second line is asked for only where the first one leaves a quotation open.
    reader = csv.reader(iter((text, "")), delimiter=delimiter, skipinitialspace=True)
    try:
        cells = next(reader, [])
    except csv.Error:
        return LineFields([], long=True)
    if reader.line_num > 1:
        return LineFields([], open=True)
    return LineFields(cells, long=max(map(len, cells), default=0) > LONGEST_CELL)


def normalised_lines(content: bytes, delimiter: str, width: int, refuse: "Refuse | None") -> bytes:
    """Rewrite lines so that any reader of separated values gives the same rows for them.

    Blank lines go, lines with quotes are quoted in full, and bytes that are no text become letters
    (``text_of``).
    Bad lines become rows of missing values, or are refused.

    Parameters
    ----------
    refuse
        Called with the place of a bad line and its fields: it raises. None to refuse nothing.

    Raises
    ------
    UnicodeDecodeError
        For bytes that are no text, where bad lines are refused.
    """
    mark, quote, plain_text = delimiter.encode(), '"', content.isascii()
    if refuse is not None:
        content.decode()
    missing = mark * (width - 1) if width > 1 else b'""'
    out = []
    for place, line in enumerate(split_lines(content)):
        plain = b'"' not in line and len(line) <= LONGEST_CELL
        if plain and width > 1 and line.count(mark) == width - 1:
            out.append(line if plain_text else text_of(line).encode())
            continue
        if len(line) <= LONGEST_LINE and is_blank(line, mark):
            continue
        found = split_fields(line, delimiter)
        if found.open or found.long or len(found.cells) != width:
            if refuse is not None:
                refuse(place, found)
            out.append(missing)
            continue
        cells = (cell.replace(quote, quote + quote) for cell in found.cells)
        out.append(delimiter.join(f"{quote}{cell}{quote}" for cell in cells).encode())
    out.append(b"")
    return b"\n".join(out)


Refuse = Callable[[int, LineFields], None]
