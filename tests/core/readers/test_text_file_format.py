"""How numbers are written in a text file belongs to the recipe: proposed once, then fixed."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dpca_core.data.errors import RecipeError, TableError
from dpca_core.data.recipe import Category, Number, Reading, Recipe
from dpca_core.data.text_file_format import EITHER, TextFileFormat, parsed
from dpca_core.preparation import prepare
from dpca_core.readers.file_access import Upload
from dpca_core.readers.table import proposed_format, read_table
from dpca_core.streaming.second_moment import second_moment
from tests.cases import sampled
from tests.core.readers.test_total_reading import CELLS

TOTAL = Reading.TOTAL


@pytest.mark.parametrize(
    ("content", "form"),
    [
        (b"a,b\n1,2\n", TextFileFormat()),
        (b"a;b\n1,234;2\n" + b"1,234;2\n" * 4, TextFileFormat(";", ",")),
        (b"a;b\n1.5;2\n", TextFileFormat(";")),
        (b"a;b\n1,234;2\n12,345,678;2\n", TextFileFormat(";", ".", ",")),
        (b"a;b\n1.234;2\n1.234,5;2\n", TextFileFormat(";", ",", ".")),
        (b'a,b\n"1,234",2\n', TextFileFormat(",", ".", ",")),
        (b'a,b\n"1,5","x"\n', TextFileFormat(",")),
        (b"a|b\nx|y\n", TextFileFormat("|")),
        (b"a;b\n1,5;x\n2,5;1,2,3\nbad\n\xff;1,5\n", TextFileFormat(";")),
    ],
)
def test_a_format_is_proposed(content, form):
    assert proposed_format(Upload("t.csv", content)) == form


def moment(content, recipe, tmp_path):
    """Return the sum of a total reading, by an upload and by a stream: they agree."""
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    upload = prepare(Upload("t.csv", content), recipe, "t", TOTAL).moment
    found = [second_moment(path, recipe, chunk_rows=rows).moment for rows in (None, 100)]
    assert np.allclose(found, upload, rtol=1e-12)
    return upload


FORMS = [TextFileFormat(";", ","), TextFileFormat(";", ".", ","), TextFileFormat(";", ",", ".")]


@pytest.mark.parametrize(
    ("form", "many"),
    [*((form, 5) for form in FORMS), *sampled([(form, 3000) for form in FORMS], 3, "3000 rows")],
)
def test_one_row_never_changes_what_others_are_worth(many, form, tmp_path):
    """Five rows 1,234 and one row 12,345,678 changed all: by an upload, and by a stream."""
    numbers = (Number("a", -2000, 2000), Number("b", 0, 20))
    recipe = Recipe(numbers, bounds_are_public=True, number_format=form)
    head, rows = b"a;b\n", b"1,234;7\n"
    before = moment(head + rows * many, recipe, tmp_path)
    for cell in ["12,345,678", "1,234.5", "1.234,5", "x", *(CELLS[::8] if many == 5 else ())]:
        line = f"{cell};9".encode() + b"\n"
        alone = moment(head + line, recipe, tmp_path)
        added = moment(head + rows * many + line, recipe, tmp_path)
        assert np.allclose(added, before + alone, rtol=1e-9)
        # Under replacement too: the row takes the place of another one.
        replaced = moment(head + rows * (many - 1) + line, recipe, tmp_path)
        assert np.allclose(replaced - alone, before * (many - 1) / many, rtol=1e-9)


@pytest.mark.parametrize(
    ("form", "cells", "values"),
    [
        ({}, ["1.5", "1,5", "1e3", ".5", "-5."], [1.5, None, 1000, 0.5, -5]),
        ({"decimal": ","}, ["1,5", "1.5", ",5", "1,e2"], [1.5, None, 0.5, 100]),
        ({"decimal": EITHER}, ["3,3", "2.5", "-,5", "1e2"], [3.3, 2.5, -0.5, 100]),
        ({"decimal": EITHER}, ["1,234.5", "1.2.3", "3,3,3", "x"], [None] * 4),
        ({"thousands": ","}, ["1,234", "12,34", "1,234.5", "0,123"], [1234, None, 1234.5, None]),
        ({"decimal": ",", "thousands": "."}, ["1.234,5", "1.5", "1234"], [1234.5, None, 1234]),
        ({"thousands": "'"}, ["1'234.5", "1234.5"], [1234.5, 1234.5]),
        ({"thousands": " "}, ["1 234", " 1 234 ", "1  234"], [1234, 1234, None]),
        ({"thousands": "\u202f"}, ["1\u202f234"], [1234]),
        ({"missing": ("-1", "999")}, ["-1", " 999 ", "999.0", "NA"], [None, None, 999, None]),
        ({"missing": ()}, ["", "NA", "nan", "0"], [None, None, None, 0]),
    ],
)
def test_cells_are_numbers_by_the_format_alone(form, cells, values):
    form = TextFileFormat("|", **form)
    recipe = Recipe((Number("a", -2000, 2000), Number("b", -1, 1)), radius=1.0, number_format=form)
    for cell, value in zip(cells, values, strict=True):
        content = f"a|b\n{cell}|0\n".encode()
        (row,) = prepare(Upload("t.csv", content), recipe, "t", TOTAL).rows
        assert row[0] * 2000 == pytest.approx(0 if value is None else value), cell
        if not form.missing or cell.strip() not in form.missing:
            assert parsed(cell, form) == value


def test_a_file_with_another_separator_is_told_from_one_with_one_column(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"a;b\n1;2\n3;4\n")
    recipe = Recipe((Number("a", 0, 1), Number("b", 0, 1)))
    with pytest.raises(TableError, match="choose another separator, perhaps “;”"):
        second_moment(tmp_path / "t.csv", recipe)


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "latin-1"])
def test_the_encoding_is_the_recipe_s(encoding):
    recipe = Recipe(
        (Number("größe", 0, 2),),
        (Category("c", ("ä", "b")),),
        number_format=TextFileFormat(encoding=encoding),
    )
    content = "größe,c\n1.5,ä\n0.5,b\n".encode(encoding)
    data = prepare(Upload("t.csv", content), recipe, "t")
    assert data.rows[:, 1:].astype(bool).tolist() == [[True, False], [False, True]]
    if encoding != "utf-8":
        with pytest.raises(TableError, match="not UTF-8"):
            prepare(Upload("t.csv", content), replace(recipe, number_format=TextFileFormat()), "t")


@pytest.mark.parametrize(
    ("form", "words"),
    [
        (TextFileFormat("x"), "separated by"),
        (TextFileFormat(decimal=";"), "point or a comma"),
        (TextFileFormat(thousands="."), "other than the decimal"),
        (TextFileFormat(";", EITHER, ","), "thousands"),
        (TextFileFormat(thousands="xx"), "between thousands"),
        (TextFileFormat(encoding="rot13"), "encoding must be one of"),
        (TextFileFormat(encoding="utf-16"), "save the file as “CSV UTF-8”"),
        (TextFileFormat(missing=(1,)), "a list of texts"),
        (TextFileFormat(unnamed=-1), "columns without names"),
    ],
)
def test_a_format_that_is_none_is_refused(form, words):
    table = pd.DataFrame({"a": [1.0, 2.0], "b": [1.0, 2.0]})
    recipe = Recipe((Number("a", 0, 1), Number("b", 0, 1)), number_format=form)
    with pytest.raises(RecipeError, match=words):
        prepare(table, recipe, "t")


NUMBERED = Recipe((Number("c1", 0, 9), Number("c3", 0, 9)), number_format=TextFileFormat(unnamed=3))
ROWS = b"1,a,2\n3,b,4\n5,c,6\n"


def test_a_file_without_a_header_loses_no_row(tmp_path):
    named = replace(NUMBERED, number_format=TextFileFormat())
    expected = moment(b"c1,c2,c3\n" + ROWS, named, tmp_path)
    assert np.allclose(moment(ROWS, NUMBERED, tmp_path), expected)
    table = read_table("t.csv", ROWS, TextFileFormat(unnamed=3))
    assert [*table.columns] == ["c1", "c2", "c3"]
    assert table["c3"].tolist() == [2, 4, 6]


@pytest.mark.parametrize("first", ["1,a", '"', "1,a,2,3,4", "%PDF-1", "{", '1,"a,2', "\udcff,a,2"])
def test_a_first_row_decides_nothing_about_the_others(first, tmp_path):
    """Whatever it is, it is one row, and the sum of the others is what it would be without it."""
    line, usual = first.encode("utf-8", "surrogateescape") + b"\n", b"7,x,1\n"
    alone = moment(usual + line, NUMBERED, tmp_path) - moment(usual, NUMBERED, tmp_path)
    whole = moment(line + ROWS, NUMBERED, tmp_path)
    assert np.allclose(whole, moment(ROWS, NUMBERED, tmp_path) + alone)


def test_columns_of_texts_are_kept_as_they_are_written_and_others_read_by_the_format():
    table = read_table("t.csv", b"id,a,b\n01,1,2\n1.0,3,4\n", None, ("id",))
    assert table["id"].tolist() == ["01", "1.0"]
    assert table["a"].tolist() == [1, 3]
    either = read_table("t.csv", b"a;b;c\n1,5;2.5;x\n2,5;3.5;y\n", TextFileFormat(";", EITHER))
    assert either["a"].tolist() == [1.5, 2.5]
    assert either["b"].tolist() == [2.5, 3.5]


def test_a_row_that_strict_reading_refuses_is_missing_where_it_is_read_anyway():
    with pytest.raises(TableError, match="Line 3") as caught:
        read_table("t.csv", b"a,b\n1,2\n3\n4,5\n")
    assert caught.value.readable_anyway
    shown = read_table("t.csv", b"a,b\n1,2\n3\n4,5\n", reading=TOTAL)
    assert np.array_equal(shown["a"], [1, np.nan, 4], equal_nan=True)
