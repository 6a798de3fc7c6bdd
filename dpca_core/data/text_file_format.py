"""How a text file is written: its separator, its marks in numbers, its encoding."""

import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from math import isfinite

from dpca_core.data.column_names import MAX_COLUMNS
from dpca_core.data.errors import refused

BLANK = ("", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None", "?", "-")
SEPARATORS = ",;\t|"
ENCODINGS = ("utf-8", "cp1252", "latin-1")
"""Letters begin where they begin, so that a damaged row moves no other one; not so in UTF-16."""
EITHER = ".,"
"""Decimal sign of a file in which some columns have points and some have commas."""
MOST_SKIPPED = 1000
DECIMALS = (".", ",", EITHER)
_EXPONENT = r"(?:[eE][+-]?\d+)?"
_SPACES = " \u00a0\u2007\u2009\u202f"
"""Between groups of three digits each of them is read, whatever a format's own mark is."""
THOUSANDS = ("", ",", ".", "'", "’", *_SPACES, "_")
MINUS = "−"
"""The typographic sign; a hyphen is the usual one."""
ADDED = {"added": True}
"""Marks fields that came later, so that files without them can be read (``strict_json``)."""


class Escape(StrEnum):
    """How a quotation mark inside a quoted cell is written; with ``NONE`` a record is a line."""

    DOUBLED = "doubled"
    BACKSLASH = "backslash"
    NONE = "none"


@dataclass(frozen=True)
class TextFileFormat:
    """How a text file is written; a choice like any other, never decided again from the rows.

    Cells of numbers have a point or a comma as ``decimal``, with ``EITHER`` one of them, and
    ``thousands`` between groups of three digits. Texts in ``missing`` stand for a missing value,
    beside an empty cell. ``unnamed`` columns c1, c2, … have a first line that is a row already,
    below ``skip`` lines. A ``typed`` file says itself which cells are numbers, as a workbook does.
    """

    delimiter: str = ","
    decimal: str = "."
    thousands: str = ""
    encoding: str = "utf-8"
    missing: tuple[str, ...] = BLANK
    unnamed: int = 0
    escape: Escape = field(default=Escape.DOUBLED, metadata=ADDED)
    cr_ends_lines: bool = field(default=False, metadata=ADDED)
    skip: int = field(default=0, metadata=ADDED)
    sheet: str = field(default="", metadata=ADDED)
    typed: bool = field(default=False, metadata=ADDED)


def require_valid_format(form: TextFileFormat) -> None:
    """Refuse marks that are none or cannot be told apart, and what no reader could follow."""
    grouped = form.thousands in THOUSANDS and not (
        form.thousands and form.thousands in form.decimal
    )
    for sound, sentence, most in (
        (len(form.delimiter) == 1 and form.delimiter in SEPARATORS, "separator", 0),
        (form.decimal in DECIMALS, "decimal", 0),
        (grouped, "thousands", 0),
        (not form.encoding.lower().replace("_", "-").startswith("utf-16"), "utf_16", 0),
        (form.encoding in ENCODINGS, "encoding", 0),
        (0 <= form.skip <= MOST_SKIPPED, "skip", MOST_SKIPPED),
        (0 <= form.unnamed <= MAX_COLUMNS, "unnamed", MAX_COLUMNS),
    ):
        if not sound:
            raise refused(sentence, most=most, known=", ".join(ENCODINGS))


@cache
def pattern(form: TextFileFormat) -> str:
    """Return what a whole cell must match to be a number, as a regular expression."""
    point = f"[{form.decimal}]"
    plain = rf"(?:\d+(?:{point}\d*)?|{point}\d+){_EXPONENT}"
    marks = [f"[{_SPACES}]", *([re.escape(form.thousands)] if form.thousands else [])]
    groups = "|".join(rf"(?:{mark}\d{{3}})+" for mark in marks)
    return rf"^[+{MINUS}-]?(?:{plain}|[1-9]\d{{0,2}}(?:{groups})(?:{point}\d*)?)$"


def between_thousands(form: TextFileFormat) -> str:
    """Return what goes from a number that matches ``pattern``, as a regular expression."""
    return f"[{_SPACES}{re.escape(form.thousands)}]"


def parsed(text: str, form: TextFileFormat) -> float | None:
    """Return a number written as a cell of this format is; None for what is no finite number."""
    plain = text.strip()
    if not re.fullmatch(pattern(form), plain, re.ASCII):
        return None
    plain = re.sub(between_thousands(form), "", plain)
    for mark in form.decimal:
        plain = plain.replace(mark, ".")
    value = float(plain.replace(MINUS, "-"))
    return value if isfinite(value) else None


_FIGURE = r"(?:\d+(?:[.,'’]\d+)*[.,]?|[.,]\d+)(?:e[+-]?\d+)?"
_NUMBER = re.compile(rf"[+-]?{_FIGURE}", re.IGNORECASE)
_UNIT_BEHIND = re.compile(
    rf"([+-]?{_FIGURE})\s*([^\d\s.,;:+()/-][^\d,;:]{{0,14}}[²³]?\d?)", re.IGNORECASE
)
_CURRENCY = "[$€£¥₹]|US\\$|(?:USD|EUR|GBP|CHF|JPY|CNY|INR|SEK|NOK|DKK|PLN|CZK|AUD|CAD|NZD|BRL)\\b"
_UNIT_BEFORE = re.compile(rf"([+-]?)\s*({_CURRENCY})\s*([+-]?{_FIGURE})")
_SPACE_IN_NUMBER = re.compile(rf"(?<=\d)[{_SPACES}](?=\d{{3}}(?!\d))")


def number_and_unit(text: str) -> tuple[str, str] | None:
    """Return a number and the unit behind it, or a currency before it; None for what is no number.

    Points and commas stay, spaces between thousands go, and a minus sign is a hyphen.
    """
    if not text.isascii() or " " in text:
        text = _SPACE_IN_NUMBER.sub("", text.replace(MINUS, "-"))
    if _NUMBER.fullmatch(text):
        return text, ""
    if found := _UNIT_BEHIND.fullmatch(text):
        return found[1], found[2].strip()
    if found := _UNIT_BEFORE.fullmatch(text):
        return found[1] + found[3], found[2]
    return None
