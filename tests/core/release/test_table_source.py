"""Tables as sources of a release: the same sums from every kind; only headers are refused."""

import gzip
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from dpca_core.data.errors import EncodingError, RecipeError, TableError
from dpca_core.data.recipe import Category, Combine, Number, Reading, RowLength, Scaling
from dpca_core.preparation import prepare
from dpca_core.readers import csv_file, parquet_chunks
from dpca_core.release.exact_sums import exact_sums, rows_about, sums_of_parts
from dpca_core.release.grid import GRID
from dpca_core.release.table_source import RowSource, TableSource
from dpca_core.runtime import threads
from tests.core.release.table_cases import RECIPE, csv, equal, frame, lines, parquet, sums

ONE = replace(RECIPE, row_length=RowLength.ONE)
PERSONS = replace(RECIPE, person=("who",))
AT_MOST = replace(PERSONS, combine=Combine.AT_MOST, most=2)
RECIPES = {"at most R": RECIPE, "length 1": ONE, "averaged": PERSONS, "at most 2": AT_MOST}


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)
def test_every_kind_of_table_has_the_same_sums(recipe, tmp_path):
    table = frame(100)
    table.loc[3, "age"], table.loc[5, "site"], table.loc[7, "who"] = np.nan, None, None
    expected = sums(csv(table), recipe)
    assert expected.T.any()
    (tmp_path / "parts").mkdir()
    for place in range(4):
        part = table.iloc[25 * place : 25 * place + 25]
        part.to_csv(tmp_path / "parts" / f"{place}.csv", index=False)
    packed = tmp_path / "t.csv.gz"
    packed.write_bytes(gzip.compress(csv(table).content))
    halves = [table[:41], table[41:]]
    for given in (
        [parquet(table)],
        [table],
        halves,
        [csv(halves[0]), parquet(halves[1])],
        [packed],
        [str(packed)],
        [tmp_path / "parts"],
        [str(tmp_path / "parts" / "*.csv")],
        [tmp_path / "parts" / f"{place}.csv" for place in range(4)],
    ):
        assert equal(sums(given, recipe), expected)
    source = TableSource([csv(table)], recipe)
    assert equal(exact_sums(source), exact_sums(source))
    if recipe.combine is not Combine.AT_MOST:
        # As prepared rows: shortened already, so that their last digits may differ by half a unit.
        rows = prepare(csv(table), recipe, "t", Reading.TOTAL).rows
        near = exact_sums(RowSource(rows, length_one=recipe is ONE))
        assert np.abs(near.T - expected.T).max() <= near.c * 3 * GRID
        assert near.c == expected.c


@pytest.mark.parametrize("ends", [csv, parquet], ids=["csv", "parquet"])
def test_no_number_of_threads_counts(monkeypatch, ends):
    monkeypatch.setattr(csv_file, "LARGEST_BLOCK", 256)
    given, found = ends(frame(200)), []
    for count in (1, 2, 7):
        monkeypatch.setattr(threads, "processors", lambda count=count: count)
        monkeypatch.setattr(parquet_chunks, "processors", lambda count=count: count)
        found.append(sums(given, PERSONS))
    assert equal(found[0], found[1])
    assert equal(found[0], found[2])


def test_raw_rows_and_a_file_of_them_are_the_same():
    rows = np.random.default_rng(5).normal(size=(60, 3)) * 3
    table = pd.DataFrame(rows, columns=["a", "b", "c"])
    free = replace(
        RECIPE,
        numbers=tuple(Number(name, 0, 0) for name in "abc"),
        categories=(),
        scaling=Scaling.NORM_ONLY,
        radius=2.5,
    )
    for recipe in (free, replace(free, row_length=RowLength.ONE)):
        direct = exact_sums(RowSource(rows, 2.5, length_one=recipe is not free))
        for given in (csv(table), parquet(table), table):
            assert equal(sums(given, recipe), direct)


def test_a_dask_frame_is_its_partitions():
    dask = pytest.importorskip("dask.dataframe")
    table = frame(50)
    parts = dask.from_pandas(table, npartitions=3).partitions
    assert equal(sums([part.compute() for part in parts]), sums(table))


def test_a_mean_is_subtracted_from_rows_at_most_r():
    """With rows of length 1 too: they are made so after the mean is subtracted."""
    private = replace(ONE, scaling=Scaling.PRIVATE_MEAN)
    table, centre = csv(frame()), np.array([5000, -100, 0, 3000, 9])
    assert equal(sums(table, private), sums(table, RECIPE))
    found = np.vstack(list(rows_about(TableSource([table], private), centre, length_one=True)))
    assert np.linalg.norm(found, axis=1) == pytest.approx(GRID, rel=1e-4)


def test_the_order_of_rows_counts_only_among_those_of_a_person():
    table = frame(60)
    other = table.sample(frac=1, random_state=1)
    within = other.iloc[np.argsort(other["who"].to_numpy(), kind="stable")]
    assert equal(sums(csv(within), PERSONS), sums(csv(other), PERSONS))
    assert equal(sums(csv(other)), sums(csv(table)))


@pytest.mark.parametrize("recipe", [PERSONS, AT_MOST], ids=["averaged", "at most 2"])
def test_a_person_in_two_files_is_one(recipe):
    table = frame(30)
    parts = [csv(table[:15]), csv(table[15:])]
    assert equal(sums(parts, recipe), sums(csv(table), recipe))
    apart = [sums(part, recipe) for part in parts]
    assert sum(part.c for part in apart) > sums(parts, recipe).c
    with pytest.raises(RecipeError, match="Rows of one person may lie in several parts"):
        sums_of_parts(apart)
    assert equal(sums_of_parts([sums(part) for part in parts]), sums(csv(table)))


@pytest.mark.parametrize("recipe", [PERSONS, AT_MOST], ids=["averaged", "at most 2"])
def test_persons_are_texts_whatever_stands_below_them(recipe):
    base = [b"30,1,a,01", b"40,2,b,1", b"50,3,a,1.0", b"60,1,b, 1 "]
    before = sums(lines(base), recipe)
    appended = [b"20,5,a,x", b"20,5,a,1e0", b'20,5,a,"', b"20,5,a,", b"20,5,a,\xff"]
    for row in appended:
        found, own = sums(lines([*base, row]), recipe), sums(lines([row]), recipe)
        assert (found.T - before.T == own.T).all()
        assert found.c == before.c + own.c
    assert before.c == (3 if recipe is PERSONS else 4)
    # In a frame too, where the column of whole numbers becomes one of objects.
    people = pd.DataFrame({"age": 30.0, "weight": 1.0, "site": "a", "who": [1, 2, 2]})
    more = pd.concat([people, people[:1].assign(who="x")], ignore_index=True)
    own = sums(more[3:], recipe)
    assert (sums(more, recipe).T - sums(people, recipe).T == own.T).all()


def test_categories_are_texts_too():
    base = [b"30,1,1,p", b"40,2,01,q", b"50,3,1.0,r"]
    found = exact_sums(TableSource([lines(base)], RECIPE))
    # Only the first is of the category “1”, the last of the coded columns.
    assert found.t[4] > 0.5 * GRID / RECIPE.bound
    assert found.t[4] < 1.01 * GRID / RECIPE.bound
    assert (sums(lines([*base, b"1,1,x,s"])).T - found.T == sums(lines([b"1,1,x,s"])).T).all()


def test_what_is_given_twice_would_count_twice(tmp_path):
    table, path = frame(5), tmp_path / "t.csv"
    path.write_bytes(csv(table).content)
    (tmp_path / "other.csv").hardlink_to(path)
    upload = csv(table)
    for twice in (
        [path, path],
        [path, tmp_path],
        [str(tmp_path / "*.csv")],
        [upload, upload],
    ):
        with pytest.raises(TableError, match="is given twice"):
            TableSource(twice, RECIPE)
    with pytest.raises(TableError, match="A data frame is given twice"):
        TableSource([table, table], RECIPE)


def test_only_recipe_path_and_header_are_refused_and_beforehand(tmp_path):
    table = frame(5)
    empty, link = tmp_path / "empty.csv", tmp_path / "link.csv"
    empty.write_bytes(b"")
    link.symlink_to(empty)
    (tmp_path / "folder").mkdir()
    way = tmp_path / "way"
    way.symlink_to(tmp_path, target_is_directory=True)
    for given, said in (
        ([], "No table is given"),
        ([tmp_path / "gone.csv"], "There is no file gone.csv"),
        ([tmp_path / "folder"], "holds no CSV or Parquet file"),
        ([str(tmp_path / "*.pq")], "No file is like"),
        ([empty], "is empty"),
        ([link], "is a symbolic link"),
        ([way], "way is a symbolic link: give the path of the folder itself"),
        ([f"{way}/"], "way is a symbolic link"),
        ([str(tmp_path / "wa*")], "way is a symbolic link"),
        ([csv(table.drop(columns="age"))], "no column age"),
        ([parquet(table.drop(columns="site"))], "no column site"),
        ([table.drop(columns="weight")], "no column weight"),
        ([csv(table), table.set_axis(["age", "age", "weight", "site"], axis=1)], "2 columns age"),
    ):
        with pytest.raises((TableError, EncodingError), match=said):
            TableSource(given, RECIPE).check()
    for recipe, said in (
        (replace(RECIPE, scaling=Scaling.AS_IN_PAPERS), "nothing can be promised"),
        (replace(RECIPE, numbers=(), categories=()), "at least two columns"),
        (
            replace(RECIPE, categories=(Category("site", tuple(map(str, range(2001)))),)),
            "at most 2,000 columns after coding",
        ),
    ):
        with pytest.raises(RecipeError, match=said):
            TableSource([table], recipe)
    TableSource([csv(table), parquet(table), table], RECIPE).check()


def test_sources_say_what_they_are():
    assert TableSource([frame(1)], AT_MOST).rows_per_person == 2
    assert TableSource([frame(1)], RECIPE).columns == (
        "age", "weight", "site: a", "site: b", "site: 1",
    )  # fmt: skip
    assert TableSource([frame(1)], RECIPE).settings != TableSource([frame(1)], ONE).settings
    RowSource(np.zeros((1, 1))).check()
    for wrong in (np.zeros(3), np.zeros((1, 2001)), np.zeros((2, 0))):
        with pytest.raises(ValueError, match="columns"):
            RowSource(wrong)
    for radius in (0, -1, np.inf, np.nan):
        with pytest.raises(ValueError, match="positive"):
            RowSource(np.zeros((1, 1)), radius)
    with pytest.raises(ValueError, match="one name"):
        RowSource(np.zeros((1, 2)), columns=("a",))
