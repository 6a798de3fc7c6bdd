"""Hostile names in a server's folder: the menu holds plain tables, and listing opens nothing."""

import builtins
import io
import os

import pytest

from tests.hostile.one_sentence import bounded
from ui.owner import server_folders

SECRET, GOOD = b"secret,of,others\n1,2,3\n", b"a,b\n1,2\n3,4\n"
LINKS = {
    **{"self.csv": "self.csv", "two.csv": "other.csv", "other.csv": "two.csv"},
    **{"nowhere.csv": "does-not-exist.csv", "out.csv": "../outside/secret.csv"},
    **{"way": "../outside", "zero.csv": "/dev/zero", "long.csv": "x/" * 2000 + "y.csv"},
}
HIDDEN = (".hidden.csv", "_tmp.csv", "notes.csv.bak", ".csv", ".git/a.csv", ".git/b.csv")
STRANGE = (
    *("new\nline.csv", "‮gnp.csv", "<img src=x onerror=alert(1)>.csv", "$x^2$.csv", "%00.csv"),
    *("![x](http:__evil).csv", "=1+1.csv", "a" * 240 + ".csv", os.fsdecode(b"bytes\xff\xfe.csv")),
)
"""Names of plain tables."""


def written(path, content):
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)


@pytest.fixture
def root(tmp_path, monkeypatch):
    written(tmp_path / "outside" / "secret.csv", SECRET)
    written(tmp_path / "root" / "good.csv", GOOD)
    monkeypatch.setenv(server_folders.FOLDERS_VARIABLE, str(tmp_path / "root"))
    return tmp_path / "root"


def listed(root):
    """What the menu offers, by a listing that opens nothing: so it cannot wait for a pipe."""
    server_folders._listing.cache_clear()
    with pytest.MonkeyPatch.context() as patch, bounded():
        for module, name in ((builtins, "open"), (io, "open"), (os, "open")):
            patch.setattr(module, name, lambda *_, **__: pytest.fail("It opened a file."))
        return {path.relative_to(root).as_posix() for path in server_folders.tables().values()}


def test_every_plain_table_is_shown_and_what_is_none_is_left_out_and_spoils_nothing(root):
    for name in STRANGE:
        (root / name).write_bytes(GOOD)
    for name, to in LINKS.items():
        (root / name).symlink_to(to)
    for name in HIDDEN:
        written(root / name, SECRET)
    os.mkfifo(root / "pipe.csv")
    (root / "folder.csv").mkdir()
    assert listed(root) == {"good.csv", *STRANGE}
    for name in server_folders.tables():
        assert name.isprintable()
        name.encode()


@pytest.mark.parametrize(
    "make", [os.mkfifo, lambda path: path.symlink_to("../../outside/secret.csv")]
)
def test_a_folder_with_anything_but_tables_in_it_is_not_summed_up(make, root):
    for table in ("a.csv", "b.csv"):
        written(root / "both" / table, GOOD)
    both = {"good.csv", "both/a.csv", "both/b.csv"}
    assert listed(root) == {*both, "both"}
    make(root / "both" / "c.csv")
    assert listed(root) == both
