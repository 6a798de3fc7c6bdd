"""Whether the first line of a file names its columns, or is a row already: a question, no more."""

import re
from collections.abc import Sequence
from itertools import pairwise

from dpca_core.data.column_names import NUMBER_LIKE
from dpca_core.detection.text_patterns import DATE

LIKE_DATA = 0.2
"""Share of names that are numbers or dates, from which on the first line looks like data."""
_DATE = re.compile(DATE)


def looks_like_data(names: Sequence[str]) -> bool:
    """Tell whether the first line looks like a row: several of its cells are numbers or dates.

    Columns that are called 0, 1, 2, … or by years are named, although by numbers.
    """
    cells = [name.strip() for name in names]
    found = [cell for cell in cells if NUMBER_LIKE.fullmatch(cell) or _DATE.match(cell)]
    if not found or len(found) < LIKE_DATA * len(cells):
        return False
    return not _are_consecutive(found)


def _are_consecutive(cells: Sequence[str]) -> bool:
    """Tell whether they are whole numbers, each one more than the last."""
    if len(cells) < 2 or not all(cell.isascii() and cell.isdigit() for cell in cells):
        return False
    numbers = [int(cell[:18]) for cell in cells]
    return all(b - a == 1 for a, b in pairwise(numbers))
