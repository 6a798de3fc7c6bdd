"""Whatever table is handed over: one clear sentence or the right answer, and nothing else."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from dpca_core import Problem
from dpca_core.data.clipping import rounded_outwards
from dpca_core.data.errors import TableError
from dpca_core.data.recipe import Category, Number, Recipe, Scaling
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection.columns import CATEGORY, NUMBER, propose_columns
from dpca_core.tables.files import Kind, Upload, first_bytes, first_rows, kind, name_of, open_table
from dpca_core.tables.prepare import prepare
from dpca_core.tables.proposed_format import proposed_format
from dpca_core.tables.second_moment import second_moment
from tests.cases import sampled
from tests.hostile.choices import all_choices
from tests.hostile.one_sentence import bounded, require_sentence
from tests.hostile.tables import all_files

FILES, CHOICES = all_files(), all_choices()
HEAVY = [file for file in FILES if re.search(r"MB|bomb|,000", file.name)]
LIGHT = [file for file in FILES if file not in HEAVY]


def looked_at(upload: Upload) -> pd.DataFrame:
    """The table as the owner's page shows it, without its questions."""
    return first_rows(upload, form_of(upload))


def form_of(upload: Upload) -> TextFileFormat:
    if kind(upload) is not Kind.TEXT:
        return TextFileFormat()
    return proposed_format(name_of(upload), first_bytes(upload))


def test_there_are_enough_cases_and_no_two_are_the_same():
    assert len({file.name for file in FILES}) == len(FILES)
    assert len({choice.name for choice in CHOICES}) == len(CHOICES)
    assert len({(f.file, f.make()) for f in LIGHT}) == len(LIGHT) > 230


@pytest.mark.parametrize(
    "file",
    [*LIGHT, *sampled(HEAVY[::-1], 7, "megabytes to read, or to unpack")],
    ids=lambda file: file.name,
)
def test_a_file_gives_a_sentence_or_a_table(file):
    upload = Upload(file.file, file.make())
    with bounded():
        try:
            table = looked_at(upload)
        except TableError as error:
            require_sentence(error)
            return
    for recipe in recipes(table) if file in LIGHT else ():
        require_rows_in_the_ball_or_a_sentence(upload, recipe)


def recipes(table: pd.DataFrame) -> Iterator[Recipe]:
    """Yield what the page would do with a table, bounded in each of the four ways."""
    uses = {found.name: found.use for found in propose_columns(table)}
    numbers = tuple(Number(n, -10, 10) for n in uses if uses[n] == NUMBER)
    values = tuple(
        Category(n, tuple(table[n].dropna().astype(str).str.strip().unique()[:50]))
        for n in uses
        if uses[n] == CATEGORY
    )
    for scaling in Scaling:
        yield Recipe(numbers, values, scaling, 1.0 if scaling is Scaling.NORM_ONLY else None)


def require_rows_in_the_ball_or_a_sentence(table: Upload, recipe: Recipe) -> None:
    try:
        data = prepare(table, recipe, "t.csv")
    except ValueError as error:
        require_sentence(error)
        return
    assert np.isfinite(data.rows).all()
    assert np.linalg.norm(data.rows, axis=1).max() <= 1 + 1e-12
    assert np.isfinite(data.problem(1).spectrum).all()
    assert data.unclipped_moment is None or np.isfinite(data.unclipped_moment).all()


@pytest.mark.parametrize(
    "file", sampled(LIGHT, 5, "each hostile file by both ways in"), ids=lambda f: f.name
)
def test_a_sum_is_the_same_of_an_upload_and_a_path_or_a_sentence(file, tmp_path):
    content, upload = file.make(), Upload(file.file, file.make())
    path = tmp_path / f"t{Path(file.file).suffix}"
    path.write_bytes(content)
    try:
        form = form_of(upload)
        names = open_table(upload, form).columns[:50]
        recipe = Recipe(tuple(Number(n, -10, 10) for n in names), number_format=form, radius=1.5)
        whole = prepare(upload, recipe, "t")
    except ValueError as error:
        require_sentence(error)
        return
    with bounded():
        found = second_moment(path, recipe)
    assert np.allclose(found.moment, whole.moment, rtol=1e-9, atol=1e-9)
    assert found.problem(1).n == whole.problem(1).n == max(found.rows, 1)
    assert np.linalg.eigvalsh(found.moment)[0] > -1e-9


@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: choice.name)
def test_choices_give_their_sentence_or_their_rows(choice):
    with bounded():
        if choice.says:
            with pytest.raises(ValueError, match=re.escape(choice.says)) as caught:
                prepare(choice.table, choice.recipe, "t.csv")
            require_sentence(caught.value)
            return
        data = prepare(choice.table, choice.recipe, "t.csv")
        np.testing.assert_allclose(data.rows, choice.rows, rtol=1e-12, atol=1e-15)
        assert np.isfinite(data.problem(1).spectrum).all()


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=2))
def test_suggested_ranges_are_finite_and_cover(ends):
    low, high = sorted(ends)
    first, last = rounded_outwards(low, high)
    assert np.isfinite([first, last]).all()
    room = 1e-5 * max(abs(low), abs(high))
    assert first <= low + room
    assert last >= high - room


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
