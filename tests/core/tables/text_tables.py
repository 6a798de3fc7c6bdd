"""Tables in memory, their cells, and what a recipe makes of them."""

import csv
import io
from contextlib import closing
from math import isfinite

import numpy as np

from dpca_core.data.recipe import Category, Number, Recipe, Scale
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.tables.files import Upload, open_table
from dpca_core.tables.rows import read_numbers, unit_rows
from dpca_core.tables.table import texts_in

MADE_UP = Recipe(
    (
        Number("age", 0, 100, typical=60.0, missing=("999", "-1")),
        Number("pressure", 60, 220, typical=60.0),
        Number("wide", -2.5, 7.5),
    ),
    (Category("sex", ("f", "m", "x"), missing=("9",)), Category("site", ("north", "south"))),
    bounds_are_public=True,
    scales=(Scale("pain", ("none", "some", "much"), missing=("?",)),),
)

USUAL = [
    *("1", "2.5", "-1e1", "+3.", ".5", "", " ", "NA", " NA ", " 2 ", '"3"', "1,5", "1.234", "x,y"),
    *("1.234,5", "12,345,678", "two", "-", "inf", "-inf", "+Infinity", "nan", "-nan", "nan(1)"),
    *("1e400", "-1e999", "9" * 400, "1e-400", "0x1F", "1_000", "1e", "--5", "007", "01", "1.0"),
    *(" 01", "x", " x", "x ", 'x"y', '5" x', '"x"y', '"', '""', '"""', "x;y", "\t", "\v", "\0"),
    *("1\0", "\ufeff", "\ufeff1", "\u2028", "1\u2028", "\u00a01", "1\u00a0", "\u2003x", "ü"),
    *("u\u0308", "٣", "１", "½", "1'234", "1 234", "\x1f", "\x1a", "\x85", "999", "999.0", "-1"),
    *("1e5", "1E+05", "5%", "$5", "true", "2020-01-01", "=1+1", "a\\", "\\", "'", "null", "?"),
    *("1e99999999999999999999", "1" * 5000, "0" * 400 + "7", "a\nb", "\n", "\r\n", "\r", "1\r2"),
    *("\n1,2,x\n", '"\n"', '",\n"', "p1,1,2,x,1,t\n" * 50, '\n"', '"\r\n,', "\udcff", "\udcc3x"),
    *("\\n", '\\"', '\\",\n', "PAR1", "\x1f\udc8b", "x" * 70_000),
]
"""As programs, people and attackers write them."""


def made_up(seed, rows):
    """Rows with everything in them: missing cells and IDs, codes, values far outside."""
    rng = np.random.default_rng(seed)
    choices = {
        "age": [None, 999, -1, 1e9, *rng.integers(-20, 130, 20)],
        "pressure": [None, *rng.normal(120, 60, 20).round(1)],
        "wide": [None, -1e300, *rng.normal(2, 5, 20).round(2)],
        "sex": [None, "9", "f", "m", "x", "other"],
        "site": [None, "north", " south"],
        "pain": [None, "none", "some", "much", "?", "most"],
        "who": [None, "", "P1", "p1 ", "p 1", *map(str, range(rows // 2))],
        "clinic": [None, "1", "2", "01"],
    }
    columns = [rng.choice(np.array(values, dtype=object), rows) for values in choices.values()]
    return [dict(zip(choices, row, strict=True)) for row in zip(*columns, strict=True)]


def written(records, **more):
    """A text file as Python's csv writes it."""
    out = io.StringIO()
    csv.writer(out, **more).writerows(records)
    return out.getvalue().encode("utf-8", "surrogateescape")


def written_rows(rows):
    """Rows as made up, under a header."""
    return written([list(rows[0]), *(row.values() for row in rows)])


def text_table(content, recipe):
    return open_table(Upload("t.csv", content), recipe.number_format)


def rows_of(given, recipe):
    """The rows in the unit ball of a text in memory or another table, those of all batches."""
    upload = Upload("t.csv", given) if isinstance(given, bytes) else given
    table = open_table(upload, recipe.number_format)
    return np.vstack([np.empty((0, recipe.width)), *unit_rows(table, recipe)])


def same(found, moment):
    return np.abs(found - moment).max() <= 1e-10 * np.abs(moment).max()


def assert_same(found, expected, recipe, atol=1e-9):
    """The same rows; the reference has a person's rows together, where several are kept."""
    if recipe.rows_per_person > 1 and found.shape == expected.shape:
        found, expected = (part[np.lexsort(part.round(7).T)] for part in (found, expected))
    np.testing.assert_allclose(found, expected, atol=atol)


def cells(given, numbers=(), texts=(), form=TextFileFormat()):  # noqa: B008
    """All cells of some columns: a list for each, None where one is missing."""
    found = {name: [] for name in (*numbers, *texts)}
    with closing(open_table(given, form).batches(numbers, texts)) as batches:
        for batch in batches:
            for name, column in batch.columns.items():
                assert len(column) == batch.rows
                if name in texts:
                    found[name].extend(texts_in(column).to_pylist())
                else:
                    read = read_numbers(column, Number(name, 0, 1), form)
                    found[name].extend(value if isfinite(value) else None for value in read)
    return found
