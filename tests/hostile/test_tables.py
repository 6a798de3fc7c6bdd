"""Whatever table is handed over: the sentence or the cells that it must give, and nothing else."""

import re
from dataclasses import replace
from math import nan, sqrt
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from dpca_core import Problem
from dpca_core.data.errors import TableError
from dpca_core.data.recipe import Category, Combine, Number, Recipe, RowLength, Scaling
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection.columns import CATEGORY, NUMBER, propose_columns
from dpca_core.tables.files import Kind, Upload, first_bytes, first_rows, kind, name_of
from dpca_core.tables.prepare import prepare
from dpca_core.tables.proposed_format import proposed_format
from dpca_core.tables.second_moment import second_moment
from tests.hostile.files import FILES, of_megabytes
from tests.hostile.one_sentence import bounded, require_sentence


def form_of(upload):
    if kind(upload) is not Kind.TEXT:
        return TextFileFormat()
    return proposed_format(name_of(upload), first_bytes(upload))


def require_what_it_says(file):
    """A file gives its sentence or its cells, as the owner's page shows them."""
    upload = Upload(file.file, file.content)
    with bounded():
        if file.says:
            with pytest.raises(TableError, match=re.escape(file.says)) as caught:
                first_rows(upload, form_of(upload))
            require_sentence(caught.value)
            return None
        table = first_rows(upload, form_of(upload))
    cells = table.astype(object).where(table.notna(), None)
    assert file.holds is None or {name: list(cells[name]) for name in table} == file.holds
    return table


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_gives_the_sentence_or_the_cells_that_it_must(file, tmp_path):
    """And what the page would do with a table, bounded in each of four ways, gives rows."""
    table = require_what_it_says(file)
    if table is None:
        return
    upload = Upload(file.file, file.content)
    uses = {found.name: found.use for found in propose_columns(table)}
    numbers = tuple(Number(n, -10, 10) for n in uses if uses[n] == NUMBER)
    values = tuple(
        Category(n, tuple(table[n].dropna().astype(str).str.strip().unique()[:50]))
        for n in uses
        if uses[n] == CATEGORY
    )
    recipe = Recipe(numbers, values, number_format=form_of(upload))
    dates = upload.name == "t.pq" and any("1970-01-01" in c.values for c in values)
    for changes in (
        {},
        {"scaling": Scaling.NORM_ONLY, "radius": 1.0},
        {"scaling": Scaling.PRIVATE_MEAN},
        {"scaling": Scaling.AS_IN_PAPERS, "row_length": RowLength.AT_MOST_R},
    ):
        says = "values of type date32" if dates else "Choose at least two columns"
        if dates or recipe.width < 2:
            with pytest.raises(ValueError, match=says) as caught:
                prepare(upload, replace(recipe, **changes), "t.csv")
            require_sentence(caught.value)
        else:
            require_rows_in_the_ball(upload, replace(recipe, **changes), tmp_path)


def require_rows_in_the_ball(upload, recipe, folder):
    data = prepare(upload, recipe, "t.csv")
    assert np.isfinite(data.rows).all()
    assert np.linalg.norm(data.rows, axis=1).max(initial=0) <= 1 + 1e-12
    assert np.isfinite(data.problem(1).spectrum).all()
    if recipe.scaling in (Scaling.AS_IN_PAPERS, Scaling.PRIVATE_MEAN):
        return
    path = folder / f"t{Path(upload.name).suffix}"
    path.write_bytes(upload.content)
    found = second_moment(path, recipe)
    np.testing.assert_allclose(found.problem(1).moment, data.moment, rtol=1e-9, atol=1e-9)


@pytest.mark.long("megabytes to read, or to unpack")
def test_a_large_file_gives_the_sentence_or_the_cells_that_it_must():
    for file in of_megabytes():
        require_what_it_says(file)


# --- Hostile choices ---

MOST = float(np.finfo(float).max)
X, Y = Number("x", 0, 4), Number("y", 2, 8)
FREE = (Number("x", nan, nan), Number("y", nan, nan))
WIDE = (Number("x", -MOST, MOST), Number("y", -MOST, MOST))
HARDLY = Number("x", 1, float(np.nextafter(1.0, 2)))
UNLIKE, ALIKE = [[1, -1], [-1, 1]], [[1, 1], [-1, -1]]
FAR = [MOST, MOST, -MOST, MOST], [-MOST, -MOST, 0, MOST]
AVERAGED = {"person": ("who",)}
NORM = {"scaling": Scaling.NORM_ONLY, "radius": 1.0}
PAPERS = {"scaling": Scaling.AS_IN_PAPERS}
CHOICES = {
    "huge": (([1e308, -1e308], [-MOST, MOST]), WIDE, {}, [[1e308 / MOST, -1], [-1e308 / MOST, 1]]),
    "beyond a small range": (
        ([MOST, -MOST], [-MOST, 1e308]),
        (Number("x", 0, 1e-300), Y),
        {},
        UNLIKE,
    ),
    "the narrowest range": (([HARDLY.high, 1], [8, 2]), (HARDLY, Y), {}, ALIKE),
    "averages of what is mapped first": ((*FAR, [*"ppqq"]), WIDE, AVERAGED, [[1, -1], [0, 0.5]]),
    "sums beyond the largest": ((*FAR, [*"ppqq"]), FREE, AVERAGED | NORM, [[0, 0], [0, sqrt(2)]]),
    "a number and its text": (([4, 0, 4], [8, 2, 8], [1, 2, "1"]), (X, Y), AVERAGED, ALIKE),
    "whole and fraction": (([4, 0, 4], [8, 2, 8], [1, 2.5, 1.0]), (X, Y), AVERAGED, ALIKE),
    "more rows than there are": (
        ([4, 0, 0], [8, 2, 8], [*"pqp"]),
        (X, Y),
        {**AVERAGED, "combine": Combine.AT_MOST, "most": 10**9},
        [*ALIKE, [-1, 1]],
    ),
    "huge, as in the papers": (([MOST, -MOST], [MOST, -MOST]), FREE, PAPERS, ALIKE),
    "tiny, as in the papers": (([1e-300, 0], [1e-300, 0]), FREE, PAPERS, ALIKE),
}


@pytest.mark.parametrize("name", CHOICES)
def test_choices_give_their_rows(name):
    """Columns and who, numbers, other choices, and the rows times √2."""
    columns, numbers, more, rows = CHOICES[name]
    table = pd.DataFrame(
        {n: pd.Series(c) for n, c in zip(("x", "y", "who"), columns, strict=False)}
    )
    with bounded():
        data = prepare(table, Recipe(numbers, row_length=RowLength.AT_MOST_R, **more), "t.csv")
    np.testing.assert_allclose(data.rows * sqrt(2), rows, rtol=1e-12, atol=1e-15)
    assert np.isfinite(data.problem(1).spectrum).all()


ARRAYS = {
    "numbers as texts": [["1", "0"], ["0", "1"]],
    "rows of two lengths": [[0.1, 0.2], [0.3]],
    "complex": np.array([[0.1j, 0.2], [0.3, 0.4]]),
    "missing": pd.DataFrame({"a": [pd.NA, 0.1], "b": [0.2, 0.3]}),
    "sparse": scipy.sparse.eye_array(2),
    "whole numbers of 400 digits": [[10**400, 0], [0, 1]],
    "dates": np.array([["2020", "2021"], ["2021", "2022"]], "M8[Y]"),
    "a masked number": np.ma.array([[0.1, 0.2], [0.2, 9.0]], mask=[[0, 0], [0, 1]]),
    "the largest, turned": [[0, 1.7e308], [-1.7e308, 0]],
}


@pytest.mark.parametrize("values", ARRAYS.values(), ids=ARRAYS)
def test_arrays_that_are_no_table_are_refused_in_one_sentence(values):
    for make in (Problem.from_rows, lambda v, k: Problem.from_moment(v, 2, k)):
        with bounded(), pytest.raises(ValueError, match=r"^[A-Z]") as caught:
            make(values, 1)
        require_sentence(caught.value)


def test_arrays_that_are_tables_of_another_kind_are_read():
    for rows, spectrum in (
        ([[True, False], [False, True]], [1, 1]),
        ([[5e-324, 0], [0, 5e-324]], [0, 0]),
        (np.array([[1, 0], [0, 0]], object), [1, 0]),
        ([[1, 0]], [1, 0]),
        (np.full((3, 2), 0.5, np.float16), [1.5, 0]),
    ):
        np.testing.assert_allclose(Problem.from_rows(rows, 1).spectrum, spectrum, atol=1e-15)
