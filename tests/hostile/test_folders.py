"""Hostile names in a server's folder: the listing holds plain tables and opens nothing."""

import builtins
import io
import os
import socket
from pathlib import Path

import pytest

from tests.hostile.one_sentence import bounded
from ui.owner import server_folders
from ui.owner.server_folders import _listing, _tables_under, files_of, folders, tables

SECRET = b"secret,of,others\n1,2,3\n"
GOOD = b"a,b\n1,2\n3,4\n"
LINKS = {
    "self.csv": "self.csv",
    "self": "self",
    "two.csv": "other.csv",
    "other.csv": "two.csv",
    "nowhere.csv": "does-not-exist.csv",
    "out.csv": "../outside/secret.csv",
    "way": "../outside",
    "passwd.csv": "/etc/passwd",
    "zero.csv": "/dev/zero",
    "long.csv": "x/" * 2000 + "y.csv",
}
HIDDEN = (".hidden.csv", "_tmp.csv", "notes.csv.bak", "csv", ".csv", ".git/a.csv", ".git/b.csv")
STRANGE = (
    "new\nline.csv", "tab\t.csv", "‮gnp.csv", "<img src=x onerror=alert(1)>.csv", "$x^2$.csv",
    "![x](http:__evil).csv", "=1+1.csv", "-rf.csv", "a" * 240 + ".csv", "emoji😀.CSV", "%00.csv",
)  # fmt: skip
"""Names of plain tables."""


def deep(path):
    """Folders in each other until the system refuses the path."""
    try:
        path.joinpath(*["d" * 60] * 60).mkdir(parents=True)
    except OSError:
        path.mkdir(exist_ok=True)


def listening(path):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.fspath(path))


def circle(path):
    path.mkdir()
    (path / "again").symlink_to("..", target_is_directory=True)


SPECIAL = {
    **{"pipe.csv": os.mkfifo, "socket.csv": listening, "named.csv": Path.mkdir},
    **{"circle": circle, "deep": deep},
}
BESIDE_TABLES = {
    "with_link": lambda path: path.symlink_to("../../outside/secret.csv"),
    "with_self": lambda path: path.symlink_to("c.csv"),
    "with_inner_link": lambda path: path.symlink_to("a.csv"),
    "with_pipe": os.mkfifo,
    "with_socket": listening,
}
"""In a folder beside two tables: a sum over the folder would read that too."""


def written(path, content):
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)


@pytest.fixture
def root(tmp_path):
    written(tmp_path / "outside" / "secret.csv", SECRET)
    written(tmp_path / "root" / "good.csv", GOOD)
    return tmp_path / "root"


def listed(root):
    """Names under the root, by a listing that opens nothing: so it cannot wait for a pipe."""
    with pytest.MonkeyPatch.context() as patch, bounded():
        for module, name in ((builtins, "open"), (io, "open"), (os, "open")):
            patch.setattr(module, name, lambda *_, **__: pytest.fail("It opened a file."))
        return {path.relative_to(root).as_posix() for path in _tables_under(root)}


def test_what_is_no_plain_table_is_left_out(root):
    for name, to in LINKS.items():
        (root / name).symlink_to(to)
    for name in HIDDEN:
        written(root / name, SECRET)
    for name, make in SPECIAL.items():
        make(root / name)
    assert listed(root) == {"good.csv"}


@pytest.mark.parametrize("name", BESIDE_TABLES)
def test_a_folder_with_anything_else_in_it_is_not_summed_up(name, root):
    for table in ("a.csv", "b.csv"):
        written(root / name / table, GOOD)
    both = {"good.csv", f"{name}/a.csv", f"{name}/b.csv"}
    assert listed(root) == {*both, name}
    assert files_of(root / name) == 2
    BESIDE_TABLES[name](root / name / "c.csv")
    assert listed(root) == both


def test_an_unreadable_folder_spoils_nothing(root):
    written(root / "closed" / "a.csv", GOOD)
    (root / "closed").chmod(0)
    try:
        assert "good.csv" in listed(root)
    finally:
        (root / "closed").chmod(0o700)


def test_the_menu_shows_every_plain_table_whatever_it_is_called(root, monkeypatch):
    for name in STRANGE:
        (root / name).write_bytes(GOOD)
    (root / os.fsdecode(b"bytes\xff\xfe.csv")).write_bytes(GOOD)
    (root / "self.csv").symlink_to("self.csv")
    allowed = os.pathsep.join([str(root), str(root / "self.csv"), "/nowhere"])
    monkeypatch.setenv(server_folders.FOLDERS_VARIABLE, allowed)
    assert folders() == [root]
    _listing.cache_clear()
    found = tables()
    _listing.cache_clear()
    assert len(found) == 1 + len(STRANGE) + 1
    assert not any(path.is_symlink() for path in found.values())
    for name in found:
        assert name == "".join(c for c in name if c.isprintable())
        name.encode()


def test_files_that_vanish_while_they_are_listed_do_not_stop_it(root, monkeypatch):
    for name in ("a.csv", "gone.csv", "gone/a.csv", "left/b.csv"):
        written(root / name, GOOD)
    look = server_folders._file_type

    def vanishing(path):
        gone = path.name.startswith("gone")
        return look(path.rename(root.parent / path.name) and path if gone else path)

    monkeypatch.setattr(server_folders, "_file_type", vanishing)
    assert listed(root) == {"good.csv", "a.csv", "left/b.csv"}


def test_a_listing_looks_at_so_many_names_and_no_more(root, monkeypatch):
    looked_at, look = [], server_folders._file_type
    monkeypatch.setattr(server_folders, "MOST_NAMES", 300)
    monkeypatch.setattr(server_folders, "_file_type", lambda p: looked_at.append(p) or look(p))
    for i in range(40):
        for j in range(20):
            written(root / f"{i:02}" / f"{j}.txt.bak", b"")
    assert listed(root) == {"good.csv"}
    assert 300 <= len(looked_at) <= 320
