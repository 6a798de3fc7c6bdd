"""A text file read by the rules, a line and a cell at a time, with none of the product's code."""

import csv
import math
import re
from collections.abc import Iterator

import numpy as np

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
    grouped = rf"[1-9]\d?\d?({groups}\d\d\d)+({point}\d*)?" if form.thousands else "(?!)"
    if not re.fullmatch(rf"[+-]?({plain}|{grouped})", text, re.ASCII):
        return math.nan
    value = float(text.replace(form.thousands or "\0", "").replace(form.decimal, "."))
    return value if math.isfinite(value) else math.nan


def vectors(content: bytes, recipe) -> list[np.ndarray]:
    """Return the rows in the unit ball of a recipe with public ranges."""
    form, rows = recipe.number_format, rows_of(content, recipe.number_format)
    names, raw, people = next(rows), [], []
    for cells in rows:

        def cell(name, cells=cells):
            return "" if cells is None else cells[names.index(name)]

        values = [number(cell(c.name), form) for c in recipe.numbers]
        labels = [cell(c.name).strip() for c in recipe.categories]
        gone = any(map(math.isnan, values)) or any(t in (*form.missing, "") for t in labels)
        if recipe.missing.name == "DROP" and gone:
            continue
        hot = [
            float(text == v and text not in (*form.missing, ""))
            for text, c in zip(labels, recipe.categories, strict=False)
            for v in c.values
        ]
        if recipe.person:
            who = cell(*recipe.person).strip()
            if who in (*form.missing, ""):
                continue
            people.append(who)
        scaled = [mapped(v, column) for v, column in zip(values, recipe.numbers, strict=True)]
        raw.append(np.array([*scaled, *hot]))
    if recipe.person:
        raw = combined(raw, people, recipe)
    return [inside(row, recipe) for row in raw]


def combined(raw: list[np.ndarray], people: list[str], recipe) -> list[np.ndarray]:
    own: dict[str, list[np.ndarray]] = {}
    for row, who in zip(raw, people, strict=True):
        own.setdefault(who, []).append(row)
    if recipe.combine.name == "AT_MOST":
        return [row for rows in own.values() for row in rows[: recipe.most]]
    out = []
    for rows in own.values():
        columns = [[v for v in column if not math.isnan(v)] for column in zip(*rows, strict=False)]
        means = [sum(c) / len(c) if c else math.nan for c in columns]
        out.append(np.array([m if math.isfinite(m) else math.nan for m in means]))
    return out


def mapped(value: float, column) -> float:
    if math.isnan(value):
        return value
    scaled = (value / 2 - column.low / 2) / (column.high / 4 - column.low / 4) - 1
    return min(max(scaled, -1.0), 1.0)


def inside(row: np.ndarray, recipe) -> np.ndarray:
    x = np.where(np.isnan(row), 0.0, row)
    length = math.sqrt(sum(v * v for v in x)) / recipe.bound
    return x / recipe.bound / max(length, 1.0)


def moment(content: bytes, recipe) -> np.ndarray:
    """Return S."""
    rows = vectors(content, recipe)
    d = len(recipe.numbers) + sum(len(c.values) for c in recipe.categories)
    total = np.zeros((d, d))
    for row in rows:
        total += np.outer(row, row)
    return total / recipe.rows_per_person
