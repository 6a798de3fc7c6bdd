"""Disks that are full or read-only, and files that are no ledger: a sentence each."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from dpca_core.release.ledger import Account, Ledger, LedgerError, LedgerFull, Status
from dpca_core.release.ledger_file import LedgerFile
from tests.core.release.plans import some_account, some_plan
from tests.core.release.test_ledger_processes import run


@contextmanager
def full_disk() -> Iterator[None]:
    """Let the file have no page more than it has."""
    connect = LedgerFile._connect

    def connect_full(file: LedgerFile) -> sqlite3.Connection:
        connection = connect(file)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count={pages}")
        return connection

    with pytest.MonkeyPatch.context() as disk:
        disk.setattr(LedgerFile, "_connect", connect_full)
        yield


def spend_thirteen(account: Account) -> None:
    for _ in range(13):
        account.spend(some_plan("0.01", reason="x" * 500))


def test_a_full_disk_before_spending(tmp_path):
    account = some_account(tmp_path)
    with (
        full_disk(),
        pytest.raises(LedgerFull, match=r"no room on the disk.*Nothing was spent\."),
    ):
        spend_thirteen(account)
    spent = account.releases()
    assert len(spent) < 13
    assert account.spend(some_plan()).number == len(spent) + 1


def test_a_full_disk_after_drawing(tmp_path):
    account = some_account(tmp_path)
    row = account.begin_drawing(account.spend(some_plan()))
    with full_disk(), pytest.raises(LedgerFull) as refusal:
        account.publish(row, bytes(100_000))
    assert str(refusal.value) == (
        "A draw of release 1 may have reached the disk; finishing spends another ε = 0.25."
    )
    assert account.release(row.id).status is Status.DRAWN
    # The process that drew it still has it.
    assert account.publish(row, b"result").result == b"result"


def test_a_full_disk_before_drawing(tmp_path, monkeypatch):
    account = some_account(tmp_path)
    row = account.spend(some_plan())
    error = sqlite3.OperationalError("database or disk is full")
    error.sqlite_errorcode = sqlite3.SQLITE_FULL

    def refuse(file):
        raise error

    with monkeypatch.context() as disk:
        disk.setattr(LedgerFile, "_connect", refuse)
        with pytest.raises(LedgerFull) as refusal:
            account.begin_drawing(row)
    assert str(refusal.value) == (
        "Spent and not yet shown: finish release 1 when there is room; it costs nothing more."
    )
    assert account.begin_drawing(row).status is Status.DRAWN


def test_a_file_that_may_not_grow(tmp_path):
    """The operating system refuses to write: what was admitted before is there, and no more."""
    account = some_account(tmp_path)
    said = run("fill", account.file.path).stdout
    assert "disk" in said
    assert account.file.path.stat().st_size <= 100_000
    spent = account.releases()
    assert spent
    assert account.spend(some_plan()).number == len(spent) + 1


@pytest.mark.parametrize(("file", "folder"), [(0o444, 0o755), (0o666, 0o555)])
def test_a_ledger_that_is_read_only(file, folder):
    with TemporaryDirectory() as made:
        account = some_account(Path(made))
        account.file.path.chmod(file)
        Path(made).chmod(folder)
        found = run("read_only", account.file.path)
        Path(made).chmod(0o755)
        assert found.stderr == ""
        assert found.stdout == (
            f"0\nThe ledger {account.file.path} cannot be written: it or its folder is read-only. "
            "Nothing was spent.\n"
        )
        assert account.releases() == ()


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(LedgerError, match="cannot be made"):
        some_account(tmp_path / "file" / "below")


def test_a_newer_ledger_is_left_alone(tmp_path):
    account = some_account(tmp_path)
    with closing(sqlite3.connect(account.file.path)) as other:
        other.execute("PRAGMA user_version=2")
    for ask in (account.releases, lambda: account.spend(some_plan())):
        with pytest.raises(LedgerError, match="newer version"):
            ask()


@pytest.mark.parametrize("content", [b"name,age\n1,2\n" * 100, b"SQLite format 3\0" + bytes(500)])
def test_another_file_is_no_ledger(tmp_path, content):
    path = tmp_path / "ledger.sqlite"
    path.write_bytes(content)
    for ask in (lambda: Ledger(path).accounts(), lambda: some_account(tmp_path)):
        with pytest.raises(LedgerError, match=r"no ledger"):
            ask()
    assert path.read_bytes() == content


def test_another_database_is_no_ledger(tmp_path):
    path = tmp_path / "ledger.sqlite"
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE account(id)")
        other.commit()
    before = path.read_bytes()
    for ask in (lambda: Ledger(path).accounts(), lambda: some_account(tmp_path)):
        with pytest.raises(LedgerError, match="is no ledger: name another file"):
            ask()
    assert path.read_bytes() == before


def test_a_ledger_of_two_names_is_refused(tmp_path):
    """A journal has the name under which it was written: under the other it is not played back."""
    account = some_account(tmp_path)
    account.spend(some_plan())
    path = account.file.path
    other = tmp_path / "other.sqlite"
    other.hardlink_to(path)
    for ledger in (path, other):
        with pytest.raises(LedgerError, match="second name"):
            Ledger(ledger).accounts()
    with pytest.raises(LedgerError, match="second name"):
        account.spend(some_plan())
    other.unlink()
    # A symbolic link leads to the file's own name, and so to its journal.
    other.symlink_to(path)
    assert Ledger(other).account(account.name).spend(some_plan()).number == 2
    assert len(account.releases()) == 2
