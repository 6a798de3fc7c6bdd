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
def test_a_link_is_not_followed(tmp_path, ends):
    secret = written(tmp_path / "secret.csv", ROWS)
    link = tmp_path / f"t{ends}"
    link.symlink_to(secret)
    assert "is a symbolic link: give the path of the file" in sentence(link)
    with pytest.raises(TableError, match="is a symbolic link"):
        read_first_rows(link)
    (tmp_path / "again").symlink_to(tmp_path / "again")
    assert "is a symbolic link" in sentence(tmp_path / "again")


def test_a_pipe_a_device_and_a_closed_file_are_named_and_nobody_waits(tmp_path):
    os.mkfifo(tmp_path / "t.csv")
    assert sentence(tmp_path / "t.csv") == "t.csv is not a file: give a CSV or Parquet file."
    assert "is not a file" in sentence(Path("/dev/zero"))
    assert sentence(tmp_path / "gone.csv") == "There is no file gone.csv."


def test_a_file_swapped_for_a_link_after_it_was_listed_is_not_followed(tmp_path, monkeypatch):
    """Between the look at a path and its opening: the flag of the opening decides."""
    secret, path = written(tmp_path / "secret", ROWS), tmp_path / "t.csv"
    path.symlink_to(secret)
    monkeypatch.setattr(Path, "is_symlink", lambda self: False)
    assert "cannot be opened" in sentence(path)


def test_links_in_a_folder_are_left_out(tmp_path):
    folder = tmp_path / "data"
    inside = written(folder / "1.csv", ROWS)
    outside = written(tmp_path / "outside" / "2.csv", ROWS)
    (folder / "2.csv").symlink_to(outside)
    (folder / "again.csv").symlink_to(inside)
    (folder / "way").symlink_to(outside.parent, target_is_directory=True)
    (folder / "round").symlink_to(folder, target_is_directory=True)
    assert tables_in(folder) == [inside]
    assert second_moment(folder, RECIPE).rows == 100_000


def test_a_link_to_a_folder_is_not_followed(tmp_path):
    written(tmp_path / "data" / "1.csv", ROWS)
    way = tmp_path / "way"
    way.symlink_to("data", target_is_directory=True)
    for given in (way, f"{way}/"):
        with pytest.raises(TableError, match="way is a symbolic link: give the path of the folder"):
            second_moment(given, RECIPE)


@pytest.mark.parametrize("module", ["pandas", "pyarrow"])
def test_what_is_not_installed_is_named(tmp_path, monkeypatch, module):
    path = written(tmp_path / "1.csv", ROWS)
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=rf"needs {module}: pip install .*tables.* adds .*\.$"):
        second_moment(path, RECIPE)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("reading", [Reading.STRICT, Reading.TOTAL])
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
    path, folder = written(tmp_path / "t.csv", ROWS), Path("/proc/self/fd")
    frame = pd.DataFrame({"a": range(9), "b": range(9)})
    frame.to_parquet(tmp_path / "t.parquet")
    before, threads = len(list(folder.iterdir())), threading.active_count()
    for given in (path, tmp_path / "t.parquet"):
        second_moment(given, RECIPE)
        with pytest.raises(ZeroDivisionError):
            second_moment(given, RECIPE, chunk_rows=3, on_progress=lambda p: 1 / 0)
    assert len(list(folder.iterdir())) == before
    assert threading.active_count() <= threads


# --- Memory ---


def machine(root: Path, free: int, group: str = "", **limits: int) -> Path:
    """A made-up system with so many bytes free, and limits of control groups."""
    written(root / "proc/meminfo", b"MemTotal: 9 kB\nMemAvailable: %d kB\n" % (free // 1024))
    if group:
        written(root / "proc/self/cgroup", group.encode())
    for name, size in limits.items():
        written(root / name.replace("__", "/").replace("_DOT_", "."), f"{size}\n".encode())
    return root


def test_what_there_is_is_the_machines_or_the_least_limit_around(tmp_path):
    one = machine(tmp_path / "a", 2**33, "0::/docker/x\n")
    assert total_memory(one) == 9 * 1024
    written(one / "proc/meminfo", b"MemTotal: 8388608 kB\n")
    assert total_memory(one) == 2**33
    written(one / "sys/fs/cgroup/memory.max", b"max\n")
    written(one / "sys/fs/cgroup/docker/memory.max", b"1000000\n")
    assert total_memory(one) == 1_000_000
    written(one / "sys/fs/cgroup/docker/x/memory.max", b"500000\n")
    assert total_memory(one) == 500_000
    older = machine(tmp_path / "b", 2**33, "4:memory:/x\n")
    written(older / "proc/meminfo", b"MemTotal: 8388608 kB\n")
    written(older / "sys/fs/cgroup/memory/x/memory.limit_in_bytes", b"7000\n")
    assert total_memory(older) == 7000
    assert total_memory(tmp_path / "nothing is known") is None


def test_what_is_free_is_the_least_of_machine_and_groups(tmp_path):
    assert available_memory(machine(tmp_path / "a", 8 * 2**20)) == 8 * 2**20
    assert available_memory(tmp_path / "nothing is known") is None
    require_memory("t.csv", 1e18, tmp_path / "nothing is known")
    two = machine(tmp_path / "b", 2**33, "0::/docker/x\n")
    base = two / "sys/fs/cgroup"
    written(base / "memory.max", b"max\n")
    written(base / "docker/memory.max", b"1000000\n")
    written(base / "docker/memory.current", b"900000\n")
    written(base / "docker/memory.stat", b"anon 5\ninactive_file 300000\n")
    written(base / "docker/x/memory.max", b"max\n")
    assert available_memory(two) == 400_000
    written(base / "docker/x/memory.max", b"500000\n")
    written(base / "docker/x/memory.current", b"499000\n")
    assert available_memory(two) == 1000
    # In a container its own group is often the root of the tree.
    own = machine(tmp_path / "c", 2**33, "0::/elsewhere\n")
    written(own / "sys/fs/cgroup/memory.max", b"5000\n")
    written(own / "sys/fs/cgroup/memory.current", b"9000\n")
    assert available_memory(own) == 0
    one = machine(tmp_path / "d", 2**33, "4:memory:/x\n0::/\n")
    written(one / "sys/fs/cgroup/memory/x/memory.limit_in_bytes", b"7000\n")
    written(one / "sys/fs/cgroup/memory/x/memory.usage_in_bytes", b"1000\n")
    written(one / "sys/fs/cgroup/memory/memory.limit_in_bytes", b"9223372036854771712\n")
    written(one / "sys/fs/cgroup/memory/memory.usage_in_bytes", b"1000\n")
    assert available_memory(one) == 6000


def test_too_much_is_refused_in_a_sentence(tmp_path):
    root = machine(tmp_path, 2 * 10**9)
    require_memory("t.csv", 1.9e9, root)
    with pytest.raises(TableError) as caught:
        require_memory("t.csv", 3.2e9, root)
    assert str(caught.value).startswith(
        "t.csv needs about 3.2 GB of memory, and 2.0 GB are free: use fewer columns"
    )
    assert not caught.value.readable_anyway


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


def test_a_bomb_is_refused_by_its_size_in_a_sum_too(monkeypatch):
    monkeypatch.setattr(gzip_unpacking, "MAX_BYTES", 10**5)
    with pytest.raises(TableError, match="unpacks to more than"):
        prepare(Upload("t.csv.gz", gzip.compress(ROWS)), RECIPE, "t", Reading.TOTAL)
