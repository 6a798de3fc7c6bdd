"""Forty hostile names in a server's folder: the listing holds plain tables and never stops."""

import os
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ui.owner import server_folders
from ui.owner.server_folders import _listing, _tables_under, files_of, folders, tables

SECRET = b"secret,of,others\n1,2,3\n"
GOOD = b"a,b\n1,2\n3,4\n"


def link(to: str) -> Callable[[Path], None]:
    return lambda path: path.symlink_to(to)


def folder_of(**files: bytes) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        path.mkdir()
        for name, content in files.items():
            (path / f"{name}.csv").write_bytes(content)

    return make


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.fspath(path))


def twice(path: Path) -> None:
    """Two links that lead to each other."""
    path.symlink_to(f"{path.name}.other.csv")
    Path(f"{path}.other.csv").symlink_to(path.name)


def deep(path: Path) -> None:
    """Folders in each other until the system refuses the path."""
    here = path
    for _ in range(60):
        here = here / ("d" * 60)
    try:
        here.mkdir(parents=True)
    except OSError:
        path.mkdir(exist_ok=True)


def circle(path: Path) -> None:
    path.mkdir()
    (path / "again").symlink_to("..", target_is_directory=True)


def unreadable(path: Path) -> None:
    folder_of(a=GOOD, b=GOOD)(path)
    path.chmod(0)


def mixed(kind: Callable[[Path], None]) -> Callable[[Path], None]:
    """Two tables and something else: a sum over the folder would read that too."""

    def make(path: Path) -> None:
        folder_of(a=GOOD, b=GOOD)(path)
        kind(path / "c.csv")

    return make


NOTHING: dict[str, Callable[[Path], None]] = {
    "self.csv": link("self.csv"),
    "self.parquet": link("self.parquet"),
    "self": link("self"),
    "two.csv": twice,
    "nowhere.csv": link("does-not-exist.csv"),
    "out.csv": link("../outside/secret.csv"),
    "way": link("../outside"),
    "up.csv": link(".."),
    "up": link(".."),
    "here": link("."),
    "root.csv": link("/"),
    "passwd.csv": link("/etc/passwd"),
    "fd.csv": link("/proc/self/fd/0"),
    "mem.csv": link("/proc/self/mem"),
    "environ.csv": link("/proc/self/environ"),
    "zero.csv": link("/dev/zero"),
    "null.csv": link("/dev/null"),
    "tty.csv": link("/dev/tty"),
    "stdin.csv": link("/dev/stdin"),
    "kmsg.csv": link("/proc/kmsg"),
    "long.csv": link("x/" * 2000 + "y.csv"),
    "pipe.csv": os.mkfifo,
    "pipe.parquet": os.mkfifo,
    "socket.csv": listening,
    "named.csv": lambda path: path.mkdir(),
    "circle": circle,
    "deep": deep,
    ".hidden.csv": lambda path: path.write_bytes(SECRET) and None,
    "_tmp.csv": lambda path: path.write_bytes(SECRET) and None,
    ".git": folder_of(a=SECRET, b=SECRET),
    "_spark": folder_of(a=SECRET, b=SECRET),
    "notes.csv.bak": lambda path: path.write_bytes(SECRET) and None,
    "csv": lambda path: path.write_bytes(SECRET) and None,
    ".csv": lambda path: path.write_bytes(SECRET) and None,
}
"""Names that give no table, and how each comes about."""
FOLDERS = {
    "with_link": mixed(link("../../outside/secret.csv")),
    "with_pipe": mixed(os.mkfifo),
    "with_self": mixed(link("c.csv")),
    "with_socket": mixed(listening),
    "with_inner_link": mixed(link("a.csv")),
}
"""Folders whose plain files are tables, and which are none themselves."""
STRANGE = (
    "new\nline.csv", "tab\t.csv", "‮gnp.csv", "<img src=x onerror=alert(1)>.csv", "$x^2$.csv",
    "![x](http:__evil).csv", "=1+1.csv", "-rf.csv", "a" * 240 + ".csv", "emoji😀.CSV", "%00.csv",
)  # fmt: skip
"""Names of plain tables."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.csv").write_bytes(SECRET)
    (tmp_path / "root").mkdir()
    (tmp_path / "root" / "good.csv").write_bytes(GOOD)
    return tmp_path / "root"


def listed(root: Path) -> set[str]:
    """Names under the root, by a listing that has five seconds."""
    found: list[set[str]] = []

    def look() -> None:
        found.append({path.relative_to(root).as_posix() for path in _tables_under(root)})

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    thread.join(5)
    assert found, "the listing raised or waits"
    return found[0]


@pytest.mark.parametrize("name", NOTHING)
def test_what_is_no_plain_table_is_left_out(name: str, root: Path) -> None:
    NOTHING[name](root / name)
    assert listed(root) == {"good.csv"}


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_with_anything_else_in_it_is_not_summed_up(name: str, root: Path) -> None:
    FOLDERS[name](root / name)
    assert listed(root) == {"good.csv", f"{name}/a.csv", f"{name}/b.csv"}


def test_a_folder_of_plain_files_is_a_table(root: Path) -> None:
    folder_of(a=GOOD, b=GOOD)(root / "plain")
    assert listed(root) == {"good.csv", "plain", "plain/a.csv", "plain/b.csv"}
    assert files_of(root / "plain") == 2
    assert files_of(root / "gone") == 1


def test_an_unreadable_folder_spoils_nothing(root: Path) -> None:
    unreadable(root / "closed")
    try:
        assert "good.csv" in listed(root)
    finally:
        (root / "closed").chmod(0o700)


def test_all_at_once_are_one_listing_that_shows_every_plain_table(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, make in {**NOTHING, **FOLDERS}.items():
        make(root / name)
    for name in STRANGE:
        (root / name.replace("/", "_")).write_bytes(GOOD)
    (root / os.fsdecode(b"bytes\xff\xfe.csv")).write_bytes(GOOD)
    monkeypatch.setenv(
        server_folders.FOLDERS_VARIABLE,
        os.pathsep.join([str(root), str(root / "self.csv"), "/nowhere"]),
    )
    assert folders() == [root]
    _listing.cache_clear()
    found = tables()
    _listing.cache_clear()
    assert len(found) == 1 + len(STRANGE) + 1 + 2 * len(FOLDERS)
    assert all(path.lstat() and not path.is_symlink() for path in found.values())
    for name in found:
        assert name == "".join(c for c in name if c.isprintable())
        name.encode()


def test_files_that_come_and_go_do_not_stop_a_listing(root: Path) -> None:
    over = threading.Event()

    def churn() -> None:
        while not over.is_set():
            for i in range(20):
                (root / f"{i}.csv").write_bytes(GOOD)
                (root / f"f{i}").mkdir(exist_ok=True)
                (root / f"f{i}" / "x.csv").write_bytes(GOOD)
            for i in range(20):
                (root / f"{i}.csv").unlink()
                (root / f"f{i}" / "x.csv").unlink()
                (root / f"f{i}").rmdir()

    thread = threading.Thread(target=churn)
    thread.start()
    try:
        for _ in range(100):
            assert "good.csv" in listed(root)
    finally:
        over.set()
        thread.join()


def test_a_listing_looks_at_so_many_names_and_no_more(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_folders, "MOST_NAMES", 300)
    for i in range(40):
        folder = root / f"{i:02}"
        folder.mkdir()
        for j in range(20):
            (folder / f"{j}.txt.bak").touch()
    begun = time.perf_counter()
    assert listed(root) == {"good.csv"}
    assert time.perf_counter() - begun < 2
