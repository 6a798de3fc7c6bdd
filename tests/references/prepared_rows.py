"""Rows of a recipe by the letter, a person at a time and in plain Python: slow, and right.

Map each cell, combine a person's rows, shorten to R or make the length 1.
"""

import math

import numpy as np

from dpca_core.data.recipe import Recipe


def prepared(table: list[dict[str, object]], recipe: Recipe) -> np.ndarray:
    """Return the rows (n, d) that a mechanism gets, those of a person where its first row is."""
    people: dict[object, list[list[float]]] = {}
    for place, row in enumerate(table):
        if recipe.missing.name == "DROP" and any(is_missing(row, c) for c in recipe.columns):
            continue
        if (who := person(row, place, recipe)) is not None:
            people.setdefault(who, []).append(cells(row, recipe))
    rows = [row for own in people.values() for row in combined(own, recipe)]
    return np.array([finished(row, recipe) for row in rows])


def person(row: dict[str, object], place: int, recipe: Recipe) -> object:
    """Return who a row belongs to; None where it is left out."""
    if not recipe.person:
        return place
    names = ["" if row[c] is None else str(row[c]).strip() for c in recipe.person]
    if recipe.ids_ignore_case:
        names = [name.replace(" ", "").casefold() for name in names]
    if all(names):
        return tuple(names)
    return place if recipe.missing_person.name == "OWN" else None


def is_missing(row: dict[str, object], column) -> bool:
    value = row[column.name]
    if value is None:
        return True
    if hasattr(column, "steps"):
        return str(value).strip() not in column.values
    if hasattr(column, "values"):
        return str(value).strip() in column.missing
    return any(float(value) == float(code) for code in column.missing)


def cells(row: dict[str, object], recipe: Recipe) -> list[float]:
    """Map each cell; a missing number or scale is NaN, a missing category 0 in its columns."""
    out = []
    for c in recipe.numbers:
        if is_missing(row, c):
            out.append(math.nan)
            continue
        typical = (c.low + c.high) / 2 if c.typical is None else c.typical
        value = min(max(float(row[c.name]), c.low), c.high)
        out.append((value - typical) / max(c.high - typical, typical - c.low))
    for c in recipe.scales:
        m = len(c.values)
        place = math.nan if is_missing(row, c) else 1 + c.values.index(str(row[c.name]).strip())
        out.append((2 * place - m - 1) / (m - 1))
    for c in recipe.categories:
        value = "" if is_missing(row, c) else str(row[c.name]).strip()
        less = 1 / len(c.values) if "minus" in recipe.category_coding else 0.0
        out += [float(value == v) - less if value in c.values else 0.0 for v in c.values]
    return out


def combined(own: list[list[float]], recipe: Recipe) -> list[list[float]]:
    """Average a person's rows, leaving out what is missing, or keep the first m."""
    if recipe.combine.name == "AT_MOST" and recipe.person:
        kept = own[: recipe.most]
    else:
        known = [[v for v in column if not math.isnan(v)] for column in zip(*own, strict=True)]
        kept = [[sum(c) / len(c) if c else math.nan for c in known]]
    return [[0.0 if math.isnan(v) else v for v in row] for row in kept]


def finished(row: list[float], recipe: Recipe) -> list[float]:
    length = math.sqrt(sum(v * v for v in row))
    if recipe.row_length.name == "ONE":
        return [v / length if length > 0 else 0.0 for v in row]
    return [v / max(length, recipe.bound) for v in row]
