"""Tables as sources of a release: the same sums from every kind; only headers are refused.

From the header on a row of any bytes moves the sums by its own part only.
"""

import gzip
import io
import random
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from numpy.random import default_rng

from dpca_core.data.errors import EncodingError, RecipeError, TableError
from dpca_core.data.recipe import (
    Category,
    Combine,
    Missing,
    MissingPerson,
    Number,
    Reading,
    Recipe,
    RowLength,
    Scaling,
)
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.preparation import prepare
from dpca_core.readers import csv_file, gzip_unpacking, memory, parquet_chunks
from dpca_core.readers.file_access import Upload
from dpca_core.release import given_tables
from dpca_core.release.exact_sums import exact_sums, rows_about
from dpca_core.release.grid import GRID
from dpca_core.release.table_source import RowSource, TableSource
from dpca_core.runtime import threads
from tests.cases import sampled

RECIPE = Recipe(
    (Number("age", 0, 100, missing=("999",)), Number("weight", -2, 8, unit="kg")),
    (Category("site", ("a", "b", "1")),),
    radius=1.2,
    bounds_are_public=True,
)
HEADER = b"age,weight,site,who\n"


def frame(n=40, seed=0):
    """Numbers, a category and persons with about three rows each."""
    rng = default_rng(seed)
    return pd.DataFrame(
        {
            "age": rng.normal(50, 40, n),
            "weight": rng.normal(3, 4, n),
            "site": rng.choice(["a", "b", "1", "other"], n),
            "who": [f"P{i}" for i in rng.integers(0, max(n // 3, 1), n)],
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


def lines(content, name="t.csv"):
    """Lines of text (bytes) under the header, as an upload."""
    return Upload(name, HEADER + b"".join(line + b"\n" for line in content))


def sums(tables, recipe=RECIPE, centre=None):
    given = tables if isinstance(tables, list) else [tables]
    return exact_sums(TableSource(given, recipe), centre)


def equal(one, other):
    return (one.T == other.T).all() and (one.t == other.t).all() and one.c == other.c


CELLS = [
    *b'1|2.5|-3||NA| 4|5 |"6"|"|"7|8"|""|" 9"| "9"|1,5|1,234,567|1 234|inf|nan|-inf'.split(b"|"),
    *b'1e400|1e-400|0x10|1_0|999| 999|999.0|a| b|"a"|+1|1.|.5|e|\t3|12 kg|-|01|1.0'.split(b"|"),
    *(b"\\", b'\\"', b"\xff", b"\xf4\x8f\xbe\x80", b"\xef\xbb\xbf1", b"\xc2\xa05", b"\x00"),
    *(
        b"a\x00",
        b"\x0b",
        b"\xe2\x80\xa8",
        b"\x85",
        b"\x1c2",
        b"\xed\xa0\x80",
        b"1" * 400,
        b"0." + b"1" * 800,
    ),
]
"""Cells as programs, people and adversaries write them."""


def hostile_line(rng: random.Random, separator: bytes = b",", width: int = 4) -> bytes:
    """One line of arbitrary bytes, or of odd cells, perhaps of another width."""
    kind = rng.random()
    if kind < 0.2:
        found = bytes(rng.randrange(256) for _ in range(rng.randrange(12)))
        return found.replace(b"\n", b"").replace(b"\r", b"")
    cells = width if kind < 0.85 else rng.randrange(width + 3)
    return separator.join(rng.choice(CELLS) for _ in range(cells))


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
        *(pa.timestamp("ns", "UTC"), pa.binary(3), pa.decimal32(4, 1), pa.list_(pa.int8())),
        *(pa.struct([("x", pa.int8())]), pa.dictionary(pa.int8(), pa.string())),
    ):
        file = io.BytesIO()
        pq.write_table(base.append_column("who", pa.nulls(2, kind)), file)
        assert sums(Upload("t.parquet", file.getvalue()), recipe).c == 2


FORMATS = {
    "points": TextFileFormat(),
    "thousands": TextFileFormat(thousands=","),
    "commas": TextFileFormat(";", ","),
    "either": TextFileFormat("\t", ".,"),
    "commas and points": TextFileFormat(";", ",", "."),
    "a code": TextFileFormat(missing=("999",)),
    "cp1252": TextFileFormat(encoding="cp1252"),
    "latin-1": TextFileFormat(encoding="latin-1", thousands=" "),
}
CHOICES = [
    {},
    {"missing": Missing.DROP},
    {"row_length": RowLength.ONE},
    {"scaling": Scaling.NORM_ONLY},
]
USUAL = [b"30,1,a,p", b"41.5,2.5,b,q", b"7,-1,1,p"]


def same(whole, parts):
    """Whether sums of lines one by one are those of all of them."""
    zero = np.zeros_like(whole.T)
    return (
        (sum((p.T for p in parts), zero) == whole.T).all()
        and (sum((p.t for p in parts), zero[0]) == whole.t).all()
        and sum(p.c for p in parts) == whole.c
    )


@pytest.mark.parametrize("form", sampled(FORMATS, 4, "lines of the other formats of text"))
def test_a_line_of_any_bytes_counts_for_itself(form, monkeypatch):
    """With blocks of 64 bytes too, where lines of one file are converted apart."""
    rng, mark = random.Random(form), FORMATS[form].delimiter.encode()

    def upload(rows):
        content = b"".join(row + b"\n" for row in rows)
        return Upload("t.csv", HEADER.replace(b",", mark) + content)

    for turn in range(30):
        monkeypatch.setattr(csv_file, "LARGEST_BLOCK", 64 if turn % 2 else 2**22)
        recipe = replace(RECIPE, number_format=FORMATS[form], **rng.choice(CHOICES))
        usual = [line.replace(b",", mark) for line in USUAL]
        rows = [*usual, *(hostile_line(rng, mark) for _ in range(rng.randrange(5)))]
        rng.shuffle(rows)
        whole = sums(upload(rows), recipe)
        assert same(whole, [sums(upload([row]), recipe) for row in rows]), rows


def test_without_a_header_no_line_counts_for_more():
    """The first row is a row: it may look like another kind of file, or never end."""
    (age, weight), (site,) = RECIPE.numbers, RECIPE.categories
    recipe = replace(
        RECIPE,
        number_format=replace(RECIPE.number_format, unnamed=4),
        numbers=(replace(age, name="c1"), replace(weight, name="c2")),
        categories=(replace(site, name="c3"),),
    )

    def found(rows):
        return sums(Upload("t.csv", b"".join(row + b"\n" for row in rows)), recipe)

    assert found([]).c == 0
    usual = found(USUAL)
    assert usual.c == 3
    for row in (
        *(b"PAR1", b"\x1f\x8b\x08", b"\xef\xbb\xbf30,1,a,p", b"%PDF-", b"PK\x03\x04,1,a,b", b"{"),
        *(b"<html>", b"\xff\xfe3\x000", b"\x00", b"1" * 2**22 + b"1,1,a,b", b'"', b" ", b"9,9,a,b"),
    ):
        assert same(found([row, *USUAL]), [found([row]), usual]), row[:20]
        assert same(found([*USUAL, row]), [found([row]), usual]), row[:20]


def test_a_lone_quote_swallows_its_own_line_only():
    before = sums(lines(USUAL))
    for quote in (b'"', b'30,"1,a,p', b'"30,1,a,p', b'30,1,a,"p', b'"a""', b'30, "1,a,p'):
        for place in range(4):
            found = sums(lines([*USUAL[:place], quote, *USUAL[place:], quote]))
            assert (found.T == before.T).all()
            assert found.c == before.c + 2


def test_bad_bytes_are_letters_and_bad_lines_are_missing_values():
    before = sums(lines(USUAL))
    for line in (b"\xff", b"1,2", b"1,2,a,b,c", b"\x00,\x00,\x00", b"x,\xfe,\xff,\x80", b"," * 9):
        found = sums(lines([*USUAL, line]))
        assert (found.T == before.T).all()
        assert found.c == before.c + 1
    # A byte that is no text, in a cell that is not used, costs the row nothing.
    assert equal(sums(lines([line + b"\xff" for line in USUAL])), before)


def test_text_in_parquet_means_the_same_beside_bytes_that_are_none():
    """A unit of a letter that stands for a byte, where such a byte stands in another row."""
    letter = "\U0010ff80"
    recipe = replace(RECIPE, numbers=(RECIPE.numbers[0], replace(RECIPE.numbers[1], unit=letter)))

    def found(cells):
        texts = pa.array(cells, pa.binary()).view(pa.string())
        columns = {"age": [30.0] * len(cells), "weight": texts, "site": ["a"] * len(cells)}
        file = io.BytesIO()
        pq.write_table(pa.table(columns), file)
        return sums(Upload("t.parquet", file.getvalue()), recipe)

    plain, odd = f"5{letter}".encode(), b"\xff"
    assert same(found([plain, odd, b"7"]), [found([plain]), found([odd]), found([b"7"])])
    assert found([b"7"]).t[1] > found([odd]).t[1] == 0


PERSON_CELLS = [b"1", b"01", b"1.0", b" 1", b"x", b"X", b"", b"NA", b"\xff", b"\xc2\xa0x"]
PERSON_CHOICES = {
    "averaged": {},
    "at most 2": {"combine": Combine.AT_MOST, "most": 2},
    "case ignored": {"ids_ignore_case": True, "missing": Missing.DROP},
    "own": {"missing_person": MissingPerson.OWN, "combine": Combine.AT_MOST, "most": 1},
}


@pytest.mark.parametrize("name", sampled(PERSON_CHOICES, 2, "persons joined in other ways"))
def test_a_person_of_any_rows_counts_for_herself(name, monkeypatch):
    rng, choice = random.Random(name), PERSON_CHOICES[name]
    recipe = replace(RECIPE, person=("who",), **choice)
    for turn in range(20):
        monkeypatch.setattr(csv_file, "LARGEST_BLOCK", 64 if turn % 2 else 2**22)
        rows: dict[object, list[bytes]] = {}
        order = []
        for place in range(rng.randrange(14)):
            cell = rng.choice(PERSON_CELLS)
            cells = hostile_line(rng, width=3) if rng.random() < 0.5 else rng.choice(USUAL)[:-2]
            if b'"' in cells or cells.count(b",") != 2:
                cells = b"1,2,a"
            text = cell.decode("utf-8", "replace").strip()
            text = text.casefold() if "ids_ignore_case" in choice else text
            rows.setdefault(place if text in ("", "NA") else text, []).append(cells + b"," + cell)
            order.append(cells + b"," + cell)
        parts = [sums(lines(own), recipe) for own in rows.values()]
        assert same(sums(lines(order), recipe), parts), order
        assert all(part.c <= recipe.rows_per_person for part in parts)
