"""Files that break off, change or do not fit: what is spent already is not told about rows."""

import gzip
import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.recipe import MissingPerson
from dpca_core.readers import file_access, gzip_unpacking, memory
from dpca_core.release import given_tables
from dpca_core.release.exact_sums import exact_sums
from dpca_core.release.grid import GRID
from dpca_core.release.table_source import TableSource
from tests.core.release.table_cases import RECIPE, csv, equal, frame, lines, parquet, sums

ROWS = [b"%d,%d,a,p" % (i % 90, i % 7) for i in range(30_000)]


def source(path, content):
    """A source of a file that was looked at before anything was spent."""
    path.write_bytes(content)
    found = TableSource([path], RECIPE)
    found.check()
    return found


def test_a_damaged_gzip_file_ends_there():
    packed = gzip.compress(lines(ROWS).content, mtime=0)
    whole = sums(lines(ROWS))
    for damaged in (packed[: len(packed) // 2], packed[:-9], packed[:-8] + b"12345678"):
        upload = file_access.Upload("t.csv.gz", damaged)
        found = sums(upload)
        assert found.c <= whole.c
        assert equal(found, sums(upload))


def test_it_does_not_depend_on_blocks_where_a_damaged_gzip_file_ends(monkeypatch):
    rng = np.random.default_rng(20)
    rows = [b"%d,%.9f,a,p" % (i % 90, rng.random()) for i in range(4000)]
    packed = gzip.compress(lines(rows).content, mtime=0)
    cuts = [packed[:place] for place in rng.integers(len(packed) // 2, len(packed), 4)]
    flips = []
    for place in rng.integers(len(packed) // 2, len(packed) - 8, 4):
        flips.append(bytearray(packed))
        flips[-1][place] ^= 4
    behind = packed + rng.bytes(20)
    checksum = packed[:-8] + b"12345678"
    for damaged in (*cuts, *map(bytes, flips), behind, checksum):
        found = []
        for chunk in (2**12, 2**13 + 7, 2**20):
            monkeypatch.setattr(given_tables, "_CHUNK", chunk)
            found.append(sums(file_access.Upload("t.csv.gz", damaged)))
        assert equal(found[0], found[1])
        assert equal(found[0], found[2])
        # What stands before the damage is read.
        if damaged in (behind, checksum):
            assert found[0].c == 4000


@pytest.mark.parametrize("packed", [False, True])
def test_an_upload_of_any_size_is_read(monkeypatch, packed):
    expected = sums(lines(ROWS))
    monkeypatch.setattr(gzip_unpacking, "MAX_BYTES", 1000)
    monkeypatch.setattr(memory, "available_memory", lambda *_: 0)
    content = lines(ROWS).content
    given = gzip.compress(content) if packed else content
    assert equal(sums(file_access.Upload("t.csv", given)), expected)
    assert sums(parquet(frame(20))).c == 20


@pytest.mark.parametrize("ends", ["csv", "csv.gz", "parquet"])
def test_a_file_that_changes_between_two_passes_tells_nothing(tmp_path, ends):
    table, path = frame(3000), tmp_path / f"t.{ends}"
    content = parquet(table).content if ends == "parquet" else csv(table).content
    content = gzip.compress(content) if ends == "csv.gz" else content
    found = source(path, content)
    first = exact_sums(found)
    assert first.c == 3000
    assert equal(first, exact_sums(found))
    half = len(content) // 2
    zeros = content[:half] + bytes(len(content) - half)
    for other in (content[:half], b"", b"\n", zeros, np.random.default_rng(1).bytes(5000)):
        path.write_bytes(other)
        assert 0 <= exact_sums(found).c <= 5000
    path.unlink()
    with pytest.raises(TableError, match="There is no file"):
        exact_sums(found)


def test_a_file_cut_while_it_is_read_ends_there(tmp_path):
    path = tmp_path / "t.csv"
    found = source(path, lines(ROWS * 40).content)
    blocks = found.blocks()
    count = len(next(blocks))
    path.write_bytes(path.read_bytes()[:1000])
    count += sum(map(len, blocks))
    assert 0 < count < 40 * len(ROWS)


def test_a_damaged_page_of_parquet_ends_the_file():
    content = bytearray(parquet(frame(70)).content)
    content[len(content) // 3 : len(content) // 3 + 200] = bytes(200)
    assert sums(file_access.Upload("t.parquet", bytes(content))).c < 70


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
        pa.null(), pa.bool_(), pa.float16(), pa.date64(), pa.time64("us"), pa.duration("ms"),
        pa.timestamp("ns", "UTC"), pa.binary(), pa.binary(3), pa.decimal128(5, 2),
        pa.decimal256(50, 2), pa.decimal32(4, 1), pa.list_(pa.int8()),
        pa.struct([("x", pa.int8())]), pa.dictionary(pa.int8(), pa.string()),
    ):  # fmt: skip
        file = io.BytesIO()
        pq.write_table(base.append_column("who", pa.nulls(2, kind)), file)
        upload = file_access.Upload("t.parquet", file.getvalue())
        assert sums(upload, recipe).c == 2


def test_rows_without_a_person_are_left_out():
    table = pd.DataFrame({"age": [1, 2], "weight": [1, 2], "site": ["a", "b"], "who": [None, "p"]})
    recipe = replace(RECIPE, person=("who",))
    assert sums(table, recipe).c == 1
    assert sums(csv(table), recipe).c == 1
    assert sums(lines([b"1,2,a,", b"1,2,a, ", b"1,2,a,NA"]), recipe).c == 0
