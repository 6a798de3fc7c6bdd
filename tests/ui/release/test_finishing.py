"""What was interrupted or published before: finished, spent again when told to, or read again."""

import os
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from dpca_core.data import recipe_json
from dpca_core.release.ledger import Account, Ledger, Status
from tests.paths import ROOT
from tests.ui.release.release_page import (
    can_spend,
    confirm,
    decision,
    finished,
    html,
    opened,
    own_page,
    run,
    spend,
    type_name,
)
from ui.release.controls.spend import JOB, PROBLEM, SHOWN
from ui.release.release_job import Files, ReleaseJob
from ui.state.decision import DECISION

KILLED = """
import os, signal, sys
from dpca_core.release import draw
from dpca_core.release.__main__ import main

draw.to_bytes = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
sys.exit(main(sys.argv[1:]))
"""
"""The command line of a process that is killed between its draw and what would store it."""


def killed_after_its_draw(folder: Path) -> Account:
    """Let another process spend ε = 0.3 of the account, draw, and be killed; return the account."""
    found = decision()
    (folder / "recipe.json").write_text(recipe_json.dumps(found.handover.recipe), encoding="utf-8")
    (folder / "people.csv").write_bytes(found.table.content)
    words = (
        *("draw", "people.csv", "--recipe", "recipe.json", "--account", "Clinic", "--epsilon"),
        *("0.3", "--delta", "1e-6", "--reason", "a test", "--unread", "yes", "--unit", "yes"),
        *("--accounts", "yes", "--out", "out", "--yes"),
    )
    command, env = [sys.executable, "-c", KILLED, *words], {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, timeout=60)
    assert done.returncode == -signal.SIGKILL, done.stderr
    return Ledger(folder / "ledger.sqlite").account("Clinic")


def statuses(account: Account) -> list[Status]:
    return [row.status for row in account.releases()]


def test_a_draw_that_was_killed_is_spent_again_only_when_told_to(monkeypatch, tmp_path):
    page = own_page(monkeypatch, tmp_path)
    account = killed_after_its_draw(tmp_path)
    assert statuses(account) == [Status.DRAWN]
    (row,), once = account.releases(), account.total()
    run(page)
    assert "finishing spends another ε = 0.3" in html(page)
    again = f"release-finish-{row.id}"
    assert page.button(key=again).label == "Finish, and spend again"
    assert page.button(key=again).disabled
    for name in ("clinic", "Clinic"):
        key = f"release-again-typed-{row.id}"
        next(field for field in page.text_input if field.key.startswith(key)).input(name).run()
        assert page.button(key=again).disabled == (name == "clinic")
    assert (statuses(account), account.total()) == ([Status.DRAWN], once)
    page.button(key=again).click().run()
    assert not page.exception
    finished(page)
    # A row that was drawn stays what it is: spending again is another release, at full cost.
    assert statuses(account) == [Status.DRAWN, Status.PUBLISHED]
    assert account.total() == once + once
    shown = page.session_state[SHOWN]
    assert (shown.row.number, shown.row.plan) == (2, row.plan)
    run(page)
    assert "release 2 has the same plan" in html(page)
    assert not any(button.key == again for button in page.button)


def test_a_draw_that_was_killed_is_no_more_than_listed_where_it_cannot_be_finished(
    monkeypatch, tmp_path
):
    """Spending again does not fit; it is being made, when a press would spend twice; no table."""
    page = own_page(monkeypatch, tmp_path)
    account = killed_after_its_draw(tmp_path)
    (row,) = account.releases()
    with monkeypatch.context() as being_made:
        being_made.setattr(ReleaseJob, "running", True)
        page.session_state[JOB] = ReleaseJob(account, None, row=row)
        run(page)
        assert "This can’t be stopped" in html(page)
        assert "8 % spent, 92 % is left" in html(page)
        assert not any("finish" in button.key for button in page.button)
    del page.session_state[JOB]
    account.lower(Fraction(32, 100), Fraction(1, 10**6))
    run(page)
    assert "Clinic has ε =" in html(page)
    assert not any("finish" in button.key for button in page.button)
    page = run(opened())
    page.selectbox(key="release-published-before").select("Clinic").run()
    assert "Finishing needs the table of the same people" in html(page)
    assert not any("finish" in str(button.key) for button in page.button)
    assert statuses(account) == [Status.DRAWN]


def test_a_release_that_was_spent_and_not_drawn_is_finished_for_nothing(monkeypatch, tmp_path):
    def fails(account, plan, source, reached):
        account.spend(plan)
        raise OSError

    page = own_page(monkeypatch, tmp_path)
    with monkeypatch.context() as disk:
        disk.setattr("ui.release.release_job.draw", fails)
        confirm(page)
        page.text_area[0].input("Because").run()
        type_name(page, "Clinic")
        page.button(key="release-spend").click().run()
        finished(page)
    run(page)
    account = Ledger(tmp_path / "ledger.sqlite").account("Clinic")
    (row,), spent = account.releases(), account.total()
    assert row.status is Status.SPENT
    assert PROBLEM in page.session_state
    page.button(key=f"release-finish-{row.id}").click().run()
    finished(page)
    assert statuses(account) == [Status.PUBLISHED]
    assert account.total() == spent


def published(monkeypatch: pytest.MonkeyPatch, folder: Path) -> tuple[Account, Files]:
    page = own_page(monkeypatch, folder)
    assert "Your accounts" not in html(page)
    confirm(page)
    files = spend(page, "Clinic")
    return Ledger(folder / "ledger.sqlite").account("Clinic"), files


def test_releases_are_read_again_without_a_table(monkeypatch, tmp_path):
    account, files = published(monkeypatch, tmp_path)
    rows, again = account.releases(), f"release-again-{files.row.id}"
    page = run(opened())
    assert "Your accounts" in html(page)
    assert not any(button.key == again for button in page.button)
    page.selectbox(key="release-published-before").select("Clinic").run()
    page.button(key=again).click().run()
    assert not page.exception
    assert page.session_state[SHOWN].archive == files.archive
    assert "Release 1 of Clinic is published, and stored." in html(page)
    assert not can_spend(page)
    assert account.releases() == rows


def test_without_an_account_it_says_where_releases_are_found_again(monkeypatch, tmp_path):
    monkeypatch.setenv("DPCA_LEDGER", str(tmp_path / "ledger.sqlite"))
    assert "found again once a table was decided on" in html(run(opened()))
    assert not (tmp_path / "ledger.sqlite").exists()
    monkeypatch.setenv("DPCA_LEDGER", "")
    monkeypatch.setattr("ui.release.controls.ledgers.on_laptop", lambda: False)
    assert "found again" not in html(run(opened()))


def test_on_ones_own_machine_the_usual_folder_is_looked_into(monkeypatch, tmp_path):
    (tmp_path / "dpca").mkdir()
    own_page(monkeypatch, tmp_path / "dpca")
    monkeypatch.delenv("DPCA_LEDGER")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("ui.release.controls.ledgers.on_laptop", lambda: True)
    page = run(opened())
    assert page.selectbox(key="release-published-before").options == ["Clinic"]
    page.session_state[DECISION] = decision()
    run(page)
    assert "Name the folder where it is kept" in html(page)
