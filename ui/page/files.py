"""The mark on every file that is computed from the true data, wherever the file is made.

The browser makes files of the charts it shows (``static/page/files.js``) with this mark; texts and
pages that Python makes get it here. What is to be published, *Release* makes.
"""

import re
from collections.abc import Iterable, Sequence
from math import isfinite

from dpca_core.text.spreadsheets import neutralise_formulas

NOT_PRIVATE = "Not private: computed from the true data"
DIGITS, LARGEST_WHOLE = 7, 1e21
"""Of a number: as many as single precision has; whole ones below the other are written in full."""
_SPLITS = re.compile(r"""[",;:|#'\t]""")


def marked_text(text: str) -> str:
    """Return a CSV file or a script whose first line says that it is not private."""
    return f"# {NOT_PRIVATE}\n{text}"


def marked_page(page: str) -> str:
    """Return an HTML page that says that it is not private, where it is read and in its source."""
    head, body, rest = page.partition("<body>")
    start = f"<!-- {NOT_PRIVATE} -->\n{head}{body}"
    return f"{start}<p><strong>{NOT_PRIVATE}</strong></p>{rest}"


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
