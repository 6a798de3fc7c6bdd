"""What is looked at before a file is read: whether it is UTF-8, and whether it has a header."""

import codecs
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise

from dpca_core.detection import PATTERNS

WESTERN = "cp1252"
"""Windows' Western European encoding: a byte is a letter."""
_NUMBER = re.compile(r"[-+]?[\d.,]*\d(e[-+]?\d+)?", re.IGNORECASE)
_BYTES = 2**20
"""Read at a time."""
_LIKE_DATA = 0.2
"""Share of names that are numbers or dates, from which on a header looks like data."""


def is_utf8(read: Callable[[int], bytes]) -> bool:
    """Tell whether a file is UTF-8; UTF-16 is left to the reader, which refuses it."""
    decoder, block = codecs.getincrementaldecoder("utf-8")(), read(_BYTES)
    if block.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return True
    with suppress(UnicodeDecodeError):
        while block:
            decoder.decode(block)
            block = read(_BYTES)
        decoder.decode(b"", final=True)
        return True
    return False


def looks_like_data(names: Sequence[str]) -> bool:
    """Tell whether a header looks like a row: of numbers or dates, but not 0, 1, 2, … or years."""
    cells = map(str.strip, names)
    found = [c for c in cells if _NUMBER.fullmatch(c) or PATTERNS["date"].fullmatch(c)]
    if not found or len(found) < _LIKE_DATA * len(names):
        return False
    if len(found) < 2 or not all(cell.isascii() and cell.isdigit() for cell in found):
        return True
    return any(int(b[:18]) - int(a[:18]) != 1 for a, b in pairwise(found))
