"""Files that are no tables, by how they begin: archives, workbooks, pictures, web pages."""

import re

from dpca_core.data.errors import TableError

_BYTES = {
    b"\x1f\x8b": "compressed twice",
    b"PAR1": "a compressed Parquet file",
    b"PK\x03\x04": "a zip archive or an Excel workbook",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"%PDF-": "a PDF document",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"BZh91AY&SY": "compressed with bzip2",
    b"\xfd7zXZ": "compressed with xz",
    b"\x28\xb5\x2f\xfd": "compressed with Zstandard",
    b"ARROW1": "an Arrow file",
    b"SQLite format 3": "a database",
}
_TEXT = {
    re.compile(r"(\{\s*([\"}]|$)|\[\s*([\[{]|$))"): "JSON",
    re.compile(r"<(!doctype|html|\?xml)", re.IGNORECASE): "a web page or XML",
}


def refuse_foreign_bytes(name: str, content: bytes) -> None:
    """Raise ``TableError`` for bytes that are known to be something else."""
    for beginning, kind in _BYTES.items():
        if content.startswith(beginning):
            raise _foreign(name, kind)


def refuse_foreign_text(name: str, text: str) -> None:
    """Raise ``TableError`` for a first line that is known to be of something else."""
    begin = len(text) - len(text.lstrip())
    for pattern, kind in _TEXT.items():
        if pattern.match(text, begin):
            raise _foreign(name, kind)


def _foreign(name: str, kind: str) -> TableError:
    return TableError(
        f"{name} is {kind}, which is not read: save the table as CSV and upload that."
    )
