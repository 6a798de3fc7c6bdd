"""What was interrupted or published before: finished, spent again when told to, or read again."""

from fractions import Fraction
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpca_core.release.ledger import Account, Ledger, LedgerError, Row, Status
from dpca_core.release.plan import Plan
from tests.ui.release.release_page import (
    ADD,
    can_spend,
    clinic,
    confirm,
    decision,
    field,
    finished,
    has,
    html,
    opened,
    own_page,
    press,
    run,
    spend,
)
from ui.release.spend import JOB, PROBLEM, SHOWN, Job
from ui.state.decision import DECISION

AGAIN = "Finish, and spend again"


def interrupted(ledger: Ledger, account: Account, epsilon: str = "0.3", *, drawn: bool) -> Row:
    """Spend of the account like a program that is killed before its draw, or in it."""
    budget = Fraction(epsilon), Fraction("1e-6")
    row = ledger.spend(account, Plan(decision().handover.recipe, ADD, *budget, "gaussian", "test"))
    return ledger.begin_drawing(row.id) if drawn else row


def statuses(ledger: Ledger, account: Account) -> list[Status]:
    return [row.status for row in ledger.releases(account)]


def finish(page: AppTest, label: str, name: str) -> None:
    field(page.text_input, "Type the account").input(name)
    press(page, label)


def test_a_draw_that_was_killed_is_spent_again_only_when_told_to(monkeypatch, tmp_path):
    page = own_page(monkeypatch, tmp_path)
    ledger, account = clinic(monkeypatch, tmp_path)
    row = interrupted(ledger, account, drawn=True)
    run(page)
    assert "finishing it costs as much again" in html(page)
    finish(page, AGAIN, "clinic")
    assert "Nothing was spent" in html(page)
    assert statuses(ledger, account) == [Status.DRAWN]
    finish(page, AGAIN, "Clinic")
    finished(page)
    # A row that was drawn stays what it is: spending again is another release, at full cost.
    assert statuses(ledger, account) == [Status.DRAWN, Status.PUBLISHED]
    again = ledger.releases(account)[-1]
    assert (again.total, again.plan, again.again_for) == (2 * row.cost, row.plan, row.id)
    assert page.session_state[SHOWN].row.number == 2
    assert "release 2 has the same plan" in html(page)
    assert not has(page.button, AGAIN)


def test_two_who_spend_again_at_once_book_once(monkeypatch, tmp_path):
    pages = [own_page(monkeypatch, tmp_path) for _ in range(2)]
    ledger, account = clinic(monkeypatch, tmp_path)
    interrupted(ledger, account, "0.1", drawn=True)
    for page in pages:
        run(page)
        field(page.text_input, "Type the account").input("Clinic")
    for page in pages:
        press(page, AGAIN)
    for page in pages:
        finished(page)
    assert statuses(ledger, account) == [Status.DRAWN, Status.PUBLISHED]
    # Whoever was second reads the same release again, or at once.
    for page in pages:
        press(page, "Show again")
        assert page.session_state[SHOWN].row.number == 2


def test_a_draw_that_was_killed_is_no_more_than_listed_where_it_cannot_be_finished(
    monkeypatch, tmp_path
):
    """It is being made, when a press would spend twice; spending again does not fit; no table."""
    page = own_page(monkeypatch, tmp_path)
    ledger, account = clinic(monkeypatch, tmp_path)
    interrupted(ledger, account, "0.8", drawn=True)
    page.session_state[JOB] = Job()
    run(page)
    assert "This can’t be stopped" in html(page)
    assert not has(page.button, "Finish")
    del page.session_state[JOB]
    run(page)
    assert "Clinic has ε = " in html(page)
    assert not has(page.button, "Finish")
    page = run(opened())
    field(page.selectbox, "Account").select("Clinic").run()
    assert "Finishing needs the table of the same people" in html(page)
    assert not has(page.button, "Finish")
    assert statuses(ledger, account) == [Status.DRAWN]


def test_a_release_that_was_spent_and_not_drawn_is_finished_for_nothing(monkeypatch, tmp_path):
    def fails(
        ledger: Ledger, account: Account, plan: Plan, source: object, reached: object
    ) -> None:
        ledger.spend(account, plan)
        raise OSError("a cell: 117.3")

    page = own_page(monkeypatch, tmp_path)
    with monkeypatch.context() as disk:
        disk.setattr("ui.release.spend.draw", fails)
        confirm(page)
        page.text_area[0].input("Because")
        finish(page, "Spend and publish", "Clinic")
        finished(page)
    ledger, account = clinic(monkeypatch, tmp_path)
    assert statuses(ledger, account) == [Status.SPENT]
    assert page.session_state[PROBLEM] in html(page)
    assert "117.3" not in html(page)
    total = ledger.left(account)
    press(page, "Finish")
    finished(page)
    assert (statuses(ledger, account), ledger.left(account)) == ([Status.PUBLISHED], total)
    assert PROBLEM not in page.session_state


def test_what_is_being_made_is_made_though_its_page_is_closed(monkeypatch, tmp_path):
    page = own_page(monkeypatch, tmp_path)
    confirm(page)
    page.text_area[0].input("Because")
    finish(page, "Spend and publish", "Clinic")
    job = page.session_state[JOB] if JOB in page.session_state else None  # noqa: SIM401
    del page
    if job is not None:
        job.made.result(30)
    assert statuses(*clinic(monkeypatch, tmp_path)) == [Status.PUBLISHED]


def test_releases_are_read_again_without_a_table(monkeypatch, tmp_path):
    page = own_page(monkeypatch, tmp_path)
    assert "Published before" not in html(page)
    confirm(page)
    files = spend(page, "Clinic")
    ledger, account = clinic(monkeypatch, tmp_path)
    rows = ledger.releases(account)
    page = run(opened())
    assert "Published before" in html(page)
    assert not has(page.button, "Show again")
    field(page.selectbox, "Account").select("Clinic").run()
    press(page, "Show again")
    assert page.session_state[SHOWN].archive == files.archive
    assert "Release 1 of Clinic is published, and stored." in html(page)
    assert not can_spend(page)
    assert ledger.releases(account) == rows


def test_a_ledger_that_was_changed_is_one_sentence(monkeypatch, tmp_path):
    def changed(*_: object) -> None:
        raise LedgerError("This ledger was changed.")

    page = own_page(monkeypatch, tmp_path)
    monkeypatch.setattr("dpca_core.release.ledger.Ledger.releases", changed)
    run(page)
    assert "This ledger was changed." in html(page)
    assert not can_spend(page)


@pytest.mark.parametrize("laptop", [False, True])
def test_on_ones_own_machine_alone_the_usual_folder_is_looked_into(
    monkeypatch, tmp_path: Path, laptop
):
    folder = tmp_path / "dpca"
    folder.mkdir()
    clinic(monkeypatch, folder)
    monkeypatch.delenv("DPCA_LEDGER")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("ui.release.account.on_laptop", lambda: laptop)
    page = run(opened())
    assert has(page.selectbox, "Account") is laptop
    page.session_state[DECISION] = decision()
    run(page)
    said = "Name the folder where it is kept" if laptop else "DPCA_LEDGER="
    assert said in html(page)
