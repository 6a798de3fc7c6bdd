"""Text that a spreadsheet shows as it is, and never computes."""

import re
from collections.abc import Iterable, Sequence
from math import isfinite

FORMULA_MARKS = ("=", "+", "-", "@", "＝", "＋", "－", "＠")
"""What a spreadsheet takes for the beginning of a formula."""
DIGITS = 7
"""Of a number: as many as single precision has."""
LARGEST_WHOLE = 1e21
"""Whole numbers below it are written in full."""

_OPENS = re.compile(rf"(^|[,;:|\t])([\s\"']*)(?=[{re.escape(''.join(FORMULA_MARKS))}])")
_SPLITS = re.compile(r"""[",;:|#'\t]""")


def neutralise_formulas(text: str) -> str:
    """Put a text on one line, and an apostrophe before whatever a spreadsheet would compute."""
    return _OPENS.sub(r"\1\2'", " ".join(text.splitlines()).strip())


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Write rows of texts, numbers and None as CSV, in which nothing opens a formula.

    Whatever could split a line is quoted, whichever separator a program looks for. None, and a
    number that is not finite, are empty cells.
    """
    return "".join(",".join(map(_cell, row)) + "\n" for row in rows)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        text = neutralise_formulas(value)
        quoted = text.replace('"', '""')
        return f'"{quoted}"' if _SPLITS.search(text) else text
    number = float(value)  # type: ignore[arg-type]
    if not isfinite(number):
        return ""
    whole = number.is_integer() and abs(number) < LARGEST_WHOLE
    return str(int(number)) if whole else f"{number:.{DIGITS}g}"
