"""What was interrupted or published before: finished, spent again when told to, or read again."""

from concurrent.futures import Future
from contextlib import suppress

import pytest

from dpca_core.release.ledger import LedgerError, Status
from tests.core.release.cases import some_plan
from tests.ui.ended_runs import EndedRun, EndingState
from tests.ui.release.release_page import SPEND, Clinic, ReleasePage, decided
from ui.release.spend import JOB, MADE, Job, running_job

AGAIN = "Finish, and spend again"


def interrupted(clinic: Clinic, epsilon: str) -> None:
    """Spend of the account like a program that is killed in its draw."""
    plan = some_plan(epsilon, recipe=decided().handover.recipe)
    clinic.ledger.begin_drawing(clinic.ledger.spend(clinic.account, plan).id)


def test_a_draw_that_was_killed_is_spent_again_once_and_only_when_told_to(clinic):
    interrupted(clinic, "0.3")
    page, other = clinic.page(), clinic.page()
    other.find("text_input", "Type the account").input("Clinic")
    assert "finishing it costs as much again" in page.html
    assert "Nothing was spent" in page.finish(AGAIN, "clinic").html
    assert clinic.statuses() == [Status.DRAWN]
    page.finish(AGAIN)
    # Whoever asks at the same time reads the same release, at once or from the list.
    for one in (page.finished(), other.press(AGAIN).finished().press("Show again")):
        assert one.made.row.number == 2
    assert clinic.statuses() == [Status.DRAWN, Status.PUBLISHED]
    assert "release 2 has the same plan" in page.html
    assert not page.find("button", AGAIN)


def test_a_draw_that_was_killed_is_no_more_than_listed_where_it_cannot_be_finished(clinic):
    """It is being made, when a press would spend twice; spending again does not fit; no table."""
    interrupted(clinic, "0.8")
    page = clinic.page()
    assert not page.find("button", "Finish")
    assert "Clinic: one more release may have ε = " in page.html
    page.state[JOB] = [Job("1", [], Future())]
    assert "This can’t be stopped" in page.run().html
    assert not page.find("button", "Finish")
    page = ReleasePage().set("selectbox", "Account", "Clinic")
    assert "Finishing needs the table of the same people" in page.html
    assert not page.find("button", "Finish")
    assert clinic.statuses() == [Status.DRAWN]


def test_a_release_that_was_spent_and_not_drawn_is_finished_for_nothing(clinic, monkeypatch):
    def fails(ledger, account, plan, source, reached):
        ledger.spend(account, plan)
        raise OSError("a cell: 117.3")

    page = clinic.page().confirm()
    with monkeypatch.context() as disk:
        disk.setattr("ui.release.spend.draw", fails)
        page.finish(SPEND, reason="Because").finished()
    assert page.made in page.html
    assert "117.3" not in page.html
    left = clinic.ledger.left(clinic.account)
    page.press("Finish")
    jobs = [*page.state[JOB]]
    # It is made though its page is closed.
    del page
    assert all(job.made.result(30) for job in jobs)
    assert clinic.statuses() == [Status.PUBLISHED]
    assert clinic.ledger.left(clinic.account) == left


@pytest.mark.parametrize("look", range(1, 4))
def test_what_was_made_is_shown_though_a_run_ends_at_any_look(monkeypatch, look):
    """As when somebody presses twice in haste: the second run begins before the first is over."""
    made: Future[str] = Future()
    made.set_result("A sentence.")
    state = EndingState({JOB: [Job("1", [], made)]})
    monkeypatch.setattr("streamlit.session_state", state)
    state.looks_left = look
    with suppress(EndedRun):
        running_job()
    state.looks_left = 0
    assert running_job() is None
    assert state[MADE] == ("1", "A sentence.")


def test_releases_are_read_again_without_a_table(clinic):
    page = clinic.page().confirm()
    assert "Published before" not in page.html
    files, rows = page.spend(), clinic.ledger.releases(clinic.account)
    page = ReleasePage().set("selectbox", "Account", "Clinic").press("Show again")
    assert page.made.archive == files.archive
    assert "Release 1 of Clinic is published, and stored." in page.html
    assert not page.find("button", SPEND)
    assert clinic.ledger.releases(clinic.account) == rows


def test_a_ledger_that_was_changed_is_one_sentence(clinic, monkeypatch):
    def changed(*_):
        raise LedgerError("This ledger was changed.")

    page = clinic.page()
    monkeypatch.setattr("dpca_core.release.ledger.Ledger.releases", changed)
    assert "This ledger was changed." in page.run().html
    assert not page.find("button", SPEND)


@pytest.mark.parametrize("laptop", [False, True])
def test_on_ones_own_machine_alone_the_usual_folder_is_looked_into(monkeypatch, tmp_path, laptop):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("ui.release.account.on_laptop", lambda: laptop)
    path = tmp_path / "dpca" / "ledger.sqlite"
    Clinic(path)
    page = ReleasePage()
    assert (page.find("selectbox", "Account") is not None) is laptop
    page.decide(decided())
    assert ("DPCA_LEDGER=" in page.html) is not laptop
    assert (f"Booked in {path}" in page.html) is laptop
