"""One person more, or another one: S moves by what a person may, and no other row by a bit.

A person is a record, or has three of them among 400; each cell of theirs is hostile in turn.
"""

import random
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from dpca_core.data.recipe import (
    Category,
    CategoryCoding,
    Combine,
    Number,
    Recipe,
    RowLength,
    Scale,
)
from dpca_core.data.text_file_format import DECIMALS, THOUSANDS, TextFileFormat, parsed
from dpca_core.release.exact_sums import exact_sums
from dpca_core.release.grid import GRID
from dpca_core.release.table_source import TableSource
from dpca_core.tables import records
from dpca_core.tables.files import Upload
from dpca_core.tables.rows import read_numbers
from dpca_core.tables.second_moment import second_moment
from tests.core.tables.text_tables import USUAL, assert_same, rows_of, text_table, written
from tests.references import text_tables

HEAD = ("who", "a", "b", "c", "s", "text")
RECIPE = Recipe(
    (Number("a", -10, 10), Number("b", 0, 2000)),
    (Category("c", ("x", "1", "01", "ü", "y", "z", "é")),),
    radius=1.2,
    row_length=RowLength.AT_MOST_R,
    category_coding=CategoryCoding.INDICATORS,
    scales=(Scale("s", ("1", "2", "x")),),
)
PEOPLE = replace(RECIPE, person=("who",))
AT_MOST_TWO = replace(PEOPLE, combine=Combine.AT_MOST, most=2)
KINDS = {
    "a record a person": (RECIPE, [200], [200]),
    "averaged": (PEOPLE, [100, 200, 300], [98]),
    "at most two": (AT_MOST_TWO, [100, 200, 300], [99, 199]),
}
"""A recipe, where the person's records come to stand, and where rows do: p2 has three records."""
LARGE = ["x" * 3 * 2**20, "9" * 3 * 2**20, "\n" * 2**20, '"' * 2**20]
MADE_OF = [
    *(",", ";", "\t", "\n", "\r\n", "\r", '"', '""', "\\", "'", " ", "\0", "\ufeff", "\u2028", "1"),
    *("-9", "1e5", ".", "e", "+", "inf", "nan", "NA", "x", "ü", "１", "\udcff", "\udcc3", "😀"),
]
RNG = random.Random("cells")
MORE = ["".join(RNG.choices(MADE_OF, k=RNG.randint(2, 8))) for _ in range(296 - len(USUAL))]
CELLS = [(cell, turn % len(HEAD)) for turn, cell in enumerate([*USUAL, *MORE, *LARGE])]
"""Each stands in one place."""
ODD = ("p5,1,2,x,1,t\r\n" * 50, '\r\n",\r', "1e400\udcff", "x" * (records.LONGEST_CELL + 1))
FEW = [*product(ODD, range(len(HEAD)))]
NEW = ("new", "1", "2", "x", "1", "t")
BEFORE = [
    (f"p{max(i, 2)}", f"{i % 9}.5", i % 1500, "x1ü"[i % 3], "12"[i % 2], "t") for i in range(400)
]


def with_person(places, place, cell):
    """All records, those of one more person among them, whose cell is hostile but for one time."""
    hostile = (*NEW[:place], cell, *NEW[place + 1 :])
    kind = hostile if place == 0 else NEW
    lines = list(BEFORE)
    for number, at in enumerate(places):
        lines.insert(at, kind if number == 1 else hostile)
    return [HEAD, *lines]


def grid_rows(content, recipe):
    """Rows as a release adds them up, in whole numbers."""
    return np.vstack([*TableSource([Upload("t.csv", content)], recipe).blocks()])


def own_rows(found, old, at):
    """The person's rows, none where her ID is missing; those of all others are as they were."""
    at = at if len(found) > len(old) else []
    assert len(found) == len(old) + len(at)
    assert np.array_equal(np.delete(found, at, axis=0), old)
    return found[at]


LONG = pytest.mark.long("run ends at every byte of 300 cells, of a fifth of them elsewhere")


@pytest.mark.parametrize(
    ("kind", "cells"),
    [
        *((kind, FEW) for kind in KINDS),
        *(pytest.param(kind, CELLS[:: 5 if i else 1], marks=LONG) for i, kind in enumerate(KINDS)),
    ],
)
def test_a_person_moves_s_by_what_she_may_and_no_other_row_by_a_bit(kind, cells, monkeypatch):
    """Her part of S is positive semi-definite of trace at most 1.

    All norms of docs/conventions.md follow, of one who is exchanged for another as well.
    """
    recipe, places, at = KINDS[kind]
    m, before = recipe.rows_per_person, written([HEAD, *BEFORE])
    old, old_grid = rows_of(before, recipe), grid_rows(before, recipe)
    moment, exact = second_moment(text_table(before, recipe), recipe).moment, old_grid.T @ old_grid
    usual_run = records.RUN
    for cell, place in cells:
        lines = with_person(places, place, cell)
        content = written(lines)
        start = len(written(lines[: places[0] + 1]))
        size = len(written(lines[: places[0] + 2])) - start
        found = rows_of(content, recipe)
        own = own_rows(found, old, at)
        assert_same(found, text_tables.vectors(content, recipe), recipe)
        walked = 0 if cells is FEW or cell in LARGE else min(size, 60)
        for behind in {*range(walked), size // 3, size - 1, size}:
            monkeypatch.setattr(records, "RUN", start + behind)
            assert np.array_equal(rows_of(content, recipe), found), (cell[:50], place, behind)
        monkeypatch.setattr(records, "RUN", usual_run)
        own_grid = own_rows(grid_rows(content, recipe), old_grid, at)
        assert np.square(own_grid).sum() <= m * GRID**2
        sums = exact_sums(TableSource([Upload("t.csv", content)], recipe))
        assert np.array_equal(sums.T - exact, own_grid.T @ own_grid)
        change = second_moment(text_table(content, recipe), recipe).moment - moment
        np.testing.assert_allclose(change, own.T @ own, atol=1e-10)
        assert np.square(own).sum() <= m * (1 + 1e-12)
    few = written([HEAD, *BEFORE[:40]])
    among_others = rows_of(few, recipe)
    monkeypatch.setattr(records, "RUN", 8)
    assert np.array_equal(rows_of(few, recipe), among_others), "a row alone has the same bits"


# --- A number is one whatever stands beside it ---

PIECES = [
    *("0", "7", "12", "999", "1000", "1,234", "1.234,5", "1 234", "-9", "9" * 400, "1e400", "0x1F"),
    *("1\u00a0234", "1\u202f234"),
    *(" ", "\t", "\n", "\u00a0", "\u202f", "\x1f", "\0", "\ufeff", "+", "-", "−", ".", ",", "e5"),
    *("E-3", "e", "nan", "inf", "Infinity", "_", "１", "٣", '"', "'", "’", "%", " kg", "kg", "NA"),
]
CODES = ((), ("-9", "NA"), ("999", " 7", "nan"), ("1.000", "1,0", "inf"))
OF_A_COLUMN = ((), ("7", "no"), ("12", "-0", "1,0"))


def numbers(cells, number, form):
    """What a column of cells becomes; what is not finite is missing in a row."""
    content = written([("x", "y"), *((cell, "") for cell in cells)], delimiter=";")
    recipe = Recipe((number,), number_format=form)
    batches = text_table(content, recipe).batches(["x"], [])
    found = np.concatenate([read_numbers(batch.columns["x"], number, form) for batch in batches])
    return np.where(np.isfinite(found), found, np.nan)


@pytest.mark.parametrize(
    "rounds", [25, pytest.param(400, marks=pytest.mark.long("16 times as many"))]
)
def test_a_cell_is_the_references_number_beside_numbers_and_beside_a_text(rounds):
    """Runs of numbers alone are read faster; who writes a text there must not change them."""
    rng = random.Random("numbers")
    marks = [(d, t) for d, t in product(DECIMALS, THOUSANDS) if not (t and t in d)]
    for _ in range(rounds):
        (decimal, thousands), missing = rng.choice(marks), rng.choice(CODES)
        form = TextFileFormat(";", decimal, thousands, missing=missing)
        unit, codes = (
            rng.choice(["", "kg", "%", "e"]),
            rng.choice(OF_A_COLUMN),
        )
        number = Number("x", 0, 1, unit=unit, missing=codes)
        cells = ["".join(rng.choices(PIECES, k=rng.randint(1, 3))) for _ in range(20)]
        cells += [f" {code}" for code in (*missing, *codes)]
        beside = numbers([*cells, "a text"], number, form)[:-1]
        alone = np.concatenate([numbers([cell], number, form) for cell in cells])
        np.testing.assert_array_equal(alone, beside, str((form, unit, codes, cells)))
        if not unit:
            every = replace(form, missing=(*missing, *codes))
            expected = [text_tables.number(cell, every) for cell in cells]
            np.testing.assert_array_equal(alone, expected, str((form, codes, cells)))
        each = [parsed(cell, form) for cell in cells]
        written = [text_tables.written_number(cell, form) for cell in cells]
        np.testing.assert_array_equal(np.array(each, float), written)
