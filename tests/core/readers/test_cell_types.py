"""Cells of text files, frames and Parquet files count the same, whatever the column's type."""

import io
import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpca_core.data.errors import EncodingError
from dpca_core.data.recipe import Category, Combine, Missing, Number, Reading, Recipe, Scaling
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.preparation import prepare
from dpca_core.readers import parquet_chunks
from dpca_core.readers.file_access import Upload
from dpca_core.readers.rows_apart import coded_apart
from dpca_core.readers.table import read_table
from dpca_core.release.exact_sums import exact_sums
from dpca_core.release.grid import GRID
from dpca_core.release.table_source import TableSource
from dpca_core.streaming.second_moment import second_moment

TOTAL = Reading.TOTAL
PERSONS = Recipe(
    (Number("a", 0, 2),),
    (Category("c", ("1", "01", "1.0")),),
    radius=1.0,
    person=("who",),
    bounds_are_public=True,
)


def test_persons_and_categories_are_texts_whatever_the_others_are():
    """01, 1 and 1.0 were one person, and one category, until a row with an x was appended."""
    rows = b"who,a,c\n1,0,1\n01,1,01\n1.0,2,1.0\n 1 ,0,1\n"
    data = prepare(Upload("t.csv", rows), PERSONS, "t")
    assert data.people == 3
    assert np.linalg.matrix_rank(data.rows[:, 1:]) == 3
    more = prepare(Upload("t.csv", rows + b"x,1,x\n"), PERSONS, "t")
    assert np.array_equal(more.rows[:3], data.rows)
    assert more.people == 4


@pytest.mark.parametrize("combine", Combine)
def test_rows_without_a_person_are_left_out(combine):
    recipe = replace(PERSONS, combine=combine, most=2)
    rows = b"who,a,c\n" + b"p,0,1\nq,1,01\np,1,1.0\np,2,1\n"
    data = prepare(Upload("t.csv", rows), recipe, "t", TOTAL)
    for odd in (b",2,1\n", b" ,2,1\n", b"NA,2,1\n", b"r,2\n", b'"r,2,1\n', b"r,2,1,0\n"):
        found = prepare(Upload("t.csv", rows + odd), recipe, "t", TOTAL)
        assert np.array_equal(found.rows, data.rows)
        assert found.people == 2
    assert np.array_equal(prepare(Upload("t.csv", rows + b",2,1\n"), recipe, "t").rows, data.rows)


def test_the_type_of_a_column_does_not_change_its_cells():
    """A text among numbers turns a column of a data frame into objects, and nothing else."""
    ids, numbers = [1.0, 2.0, 1.0, 3.0], [0.5, 1.0, 2.0, 1.5]
    plain = pd.DataFrame({"who": ids, "a": numbers, "c": ids})
    mixed = pd.DataFrame({"who": [*ids, "x"], "a": [*numbers, "?"], "c": [*ids, "x"]})
    recipe = replace(PERSONS, categories=(Category("c", ("1", "2")),))
    data, more = (prepare(t, recipe, "t", TOTAL) for t in (plain, mixed))
    assert np.array_equal(more.rows[:3], data.rows)
    assert (data.people, more.people) == (3, 4)


def test_large_identifiers_stay_apart_beside_a_missing_one(tmp_path):
    """Two persons became one where a third row named none: 64-bit floats have 53 bits."""
    ids = [2**53, 2**53 + 1, None]
    pq.write_table(pa.table({"who": ids, "a": [0.0, 1.0, 2.0], "c": ["1"] * 3}), tmp_path / "t.pq")
    content = (tmp_path / "t.pq").read_bytes()
    for given in (read_table("t.pq", content), Upload("t.pq", content)):
        assert prepare(given, PERSONS, "t", TOTAL).people == 2


def test_a_person_s_average_has_the_same_digits_whoever_else_is_there(monkeypatch):
    """In blocks of 256 rows: a sum of sums of blocks would have other digits."""
    monkeypatch.setattr("dpca_core.preparation._CELLS", 1)
    rng = np.random.default_rng(0)
    own = pd.DataFrame({"who": "p", "a": rng.random(200), "c": "1"})
    others = pd.DataFrame({"who": rng.integers(0, 50, 9000).astype(str), "a": 1.0, "c": "1"})
    mixed = pd.concat([own, others]).iloc[rng.permutation(9200)].reset_index(drop=True)
    alone = mixed[mixed["who"] == "p"].reset_index(drop=True)
    expected = prepare(alone, PERSONS, "t", TOTAL).rows[0]
    content = mixed.to_csv(index=False, float_format="%.17g").encode()
    place = list(dict.fromkeys(mixed["who"])).index("p")
    for given in (mixed, Upload("t.csv", content)):
        assert np.array_equal(prepare(given, PERSONS, "t", TOTAL).rows[place], expected)


class Unfriendly:
    """An object that answers nothing."""

    @property
    def real(self):
        raise LookupError("no part of me is a number")


ODD = [np.inf, np.nan, "x", 10**400, pd.Timestamp(0), [1], 1j, b"1", "\ud800", Unfriendly()]


@pytest.mark.parametrize("missing", Missing)
@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
def test_a_cell_of_a_frame_that_is_no_finite_number_is_missing(odd, missing):
    recipe = Recipe((Number("a", 0, 4), Number("b", 0, 4)), missing=missing)
    table = pd.DataFrame({"a": [odd, 1.0, 2.0], "b": [3.0, 3.0, 1.0]})
    expected = prepare(table.assign(a=[np.nan, 1.0, 2.0]), recipe, "t", TOTAL)
    assert np.array_equal(prepare(table, recipe, "t", TOTAL).rows, expected.rows)
    assert np.allclose(second_moment(table, recipe).moment, expected.moment)
    if odd == odd:
        with pytest.raises(ValueError, match=r"infinite values|does not hold numbers"):
            prepare(table, recipe, "t")


@pytest.mark.parametrize("scaling", [Scaling.BOUNDED, Scaling.NORM_ONLY, Scaling.PRIVATE_MEAN])
@pytest.mark.parametrize("way", ["csv", "parquet", "text"])
def test_one_infinite_cell_changes_its_own_row_only(scaling, way, tmp_path):
    rng = np.random.default_rng(1)
    table = pd.DataFrame(rng.normal(size=(500, 3)), columns=list("abc"))
    odd, blank = table.copy(), table.copy()
    odd.loc[123, "b"], blank.loc[123, "b"] = np.inf, np.nan
    recipe = Recipe(
        tuple(Number(n, -3, 3) for n in "abc"), scaling=scaling, radius=2.0, bounds_are_public=True
    )

    def sums(frame, name):
        if way == "csv":
            frame.to_csv(tmp_path / name, index=False)
            return second_moment(tmp_path / name, recipe, mean=np.full(3, 0.1))
        kept = frame if way == "parquet" else frame.astype("string")
        kept.to_parquet(tmp_path / f"{name}.parquet")
        return second_moment(tmp_path / f"{name}.parquet", recipe, mean=np.full(3, 0.1))

    assert np.array_equal(sums(odd, "odd").moment, sums(blank, "blank").moment)


@pytest.mark.parametrize("rows", [b"", b"\n\n", b"1,2\n", b"x\n"])
def test_a_table_of_hardly_a_row_is_a_problem_like_any_other(rows, tmp_path):
    recipe = Recipe((Number("a", -2000, 2000), Number("b", 0, 20)), bounds_are_public=True)
    (tmp_path / "t.csv").write_bytes(b"a,b\n" + rows)
    whole = prepare(Upload("t.csv", b"a,b\n" + rows), recipe, "t", TOTAL)
    found = second_moment(tmp_path / "t.csv", recipe)
    assert np.allclose(found.moment, whole.moment)
    assert found.problem(1).n == whole.problem(1).n == 1
    with pytest.raises(ValueError, match=r"two are needed|field"):
        prepare(Upload("t.csv", b"a,b\n" + rows), recipe, "t")
    for scaling in (Scaling.AS_IN_PAPERS, Scaling.PRIVATE_MEAN):
        other = replace(recipe, scaling=scaling)
        assert prepare(Upload("t.csv", b"a,b\n" + rows), other, "t", TOTAL).problem(1).n == 1


# --- What is released: one cell that nobody thought of changes its own row, and no other ---

RECIPE = Recipe(numbers=(Number("a", 0, 200), Number("b", 0, 200)), bounds_are_public=True)
ROWS = 300


def sums(table, recipe=RECIPE):
    return exact_sums(TableSource([table], recipe))


def require_one_row_moved(whole, found, most):
    moved = (whole.T - found.T).astype(object)
    assert 0 < (moved**2).sum() <= most * GRID**4


@pytest.mark.parametrize("error", [EncodingError, MemoryError])
def test_a_missing_column_and_missing_memory_are_said(error):
    """And not taken for an odd row."""

    def code(start, stop):
        raise error("said")

    with pytest.raises(error, match="said"):
        coded_apart(4, code, RECIPE)


def test_arrow_text_with_a_bad_letter_loses_its_own_cell_or_row_only():
    letters = bytearray(b"7" * ROWS)
    letters[123] = 255
    ends = pa.py_buffer(np.arange(ROWS + 1, dtype=np.int32))
    bad = pa.Array.from_buffers(pa.string(), ROWS, [None, ends, pa.py_buffer(bytes(letters))])
    recipe = Recipe((Number("a", 0, 9, unit="kg"), Number("b", 0, 9)), bounds_are_public=True)
    found, whole = (
        sums(
            pa.table({"a": a, "b": pa.array([3.0] * ROWS)}).to_pandas(types_mapper=pd.ArrowDtype),
            recipe,
        )
        for a in (bad, pa.array(["7"] * ROWS))
    )
    assert found.c == ROWS
    require_one_row_moved(whole, found, 4)


def test_a_part_of_a_parquet_file_that_cannot_be_coded_loses_its_odd_row_only(monkeypatch):
    out, numbers = io.BytesIO(), np.linspace(1, 199, ROWS)
    pq.write_table(pa.table({"a": numbers, "b": numbers[::-1]}), out)
    whole = sums(Upload("t.parquet", out.getvalue()))
    usual = parquet_chunks.as_float

    def failing(column):
        if numbers[123] in column.to_pylist():
            raise pa.ArrowInvalid("an odd cell")
        return usual(column)

    monkeypatch.setattr(parquet_chunks, "as_float", failing)
    found = sums(Upload("t.parquet", out.getvalue()))
    assert found.c == ROWS
    require_one_row_moved(whole, found, 4)


def test_lines_that_end_with_a_carriage_return_survive_one_that_does_not():
    recipe = Recipe(
        RECIPE.numbers,
        (Category("t", ("x", "y")),),
        bounds_are_public=True,
        number_format=TextFileFormat(encoding="cp1252"),
    )
    # Each letter takes three bytes once it is UTF-8: what is read at a time becomes three times
    # as long, and longer than any line may be.
    long = b"1,3," + b"\x80" * 4000 + b"\r"
    for middle in (b"1,3,x\r", b"1,3,x\n", b"1,3,x\r\n"):
        content = b"a,b,t\r" + long + middle + long * 1500
        assert sums(Upload("t.csv", content), recipe).c == 1502


@pytest.mark.parametrize(
    "value", [np.int8(-128), np.int64(-(2**63)), np.float16(0.1), np.float32(np.inf)], ids=repr
)
def test_no_value_is_told_by_a_warning(value):
    recipe = Recipe(RECIPE.numbers, bounds_are_public=True, person=("p",))
    people = pd.Series([value, np.int8(3)], dtype=object)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        found = sums(pd.DataFrame({"a": [1.0, 2.0], "b": [2.0, 1.0], "p": people}), recipe)
    assert (found.c, said) == (2, [])
