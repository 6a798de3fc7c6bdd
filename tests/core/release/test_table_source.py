"""Tables as sources of a release: the same sums from every kind; only headers are refused."""

import gzip
import io
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpca_core.data.errors import EncodingError, RecipeError, TableError
from dpca_core.data.recipe import (
    Category,
    Combine,
    MissingPerson,
    Reading,
    RowLength,
    Scaling,
)
from dpca_core.preparation import prepare
from dpca_core.readers import csv_file, gzip_unpacking, memory, parquet_chunks
from dpca_core.readers.file_access import Upload
from dpca_core.release import given_tables
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
    folder, packed = tmp_path / "parts", tmp_path / "t.csv.gz"
    folder.mkdir()
    for place in range(4):
        table[25 * place : 25 * place + 25].to_csv(folder / f"{place}.csv", index=False)
    packed.write_bytes(gzip.compress(csv(table).content))
    halves = [table[:41], table[41:]]
    for given in (
        [parquet(table)],
        [table],
        halves,
        [csv(halves[0]), parquet(halves[1])],
        [str(packed)],
        [folder],
        [str(folder / "*.csv")],
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


def test_a_mean_is_subtracted_from_rows_at_most_r():
    """With rows of length 1 too: they are made so after the mean is subtracted."""
    private = replace(ONE, scaling=Scaling.PRIVATE_MEAN)
    table, centre = csv(frame()), np.array([5000, -100, 0, 3000, 9])
    assert equal(sums(table, private), sums(table, RECIPE))
    found = np.vstack(list(rows_about(TableSource([table], private), centre, length_one=True)))
    assert np.linalg.norm(found, axis=1) == pytest.approx(GRID, rel=1e-4)


@pytest.mark.parametrize("recipe", RECIPES.values(), ids=RECIPES)
def test_no_row_about_a_released_mean_leaves_the_ball(recipe):
    """A released mean has noise: it may lie anywhere in the ball, across from a row."""
    private, table = replace(recipe, scaling=Scaling.PRIVATE_MEAN), csv(frame())
    for j, sign in product(range(5), (-1, 1)):
        centre = sign * GRID * np.eye(5, dtype=np.int64)[j]
        found = np.vstack(list(rows_about(TableSource([table], private), centre)))
        assert np.square(found).sum(axis=1).max() <= GRID**2


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
    whole, apart = sums(parts, recipe), [sums(part, recipe) for part in parts]
    assert equal(whole, sums(csv(table), recipe))
    assert sum(part.c for part in apart) > whole.c
    with pytest.raises(RecipeError, match="Rows of one person may lie in several parts"):
        sums_of_parts(apart)


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
    found = sums(lines(base))
    # Only the first is of the category “1”, the last of the coded columns.
    assert 0.5 < found.t[4] / GRID * RECIPE.bound < 1.01
    assert (sums(lines([*base, b"1,1,x,s"])).T - found.T == sums(lines([b"1,1,x,s"])).T).all()


def test_what_is_given_twice_would_count_twice(tmp_path):
    table, path = frame(5), tmp_path / "t.csv"
    path.write_bytes(csv(table).content)
    (tmp_path / "other.csv").hardlink_to(path)
    for twice in ([path, path], [path, tmp_path], [str(tmp_path / "*.csv")], [csv(table)] * 2):
        with pytest.raises(TableError, match="is given twice"):
            TableSource(twice, RECIPE)
    with pytest.raises(TableError, match="A data frame is given twice"):
        TableSource([table, table], RECIPE)


def test_only_recipe_path_and_header_are_refused_and_beforehand(tmp_path):
    table = frame(5)
    empty, link, way = tmp_path / "empty.csv", tmp_path / "link.csv", tmp_path / "way"
    empty.write_bytes(b"")
    link.symlink_to(empty)
    (tmp_path / "folder").mkdir()
    way.symlink_to(tmp_path, target_is_directory=True)
    for given, said in (
        ([], "No table is given"),
        ([tmp_path / "gone.csv"], "There is no file gone.csv"),
        ([tmp_path / "folder"], "holds no CSV or Parquet file"),
        ([str(tmp_path / "*.pq")], "No file is like"),
        ([empty], "is empty"),
        ([link], "is a symbolic link"),
        ([f"{way}/"], "way is a symbolic link: give the path of the folder itself"),
        ([str(tmp_path / "wa*")], "way is a symbolic link"),
        ([csv(table.drop(columns="age"))], "no column age"),
        ([parquet(table.drop(columns="site"))], "no column site"),
        ([table.drop(columns="weight")], "no column weight"),
        ([csv(table), table.set_axis(["age", "age", "weight", "site"], axis=1)], "2 columns age"),
    ):
        with pytest.raises((TableError, EncodingError), match=said):
            TableSource(given, RECIPE).check()
    many = Category("site", tuple(map(str, range(2001))))
    for recipe, said in (
        (replace(RECIPE, scaling=Scaling.AS_IN_PAPERS), "nothing can be promised"),
        (replace(RECIPE, numbers=(), categories=()), "at least two columns"),
        (replace(RECIPE, categories=(many,)), "at most 2,000 columns after coding"),
    ):
        with pytest.raises(RecipeError, match=said):
            TableSource([table], recipe)
    TableSource([csv(table), parquet(table), table], RECIPE).check()


def test_rows_without_columns_or_a_radius_are_refused():
    for wrong in (np.zeros(3), np.zeros((1, 2001)), np.zeros((2, 0))):
        with pytest.raises(ValueError, match="columns"):
            RowSource(wrong)
    for radius in (0, -1, np.inf, np.nan):
        with pytest.raises(ValueError, match="positive"):
            RowSource(np.zeros((1, 1)), radius)
    with pytest.raises(ValueError, match="one name"):
        RowSource(np.zeros((1, 2)), columns=("a",))


ROWS = [b"%d,%d,a,p" % (i % 90, i % 7) for i in range(30_000)]


def test_it_does_not_depend_on_blocks_where_a_damaged_gzip_file_ends(monkeypatch):
    rng = np.random.default_rng(20)
    rows = [b"%d,%.9f,a,p" % (i % 90, rng.random()) for i in range(4000)]
    packed = gzip.compress(lines(rows).content, mtime=0)
    half = len(packed) // 2
    cuts = [packed[:place] for place in (*rng.integers(half, len(packed), 3), len(packed) - 9)]
    flips = []
    for place in rng.integers(half, len(packed) - 8, 3):
        flips.append(bytearray(packed))
        flips[-1][place] ^= 4
    behind, checksum = packed + rng.bytes(20), packed[:-8] + b"12345678"
    for damaged in (*cuts, *map(bytes, flips), behind, checksum):
        found = []
        for chunk in (2**12, 2**13 + 7, 2**20):
            monkeypatch.setattr(given_tables, "_CHUNK", chunk)
            found.append(sums(Upload("t.csv.gz", damaged)))
        assert equal(found[0], found[1])
        assert equal(found[0], found[2])
        # What stands before the damage is read.
        assert found[0].c == 4000 or damaged not in (behind, checksum)


@pytest.mark.parametrize("packed", [False, True])
def test_an_upload_of_any_size_is_read(monkeypatch, packed):
    expected = sums(lines(ROWS))
    monkeypatch.setattr(gzip_unpacking, "MAX_BYTES", 1000)
    monkeypatch.setattr(memory, "available_memory", lambda *_: 0)
    content = lines(ROWS).content
    given = gzip.compress(content) if packed else content
    assert equal(sums(Upload("t.csv", given)), expected)
    assert sums(parquet(frame(20))).c == 20


@pytest.mark.parametrize("ends", ["csv", "csv.gz", "parquet"])
def test_a_file_that_changes_between_two_passes_tells_nothing(tmp_path, ends):
    table, path = frame(1000), tmp_path / f"t.{ends}"
    content = parquet(table).content if ends == "parquet" else csv(table).content
    content = gzip.compress(content) if ends == "csv.gz" else content
    path.write_bytes(content)
    found = TableSource([path], RECIPE)
    found.check()
    first = exact_sums(found)
    assert first.c == 1000
    assert equal(first, exact_sums(found))
    half = len(content) // 2
    zeros = content[:half] + bytes(len(content) - half)
    for other in (content[:half], b"", b"\n", zeros, np.random.default_rng(1).bytes(5000)):
        path.write_bytes(other)
        assert 0 <= exact_sums(found).c <= 5000
    path.unlink()
    with pytest.raises(TableError, match="There is no file"):
        exact_sums(found)


def test_a_file_cut_while_it_is_read_ends_there(tmp_path, monkeypatch):
    monkeypatch.setattr(csv_file, "LARGEST_BLOCK", 2**12)
    path = tmp_path / "t.csv"
    path.write_bytes(lines(ROWS).content)
    blocks = TableSource([path], RECIPE).blocks()
    count = len(next(blocks))
    path.write_bytes(path.read_bytes()[:1000])
    count += sum(map(len, blocks))
    assert 0 < count < len(ROWS)


def test_a_damaged_page_of_parquet_ends_the_file():
    content = bytearray(parquet(frame(70)).content)
    content[len(content) // 3 : len(content) // 3 + 200] = bytes(200)
    assert sums(Upload("t.parquet", bytes(content))).c < 70


def test_a_cell_that_cannot_be_written_is_not_told():
    class Hostile:
        def __str__(self):
            raise ArithmeticError("a secret")

    table = frame(4).astype({"site": object})
    before = sums([table, frame(3)])
    table.loc[2, "site"] = Hostile()
    found = sums([table, frame(3)])
    assert found.c == before.c
    moved = (found.T - before.T).astype(object)
    assert np.square(moved).sum() <= 2 * GRID**4


def test_any_type_of_a_column_may_name_persons():
    """An error of Arrow at a type would come after the header was checked."""
    recipe = replace(RECIPE, person=("who",), missing_person=MissingPerson.OWN)
    base = pa.table({"age": [1.0, 2.0], "weight": [1, 2], "site": ["a", "b"]})
    for kind in (
        *(pa.null(), pa.bool_(), pa.float16(), pa.date64(), pa.time64("us"), pa.duration("ms")),
        *(pa.timestamp("ns", "UTC"), pa.binary(3), pa.decimal256(50, 2), pa.list_(pa.int8())),
        *(pa.struct([("x", pa.int8())]), pa.dictionary(pa.int8(), pa.string())),
    ):
        file = io.BytesIO()
        pq.write_table(base.append_column("who", pa.nulls(2, kind)), file)
        assert sums(Upload("t.parquet", file.getvalue()), recipe).c == 2


def test_rows_without_a_person_are_left_out():
    table = pd.DataFrame({"age": [1, 2], "weight": [1, 2], "site": ["a", "b"], "who": [None, "p"]})
    assert sums(table, PERSONS).c == sums(csv(table), PERSONS).c == 1
    assert sums(lines([b"1,2,a,", b"1,2,a, ", b"1,2,a,NA"]), PERSONS).c == 0
