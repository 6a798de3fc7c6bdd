"""A codebook's bytes as text, and the lines of a separated one."""

import csv
import io
from collections.abc import Iterator

from dpca_core.codebooks.codebook import CodebookError
from dpca_core.data.text_file_format import SEPARATORS

LARGEST = 5_000_000
"""Bytes of a codebook; a table's own file is mostly longer."""


def text_of_codebook(content: bytes) -> str:
    """Return the text of a file: UTF-8, UTF-16 where it begins so, else Windows-1252.

    Raises
    ------
    CodebookError
        For a file that is empty, too long, or no text.
    """
    if len(content) > LARGEST:
        raise CodebookError(
            f"This file is longer than {LARGEST // 1_000_000} MB: is it the table itself? A "
            "codebook has one line for each column."
        )
    if content.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise CodebookError("This is an Excel or zip file: save the sheet as CSV UTF-8.")
    for encoding in _encodings(content):
        try:
            text = content.decode(encoding)
            break
        except UnicodeDecodeError:
            continue
    if "\0" in text or content.startswith(b"%PDF"):
        raise CodebookError("This file is not text: save the codebook as CSV, JSON or YAML.")
    if not text.strip():
        raise CodebookError("This codebook is empty.")
    return text


def _encodings(content: bytes) -> tuple[str, ...]:
    """Encodings to try; the last takes any bytes."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16", "latin-1"
    return "utf-8-sig", "cp1252", "latin-1"


def separated_lines(text: str) -> Iterator[list[str]]:
    """Yield the cells of each line that holds any, separated as the first line is.

    Raises
    ------
    CodebookError
        For a cell longer than the reader takes.
    """
    first = next(line for line in text.splitlines() if line.strip())
    unquoted = "".join(first.split('"')[::2])
    separator = max(SEPARATORS, key=unquoted.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield [cell.strip() for cell in cells]
    except csv.Error as wrong:
        raise CodebookError(
            f"Line {reader.line_num} of this codebook cannot be read as CSV: look for a quotation "
            "mark that is not closed."
        ) from wrong
