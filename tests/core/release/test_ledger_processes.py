"""Several programs on one ledger, and programs that are killed."""

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from dpca_core.release.ledger import Ledger, LedgerError, OverLimit, Status
from tests.core.release.plans import some_account, some_plan
from tests.paths import ROOT


def run(what: str, path: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.core.release.ledger_process", what, str(path)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def together(what: str, path: Path, times: int) -> list[str]:
    """Run as many processes at once; return what each printed."""
    with ThreadPoolExecutor(times) as pool:
        runs = list(pool.map(lambda _: run(what, path), range(times)))
    assert [found.stderr for found in runs] == [""] * times
    return [found.stdout.strip() for found in runs]


def test_four_processes_admit_exactly_what_fits(tmp_path):
    account = some_account(tmp_path)
    admitted = together("spend_often", account.file.path, 4)
    assert sum(int(count) for count in admitted) == 13
    assert [row.number for row in account.releases()] == list(range(1, 14))
    with pytest.raises(OverLimit):
        account.spend(some_plan())


def test_a_killed_spent_release_is_finished_for_nothing(tmp_path):
    account = some_account(tmp_path)
    assert run("die_spent", account.file.path).returncode == -9
    (row,) = account.releases()
    assert row.status is Status.SPENT
    before = account.total()
    assert account.publish(account.begin_drawing(row), b"result").result == b"result"
    assert account.total() == before


def test_a_killed_drawn_release_costs_again(tmp_path):
    account = some_account(tmp_path)
    assert run("die_drawn", account.file.path).returncode == -9
    (row,) = account.releases()
    assert row.status is Status.DRAWN
    with pytest.raises(LedgerError, match="may have reached the disk; finishing spends another"):
        account.begin_drawing(row)
    again = account.spend(row.plan)
    assert (again.number, again.total) == (2, 2 * row.cost)
    assert [found.status for found in account.releases()] == [Status.DRAWN, Status.SPENT]


def test_two_finishers_show_the_same_result(tmp_path):
    account = some_account(tmp_path)
    account.spend(some_plan())
    first, second = together("finish", account.file.path, 2)
    assert first == second == account.releases()[0].result_sha256
    assert len(account.releases()) == 1


def test_a_ledger_in_use_is_waited_for_and_then_refused(tmp_path):
    path = some_account(tmp_path).file.path
    impatient = Ledger(path, patience=0.1).account("Clinic")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(LedgerError, match="is in use by another program") as refusal:
            impatient.spend(some_plan())
    assert str(refusal.value).endswith("Nothing was spent.")
    assert impatient.releases() == ()
