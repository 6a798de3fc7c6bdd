"""How a text file is written belongs to the recipe: proposed once, and never decided again."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpca_core.data.column_names import TableError
from dpca_core.data.recipe import (
    Category,
    Combine,
    Missing,
    Number,
    NumberFormat,
    Reading,
    Recipe,
    RecipeError,
    Scaling,
)
from dpca_core.preparation import prepare
from dpca_core.readers.files import Upload
from dpca_core.readers.table import proposed_format, read_table
from dpca_core.streaming.second_moment import second_moment
from tests.core.readers.test_total_reading import CELLS

TOTAL = Reading.TOTAL


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (b"a,b\n1,2\n", NumberFormat()),
        (b"a;b\n1,234;2\n" + b"1,234;2\n" * 4, NumberFormat(";", ",")),
        (b"a;b\n1.5;2\n", NumberFormat(";")),
        (b"a;b\n1,234;2\n12,345,678;2\n", NumberFormat(";", ".", ",")),
        (b"a;b\n1.234;2\n1.234,5;2\n", NumberFormat(";", ",", ".")),
        (b'a,b\n"1,234",2\n', NumberFormat(",", ".", ",")),
        (b'a,b\n"1,5","x"\n', NumberFormat(",")),
        (b"a\tb\n1,5\t2\n", NumberFormat("\t", ",")),
        (b"a|b\nx|y\n", NumberFormat("|")),
        (b"a;b\n1,5;x\n2,5;1,2,3\nbad\n\xff;1,5\n", NumberFormat(";")),
        (b"a;b\n", NumberFormat(";")),
    ],
)
def test_a_format_is_proposed(content, form):
    assert proposed_format(Upload("t.csv", content)) == form


def recipe_for(**changes):
    numbers = (Number("a", -2000, 2000), Number("b", 0, 20))
    return Recipe(numbers, bounds_are_public=True, number_format=NumberFormat(**changes))


@pytest.mark.parametrize("many", [5, 3000])
@pytest.mark.parametrize(
    "form", [NumberFormat(";", ","), NumberFormat(";", ".", ","), NumberFormat(";", ",", ".")]
)
def test_one_row_never_changes_what_others_are_worth(many, form, tmp_path):
    """Five rows 1,234 and one row 12,345,678 changed all: by an upload, and by a stream."""
    recipe = Recipe(
        (Number("a", -2000, 2000), Number("b", 0, 20)), bounds_are_public=True, number_format=form
    )
    head, path = b"a;b\n", tmp_path / "t.csv"

    def both(content):
        path.write_bytes(content)
        upload = prepare(Upload("t.csv", content), recipe, "t", TOTAL).moment
        found = [second_moment(path, recipe, chunk_rows=rows).moment for rows in (None, 100)]
        assert np.allclose(found, upload, rtol=1e-12)
        return upload

    rows = b"1,234;7\n" * many
    before = both(head + rows)
    cells = ["12,345,678", "1,234.5", "1.234", "1.234,5", "1,5", "12345678", "x", "", "1,2,3"]
    for cell in [*cells, *(CELLS[::4] if many == 5 else ())]:
        line = f"{cell};9".encode() + b"\n"
        alone = both(head + line)
        assert np.allclose(both(head + rows + line), before + alone, rtol=1e-9)
        # Under replacement too: the row takes the place of another one.
        replaced = both(head + rows[: -len(b"1,234;7\n")] + line)
        assert np.allclose(replaced - alone, before * (many - 1) / many, rtol=1e-9)


@pytest.mark.parametrize(
    ("form", "cells", "values"),
    [
        ({}, ["1.5", "1,5", "1e3", ".5", "-5."], [1.5, None, 1000, 0.5, -5]),
        ({"decimal": ","}, ["1,5", "1.5", ",5", "1,e2"], [1.5, None, 0.5, 100]),
        ({"thousands": ","}, ["1,234", "12,34", "1,234.5", "0,123"], [1234, None, 1234.5, None]),
        ({"decimal": ",", "thousands": "."}, ["1.234,5", "1.5", "1234"], [1234.5, None, 1234]),
        ({"thousands": "'"}, ["1'234.5", "1234.5"], [1234.5, 1234.5]),
        ({"thousands": " "}, ["1 234", " 1 234 ", "1  234"], [1234, 1234, None]),
        ({"thousands": "\u202f"}, ["1\u202f234"], [1234]),
        (
            {"missing": ("-1", "999")},
            ["-1", " 999 ", "999.0", "NA", "1"],
            [None] * 2 + [999, None, 1],
        ),
        ({"missing": ()}, ["", "NA", "nan", "0"], [None, None, None, 0]),
    ],
)
def test_cells_are_numbers_by_the_format_alone(form, cells, values):
    form = NumberFormat("|", **form)
    recipe = Recipe((Number("a", -2000, 2000), Number("b", -1, 1)), radius=1.0, number_format=form)
    for cell, value in zip(cells, values, strict=True):
        content = f"a|b\n{cell}|0\n".encode()
        (row,) = prepare(Upload("t.csv", content), recipe, "t", TOTAL).rows
        assert row[0] * 2000 == pytest.approx(0 if value is None else value), cell


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "latin-1"])
def test_the_encoding_is_the_recipe_s(encoding):
    recipe = Recipe(
        (Number("größe", 0, 2),), (Category("c", ("ä", "b")),),
        number_format=NumberFormat(encoding=encoding),
    )  # fmt: skip
    content = "größe,c\n1.5,ä\n0.5,b\n".encode(encoding)
    data = prepare(Upload("t.csv", content), recipe, "t")
    assert data.rows[:, 1:].astype(bool).tolist() == [[True, False], [False, True]]
    if encoding in ("cp1252", "latin-1"):
        with pytest.raises(TableError, match="not UTF-8"):
            prepare(Upload("t.csv", content), replace(recipe, number_format=NumberFormat()), "t")


@pytest.mark.parametrize(
    ("form", "words"),
    [
        (NumberFormat("x"), "separated by"),
        (NumberFormat(",,"), "separated by"),
        (NumberFormat(decimal=";"), "point or a comma"),
        (NumberFormat(thousands="."), "other than the decimal"),
        (NumberFormat(thousands="xx"), "Between thousands"),
        (NumberFormat(encoding="rot13"), "written in one of"),
        (NumberFormat(encoding="utf-16"), "save the file as “CSV UTF-8”"),
        (NumberFormat(encoding="UTF_16_LE"), "save the file as “CSV UTF-8”"),
        (NumberFormat(missing=(1,)), "a list of texts"),
    ],
)
def test_a_format_that_is_none_is_refused(form, words):
    table = pd.DataFrame({"a": [1.0, 2.0], "b": [1.0, 2.0]})
    recipe = Recipe((Number("a", 0, 1), Number("b", 0, 1)), number_format=form)
    with pytest.raises(RecipeError, match=words):
        prepare(table, recipe, "t")


# --- Persons and categories ---

PERSONS = Recipe(
    (Number("a", 0, 2),), (Category("c", ("1", "01", "1.0")),), radius=1.0, person="who",
    bounds_are_public=True,
)  # fmt: skip


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
    with pytest.raises(ValueError, match="nobody knows whose"):
        prepare(Upload("t.csv", rows + b",2,1\n"), recipe, "t")


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
    table = read_table("t.pq", content)
    for given in (table, Upload("t.pq", content)):
        assert prepare(given, PERSONS, "t", TOTAL).people == 2


def test_a_person_s_average_has_the_same_digits_whoever_else_is_there(monkeypatch):
    """In blocks of 256 rows: a sum of sums of blocks would have other digits."""
    monkeypatch.setattr("dpca_core.preparation._CELLS", 1)
    rng = np.random.default_rng(0)
    own = pd.DataFrame({"who": "p", "a": rng.random(200), "c": "1"})
    others = pd.DataFrame({"who": rng.integers(0, 50, 9000).astype(str), "a": 1.0, "c": "1"})
    alone = prepare(own, PERSONS, "t", TOTAL).rows[0]
    mixed = pd.concat([own, others]).iloc[rng.permutation(9200)].reset_index(drop=True)
    order = mixed[mixed["who"] == "p"]
    expected = prepare(order.reset_index(drop=True), PERSONS, "t", TOTAL).rows[0]
    content = mixed.to_csv(index=False, float_format="%.17g").encode()
    place = list(dict.fromkeys(mixed["who"])).index("p")
    for given in (mixed, Upload("t.csv", content)):
        assert np.array_equal(prepare(given, PERSONS, "t", TOTAL).rows[place], expected)
    assert np.allclose(alone, expected)


# --- What is no finite number ---

FRAMES = {
    "infinite": [np.inf, 1.0, 2.0],
    "not a number": [np.nan, 1.0, 2.0],
    "text": ["x", 1.0, 2.0],
    "a huge whole number": [10**400, 1.0, 2.0],
    "a time": [pd.Timestamp(0), 1.0, 2.0],
    "a list": [[1], 1.0, 2.0],
    "a complex number": [1j, 1.0, 2.0],
    "bytes": [b"1", 1.0, 2.0],
    "half a pair of surrogates": ["\ud800", 1.0, 2.0],
}


@pytest.mark.parametrize("missing", Missing)
@pytest.mark.parametrize("name", FRAMES)
def test_a_cell_of_a_frame_that_is_no_finite_number_is_missing(name, missing):
    recipe = Recipe((Number("a", 0, 4), Number("b", 0, 4)), missing=missing)
    table = pd.DataFrame({"a": FRAMES[name], "b": [3.0, 3.0, 1.0]})
    blank = table.assign(a=[np.nan, 1.0, 2.0])
    expected = prepare(blank, recipe, "t", TOTAL)
    assert np.array_equal(prepare(table, recipe, "t", TOTAL).rows, expected.rows)
    assert np.allclose(second_moment(table, recipe).moment, expected.moment)
    if name != "not a number":
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


def test_parquet_columns_of_any_type_are_numbers_or_missing(tmp_path):
    columns = {
        "a": pa.array(["1.5", "x", None]), "b": pa.array([1, 2, 3]),
        "c": pa.array([[1], [2], [3]]), "d": pa.array([1, 2, 3], pa.timestamp("s")),
        "e": pa.array(["1", "2", "2"]).dictionary_encode(),
    }  # fmt: skip
    pq.write_table(pa.table(columns), tmp_path / "t.parquet")
    recipe = Recipe(tuple(Number(n, 0, 4) for n in columns), radius=4.0)
    rows = np.array([[1.5, 1, 2, 2, 1], [2, 2, 2, 2, 2], [2, 3, 2, 2, 2]]) / 2 - 1
    found = second_moment(tmp_path / "t.parquet", recipe).moment
    assert np.allclose(found, rows.T @ rows / 16)


# --- Nothing at all ---


@pytest.mark.parametrize("rows", [b"", b"\n\n", b"1,2\n", b"x\n"])
def test_a_table_of_hardly_a_row_is_a_problem_like_any_other(rows, tmp_path):
    recipe = recipe_for()
    (tmp_path / "t.csv").write_bytes(b"a,b\n" + rows)
    whole = prepare(Upload("t.csv", b"a,b\n" + rows), recipe, "t", TOTAL)
    found = second_moment(tmp_path / "t.csv", recipe)
    assert np.allclose(found.moment, whole.moment)
    assert found.problem(1).n == whole.problem(1).n == 1
    with pytest.raises(ValueError, match=r"needs two|field"):
        prepare(Upload("t.csv", b"a,b\n" + rows), recipe, "t")
    for scaling in (Scaling.AS_IN_PAPERS, Scaling.PRIVATE_MEAN):
        assert (
            prepare(Upload("t.csv", b"a,b\n" + rows), replace(recipe, scaling=scaling), "t", TOTAL)
            .problem(1)
            .n
            == 1
        )


def test_texts_are_kept_as_they_are_written():
    table = read_table("t.csv", b"id,a,b\n01,1,2\n1.0,3,4\n", None, ("id",))
    assert table["id"].tolist() == ["01", "1.0"]
    assert table["a"].tolist() == [1, 3]
    with pytest.raises(TableError, match="Line 3") as caught:
        read_table("t.csv", b"a,b\n1,2\n3\n4,5\n")
    assert caught.value.readable_anyway
    shown = read_table("t.csv", b"a,b\n1,2\n3\n4,5\n", reading=TOTAL)
    assert np.array_equal(shown["a"], [1, np.nan, 4], equal_nan=True)
