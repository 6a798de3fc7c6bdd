"""Files are opened with care, and nothing is read that this machine has no memory for."""

import gzip
import os
import sys
import threading
from pathlib import Path

import pandas as pd
import pytest

from dpca_core.data.errors import TableError
from dpca_core.data.recipe import Number, Reading, Recipe
from dpca_core.preparation import prepare
from dpca_core.readers import csv_table, gzip_unpacking
from dpca_core.readers.file_access import Upload
from dpca_core.readers.memory import available_memory, require_memory, total_memory
from dpca_core.readers.open_row_source import tables_in
from dpca_core.readers.preview import read_first_rows
from dpca_core.readers.table import read_table
from dpca_core.streaming.second_moment import second_moment

RECIPE = Recipe((Number("a", 0, 9), Number("b", 0, 9)), bounds_are_public=True)
ROWS = b"a,b\n" + b"1,2\n3,4\n" * 50_000


def written(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def sentence(path: Path) -> str:
    """What both readings say of a path, without waiting for it."""
    said = []
    for reading in Reading:
        with pytest.raises(TableError) as caught:
            second_moment(path, RECIPE, reading=reading)
        said.append(str(caught.value))
    assert len(set(said)) == 1
    return said[0]


@pytest.mark.parametrize("ends", [".csv", ".parquet", ".csv.gz"])
def test_a_link_is_not_followed(tmp_path, ends, monkeypatch):
    link = tmp_path / f"t{ends}"
    link.symlink_to(written(tmp_path / "secret.csv", ROWS))
    assert "is a symbolic link: give the path of the file" in sentence(link)
    with pytest.raises(TableError, match="is a symbolic link"):
        read_first_rows(link)
    (tmp_path / "again").symlink_to(tmp_path / "again")
    assert "is a symbolic link" in sentence(tmp_path / "again")
    # Swapped for a link between the look at a path and its opening, whose flag decides.
    monkeypatch.setattr(Path, "is_symlink", lambda self: False)
    assert "cannot be opened" in sentence(link)


def test_a_pipe_a_device_and_a_closed_file_are_named_and_nobody_waits(tmp_path):
    os.mkfifo(tmp_path / "t.csv")
    assert sentence(tmp_path / "t.csv") == "t.csv is not a file: give a CSV or Parquet file."
    assert "is not a file" in sentence(Path("/dev/zero"))
    assert sentence(tmp_path / "gone.csv") == "There is no file gone.csv."


def test_links_in_a_folder_are_left_out(tmp_path):
    folder = tmp_path / "data"
    inside = written(folder / "1.csv", ROWS)
    outside = written(tmp_path / "outside" / "2.csv", ROWS)
    (folder / "2.csv").symlink_to(outside)
    (folder / "again.csv").symlink_to(inside)
    (folder / "way").symlink_to(outside.parent, target_is_directory=True)
    (folder / "round").symlink_to(folder, target_is_directory=True)
    assert tables_in(folder) == [inside]
    for given in (folder / "way", f"{folder / 'way'}/"):
        with pytest.raises(TableError, match="way is a symbolic link: give the path of the folder"):
            second_moment(given, RECIPE)
    assert second_moment(folder, RECIPE).rows == 100_000


@pytest.mark.parametrize("module", ["pandas", "pyarrow"])
def test_what_is_not_installed_is_named(tmp_path, monkeypatch, module):
    path = written(tmp_path / "1.csv", ROWS)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=rf"needs {module}: pip install .*tables.* adds .*\.$"):
        second_moment(path, RECIPE)


@pytest.mark.parametrize(
    ("packed", "reading"), [(False, Reading.TOTAL), (True, Reading.TOTAL), (True, Reading.STRICT)]
)
def test_a_file_that_becomes_shorter_is_no_sum_of_fewer_rows(tmp_path, packed, reading):
    content = gzip.compress(ROWS, 0) if packed else ROWS
    path = written(tmp_path / "t.csv", content)

    def cut(progress):
        os.truncate(path, len(content) // 2)

    with pytest.raises(
        TableError, match=r"became shorter while it was being read|is a damaged gzip"
    ):
        second_moment(path, RECIPE, reading=reading, chunk_rows=500, on_progress=cut)


def test_nothing_stays_open(tmp_path):
    """No file of this folder, and no thread that was begun for it."""
    path, frame = written(tmp_path / "t.csv", ROWS), pd.DataFrame({"a": range(9), "b": range(9)})
    frame.to_parquet(tmp_path / "t.parquet")
    before = {*threading.enumerate()}
    for given in (path, tmp_path / "t.parquet"):
        second_moment(given, RECIPE)
        with pytest.raises(ZeroDivisionError):
            second_moment(given, RECIPE, chunk_rows=3, on_progress=lambda p: 1 / 0)
    opened = [os.path.realpath(link) for link in Path("/proc/self/fd").iterdir()]
    assert not [name for name in opened if name.startswith(str(tmp_path))]
    for thread in {*threading.enumerate()} - before:
        thread.join(60)
        assert not thread.is_alive()


# --- Memory ---


def machine(root: Path, free: int, total: int = 2**33, group: str = "", **files: object) -> Path:
    """A made-up system with so many bytes; the files of its groups are named with __ for /."""
    told = b"MemTotal: %d kB\nMemAvailable: %d kB\n" % (total // 1024, free // 1024)
    written(root / "proc/meminfo", told)
    written(root / "proc/self/cgroup", group.encode())
    for name, size in files.items():
        written(root / "sys/fs/cgroup" / name.replace("__", "/"), f"{size}\n".encode())
    return root


def test_what_there_is_is_the_machines_or_the_least_limit_around(tmp_path):
    assert total_memory(tmp_path / "nothing is known") is None
    assert available_memory(tmp_path / "nothing is known") is None
    require_memory("t.csv", 1e18, tmp_path / "nothing is known")
    plain = machine(tmp_path / "a", 8 * 2**20)
    assert (total_memory(plain), available_memory(plain)) == (2**33, 8 * 2**20)
    require_memory("t.csv", 8e6, plain)
    with pytest.raises(TableError, match=r"about 0\.1 GB of memory, and 0\.0 GB are") as refused:
        require_memory("t.csv", 1e8, plain)
    assert not refused.value.readable_anyway
    inside = {"memory.max": "max", "docker__memory.max": 1_000_000, "docker__x__memory.max": "max"}
    used = {
        "docker__memory.current": 900_000,
        "docker__memory.stat": "anon 5\ninactive_file 300000",
    }
    two = machine(tmp_path / "b", 2**33, group="0::/docker/x\n", **inside, **used)
    assert (total_memory(two), available_memory(two)) == (1_000_000, 400_000)
    # In a container its own group is often the root of the tree.
    limits = {"memory.max": 5000, "memory.current": 9000}
    own = machine(tmp_path / "c", 2**33, group="0::/elsewhere\n", **limits)
    assert (total_memory(own), available_memory(own)) == (5000, 0)
    limits = {"memory__x__memory.limit_in_bytes": 7000, "memory__x__memory.usage_in_bytes": 1000}
    older = machine(tmp_path / "d", 2**33, group="4:memory:/x\n0::/\n", **limits)
    assert (total_memory(older), available_memory(older)) == (7000, 6000)


@pytest.mark.parametrize("packed", [False, True])
def test_an_upload_is_refused_before_it_is_parsed(packed, monkeypatch):
    content = gzip.compress(ROWS) if packed else ROWS
    monkeypatch.setattr("dpca_core.readers.memory.available_memory", lambda root=None: 10**6)
    monkeypatch.setattr(csv_table, "_numeric", lambda *_: pytest.fail("It was parsed."))
    with pytest.raises(TableError, match=r"needs about 0\.\d GB of memory, and 0\.0 GB are free"):
        read_table("t.csv", content)
    frame = pd.DataFrame({"a": range(10**5), "b": range(10**5)})
    for upload in (Upload("t.csv", content), Upload("t.parquet", frame.to_parquet())):
        with pytest.raises(TableError, match="are free"):
            prepare(upload, RECIPE, "t", Reading.TOTAL)
    monkeypatch.setattr(gzip_unpacking, "MAX_BYTES", 10**5)
    with pytest.raises(TableError, match="unpacks to more than"):
        prepare(Upload("t.csv.gz", gzip.compress(ROWS)), RECIPE, "t", Reading.TOTAL)
