"""Ranges so wide that they are hardly what a column's values are: limits of a form for entries."""

import re

from ui.owner.column import Column, Use
from ui.owner.draft_errors import parsed_number

TIMES_TYPICAL = 50
"""A range is very wide where it is more than so many times the typical value."""
_ALL_NINES = re.compile(r"9{3,}(\.0*|\.9+)?")
"""As forms have it where nobody thought of an end: 999, 9999.99."""


def is_very_wide(column: Column) -> bool:
    """Tell whether a number's range is far wider than its typical value.

    Without a typical value the one sign is an upper end of nines. A typical value of 0 says
    nothing of the width.
    """
    if column.use is not Use.NUMBER:
        return False
    low, typical, high = (
        parsed_number(cell.text) for cell in (column.low, column.typical, column.high)
    )
    if low is None or high is None:
        return False
    if typical is None:
        return _ALL_NINES.fullmatch(column.high.text.strip()) is not None
    return bool(typical) and high / TIMES_TYPICAL - low / TIMES_TYPICAL > abs(typical)
