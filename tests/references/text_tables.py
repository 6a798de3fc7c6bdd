"""A text file read by the rules, a record and a cell at a time, with none of the product's code.

Python's csv says what the records are; what the rows become is in prepared_rows.py.
"""

import csv
import math
import re

import numpy as np

from tests.references.prepared_rows import prepared

LONGEST_CELL, LONGEST_RECORD = 2**20, 2**24


def records_of(content: bytes, form, longest: int = LONGEST_RECORD) -> list[list[str]]:
    """All records, the header first; a lone CR is a space or a line end, one too long is empty."""
    text = content.removeprefix(b"\xef\xbb\xbf").decode(form.encoding, "replace")
    text = re.sub(r"\r(?!\n)", "\n" if form.cr_ends_lines else " ", text)
    lines = [f"{line}\n" for line in text.split("\n")][form.skip :]
    csv.field_size_limit(2**30)
    reader = csv.reader(
        lines,
        delimiter=form.delimiter,
        quoting=csv.QUOTE_NONE if form.escape == "none" else csv.QUOTE_MINIMAL,
        doublequote=form.escape == "doubled",
        escapechar="\\" if form.escape == "backslash" else None,
    )
    found, used = [], 0
    for cells in reader:
        size = len("".join(lines[used : reader.line_num]).encode())
        used = reader.line_num
        if cells:
            found.append(cells if size <= longest else [])
    return found


def number(cell: str, form) -> float:
    """Return a cell's value, NaN where it is missing or no finite number; codes are numbers too."""
    value = written_number(cell, form)
    return math.nan if value in [written_number(code, form) for code in form.missing] else value


def written_number(cell: str, form) -> float:
    text = cell.strip()
    point, groups = f"[{form.decimal}]", re.escape(form.thousands)
    plain = rf"(\d+({point}\d*)?|{point}\d+)([eE][+-]?\d+)?"
    spaces = "[ \u00a0\u2007\u2009\u202f]"
    either = rf"({spaces}\d\d\d)+" + (rf"|({groups}\d\d\d)+" if form.thousands else "")
    grouped = rf"[1-9]\d?\d?({either})({point}\d*)?"
    text = re.sub("^−", "-", text)
    if not re.fullmatch(rf"[+-]?({plain}|{grouped})", text, re.ASCII):
        return math.nan
    value = float(re.sub(point, ".", re.sub(spaces, "", text).replace(form.thousands or "\0", "")))
    return value if math.isfinite(value) else math.nan


def vectors(content: bytes, recipe) -> np.ndarray:
    """Return the rows in the unit ball of a recipe with public ranges."""
    form, table = recipe.number_format, []
    names, *records = records_of(content, form)
    for cells in records:

        def cell(name, cells=cells):
            if len(cells) != len(names):
                return None
            text = cells[names.index(name)]
            fits = len(text.encode()) <= LONGEST_CELL
            return text.strip() if fits and text.strip() not in (*form.missing, "") else None

        row = {name: cell(name) for name in recipe.person}
        row |= {c.name: cell(c.name) for c in (*recipe.scales, *recipe.categories)}
        for c in recipe.numbers:
            value = number(cell(c.name) or "", form)
            row[c.name] = None if math.isnan(value) else value
        table.append(row)
    return prepared(table, recipe).reshape(-1, recipe.width)
