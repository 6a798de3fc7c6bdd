"""Numbers as they are typed, in the way in which the owner's file is written.

In a file with decimal commas ``10.000`` is ten thousand and ``2,5`` is two and a half; in one with
decimal points ``10.000`` is ten. A draft's cells are written as its file is.
"""

import re
from math import isfinite

from dpca_core.data.text_file_format import TextFileFormat

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_TWO_READINGS = re.compile(r"[+-]?[1-9]\d{0,2}(?:[.,]\d{3})+(?:[.,]\d*)?", re.ASCII)
MINUS = "\u2212"
POINT = TextFileFormat()
"""With a decimal point, and nothing between thousands."""


def parsed_number(text: str, form: TextFileFormat = POINT) -> float | None:
    """Return the finite number that a text is, written as a file is; None for any other.

    A typographic minus is one too. Digits in groups are a number only where the file groups them
    so: they are written differently from country to country. A decimal point that cannot stand
    between thousands is one in every file: ``10.5``.
    """
    plain = with_decimal_point(text, form)
    if not _NUMBER.fullmatch(plain):
        return None
    number = float(plain)
    return number if isfinite(number) else None


def with_decimal_point(text: str, form: TextFileFormat) -> str:
    """Write a number with a decimal point and without groups; what is no number stays."""
    plain = text.strip().replace(MINUS, "-")
    between = form.thousands + ("." if form.decimal == "," else "")
    if between:
        groups = rf"[+-]?[1-9]\d{{0,2}}(?:[{re.escape(between)}]\d{{3}})+"
        tail = rf"(?:[{re.escape(form.decimal)}]\d*)?"
        if re.fullmatch(groups + tail, plain, re.ASCII):
            plain = re.sub(f"[{re.escape(between)}]", "", plain)
    if "," in form.decimal and plain.count(",") == 1 and "." not in plain:
        return plain.replace(",", ".")
    return plain


def written_as(text: str, before: TextFileFormat, form: TextFileFormat) -> str:
    """Write a number of one file as another one does; what is read alike, or is none, stays."""
    number = parsed_number(text, before)
    if number is None or parsed_number(text, form) == number:
        return text
    plain = with_decimal_point(text, before)
    return plain.replace(".", ",") if form.decimal == "," else plain


def read_otherwise(text: str, form: TextFileFormat) -> str:
    """Say what a text is read as that means another number elsewhere; "" for all others."""
    number, typed = parsed_number(text, form), text.strip().replace(MINUS, "-")
    if number is None or not _TWO_READINGS.fullmatch(typed) or f"{number:.15g}" == typed:
        return ""
    return f"{text.strip()} is read as {number:.15g}"
