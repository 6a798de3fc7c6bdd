"""Numbers of a codebook as text: with a decimal point, finite, or not at all."""

import re
from math import isfinite

_NUMBER = re.compile(r"[+-]?(\d{1,400}(\.\d{0,400})?|\.\d{1,400})(e[+-]?\d{1,5})?", re.IGNORECASE)
_COULD_BE_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+")


def number_text(text: str, decimal: str = "", thousands: str = "") -> str | None:
    """Return a number as a draft writes it, "12.5"; None for what is no finite number.

    Parameters
    ----------
    decimal, thousands
        Marks where they are known; the latter stands between whole groups of three digits only.
        Without them "12,5" is 12.5, and "1,234" is None: it could be 1.234 or 1234.
    """
    plain = "".join(text.split()).replace("−", "-")
    if thousands and thousands != decimal and _are_whole(plain, decimal or ".", thousands):
        plain = plain.replace(thousands, "")
    if decimal and decimal != ".":
        plain = plain.replace(decimal, ".")
    elif not decimal and plain.count(",") == 1 and not _COULD_BE_THOUSANDS.fullmatch(plain):
        plain = plain.replace(",", ".")
    if not (plain.isascii() and _NUMBER.fullmatch(plain)):
        return None
    return plain.removeprefix("+") if isfinite(float(plain)) else None


def _are_whole(number: str, decimal: str, thousands: str) -> bool:
    """Tell whether a mark stands between groups of three digits alone: not so in 99.9."""
    groups = rf"[+-]?[1-9]\d{{0,2}}(?:{re.escape(thousands)}\d{{3}})+"
    return re.fullmatch(rf"{groups}(?:{re.escape(decimal)}\d*)?", number, re.ASCII) is not None
