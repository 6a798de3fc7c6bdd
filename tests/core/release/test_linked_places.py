"""Symbolic links above what is written: followed, and one file stays one ledger."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dpca_core.release.ledger import Ledger, OverLimit
from tests.core.release import test_command_line
from tests.core.release.plans import some_account, some_plan
from tests.core.release.test_command_line import Shell
from tests.core.release.test_ledger_processes import run

shell = test_command_line.shell


@pytest.fixture
def two_ways(tmp_path: Path) -> tuple[Path, Path]:
    """An account's ledger: its own path, and one through a linked folder."""
    (tmp_path / "disk").mkdir()
    (tmp_path / "home").symlink_to("disk", target_is_directory=True)
    own = some_account(tmp_path / "disk").file.path
    assert own is not None
    return own, tmp_path / "home" / own.name


def test_processes_that_come_by_two_ways_spend_one_limit(two_ways: tuple[Path, Path]) -> None:
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda path: run("spend_often", path), two_ways * 2))
    assert [of.stderr for of in found] == [""] * 4
    assert sum(int(of.stdout) for of in found) == 13
    for path in two_ways:
        account = Ledger(path).account("Clinic")
        assert [row.number for row in account.releases()] == list(range(1, 14))
        with pytest.raises(OverLimit):
            account.spend(some_plan())


@pytest.mark.parametrize("killed_through", [0, 1])
def test_half_a_change_by_one_way_is_taken_back_by_the_other(
    two_ways: tuple[Path, Path], killed_through: int
) -> None:
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


def test_a_folder_behind_a_link_is_written_and_checked(shell: Shell) -> None:
    (shell.folder / "disk").mkdir()
    (shell.folder / "home").symlink_to("disk", target_is_directory=True)
    shell.ledger = ["--ledger", "home/ledger.sqlite"]
    shell.open()
    drawn = shell.draw("home/new/pub", "--yes")
    assert drawn.returncode == 0, drawn.stderr
    assert (shell.folder / "disk" / "ledger.sqlite").exists()
    assert shell.verify("disk/new/pub").returncode == 0
    assert sorted(path.name for path in (shell.folder / "disk").iterdir()) == [
        "ledger.sqlite",
        "new",
    ]


@pytest.mark.parametrize("out", ["nowhere/pub", "nowhere/new/pub", "nowhere/../pub", "loop/pub"])
def test_nothing_is_spent_for_a_folder_below_a_link_that_leads_nowhere(
    shell: Shell, out: str
) -> None:
    (shell.folder / "nowhere").symlink_to("absent", target_is_directory=True)
    (shell.folder / "loop").symlink_to("loop", target_is_directory=True)
    shell.open()
    refused = shell.draw(out, "--yes")
    assert refused.returncode == 2
    assert refused.stderr.startswith(f"{out} cannot be written: ")
    assert refused.stderr.count("\n") == 1
    assert shell.account()["releases"] == []
