"""A text file read by the rules, a line and a cell at a time, with none of the product's code.

What the rows of its table become is in prepared_rows.py.
"""

import csv
import math
import re
from collections.abc import Iterator

import numpy as np

from tests.references.prepared_rows import prepared

LONGEST_LINE, LONGEST_CELL = 2**22, 2**17


def rows_of(content: bytes, form) -> Iterator[list[str] | None]:
    """Yield the names of the header, then the cells of each row; None for a bad line."""
    lines = [line for line in re.split(rb"\r\n|\r|\n", content.removeprefix(b"\xef\xbb\xbf"))]
    mark, names = form.delimiter, None
    for line in lines:
        text = line.decode("utf-8", "surrogateescape")
        if names is None:
            if text.strip():
                names = [" ".join(c.split()) for c in cells_of(text, mark)]
                yield names
            continue
        if len(line) > LONGEST_LINE:
            yield None
        elif text.strip() or mark in text:
            cells = cells_of(text, mark)
            bad = cells is None or len(cells) != len(names)
            yield None if bad or max(map(len, cells)) > LONGEST_CELL else cells


def cells_of(text: str, mark: str) -> list[str] | None:
    try:
        reader = csv.reader([text, "next"], delimiter=mark, skipinitialspace=True)
        cells = next(reader)
    except csv.Error:
        return None
    return cells if reader.line_num == 1 else None


def number(cell: str, form) -> float:
    """Return a cell's value, NaN where it is missing or no finite number."""
    text = cell.strip()
    if text in form.missing:
        return math.nan
    point, groups = re.escape(form.decimal), re.escape(form.thousands)
    plain = rf"(\d+({point}\d*)?|{point}\d+)([eE][+-]?\d+)?"
    spaces = "[ \u00a0\u2007\u2009\u202f]"
    either = rf"({spaces}\d\d\d)+" + (rf"|({groups}\d\d\d)+" if form.thousands else "")
    grouped = rf"[1-9]\d?\d?({either})({point}\d*)?"
    text = re.sub("^−", "-", text)
    if not re.fullmatch(rf"[+-]?({plain}|{grouped})", text, re.ASCII):
        return math.nan
    text = re.sub(spaces, "", text)
    value = float(text.replace(form.thousands or "\0", "").replace(form.decimal, "."))
    return value if math.isfinite(value) else math.nan


def vectors(content: bytes, recipe) -> np.ndarray:
    """Return the rows in the unit ball of a recipe with public ranges."""
    form, table = recipe.number_format, []
    names, *rows = rows_of(content, form)
    for cells in rows:

        def cell(name, cells=cells):
            text = "" if cells is None else cells[names.index(name)].strip()
            return None if text in (*form.missing, "") else text

        row = {name: cell(name) for name in recipe.person}
        row |= {c.name: cell(c.name) for c in recipe.categories}
        for c in recipe.numbers:
            value = number(cell(c.name) or "", form)
            row[c.name] = None if math.isnan(value) else value
        table.append(row)
    return prepared(table, recipe)


def moment(content: bytes, recipe) -> np.ndarray:
    """Return S."""
    d = len(recipe.numbers) + sum(len(c.values) for c in recipe.categories)
    rows = vectors(content, recipe).reshape(-1, d)
    return rows.T @ rows / recipe.rows_per_person
