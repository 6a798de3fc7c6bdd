"""Whether a file is UTF-8 and, where it is not, how it would read in another encoding."""

import codecs
from functools import partial

from dpca_core.readers.csv_lines import blocks
from dpca_core.readers.file_access import Upload
from dpca_core.readers.gzip_unpacking import FileBytes

WESTERN = "cp1252"
"""Windows' Western European encoding: a byte is a letter."""
_BYTES, _LONGEST = 2**20, 60
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def first_foreign_line(upload: Upload) -> str | None:
    """Return the first line that is no UTF-8, as Western European text; None where all is UTF-8.

    Of a long line the part around its first foreign letter. UTF-16, and whatever holds a zero byte,
    is left to the reader, which refuses it.

    Raises
    ------
    TableError
        For a damaged gzip file, or one too large.
    """
    with FileBytes(upload) as content:
        for block in blocks(partial(content.read, _BYTES)):
            if block.startswith(_UTF_16) or b"\0" in block:
                return None
            try:
                block.decode()
            except UnicodeDecodeError as error:
                return _line_around(block, error.start)
    return None


def _line_around(content: bytes, place: int) -> str:
    """Return the line at a place as text, at most so long; the content ends with a line."""
    begin = max(content.rfind(b"\n", 0, place), content.rfind(b"\r", 0, place)) + 1
    ends = (content.find(b"\n", place), content.find(b"\r", place), len(content))
    end = min(end for end in ends if end >= 0)
    begin = max(begin, min(place - _LONGEST // 2, end - _LONGEST))
    return content[begin : min(end, begin + _LONGEST)].decode(WESTERN, "replace").strip()
