"""Tables as sources of a release: the same whole numbers from every kind; only headers are refused.

That a record of any content moves the sums by its own part only is in tests/core/tables, too.
"""

import gzip
import io
from contextlib import suppress
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from numpy.random import default_rng

from dpca_core.data.errors import TableError
from dpca_core.data.recipe import Category, Combine, Number, Recipe, RowLength, Scale, Scaling
from dpca_core.data.text_file_format import Escape
from dpca_core.release.exact_sums import exact_sums, rows_about
from dpca_core.release.grid import GRID
from dpca_core.release.table_source import RowSource, TableSource
from dpca_core.tables.files import Upload
from dpca_core.tables.prepare import prepare
from tests.core.release.cases import PUBLIC

RECIPE = Recipe(
    (Number("age", 0, 100, missing=("999",)), Number("weight", -2, 8, unit="kg")),
    (Category("site", ("a", "b", "1")),),
    radius=1.2,
    scales=(Scale("mood", ("low", "1", "high")),),
    **PUBLIC,
)
ONE = replace(RECIPE, row_length=RowLength.ONE)
PERSONS = replace(RECIPE, person=("who",))
AT_MOST = replace(PERSONS, combine=Combine.AT_MOST, most=2)
RECIPES = {"at most R": RECIPE, "length 1": ONE, "averaged": PERSONS, "at most 2": AT_MOST}


def frame(n=40):
    """Numbers, a category, a scale, and persons with about three rows each."""
    rng = default_rng(0)
    return pd.DataFrame(
        {
            "age": rng.normal(50, 40, n),
            "weight": rng.normal(3, 4, n),
            "site": rng.choice(["a", "b", "1", "other"], n),
            "mood": rng.choice(["low", "1", "high", "?"], n),
            "who": [f"P{i}" for i in rng.integers(0, n // 3, n)],
            "text": "t",
        }
    )


def csv(table):
    """A table as an upload of text, its numbers to the last digit."""
    return Upload("t.csv", table.to_csv(index=False).encode())


def parquet(table):
    """A table as an upload in Parquet, in row groups of seven."""
    file = io.BytesIO()
    table.to_parquet(file, row_group_size=7)
    return Upload("t.parquet", file.getvalue())


def sums(tables, recipe=RECIPE):
    return exact_sums(TableSource(tables if isinstance(tables, list) else [tables], recipe))


def equal(one, other):
    return (one.T == other.T).all() and (one.t == other.t).all() and one.c == other.c


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)
def test_every_kind_of_table_has_the_same_sums(recipe, tmp_path):
    table = frame(100)
    table.loc[3, "age"], table.loc[5, "site"], table.loc[7, "who"] = np.nan, None, None
    expected = sums(csv(table), recipe)
    assert expected.T.any()
    folder, packed = tmp_path / "parts", tmp_path / "t.csv.gz"
    folder.mkdir()
    for place in range(4):
        table[25 * place : 25 * place + 25].to_csv(folder / f"{place}.csv", index=False)
    packed.write_bytes(gzip.compress(csv(table).content))
    halves = [table[:41], table[41:]]
    mixed = [csv(halves[0]), parquet(halves[1])]
    for given in ([table], halves, mixed, [str(packed)], [folder], [str(folder / "*.csv")]):
        assert equal(sums(given, recipe), expected)
    source = TableSource([csv(table)], recipe)
    assert equal(exact_sums(source), exact_sums(source))
    # As prepared rows: shortened already, so that their last digits may differ by half a unit.
    near = exact_sums(RowSource(prepare(csv(table), recipe, "t").rows))
    assert np.abs(near.T - expected.T).max() <= near.c * 3 * GRID
    assert near.c == expected.c


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)
def test_no_row_about_a_released_mean_leaves_the_ball(recipe):
    """A released mean has noise: it may lie anywhere in the ball, across from a row."""
    private, table = replace(recipe, scaling=Scaling.PRIVATE_MEAN), csv(frame())
    for j, sign in product(range(6), (-1, 1)):
        centre = sign * GRID * np.eye(6, dtype=np.int64)[j]
        found = np.vstack(list(rows_about(TableSource([table], private), centre)))
        assert np.square(found).sum(axis=1).max() <= GRID**2


@pytest.mark.parametrize("ends", ["csv", "csv.gz", "parquet"])
def test_a_file_that_changes_between_two_passes_is_read_again_or_refused(tmp_path, ends):
    table, path = frame(1000), tmp_path / f"t.{ends}"
    content = parquet(table).content if ends == "parquet" else csv(table).content
    content = gzip.compress(content, mtime=0) if ends == "csv.gz" else content
    path.write_bytes(content)
    found = TableSource([path], RECIPE)
    first = exact_sums(found)
    assert first.c == 1000
    assert equal(first, exact_sums(found))
    half = len(content) // 2
    zeros = content[:half] + bytes(len(content) - half)
    for other in (content[:half], b"", b"\n", zeros, np.random.default_rng(1).bytes(5000)):
        path.write_bytes(other)
        if ends == "csv":
            assert 0 <= exact_sums(found).c <= 5000
            continue
        with suppress(TableError):
            assert exact_sums(found).c <= 1000
    path.unlink()
    with pytest.raises(TableError, match="There is no file"):
        exact_sums(found)


def test_without_a_header_no_record_counts_for_more():
    """The first record is a row: it may look like another kind of file, or be too long."""
    form = replace(RECIPE.number_format, unnamed=2, escape=Escape.NONE)
    numbers = Number("c1", 0, 100), Number("c2", -2, 8)
    recipe = replace(RECIPE, numbers=numbers, categories=(), scales=(), number_format=form)

    def found(*rows):
        return sums(Upload("t.csv", b"".join(row + b"\n" for row in rows)), recipe)

    usual = [b"30,1", b"41.5,2.5", b"7,-1"]
    others = found(*usual)
    assert (found().c, others.c) == (0, 3)
    for row in (
        *(b"PAR1", b"\x1f\x8b\x08", b"%PDF-", b"PK\x03\x04,1", b"{", b"<html>", b"\xff\xfe3\x000"),
        *(b"\x00", b"1" * 2**22 + b"1,1", b'"', b" ", b"9,9,a"),
    ):
        alone = found(row)
        for together in (found(row, *usual), found(*usual, row)):
            assert (together.T == alone.T + others.T).all(), row[:20]
            assert (together.t == alone.t + others.t).all(), row[:20]
            assert together.c == alone.c + others.c, row[:20]
