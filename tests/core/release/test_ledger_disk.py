"""Disks that fail, programs that are killed, several at once, and files that are no ledger."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from dpca_core.release.ledger import Account, Ledger, LedgerError, LedgerFull, OverLimit, Status
from dpca_core.release.ledger_file import LedgerFile
from tests.cases import sampled
from tests.core.release.cases import some_account, some_plan
from tests.paths import ROOT


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


def run(what: str, path: Path) -> subprocess.CompletedProcess[str]:
    """Run a program of its own on a ledger."""
    command = [sys.executable, "-m", "tests.core.release.ledger_process", what, str(path)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_a_full_disk_before_spending(tmp_path):
    account = some_account(tmp_path)
    with full_disk(), pytest.raises(LedgerFull, match=r"no room on the disk.*Nothing was spent\."):
        spend_thirteen(account)
    spent = account.releases()
    assert len(spent) < 13
    assert account.spend(some_plan()).number == len(spent) + 1


def test_a_full_disk_after_drawing(tmp_path):
    account = some_account(tmp_path)
    row = account.begin_drawing(account.spend(some_plan()))
    with full_disk(), pytest.raises(LedgerFull, match=r"finishing spends another ε = 0\.25"):
        account.publish(row, bytes(100_000))
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
        with pytest.raises(LedgerFull, match=r"finish release 1.*costs nothing more"):
            account.begin_drawing(row)
    assert account.begin_drawing(row).status is Status.DRAWN


@pytest.mark.parametrize(
    ("file", "folder"), sampled([(0o444, 0o755), (0o666, 0o555)], 2, "a folder that is read-only")
)
def test_a_ledger_that_is_read_only(file, folder):
    with TemporaryDirectory() as made:
        account = some_account(Path(made))
        account.file.path.chmod(file)
        Path(made).chmod(folder)
        found = run("read_only", account.file.path)
        Path(made).chmod(0o755)
        assert (found.stderr, found.stdout[:2]) == ("", "0\n")
        assert "read-only. Nothing was spent." in found.stdout
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


def test_another_file_is_no_ledger(tmp_path):
    path = tmp_path / "ledger.sqlite"
    with closing(sqlite3.connect(tmp_path / "database")) as other:
        other.execute("CREATE TABLE account(id)")
        other.commit()
    database = (tmp_path / "database").read_bytes()
    for content in (b"name,age\n1,2\n" * 100, b"SQLite format 3\0" + bytes(500), database):
        path.write_bytes(content)
        for ask in (lambda: Ledger(path).accounts(), lambda: some_account(tmp_path)):
            with pytest.raises(LedgerError, match="no ledger"):
                ask()
        assert path.read_bytes() == content


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


@pytest.fixture
def two_ways(tmp_path):
    """An account's ledger: its own path, and one through a linked folder."""
    (tmp_path / "disk").mkdir()
    (tmp_path / "home").symlink_to("disk", target_is_directory=True)
    own = some_account(tmp_path / "disk").file.path
    return own, tmp_path / "home" / own.name


def test_four_processes_that_come_by_two_ways_admit_exactly_what_fits(two_ways):
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda path: run("spend_often", path), two_ways * 2))
    assert [of.stderr for of in found] == [""] * 4
    assert sum(int(of.stdout) for of in found) == 13
    for path in two_ways:
        account = Ledger(path).account("Clinic")
        assert [row.number for row in account.releases()] == list(range(1, 14))
        with pytest.raises(OverLimit):
            account.spend(some_plan())


@pytest.mark.parametrize("killed_through", sampled([1, 0], 2, "the same by the other way"))
def test_half_a_change_by_one_way_is_taken_back_by_the_other(two_ways, killed_through):
    own, _ = two_ways
    Ledger(own).account("Clinic").spend(some_plan())
    before = own.stat().st_size
    assert run("die_writing", two_ways[killed_through]).returncode == -9
    assert own.with_name(f"{own.name}-journal").exists()
    assert own.stat().st_size > before
    other = Ledger(two_ways[1 - killed_through])
    assert [account.name for account in other.accounts()] == ["Clinic"]
    assert own.stat().st_size == before
    assert other.account("Clinic").spend(some_plan()).number == 2


@pytest.mark.long("killed processes; the command line has one of each in the gate")
@pytest.mark.parametrize(
    ("what", "status"), [("die_spent", Status.SPENT), ("die_drawn", Status.DRAWN)]
)
def test_a_ledger_says_how_far_a_killed_release_came(tmp_path, what, status):
    account = some_account(tmp_path)
    assert run(what, account.file.path).returncode == -9
    assert [row.status for row in account.releases()] == [status]
    assert account.total() == some_plan().cost


def test_two_finishers_show_the_same_result(tmp_path):
    account = some_account(tmp_path)
    account.spend(some_plan())
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda _: run("finish", account.file.path), range(2)))
    (row,) = account.releases()
    assert [of.stdout.strip() for of in found] == [row.result_sha256] * 2


def test_a_ledger_in_use_is_waited_for_and_then_refused(tmp_path):
    path = some_account(tmp_path).file.path
    impatient = Ledger(path, patience=0.1).account("Clinic")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(LedgerError, match="is in use by another program") as refusal:
            impatient.spend(some_plan())
    assert str(refusal.value).endswith("Nothing was spent.")
    assert impatient.releases() == ()
