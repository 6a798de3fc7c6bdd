"""Numbers and lists as they are typed, in the way in which the owner's file is written.

In a file with decimal commas ``10.000`` is ten thousand and ``2,5`` is two and a half; in one with
decimal points ``10.000`` is ten. A draft's cells are written as its file is. Between the values of
a list stand semicolons, or commas where no semicolon does; in a file with decimal commas a comma
between two digits is a decimal one: ``0,5, 1,5`` are two values.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from dpca_core.data.text_file_format import MINUS, TextFileFormat, parsed

POINT = TextFileFormat()
_TWO_READINGS = re.compile(r"[+-]?[1-9]\d{0,2}(?:[.,]\d{3})+(?:[.,]\d*)?", re.ASCII)
_QUOTED = re.compile(r'(?:^|(?<=[;,]))\s*"(?:[^"]|"")*"\s*(?=[;,]|$)')


def parsed_number(text: str, form: TextFileFormat = POINT) -> float | None:
    """Return the finite number that a text is, written as a file is; None for any other.

    Beside decimal commas points may stand between thousands, though the file has none: ``10.000``.
    A decimal point that cannot stand there is one in every file: ``10.5``.
    """
    grouped = replace(form, thousands=".") if form.decimal == "," else form
    found = (parsed(text, one) for one in (form, grouped, POINT))
    return next((number for number in found if number is not None), None)


def written_as(text: str, before: TextFileFormat, form: TextFileFormat) -> str:
    """Write a number of one file as another one does; what is read alike, or is none, stays."""
    number = parsed_number(text, before)
    return text if number is None or parsed_number(text, form) == number else _written(number, form)


def _written(number: float, form: TextFileFormat) -> str:
    plain = repr(number).removesuffix(".0")
    return plain.replace(".", ",") if form.decimal == "," else plain


def read_otherwise(text: str, form: TextFileFormat) -> str:
    """Say what a text is read as that means another number elsewhere; "" for all others."""
    typed = text.strip().replace(MINUS, "-")
    number = parsed_number(text, form) if _TWO_READINGS.fullmatch(typed) else None
    if number is None or f"{number:.15g}" == typed:
        return ""
    return f"{text.strip()} is read as {number:.15g}"


def join_values(values: Iterable[str], form: TextFileFormat = POINT) -> str:
    """Join values by semicolons, quoted where ``split_values`` would not return them otherwise."""
    known = [*values]
    alone = len(known) == 1 and split_values(known[0], form) != (known[0],)
    return "; ".join(in_list(one, quoted=alone) for one in known)


def in_list(value: str, *, quoted: bool = False) -> str:
    """Write a value as it stands among others between semicolons, ``quoted`` where it must be."""
    if value and not quoted and not {*value} & {";", '"'}:
        return value
    return '"' + value.replace('"', '""') + '"'


def split_values(text: str, form: TextFileFormat) -> tuple[str, ...]:
    """Return the values between semicolons, or commas where no semicolon stands between any.

    They are without spaces around them. Nothing between two marks is no value; quotation marks with
    nothing between them are one, and marks within them are none.
    """
    mark = ";" if ";" in _QUOTED.sub("", text) else ","
    # A comma between two digits may be a decimal one.
    between = r"(?:(?<!\d),|,(?!\d))" if mark in form.decimal else mark
    value = re.compile(
        rf'\s*"(?P<quoted>(?:[^"]|"")*)"\s*(?:{mark}|$)|(?P<plain>.*?)(?:{between}|$)',
        re.ASCII | re.DOTALL,
    )
    found = []
    for part in value.finditer(text):
        if part["quoted"] is not None:
            found.append(part["quoted"].replace('""', '"').strip())
        elif plain := part["plain"].strip():
            found.append(plain)
    return tuple(found)


def number_codes(text: str, form: TextFileFormat) -> tuple[str, ...]:
    """Return a number's codes of missing values, read as ranges are, as cells are written."""
    return tuple(
        code if (number := parsed_number(code, form)) is None else _written(number, form)
        for code in split_values(text, form)
    )


def list_written_as(
    text: str, before: TextFileFormat, form: TextFileFormat, *, numbers: bool
) -> str:
    """Write a list of one file as another one does: ``numbers`` stay these, else texts do."""
    known = split_values(text, before)
    if numbers:
        known = tuple(written_as(value, before, form) for value in known)
    return text if split_values(text, form) == known else join_values(known, form)


def list_read_otherwise(text: str, form: TextFileFormat) -> str:
    """Say how a list is read whose commas may be decimal ones; "" for all others."""
    bare = _QUOTED.sub("", text)
    if "," not in form.decimal or ";" in bare or not re.search(r"\d,\d", bare, re.ASCII):
        return ""
    return f"{text.strip()} is read as {'; '.join(split_values(text, form))}: put ; between values"
