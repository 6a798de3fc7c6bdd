"""Cells of a text file as numbers and as labels: each by itself, as the recipe's format says.

A cell is stripped of spaces; one of the format's tokens, or nothing, is a missing value. A number
is written with the format's decimal mark and, if it has one, its mark between groups of three
digits. What a cell means never depends on another cell.
"""

import re
from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from dpca_core.data.labels import Labels, labels_from_codes
from dpca_core.data.text_file_format import MINUS, TextFileFormat, between_thousands, pattern
from dpca_core.linalg.arrays import Array

_WORD = r"^[+-]?(?i:inf|infinity|nan)$"
"""What programs write for numbers that are none; all of them count as missing in a sum."""


class Numbers(NamedTuple):
    """Numbers (n,), NaN where one is missing, and which cells (n,) are neither."""

    values: Array
    wrong: np.ndarray


def tokens(form: TextFileFormat) -> list[str]:
    """All texts that stand for a missing value."""
    return list(dict.fromkeys(("", *form.missing)))


def stripped(cells: Any) -> Any:
    """Cells (an Arrow array of text) without spaces around them."""
    import pyarrow.compute as pc

    return pc.utf8_trim_whitespace(cells)


def is_missing(text: Any, form: TextFileFormat) -> Any:
    """Tell which stripped cells stand for a missing value."""
    import pyarrow as pa
    import pyarrow.compute as pc

    missing = pc.is_in(text, value_set=pa.array(tokens(form), pa.string()))
    return pc.or_(missing, pc.is_null(text))


def numbers_of(
    cells: Any, form: TextFileFormat, unit: str = "", codes: Collection[str] = ()
) -> Numbers:
    """Numbers of a column of text (an Arrow array or chunked array).

    A cell that is no number may be one followed by ``unit``; ``codes`` are further texts that stand
    for a missing value.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    text = stripped(cells)
    missing = is_missing(text, form)
    if codes:
        found = pc.is_in(text, value_set=pa.array(list(codes), pa.string()))
        missing = pc.or_(missing, pc.fill_null(found, fill_value=False))
    if unit:
        bare = pc.replace_substring_regex(text, rf"\s*{re.escape(unit)}$", "")
        text = pc.if_else(pc.match_substring_regex(text, pattern(form)), text, bare)
    good = pc.fill_null(pc.match_substring_regex(text, pattern(form)), fill_value=False)
    good = pc.and_not(good, missing)
    values = _cast(pc.if_else(good, _plain(text, form), None))
    word = pc.fill_null(pc.match_substring_regex(text, _WORD), fill_value=False)
    word = _numpy(pc.and_not(word, missing))
    if word.any():
        for place in np.flatnonzero(word):
            values[place] = float(text[int(place)].as_py())
    return Numbers(values, ~(_numpy(good) | word | _numpy(missing)))


def are_plain(cells: Any, form: TextFileFormat) -> bool:
    """Tell whether a column of text needs no more than Arrow's own conversion."""
    import pyarrow as pa
    import pyarrow.compute as pc

    text = pc.if_else(pc.is_in(cells, value_set=pa.array(tokens(form))), None, cells)
    if form.decimal == ",":
        if pc.any(pc.match_substring(text, ".")).as_py():
            return False
        text = pc.replace_substring(text, ",", ".")
    try:
        pc.cast(text, pa.float64())
    except pa.ArrowInvalid:
        return False
    return True


def are_numbers(cells: Any, form: TextFileFormat) -> np.ndarray:
    """Tell which cells (n,) of a column of text are numbers or missing."""
    import pyarrow.compute as pc

    text = stripped(cells)
    good = pc.match_substring_regex(text, f"{pattern(form)}|{_WORD}")
    return _numpy(pc.fill_null(pc.or_kleene(good, is_missing(text, form)), fill_value=True))


def _plain(text: Any, form: TextFileFormat) -> Any:
    """Numbers with a point for decimals and nothing between thousands."""
    import pyarrow.compute as pc

    text = pc.replace_substring_regex(text, between_thousands(form), "")
    text = pc.replace_substring(text, MINUS, "-")
    return pc.replace_substring(text, ",", ".") if "," in form.decimal else text


def _cast(text: Any) -> Array:
    """Texts that are numbers as numbers, correctly rounded; NaN for null."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        column = pc.cast(text, pa.float64())
    except pa.ArrowInvalid:
        # Whatever Arrow's own grammar may lack: Python's has all of the pattern's.
        read = (None if cell is None else float(cell) for cell in text.to_pylist())
        column = pa.array(list(read), pa.float64())
    return np.array(column.to_numpy(zero_copy_only=False), dtype=np.float64)


def _numpy(column: Any) -> np.ndarray:
    return np.asarray(column.to_numpy(zero_copy_only=False), dtype=bool)


def texts_of_cells(cells: Any, form: TextFileFormat) -> Any:
    """Return a column of text (an Arrow chunked array) stripped, missing ones as null."""
    import pyarrow.compute as pc

    text = stripped(cells)
    return pc.if_else(is_missing(text, form), None, text)


def labels_of(cells: Any, form: TextFileFormat) -> Labels:
    """Labels of a column: of an Arrow array or chunked array of text, or of its dictionary."""
    import pyarrow as pa
    import pyarrow.types as t

    if isinstance(cells, pa.ChunkedArray):
        cells = cells.combine_chunks()
    encoded = cells if t.is_dictionary(cells.type) else cells.dictionary_encode()
    missing = set(tokens(form))
    texts = [None if text in missing else text for text in stripped(encoded.dictionary).to_pylist()]
    return labels_from_codes(encoded.indices.fill_null(-1).to_numpy().astype(np.intp), texts)
