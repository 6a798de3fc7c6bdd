"""The ledger: limits, statuses, owners, other programs, disks that fail, and what it refuses."""

import re
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from dpca_core.privacy.budget import Adjacency
from dpca_core.release.ledger import (
    Account,
    Ledger,
    LedgerError,
    LedgerFull,
    OverLimit,
    Status,
    ledger_path,
)
from dpca_core.release.ledger_file import LedgerFile
from tests.cases import sampled
from tests.core.release.cases import ADD, pure_plan, some_account, some_plan
from tests.paths import ROOT


@pytest.fixture
def account(tmp_path):
    return some_account(tmp_path)


def test_thirteen_fit_and_the_fourteenth_is_refused(account):
    assert account.more_like(some_plan()) == 13
    rows = [account.spend(some_plan()) for _ in range(13)]
    assert [row.number for row in rows] == list(range(1, 14))
    assert account.more_like(some_plan()) == 0
    with pytest.raises(OverLimit, match=r"Clinic has ε = 0\.132 left at δ = 10⁻⁶"):
        account.spend(some_plan())
    assert account.spend(some_plan("0.132")).total == account.total()
    assert len(account.releases()) == 14


def test_what_is_said_to_be_left_fits(account):
    account.spend(some_plan("0.731"))
    left = account.left(Fraction("1e-7"))
    assert left > account.left_epsilon() > 0.1
    account.require_fits(some_plan(f"{left:.9f}", "1e-7"))
    with pytest.raises(OverLimit):
        account.require_fits(some_plan(f"{left * 1.0001:.9f}", "1e-7"))
    assert len(account.releases()) == 1


def test_pure_noise_has_a_limit_of_its_own(tmp_path):
    """Without δ it is all there is; after Gaussian noise it has what was set aside."""
    account = some_account(tmp_path, delta="0")
    with pytest.raises(OverLimit, match="only a pure mechanism"):
        account.spend(some_plan())
    for _ in range(10):
        account.spend(pure_plan("0.1"))
    with pytest.raises(OverLimit, match="Clinic has nothing left:"):
        account.spend(pure_plan("0.000001"))
    both = some_account(tmp_path, delta="1e-30", pure="0.1", name="Both")
    both.spend(some_plan("0.3", "1e-30"))
    both.spend(pure_plan("0.1"))
    with pytest.raises(OverLimit, match=r"nothing left for pure noise.*set aside"):
        both.spend(pure_plan("0.000001"))
    assert both.left(Fraction(0)) == 0


def test_a_release_goes_from_spent_to_drawn_to_published(account):
    row = account.spend(some_plan())
    assert (row.status, row.result, row.published_on) == (Status.SPENT, None, None)
    with pytest.raises(LedgerError, match="finish release 1"):
        account.publish(row, b"result")
    assert account.begin_drawing(row).status is Status.DRAWN
    with pytest.raises(LedgerError, match=r"finishing spends another ε = 0.25"):
        account.begin_drawing(row)
    published = account.publish(row, b"first")
    assert (published.status, published.result) == (Status.PUBLISHED, b"first")
    # Whoever stores first is shown.
    assert account.publish(row, b"second") == account.release(row.id) == published
    with pytest.raises(LedgerError, match="published already"):
        account.begin_drawing(row)
    assert [found.status for found in account.releases()] == [Status.PUBLISHED]


def test_a_row_is_all_that_files_need(account):
    """Its day, and never a minute; its limit and total are those of then."""
    first = account.spend(some_plan("0.1"))
    account.lower(Fraction("0.8"), Fraction("1e-7"))
    second = account.spend(some_plan("0.2", "1e-7"))
    assert second.plan == some_plan("0.2", "1e-7")
    assert second.account == account.facts
    assert date.fromisoformat(second.spent_on).isoformat() == second.spent_on
    assert (second.limit.epsilon, second.promised.epsilon) == (Fraction("0.8"), Fraction(1))
    assert second.total == first.cost + second.cost
    account.spend(some_plan("0.05", "1e-7"))
    assert account.release(second.id) == second


def test_a_limit_only_falls(account):
    with pytest.raises(LedgerError, match="only be lowered"):
        account.lower(Fraction("0.5"), Fraction("1e-5"))
    account.lower(Fraction("0.5"), Fraction(0))
    # What was read before the limit fell is not what counts.
    with pytest.raises(OverLimit):
        account.spend(pure_plan("0.6"))


def test_neighbours_are_the_accounts(account):
    with pytest.raises(LedgerError, match="counts one person added or removed"):
        account.spend(some_plan(adjacency=Adjacency.REPLACE_ONE))


def test_owners_do_not_see_each_other(tmp_path):
    ann, bob = (Ledger(tmp_path / "ledger.sqlite", owner) for owner in ("ann", "bob"))
    of_ann, of_bob = (
        ledger.open_account("Clinic", "Patients", ADD, Fraction(1), Fraction("1e-6"))
        for ledger in (ann, bob)
    )
    row = of_ann.spend(some_plan())
    assert of_bob.releases() == ()
    assert [account.name for account in bob.accounts()] == ["Clinic"]
    assert ann.find(row.id)[1] == row
    with pytest.raises(LedgerError, match="no such release"):
        bob.find(row.id)
    stolen = replace(of_ann, owner="bob")
    for account in (stolen, of_bob):
        for ask in (lambda to: to.begin_drawing(row), lambda to: to.release(row.id)):
            with pytest.raises(LedgerError):
                ask(account)
    with pytest.raises(LedgerError, match="no account"):
        stolen.spend(some_plan())
    assert [found.status for found in of_ann.releases()] == [Status.SPENT]


def test_an_account_is_refused(tmp_path):
    ledger = Ledger(some_account(tmp_path).file.path)
    given = {"name": "Other", "people": "Patients", "neighbours": ADD}
    budget = {"epsilon": Fraction(1), "delta": Fraction("1e-6")}
    for changes, said in (
        ({"name": "Clinic"}, "already"),
        ({"name": ""}, "name must be"),
        ({"name": " x"}, "name must be"),
        ({"name": "x\ny"}, "name must be"),
        ({"name": "\ud800"}, "name must be"),
        ({"people": "x" * 501}, "who they are must be"),
        ({"epsilon": Fraction(0)}, "ε must be"),
        ({"epsilon": Fraction(1, 3)}, "decimal"),
        ({"epsilon": 0.5}, "decimal"),
        ({"delta": Fraction(1)}, "δ must be"),
        ({"pure": Fraction(2)}, "set aside"),
    ):
        with pytest.raises(LedgerError, match=said):
            ledger.open_account(**given | budget | changes)
    assert len(ledger.accounts()) == 1


def test_looking_makes_no_file(tmp_path):
    ledger = Ledger(tmp_path / "new" / "ledger.sqlite")
    assert ledger.accounts() == ()
    with pytest.raises(LedgerError, match="There is no ledger"):
        ledger.account("Clinic")
    assert list(tmp_path.iterdir()) == []


def test_only_the_owner_of_the_file_can_read_it(tmp_path):
    account = some_account(tmp_path / "made")
    path = account.file.path
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    account.spend(some_plan())
    assert [entry.name for entry in path.parent.iterdir()] == ["ledger.sqlite"]


def test_practice_leaves_nothing_and_takes_nothing(tmp_path):
    practice = Ledger.in_memory()
    account = practice.open_account("Practice", "Nobody", ADD, Fraction(1), Fraction("1e-6"))
    row = account.begin_drawing(account.spend(some_plan(practice="RAND")))
    assert account.publish(row, b"result").result == b"result"
    with pytest.raises(LedgerError, match="built-in data only"):
        account.spend(some_plan())
    with pytest.raises(LedgerError, match="use a practice ledger"):
        some_account(tmp_path).spend(some_plan(practice="RAND"))


def test_where_the_ledger_is(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.delenv("DPCA_LEDGER", raising=False)
    assert ledger_path() == tmp_path / "dpca" / "ledger.sqlite"
    monkeypatch.setenv("DPCA_LEDGER", str(tmp_path / "other"))
    assert ledger_path() == tmp_path / "other"


def test_nothing_recognises_a_file(tmp_path):
    """No key beside the ledger, and no table or column for a digest of data."""
    with some_account(tmp_path).file.reading() as connection:
        schema = " ".join(
            row[0] or "" for row in connection.execute("SELECT sql FROM sqlite_schema")
        )
    assert "CREATE TABLE release" in schema
    assert not re.search(r"seen|key_|tag|digest|source|file", schema)
    assert len(list(tmp_path.iterdir())) == 1


ALWAYS = (
    "DELETE FROM release",
    "DELETE FROM account",
    "UPDATE release SET mu2 = '0/1'",
    "UPDATE release SET plan = ''",
    "UPDATE release SET number = 9",
    "UPDATE release SET status = 'spent'",
    "UPDATE release SET status = 'spent', result = NULL, result_sha256 = NULL, published_on = NULL",
    "UPDATE release SET result = x'00'",
    "UPDATE OR REPLACE release SET id = 'x'",
    "UPDATE release SET limit_epsilon = '9'",
    "REPLACE INTO release SELECT * FROM release",
    "INSERT OR REPLACE INTO release SELECT * FROM release WHERE number = 2",
    "INSERT INTO release SELECT 'new', account, 9, 'published', mu2, pure, plan, limit_epsilon, "
    "limit_delta, limit_pure, spent_on, previous, chain, result, result_sha256, published_on "
    "FROM release WHERE number = 1",
    "UPDATE account SET epsilon = '2'",
    "UPDATE account SET epsilon = '1.0000000001', delta = '0'",
    "UPDATE account SET epsilon = '-1'",
    "UPDATE account SET pure = '0.5'",
    "UPDATE account SET owner = 'somebody'",
    "UPDATE account SET name = 'other'",
    "REPLACE INTO account SELECT * FROM account",
)
"""Refused by the file itself, whoever asks."""

BY_THE_PROGRAM = (
    "DROP TABLE release",
    "DROP TRIGGER release_kept",
    "ALTER TABLE release RENAME TO other",
    "CREATE TRIGGER x AFTER INSERT ON release BEGIN DELETE FROM release; END",
    "CREATE TABLE seen(tag TEXT)",
    "CREATE TEMP TABLE release(id TEXT)",
    "PRAGMA writable_schema=ON",
    "PRAGMA foreign_keys=OFF",
    "ATTACH ':memory:' AS other",
    "DELETE FROM sqlite_schema",
    "INSERT INTO sqlite_schema VALUES('table', 'x', 'x', 0, '')",
    "SAVEPOINT here",
)


@pytest.fixture
def three(account):
    """An account with a release of each status."""
    rows = [account.spend(some_plan("0.1")) for _ in range(3)]
    for row in rows[:2]:
        account.begin_drawing(row)
    account.publish(rows[0], b"result")
    return account


def everything(account):
    with closing(sqlite3.connect(account.file.path)) as other:
        tables = ("release", "account")
        return [other.execute(f"SELECT * FROM {name}").fetchall() for name in tables]


def test_no_statement_deletes_or_alters_whoever_asks(three):
    """The program's own connection may do less still than the triggers allow."""
    before = everything(three)
    for statement in (*ALWAYS, *BY_THE_PROGRAM):
        with pytest.raises(LedgerError), three.file.writing("") as connection:
            connection.execute(statement)
    with closing(sqlite3.connect(three.file.path)) as other:
        for statement in ALWAYS:
            with pytest.raises(sqlite3.IntegrityError):
                other.execute(statement)
        other.rollback()
    assert everything(three) == before


@pytest.mark.parametrize(
    "change",
    [
        *("UPDATE release SET mu2 = '0/1'", "UPDATE release SET mu2 = 'much'"),
        *("UPDATE release SET previous = 'x'", "UPDATE release SET spent_on = '2000-01-01'"),
        *("UPDATE release SET limit_epsilon = '9'", "DELETE FROM release"),
    ],
)
def test_what_another_program_did_without_triggers_is_noticed(three, change):
    without_triggers(three, f"{change} WHERE number = 2")
    for ask in (three.releases, lambda: three.spend(some_plan("0.1"))):
        with pytest.raises(LedgerError, match="changed by something else"):
            ask()


def without_triggers(account, statement):
    """Change the file as somebody would who takes the triggers away first."""
    with closing(sqlite3.connect(account.file.path)) as other:
        for name in ("release_goes_on", "release_kept"):
            other.execute(f"DROP TRIGGER {name}")
        other.execute(statement)
        other.commit()


def test_a_damaged_result_is_noticed(three):
    without_triggers(three, "UPDATE release SET result = x'00' WHERE number = 1")
    with pytest.raises(LedgerError, match="result of release 1 is damaged"):
        three.release(three.releases()[0].id)


def test_a_commit_is_on_the_disk_and_what_was_deleted_is_not(three):
    """3 is EXTRA: the folder's entry has reached the disk too."""
    with closing(three.file._connect()) as connection:
        for name, value in (("synchronous", 3), ("journal_mode", "delete"), ("secure_delete", 1)):
            assert connection.execute(f"PRAGMA {name}").fetchone()[0] == value


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
    command = [sys.executable, "-m", "tests.core.release.ledger_process", what, str(path)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_a_full_disk_before_spending(account):
    with full_disk(), pytest.raises(LedgerFull, match=r"no room on the disk.*Nothing was spent\."):
        spend_thirteen(account)
    spent = account.releases()
    assert len(spent) < 13
    assert account.spend(some_plan()).number == len(spent) + 1


def test_a_full_disk_after_drawing(account):
    row = account.begin_drawing(account.spend(some_plan()))
    with full_disk(), pytest.raises(LedgerFull, match=r"finishing spends another ε = 0\.25"):
        account.publish(row, bytes(100_000))
    assert account.release(row.id).status is Status.DRAWN
    # The process that drew it still has it.
    assert account.publish(row, b"result").result == b"result"


def test_a_full_disk_before_drawing(account, monkeypatch):
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


def test_a_newer_ledger_is_left_alone(account):
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


def test_a_ledger_of_two_names_is_refused(tmp_path, account):
    """A journal has the name under which it was written: under the other it is not played back."""
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


def test_two_finishers_show_the_same_result(account):
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
