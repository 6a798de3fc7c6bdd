"""Release as a page: practice to the files, a decided table, its check, and what is finished.

The check is for the owner alone, and nothing of it blocks or stays.
"""

import re
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

import pytest

from dpca_core.data.recipe import Missing, RowLength
from dpca_core.release.ledger import Ledger, LedgerError, Status
from dpca_core.release.plan import loads
from dpca_core.text.release_statements import Answer, Fact
from tests.core.release.cases import some_plan
from tests.ui.ended_runs import EndedRun, EndingState
from tests.ui.release.release_page import (
    ACCOUNTS,
    ADD,
    PEOPLE,
    SECRET,
    SPEND,
    UNIT,
    UNREAD,
    Clinic,
    ReleasePage,
    decided,
)
from ui.release import text
from ui.release.account import read_number
from ui.release.spend import JOB, MADE, Job, running_job
from ui.release.text import NOT_READ, spent_label
from ui.state.decision import CHECKED, DECISION, FOUND, SENT_BACK, SentBack, keep_decision


def test_practice_from_an_empty_ledger_to_the_files():
    page = ReleasePage()
    assert "Open or choose an account first" in page.html
    page.press("Open account")
    assert "in your own words why this ε" in page.finish(SPEND, "Practice").html
    page.finish(SPEND, "practice", "Because")
    assert "That is not the account’s name: Practice. Nothing was spent." in page.html
    form = page.find("text_input", "Type the account").form_id
    files = page.spend("Practice")
    # A second press in haste is none on the form that follows.
    assert page.find("text_input", "Type the account").form_id != form
    for name, content in files.each.items():
        assert b"PRACTICE" in content.upper(), name
    labels = [element.label for element in page.test.get("download_button")]
    assert labels == ["Download all (zip)", *files.each]
    assert page.test.text_area[0].value == ""


@pytest.mark.parametrize("gaussian", [True, False])
def test_an_account_has_one_kind_of_noise_and_offers_what_it_can_pay(gaussian):
    page = ReleasePage()
    page.set("radio", "Noise", gaussian).set("text_input", "Limit: ε", "1/2").press("Open account")
    assert "Type ε and δ as numbers" in page.html
    page.set("text_input", "Limit: ε", "0,75").press("Open account")
    assert "Limit: at most ε = 0.75" in page.html
    assert (page.find("selectbox", "Noise") is None) is gaussian
    assert (page.find("select_slider", "δ") is not None) is gaussian
    plan = loads(page.spend("Practice").row.plan)
    assert (plan.gaussian, plan.delta > 0) == (gaussian, gaussian)


def test_numbers_are_read_as_people_write_them():
    typed = ("0,1", "11,5", "1e-6", " 2·10⁻⁶", "10^-6", "1 000")
    numbers = ("0.1", "11.5", "1e-6", "2e-6", "1e-6", "1000")
    assert list(map(read_number, typed)) == list(map(Fraction, numbers))
    none = ("", "1e99999999", "1/2", "-1", "−1", "nan", "0x1", "1" * 20)
    assert {read_number(no) for no in none} == {None}


def test_what_is_spent_is_rounded_up_and_no_rest_is_rounded_away():
    ledger = Ledger(None)
    for before, spent, more, said in (
        ("0", "0.001", "0.253", "less than 1 % of its limit spent, 26 % this plan"),
        ("0.5", "0.999999", "0", "more than 99 % of the rest of its limit spent"),
    ):
        account = ledger.open_account(said[:9], "People", ADD, "1", "0", (before, "0"))
        assert spent_label(account, Fraction(spent), Fraction(more)) == said


def test_a_table_of_ones_own_is_released_once_every_question_is_answered(clinic):
    page = clinic.page(epsilon=0.9)
    assert "Answer the questions" in page.html
    page.confirm(UNREAD, UNIT).confirm(ACCOUNTS, answer="No")
    assert page.test.text_area[0].value == ""
    files = page.spend()
    plan = loads(files.row.plan)
    assert {said.fact: said.answer for said in plan.declarations} == {
        Fact.NOTHING_SHOWN: Answer.RECORDED,
        Fact.UNREAD: Answer.YES,
        Fact.UNIT: Answer.YES,
        Fact.ACCOUNTS: Answer.NO,
    }
    assert (plan.epsilon, plan.reason) == (Fraction(9, 10), "Because")
    for name, content in files.each.items():
        assert SECRET.encode() not in content, name
    # What was just published used most of the limit: that is said, and is no error.
    assert "Clinic: one more release may have ε = " in page.html
    assert 'class="release-error"' not in page.html
    assert not page.find("button", SPEND)
    # It is read again for nothing, without the table.
    page = ReleasePage().set("selectbox", "Account", "Clinic").press("Show again")
    assert page.made.archive == files.archive
    assert "Release 1 of Clinic is published, and stored." in page.html
    assert clinic.statuses() == [Status.PUBLISHED]


def test_no_table_is_read_before_the_spend(clinic, monkeypatch):
    """Two decisions that differ in the table alone show the same, and no reader is asked."""

    def refuse(*_, **__):
        raise AssertionError("the table was read")

    for place in ("dpca_core.release.table_source.TableSource.check", "ui.release.whose.check"):
        monkeypatch.setattr(place, refuse)
    said = []
    for rows in (b"", b"7,1,2,3\n" * 5):
        found = decided()
        table = replace(found.table, content=b"id,age,weight\n" + rows)
        page = ReleasePage(replace(found, table=table))
        said.append(f"{page.html} {page.test.query_params}")
    assert NOT_READ in said[0]
    assert said[0] == said[1]
    assert not any(secret in said[0] for secret in (SECRET, str(PEOPLE)))


def test_a_new_account_is_proposed_larger_than_the_plan_and_for_nobody_who_has_one(clinic):
    page = ReleasePage(decided())
    # Nobody chose the account in this session: these may be other people.
    assert page.find("selectbox", "Account").value is None
    assert not page.find("button", "Open account")
    page.set("selectbox", "Account", "A new account")
    for said in ("they would pay twice", "room for 4 releases at ε = 0.7", "US Census"):
        assert said in page.html
    assert "lowered" not in page.html
    for label, typed in (("Name", "Ward"), ("Who", "Patients"), ("ε spent on them", "0,2")):
        page.set("text_input", label, typed)
    page.set("selectbox", "Their account", "Clinic")
    page.press("Open account")
    assert "have an account for Gaussian noise already, “Clinic”" in page.html
    page.set("radio", "Noise", False).press("Open account")
    ward = clinic.ledger.account("Ward")
    assert (ward.pure, ward.before_epsilon, ward.epsilon) == (True, "0.2", "2.8")
    assert clinic.ledger.sister(ward) == clinic.account


def test_answers_stay_when_another_page_is_opened_and_go_with_their_table(clinic, monkeypatch):
    page = clinic.page(epsilon=0.4).confirm().set("select_slider", "ε", 0.3)
    with monkeypatch.context() as away:
        away.setattr("ui.release.page._draw_cards", lambda: None)
        assert page.run().find("button_group", UNIT) is None
    assert page.run().find("select_slider", "ε").value == 0.3
    then = re.search(r"([0-9]+ %) of its limit would then be spent", page.html)
    page.spend()
    assert then
    assert f"{then[1]} of its limit spent, " in page.test.get("progress")[0].proto.text
    # Another table with the same choices: nothing of the last one is taken for its own.
    page.decide(decided("8000,90,90,90,90", epsilon=0.4))
    assert "is published, and stored" not in page.html
    assert page.find("selectbox", "Account").value is None
    assert page.find("button_group", UNIT).value in (None, [])
    assert page.find("select_slider", "ε").value == 0.4
    page.set("selectbox", "Account", "Clinic")
    assert page.find("button", "Show again")
    # What was confirmed of one recipe is asked anew of another, of the same table too.
    before = decided(UNREADABLE, epsilon=0.1)
    checked(page.decide(before)).confirm().set("button_group", LOST, "Release it as it is")
    page.set("selectbox", "Account", "Clinic")
    assert page.find("button", SPEND)
    recipe = replace(before.handover.recipe, missing=Missing.DROP)
    page.decide(replace(before, handover=replace(before.handover, recipe=recipe)))
    assert page.find("button_group", UNIT).value in (None, [])
    assert checked(page.confirm()).find("button_group", LOST).value in (None, [])


def test_useless_extras_are_said_to_be_so_and_a_decision_brings_its_budget(clinic):
    recipe = replace(decided().handover.recipe, row_length=RowLength.ONE)
    page = clinic.page(recipe=recipe).set("select_slider", "ε", 0.5)
    for label in ("Means", "A picture"):
        page.set("checkbox", label, True)
    assert "This picture would show noise" in page.html
    assert "shares must be above 0" in page.set("text_input", "Share of the means", "90").html
    page.set("text_input", "Share of the means", "11,5")
    page.decide(decided(people_guess=1_000_000))
    assert "This picture would show noise" not in page.html
    page.decide(decided(epsilon=0.45, delta=3e-7))
    assert page.find("select_slider", "ε").value == 0.45
    assert page.find("select_slider", "δ").value == 3e-7


UNREADABLE = "\n".join(f"x{i},no,{i},9,{i % 9}" for i in range(20 * PEOPLE))
"""Records of further people of whom the age cannot be read."""
LOST = "What shall become of age?"


def checked(page):
    return page.press("Check my table").finished()


def recorded(files):
    declared = loads(files.row.plan).declarations
    return {said.fact for said in declared if said.answer is Answer.RECORDED}


def test_a_check_is_a_look_that_is_recorded_with_whether_the_recipe_was_changed(clinic):
    page = checked(clinic.page(epsilon=0.1))
    for said in (f"{PEOPLE} records were read.", text.NOTHING_LOST, "and changed nothing of the"):
        assert said in page.html
    assert recorded(page.confirm().spend()) == {Fact.NOTHING_SHOWN, Fact.CHECKED}
    recipe = decided().handover.recipe
    mended = replace(recipe, numbers=(replace(recipe.numbers[0], high=150.0), *recipe.numbers[1:]))
    before = page.state[DECISION]
    page.decide(replace(before, handover=replace(before.handover, recipe=mended)))
    assert f"{PEOPLE} records were read." not in page.html
    # A second look does not undo the first.
    assert recorded(checked(page).confirm().spend()) == {Fact.NOTHING_SHOWN, Fact.CHANGED}


def test_what_a_check_found_goes_with_its_table_and_the_look_stays(clinic, monkeypatch):
    page = checked(clinic.page())
    state = {name: page.state[name] for name in (DECISION, FOUND, CHECKED)}
    monkeypatch.setattr("streamlit.session_state", state)
    keep_decision(None)
    assert list(state) == [CHECKED]


@pytest.mark.parametrize("choice", ["Leave it out", "Mend the recipe"])
def test_a_column_that_could_not_be_read_goes_back_to_be_answered(clinic, monkeypatch, choice):
    page, opened = checked(clinic.page(UNREADABLE)), []
    monkeypatch.setattr("streamlit.switch_page", opened.append)
    page.set("button_group", LOST, choice)
    assert opened == ["pages/data.py"]
    assert page.state[SENT_BACK] == SentBack("age", choice == "Leave it out")


def test_a_column_that_could_not_be_read_is_released_as_it_is_where_the_owner_says_so(clinic):
    page = checked(clinic.page(UNREADABLE)).confirm()
    assert 'class="release-error">age: ' in page.html
    assert text.NOTHING_LOST not in page.html
    assert not page.find("button", SPEND)
    files = page.set("button_group", LOST, "Release it as it is").spend()
    assert recorded(files) == {Fact.NOTHING_SHOWN, Fact.CHECKED}
    kept = files.row.plan.encode() + b"".join(files.each.values())
    assert str(20 * PEOPLE).encode() not in kept


def test_nobody_has_to_check_and_what_cannot_be_read_is_a_sentence(clinic):
    page, found = clinic.page().confirm(), decided()
    assert page.find("button", SPEND)
    page.decide(replace(found, table=replace(found.table, content=b"a\n1\n")))
    assert 'class="release-error"' in checked(page).html
    assert page.set("selectbox", "Account", "Clinic").confirm().find("button", SPEND)


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
