"""What SQL may change: with the ledger's own connections, and with anybody else's."""

import sqlite3
from contextlib import closing
from fractions import Fraction

import pytest

from dpca_core.release.ledger import Ledger, LedgerError
from tests.core.release.plans import some_account, some_plan

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
    "UPDATE account SET delta = '0.1'",
    "UPDATE account SET epsilon = '-1'",
    "UPDATE account SET epsilon = '1e9'",
    "UPDATE account SET pure = '0.5'",
    "UPDATE account SET owner = 'somebody'",
    "UPDATE account SET name = 'other'",
    "REPLACE INTO account SELECT * FROM account",
)
"""Refused by the file itself, whoever asks."""

BY_THE_PROGRAM = (
    *ALWAYS,
    "DROP TABLE release",
    "DROP TRIGGER release_kept",
    "ALTER TABLE release RENAME TO other",
    "ALTER TABLE account DROP COLUMN pure",
    "CREATE TRIGGER x AFTER INSERT ON release BEGIN DELETE FROM release; END",
    "CREATE TABLE seen(tag TEXT)",
    "CREATE TEMP TABLE release(id TEXT)",
    "PRAGMA writable_schema=ON",
    "PRAGMA user_version=0",
    "PRAGMA foreign_keys=OFF",
    "ATTACH ':memory:' AS other",
    "DELETE FROM sqlite_schema",
    "INSERT INTO sqlite_schema VALUES('table', 'x', 'x', 0, '')",
    "SAVEPOINT here",
)


@pytest.fixture
def account(tmp_path):
    """An account with a release of each status."""
    account = some_account(tmp_path)
    rows = [account.spend(some_plan("0.1")) for _ in range(3)]
    for row in rows[:2]:
        account.begin_drawing(row)
    account.publish(rows[0], b"result")
    return account


@pytest.mark.parametrize("statement", BY_THE_PROGRAM)
def test_no_statement_of_the_program_deletes_or_alters(account, statement):
    before = account.releases(), account.release(account.releases()[0].id)
    with pytest.raises(LedgerError), account.file.writing("") as connection:
        connection.execute(statement)
    assert (account.releases(), account.release(account.releases()[0].id)) == before
    assert Ledger(account.file.path).account("Clinic").limit == account.limit


@pytest.mark.parametrize("statement", ALWAYS)
def test_triggers_hold_for_other_programs_too(account, statement):
    with closing(sqlite3.connect(account.file.path)) as other:
        before = other.execute("SELECT * FROM release").fetchall()
        limits = other.execute("SELECT * FROM account").fetchall()
        with pytest.raises(sqlite3.IntegrityError):
            other.execute(statement)
        assert other.execute("SELECT * FROM release").fetchall() == before
        assert other.execute("SELECT * FROM account").fetchall() == limits


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE release SET mu2 = '0/1' WHERE number = 2",
        "UPDATE release SET previous = 'x' WHERE number = 2",
        "UPDATE release SET limit_epsilon = '9' WHERE number = 2",
        "UPDATE release SET spent_on = '2000-01-01' WHERE number = 2",
        "DELETE FROM release WHERE number = 2",
        "UPDATE release SET mu2 = 'much' WHERE number = 2",
    ],
)
def test_what_another_program_did_without_triggers_is_noticed(account, statement):
    with closing(sqlite3.connect(account.file.path)) as other:
        for name in ("release_goes_on", "release_kept"):
            other.execute(f"DROP TRIGGER {name}")
        other.execute(statement)
        other.commit()
    with pytest.raises(LedgerError, match="changed by something else"):
        account.releases()
    with pytest.raises(LedgerError, match="changed by something else"):
        account.spend(some_plan("0.1"))


def test_a_damaged_result_is_noticed(account):
    with closing(sqlite3.connect(account.file.path)) as other:
        other.execute("DROP TRIGGER release_goes_on")
        other.execute("UPDATE release SET result = x'00' WHERE number = 1")
        other.commit()
    with pytest.raises(LedgerError, match="result of release 1 is damaged"):
        account.release(account.releases()[0].id)


def test_a_commit_is_on_the_disk_and_what_was_deleted_is_not(tmp_path):
    file = some_account(tmp_path).file
    with closing(file._connect()) as connection:
        names = ("synchronous", "journal_mode", "secure_delete", "foreign_keys")
        found = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names]
    # 3 is EXTRA: the folder's entry has reached the disk too.
    assert found == [3, "delete", 1, 1]


def test_lowering_is_what_may_change(account):
    lower = account.lower(Fraction("0.5"), Fraction("1e-8"))
    again = Ledger(account.file.path).account("Clinic")
    assert again.limit == lower.limit != account.limit
