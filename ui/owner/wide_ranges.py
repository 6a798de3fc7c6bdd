"""Ranges so wide that they are hardly what a column's values are: limits of a form for entries."""

import re

from dpca_core.data.text_file_format import TextFileFormat
from ui.owner.column import Column, Use
from ui.owner.typed_numbers import POINT, parsed_number, with_decimal_point

TIMES_TYPICAL = 50
"""A range is very wide where it is more than so many times the typical value."""
_ALL_NINES = re.compile(r"9{3,}(\.0*|\.9+)?")
"""As forms have it where nobody thought of an end: 999, 9999.99."""


def is_very_wide(column: Column, form: TextFileFormat = POINT) -> bool:
    """Tell whether a number's range is far wider than its typical value.

    Without a typical value the one sign is an upper end of nines. A typical value of 0 says
    nothing of the width.

    Parameters
    ----------
    form
        How its numbers are written: as in the file.
    """
    if column.use is not Use.NUMBER:
        return False
    low, typical, high = (
        parsed_number(column[name].text, form) for name in ("low", "typical", "high")
    )
    if low is None or high is None:
        return False
    if typical is None:
        return _ALL_NINES.fullmatch(with_decimal_point(column["high"].text, form)) is not None
    return bool(typical) and high / TIMES_TYPICAL - low / TIMES_TYPICAL > abs(typical)
