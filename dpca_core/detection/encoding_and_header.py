"""What is looked at before a file is read: its encoding, and whether it has a header."""

import codecs
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import pairwise

from dpca_core.detection import PATTERNS

_NUMBER = re.compile(r"[-+]?[\d.,]*\d(e[-+]?\d+)?", re.IGNORECASE)
_BYTES = 2**20
"""Read at a time."""
_LIKE_DATA = 0.2
"""Share of names that are numbers or dates, from which on a header looks like data."""


def proposed_encoding(read: Callable[[int], bytes]) -> str:
    """Propose UTF-8, or Windows' Western European encoding, in which any byte is a letter.

    UTF-16 is left to the reader, which refuses it.
    """
    decoder, block = codecs.getincrementaldecoder("utf-8")(), read(_BYTES)
    if block.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-8"
    with suppress(UnicodeDecodeError):
        while block:
            decoder.decode(block)
            block = read(_BYTES)
        decoder.decode(b"", final=True)
        return "utf-8"
    return "cp1252"


def looks_like_data(names: Sequence[str]) -> bool:
    """Tell whether a header looks like a row: of numbers or dates, but not 0, 1, 2, … or years."""
    cells = map(str.strip, names)
    found = [c for c in cells if _NUMBER.fullmatch(c) or PATTERNS["date"].fullmatch(c)]
    if not found or len(found) < _LIKE_DATA * len(names):
        return False
    if len(found) < 2 or not all(cell.isascii() and cell.isdigit() for cell in found):
        return True
    return any(int(b[:18]) - int(a[:18]) != 1 for a, b in pairwise(found))
