"""Regular expressions for what a cell of text may be: a date, a number with a unit, a code.

For Arrow's matcher, which knows no look-around. Every one describes a whole cell, without spaces at
its ends.
"""

import re

_CLOCK = r"\d{1,2}:\d{2}(:\d{2}([.,]\d+)?)?( ?[AaPp][Mm])?"
_ZONE = r"( ?(Z|UTC|[+-]\d{2}:?\d{2}))?"
_MONTH = r"(0?[1-9]|1[0-2])"
_DAY = r"(0?[1-9]|[12]\d|3[01])"
_YEAR = r"(1[6-9]|20|21)\d{2}"
_NAMED = r"(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mai|okt|dez|mär)[a-zäé]*\.?"
_DATE = "|".join(
    (
        rf"{_YEAR}[-/.]{_MONTH}([-/.]{_DAY})?",
        rf"{_DAY}[-/.]{_MONTH}[-/.]({_YEAR}|\d{{2}})",
        rf"{_MONTH}[-/]{_DAY}[-/]({_YEAR}|\d{{2}})",
        rf"{_DAY}\.?[- ]?{_NAMED}[- ,]*({_YEAR}|\d{{2}})",
        rf"{_NAMED} {_DAY},? {_YEAR}",
    )
)
DATE = rf"^({_DATE})([T ,]+{_CLOCK}{_ZONE})?$"
"""Dates as ISO writes them, day.month.year, month/day/year, with a month's name; with a time."""

TIME = rf"^{_CLOCK}$"

EIGHT_DIGIT_DATE = r"^(1[89]|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$"
"""Year, month and day without anything between them."""

EMAIL = r"^[^@\s]+@[^@\s.]+(\.[^@\s.]+)+$"
PHONE = r"^(\+|00)?[(]?\d{1,5}[)]?([ ./-]?[(]?\d{1,5}[)]?){2,5}$"
"""Groups of digits; ``is_phone`` asks for more."""
_SIGN_OF_A_PHONE = r"^(\+|00|\()|\d[ ./-]\(?\d"

CODED = r"^[A-Za-z]+[A-Za-z_/:. -]{0,20}\d{3,}[A-Za-z0-9_/:-]*$|^\d+[A-Za-z]+[-_/]?\d{3,}$"
"""Letters and at least three digits in a row: P00123, 23-A0042."""
HEXADECIMAL = r"^[{]?[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}[0-9a-fA-F-]*[}]?$"
"""16 or more hexadecimal digits."""

DIGITS = r"^\d+$"
LEADING_ZERO = r"^0\d+$"

DIAGNOSIS = r"^[A-TV-Za-tv-z]\d[0-9A-Za-z](\.?[0-9A-Za-z]{1,4})?[*+†!]?$"
"""A code of ICD-10 or ICD-10-CM."""
DIAGNOSIS_WITH_DOT = r"^[A-TV-Za-tv-z]\d[0-9A-Za-z]\.[0-9A-Za-z]{1,4}[*+†!]?$"

_PLAIN = r"[+-]?(\d+([.,]\d+)*|[.,]\d+)([eE][+-]?\d+)?"
WITH_COMMA = r"^[+-]?(\d+([.,]\d+)*|[.,]\d+)([eE][+-]?\d+)?$"
"""A number with whatever points and commas."""
DIGIT_COMMA = r"\d,\d|^[+-]?,\d"
WITH_UNIT = rf"^{_PLAIN}\s*[^\d\s.,;:+()/-][^\d,;:]{{0,14}}[²³]?[0-9]?$"
"""A number, then a unit: 7.1 %, 120mmHg, 26 kg/m2."""
_SPLIT_UNIT = re.compile(rf"^({_PLAIN})\s*(.*)$")


def unit_of(text: str) -> str:
    """Return what stands behind the number of a cell that matches ``WITH_UNIT``."""
    found = _SPLIT_UNIT.match(text)
    return found[5].strip() if found else ""


def is_phone(text: str) -> bool:
    """Tell whether digits in groups are written as a phone number is: 7 to 15 of them."""
    digits = sum(sign.isdigit() for sign in text)
    grouped_by_three = re.fullmatch(r"\d{1,3}([ .']\d{3})+", text)
    written = re.search(_SIGN_OF_A_PHONE, text)
    return 7 <= digits <= 15 and bool(written) and not grouped_by_three
