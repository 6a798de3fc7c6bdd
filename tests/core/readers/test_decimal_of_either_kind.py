"""Files in which some columns have decimal points and some commas, and files without a header."""

import numpy as np
import pytest

from dpca_core.data.errors import RecipeError
from dpca_core.data.recipe import Category, Number, Reading, Recipe
from dpca_core.data.text_file_format import EITHER, TextFileFormat, parsed, require_valid_format
from dpca_core.preparation import prepare
from dpca_core.readers.file_access import Upload
from dpca_core.readers.table import read_table
from dpca_core.streaming.second_moment import second_moment

FORM = TextFileFormat(";", EITHER)
CELLS = ["3,3", "2.5", "7", "-,5", "1e2", "1,234.5", "1.2.3", "3,3,3", "x", ""]
VALUES = [3.3, 2.5, 7, -0.5, 100, None, None, None, None, None]


def moment(content, recipe, tmp_path):
    """Return the sum of a total reading, by an upload and by a stream: they agree."""
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    upload = prepare(Upload("t.csv", content), recipe, "t", Reading.TOTAL).moment
    assert np.allclose(second_moment(path, recipe, chunk_rows=2).moment, upload, rtol=1e-12)
    return upload


@pytest.mark.parametrize(("cell", "value"), [*zip(CELLS, VALUES, strict=True)])
def test_each_cell_is_read_by_itself(cell, value, tmp_path):
    recipe = Recipe((Number("a", -100, 100),), (Category("b", ("y", "n")),), number_format=FORM)
    found = moment(f"a;b\n{cell};y\n4,5;n\n".encode(), recipe, tmp_path)
    plain = "" if value is None else repr(value)
    reference = Recipe(recipe.numbers, recipe.categories, number_format=TextFileFormat(";"))
    assert np.allclose(found, moment(f"a;b\n{plain};y\n4.5;n\n".encode(), reference, tmp_path))
    assert parsed(cell, FORM) == value


def test_columns_of_either_kind_are_numbers():
    table = read_table("t.csv", b"a;b;c\n1,5;2.5;x\n2,5;3.5;y\n", FORM)
    assert table["a"].tolist() == [1.5, 2.5]
    assert table["b"].tolist() == [2.5, 3.5]


@pytest.mark.parametrize("thousands", [",", "."])
def test_no_mark_has_two_meanings(thousands):
    with pytest.raises(RecipeError, match="thousands"):
        require_valid_format(TextFileFormat(";", EITHER, thousands))


def test_a_file_without_a_header_loses_no_row(tmp_path):
    recipe = Recipe(
        (Number("c1", 0, 9), Number("c3", 0, 9)), number_format=TextFileFormat(unnamed=3)
    )
    named = Recipe((Number("c1", 0, 9), Number("c3", 0, 9)))
    rows = b"1,a,2\n3,b,4\n5,c,6\n"
    assert np.allclose(
        moment(rows, recipe, tmp_path), moment(b"c1,c2,c3\n" + rows, named, tmp_path)
    )
    table = read_table("t.csv", rows, TextFileFormat(unnamed=3))
    assert [*table.columns] == ["c1", "c2", "c3"]
    assert table["c3"].tolist() == [2, 4, 6]


@pytest.mark.parametrize("first", ["1,a", '"', "1,a,2,3,4", "%PDF-1", "{", '1,"a,2', "\udcff,a,2"])
def test_a_first_row_decides_nothing_about_the_others(first, tmp_path):
    """Whatever it is, it is one row, and the sum of the others is what it would be without it."""
    recipe = Recipe(
        (Number("c1", 0, 9), Number("c3", 0, 9)), number_format=TextFileFormat(unnamed=3)
    )
    rows = b"1,a,2\n3,b,4\n5,c,6\n"
    line = first.encode("utf-8", "surrogateescape") + b"\n"
    alone = moment(b"7,x,1\n" + line, recipe, tmp_path) - moment(b"7,x,1\n", recipe, tmp_path)
    assert np.allclose(
        moment(line + rows, recipe, tmp_path), moment(rows, recipe, tmp_path) + alone
    )


@pytest.mark.parametrize("unnamed", [-1, 10**6])
def test_a_number_of_columns_that_cannot_be(unnamed):
    with pytest.raises(RecipeError, match="columns without names"):
        require_valid_format(TextFileFormat(unnamed=unnamed))
