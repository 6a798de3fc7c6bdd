"""A release whose process was killed: finished for nothing, or spent again only when told to."""

import os
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpca_core.data import recipe_json
from dpca_core.release.ledger import Account, Ledger, Row, Status
from dpca_core.release.ledger_checks import drawn_sentence
from tests.paths import ROOT
from tests.ui.release.release_page import decision, finished, html, own_page, run
from ui.release.controls.spend import JOB, PROBLEM, SHOWN
from ui.release.release_job import ReleaseJob

KILLED = """
import os, signal, sys
from dpca_core.release import draw
from dpca_core.release.__main__ import main

def killed(*arguments, **named):
    os.kill(os.getpid(), signal.SIGKILL)

draw.to_bytes = killed
sys.exit(main(sys.argv[1:]))
"""
"""The command line of a process that is killed between its draw and what would store it."""


def killed_after_its_draw(folder: Path) -> Account:
    """Let another process spend ε = 0.3 of the account, draw, and be killed; return the account."""
    found = decision()
    (folder / "recipe.json").write_text(recipe_json.dumps(found.handover.recipe), encoding="utf-8")
    (folder / "people.csv").write_bytes(found.table.content)
    words = (
        "draw", "people.csv", "--recipe", "recipe.json", "--account", "Clinic", "--epsilon", "0.3",
        "--delta", "1e-6", "--reason", "a test", "--unread", "yes", "--unit", "yes",
        "--accounts", "yes", "--out", "out", "--yes",
    )  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", KILLED, *words],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL, done.stderr
    return Ledger(folder / "ledger.sqlite").account("Clinic")


def statuses(account: Account) -> list[Status]:
    return [row.status for row in account.releases()]


def name_the_account(page: AppTest, row: Row, name: str) -> None:
    """Type a name below a release whose draw had begun."""
    key = f"release-again-typed-{row.id}"
    next(field for field in page.text_input if field.key.startswith(key)).input(name).run()


def test_a_draw_that_was_killed_is_spent_again_only_when_told_to(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = own_page(monkeypatch, tmp_path)
    account = killed_after_its_draw(tmp_path)
    assert statuses(account) == [Status.DRAWN]
    (row,), once = account.releases(), account.total()
    run(page)
    assert drawn_sentence(row) in html(page)
    assert "finishing spends another ε = 0.3" in html(page)
    again = f"release-finish-{row.id}"
    assert page.button(key=again).label == "Finish, and spend again"
    assert page.button(key=again).disabled
    name_the_account(page, row, "clinic")
    assert page.button(key=again).disabled
    assert (statuses(account), account.total()) == ([Status.DRAWN], once)
    name_the_account(page, row, "Clinic")
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


def test_where_spending_again_does_not_fit_nothing_can_be_pressed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = own_page(monkeypatch, tmp_path)
    account = killed_after_its_draw(tmp_path)
    (row,) = account.releases()
    account.lower(Fraction(32, 100), Fraction(1, 10**6))
    run(page)
    assert "Clinic has ε =" in html(page)
    assert not any(button.key == f"release-finish-{row.id}" for button in page.button)
    assert statuses(account) == [Status.DRAWN]


def test_a_release_that_was_spent_and_not_drawn_is_finished_for_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = own_page(monkeypatch, tmp_path)
    monkeypatch.setattr(
        "ui.release.release_job.draw",
        lambda account, plan, source, reached: (
            account.spend(plan) and (_ for _ in ()).throw(OSError)
        ),
    )
    for key in ("unread", "unit", "accounts"):
        page.button_group(key=f"release-confirm-{key}").set_value("Yes").run()
    page.text_area[0].input("Because").run()
    name = next(field for field in page.text_input if field.label.startswith("Type the account"))
    name.input("Clinic").run()
    page.button(key="release-spend").click().run()
    finished(page)
    run(page)
    account = Ledger(tmp_path / "ledger.sqlite").account("Clinic")
    (row,) = account.releases()
    assert row.status is Status.SPENT
    spent = account.total()
    assert PROBLEM in page.session_state
    page.button(key=f"release-finish-{row.id}").click().run()
    finished(page)
    assert statuses(account) == [Status.PUBLISHED]
    assert account.total() == spent


def test_a_release_that_is_being_made_is_not_offered_for_finishing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Pressed while it is drawn, the button would spend a second time."""
    page = own_page(monkeypatch, tmp_path)
    account = killed_after_its_draw(tmp_path)
    (row,) = account.releases()
    monkeypatch.setattr(ReleaseJob, "running", True)
    page.session_state[JOB] = ReleaseJob(account, None, row=row)
    run(page)
    assert "This can’t be stopped" in html(page)
    assert not any("finish" in button.key for button in page.button)
    assert "8 % spent, 92 % is left" in html(page)
