"""What is looked at before a file is read: whether it is UTF-8, and whether it has a header."""

import codecs
import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from dpca_core.detection.columns import DATE

WESTERN = "cp1252"
"""Windows' Western European encoding: a byte is a letter."""
_NUMBER = re.compile(r"[-+]?[\d.,]*\d(e[-+]?\d+)?", re.IGNORECASE)
_BYTES, _LONGEST = 2**20, 60
_LIKE_DATA = 0.2
"""Share of names that are numbers or dates, from which on a header looks like data."""


def first_foreign_line(read: Callable[[int], bytes]) -> str | None:
    """Return the first line that is no UTF-8, as Western European text; None where all is UTF-8.

    Of a long line the part around its first foreign letter. UTF-16 is left to the reader, which
    refuses it.

    Parameters
    ----------
    read
        Gives at most so many further bytes of the file, unpacked, and none at its end.
    """
    before, rest = b"", b""
    while more := read(_BYTES):
        block, rest = rest + more, b""
        if not before and block[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
            return None
        try:
            block.decode()
        except UnicodeDecodeError as error:
            if error.end < len(block) or error.reason != "unexpected end of data":
                return _line_around(before + block, len(before) + error.start)
            rest = block[error.start :]
        before = (before + block.removesuffix(rest))[-_LONGEST:]
    return _line_around(before + rest, len(before)) if rest else None


def _line_around(content: bytes, place: int) -> str:
    """Return the line at a place as text, at most so long."""
    begin = max(content.rfind(mark, 0, place) for mark in (b"\n", b"\r")) + 1
    end = place + len(re.split(rb"[\r\n]", content[place:], maxsplit=1)[0])
    begin = max(begin, min(place - _LONGEST // 2, end - _LONGEST))
    return content[begin : min(end, begin + _LONGEST)].decode(WESTERN, "replace").strip()


def looks_like_data(names: Sequence[str]) -> bool:
    """Tell whether a header looks like a row: several of its cells are numbers or dates.

    Columns that are called 0, 1, 2, … or by years are named, although by numbers.
    """
    found = [n.strip() for n in names if _NUMBER.fullmatch(n.strip()) or DATE.fullmatch(n.strip())]
    if not found or len(found) < _LIKE_DATA * len(names):
        return False
    if len(found) < 2 or not all(cell.isascii() and cell.isdigit() for cell in found):
        return True
    return any(int(b[:18]) - int(a[:18]) != 1 for a, b in pairwise(found))
