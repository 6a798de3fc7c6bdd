"""What is looked at before a file is read: whether it is UTF-8, and whether it has a header."""

import codecs
import re
from collections.abc import Callable, Sequence
from itertools import pairwise

from dpca_core.detection import PATTERNS

WESTERN = "cp1252"
"""Windows' Western European encoding: a byte is a letter."""
_NUMBER = re.compile(r"[-+]?[\d.,]*\d(e[-+]?\d+)?", re.IGNORECASE)
_BYTES, _SHOWN = 2**20, 30
"""Bytes read at a time; letters shown of a line before and behind its first foreign one."""
_LIKE_DATA = 0.2
"""Share of names that are numbers or dates, from which on a header looks like data."""


def first_foreign_line(read: Callable[[int], bytes]) -> str | None:
    """Return the first line that is no UTF-8, as Western European text; None where all is UTF-8.

    Of a long line the part around its first foreign letter. UTF-16 is left to the reader, which
    refuses it. ``read`` gives at most so many further bytes of the file, and none at its end.
    """
    decoder, before, block = codecs.getincrementaldecoder("utf-8")(), b"", b"\n"
    while block:
        block = read(_BYTES)
        if not before and block.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return None
        try:
            decoder.decode(block, final=not block)
        except UnicodeDecodeError as error:
            content = before + error.object
            place = len(before) + error.start
            begin = re.split(rb"[\r\n]", content[max(0, place - _SHOWN) : place])[-1]
            end = re.split(rb"[\r\n]", content[place : place + _SHOWN], maxsplit=1)[0]
            return (begin + end).decode(WESTERN, "replace").strip()
        before = (before + block).removesuffix(decoder.getstate()[0])[-_SHOWN:]
    return None


def looks_like_data(names: Sequence[str]) -> bool:
    """Tell whether a header looks like a row: several of its cells are numbers or dates.

    Columns that are called 0, 1, 2, … or by years are named, although by numbers.
    """
    found = [
        n.strip()
        for n in names
        if _NUMBER.fullmatch(n.strip()) or PATTERNS["date"].fullmatch(n.strip())
    ]
    if not found or len(found) < _LIKE_DATA * len(names):
        return False
    if len(found) < 2 or not all(cell.isascii() and cell.isdigit() for cell in found):
        return True
    return any(int(b[:18]) - int(a[:18]) != 1 for a, b in pairwise(found))
