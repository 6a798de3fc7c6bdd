"""Release as a page: practice to the files, a decided table, its check, and what is finished.

The check is for the owner alone, and nothing of it blocks or stays.
"""

import re
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from unittest.mock import Mock

import pytest

from dpca_core.data.recipe import Missing, Unit
from dpca_core.release.ledger import Ledger, LedgerError, Status
from dpca_core.release.plan import loads
from dpca_core.tables.files import Upload
from dpca_core.text.release_statements import Answer, Fact
from tests.core.release.cases import ADD, COLUMNS, RECIPE, opened, some_plan
from tests.opened_page import page_at
from tests.ui.ended_runs import EndedRun, EndingState
from ui.release import text
from ui.release.account import OPENED, read_number
from ui.release.spend import JOB, MADE, Files, Job, running_job
from ui.release.text import say
from ui.state import decision as decisions
from ui.state.decision import CHECKED, DECISION, FOUND, SENT_BACK, Decision, SentBack

SECRET, PEOPLE, SPEND, AGAIN = "secret-name.csv", 731, say("spend_button"), say("finish_again")
UNIT, ACCOUNTS, LOST = "One patient is", "These patients", "What shall become of age?"
"""How questions begin."""
UNREADABLE = "".join(f"x{i},no,{i},9,{i % 9}\n" for i in range(20 * PEOPLE))
"""Records of further people of whom the age cannot be read."""


class Page:
    """The page in a session of its own; a control is named by the start of its label."""

    def __init__(self, decision=None, account=None):
        self.test = page_at("release")
        self.state = self.test.session_state
        # As if it had been opened in this session, about the first table.
        self.state[OPENED.format("1")] = account
        self.decide(decision)

    @property
    def html(self):
        return "".join(str(element.proto.body) for element in self.test.get("html"))

    @property
    def made(self):
        return self.state[MADE][1]

    def run(self):
        self.test.run()
        assert not self.test.exception, self.test.exception[0].stack_trace
        return self

    def decide(self, decision):
        self.state[DECISION] = decision
        return self.run()

    def find(self, kind, label):
        found = (one for one in getattr(self.test, kind) if one.label.startswith(label))
        return next(found, None)

    def set(self, kind, label, value):
        self.find(kind, label).set_value(value)
        return self.run()

    def press(self, label):
        self.find("button", label).click()
        return self.run()

    def answer(self):
        return self.press("Yes to all of these")

    def agree(self, label, name="Clinic", reason=""):
        """Type the account's name, and a reason if there is a field for it, and press a button."""
        for field in self.test.text_area:
            field.input(reason)
        self.find("text_input", "Type the account").input(name)
        return self.press(label)

    def finished(self):
        """Wait until nothing is being made or checked, and draw what came of it."""
        jobs = [job.made for job in self.state[JOB]] if JOB in self.state else []
        wait(jobs + ([self.state[FOUND][1]] if FOUND in self.state else []))
        return self.run().run()

    def spend(self, account="Clinic"):
        made = self.agree(SPEND, account, "Because").finished().made
        assert isinstance(made, Files), made
        return made

    def check(self):
        return self.press("Check my table").finished()


def decided(more="", **changes):
    """A decision about four columns of people, as *Decide* hands it over."""
    people = [f"{i},{80 + i % 41},{60 + i % 37},90,{50 + i % 53}" for i in range(PEOPLE)]
    table = "\n".join([",".join(["id", *COLUMNS]), *people, more])
    recipe = replace(RECIPE, person=("id",), unit=Unit("patient", "patients"))
    found = decisions.Handover(recipe, ADD, 0.7, 1e-6, "gaussian", 900.0)
    return Decision(replace(found, **changes), Upload(SECRET, table.encode()))


def with_recipe(decision, **changes):
    recipe = replace(decision.handover.recipe, **changes)
    return replace(decision, handover=replace(decision.handover, recipe=recipe))


def page_of(more="", **changes):
    return Page(decided(more, **changes), "Clinic")


def recorded(files):
    declared = loads(files.row.plan).declarations
    return {said.fact for said in declared if said.answer is Answer.RECORDED}


@pytest.fixture(autouse=True)
def _no_ledger_of_ones_own(monkeypatch, tmp_path_factory):
    monkeypatch.delenv("DPCA_LEDGER", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("home")))


@pytest.fixture
def clinic(monkeypatch, tmp_path):
    monkeypatch.setenv("DPCA_LEDGER", str(tmp_path / "ledger.sqlite"))
    return opened(tmp_path, delta="1e-5")


@pytest.mark.parametrize("gaussian", [True, False])
def test_practice_from_an_empty_ledger_to_the_files_of_one_kind_of_noise(gaussian):
    page = Page()
    assert "Open or choose an account first" in page.html
    page.set("radio", "Noise", gaussian).set("text_input", "Limit: ε", "1/2").press("Open account")
    assert "Type ε and δ as numbers" in page.html
    page.set("text_input", "Limit: ε", "1,5").press("Open account")
    assert "Limit: at most ε = 1.5" in page.html
    assert (page.find("selectbox", "Noise") is None) is gaussian
    assert (page.find("select_slider", "δ") is not None) is gaussian
    assert "in your own words why this ε" in page.agree(SPEND, "Practice").html
    page.agree(SPEND, "practice", "Because")
    assert "That is not the account’s name: Practice. Nothing was spent." in page.html
    form = page.find("text_input", "Type the account").form_id
    files = page.spend("Practice")
    # A second press in haste is none on the form that follows.
    assert page.find("text_input", "Type the account").form_id != form
    assert page.test.text_area[0].value == ""
    for name, content in files.each.items():
        assert b"PRACTICE" in content.upper(), name
    labels = [element.label for element in page.test.get("download_button")]
    assert labels == ["Download all (zip)", *files.each]
    plan = loads(files.row.plan)
    assert (plan.gaussian, plan.delta > 0) == (gaussian, gaussian)


def test_numbers_are_read_as_people_write_them():
    typed = ("0,1", "11,5", "1e-6", " 2·10⁻⁶", "10^-6", "1 000")
    numbers = ("0.1", "11.5", "1e-6", "2e-6", "1e-6", "1000")
    assert list(map(read_number, typed)) == list(map(Fraction, numbers))
    none = ("", "1e99999999", "1/2", "-1", "−1", "nan", "0x1", "1" * 20)
    assert {read_number(no) for no in none} == {None}


def test_what_is_spent_is_rounded_up_and_no_rest_is_rounded_away():
    for before, spent, more, said in (
        ("0", "0.001", "0.253", "less than 1 % of its limit spent, 26 % this plan"),
        ("0.5", "0.999999", "0", "more than 99 % of the rest of its limit spent"),
    ):
        account = Ledger(None).open_account("Name", "People", ADD, "1", "0", (before, "0"))
        assert text.spent_label(account, Fraction(spent), Fraction(more)) == said


def test_a_table_of_ones_own_is_released_once_every_question_is_answered(clinic):
    page = page_of(epsilon=0.9, expected="Direction 1 reliable")
    assert "Answer the questions" in page.html
    page.answer().set("button_group", ACCOUNTS, "No")
    # In the words of Decide, for the ε of Decide.
    said = "of Decide, if your data are as you expect</th><td>Direction 1 reliable"
    assert said in page.set("select_slider", "ε", 0.5).html
    page.set("select_slider", "ε", 0.9)
    assert page.test.text_area[0].value == ""
    files = page.spend()
    plan = loads(files.row.plan)
    assert {said.fact: said.answer for said in plan.declarations} == {
        Fact.NOTHING_SHOWN: Answer.RECORDED,
        **dict.fromkeys((Fact.UNREAD, Fact.UNIT), Answer.YES),
        Fact.ACCOUNTS: Answer.NO,
    }
    assert (plan.epsilon, plan.reason) == (Fraction(9, 10), "Because")
    assert SECRET.encode() not in b"".join(files.each.values())
    # What was just published used most of the limit: that is said, and is no error.
    assert "Clinic: one more release may have ε = " in page.html
    assert 'class="release-error"' not in page.html
    assert not page.find("button", SPEND)
    # It is read again for nothing, without the table.
    page = Page().set("selectbox", "Account", "Clinic").press("Show again")
    assert page.made.archive == files.archive
    assert "Release 1 of Clinic is published, and stored." in page.html
    assert clinic.statuses() == [Status.PUBLISHED]


def test_no_table_is_read_before_the_spend(clinic, monkeypatch):
    """Two decisions that differ in the table alone show the same, and no reader is asked."""
    for place in ("dpca_core.release.table_source.TableSource.check", "ui.release.whose.check"):
        monkeypatch.setattr(place, Mock(side_effect=AssertionError("the table was read")))
    said = []
    for rows in (b"", b"7,1,2,3\n" * 5):
        page = Page(replace(decided(), table=Upload(SECRET, b"id,age,weight\n" + rows)))
        said.append(f"{page.html} {page.test.query_params}")
    assert say("not_read") in said[0]
    assert said[0] == said[1]
    assert not any(secret in said[0] for secret in (SECRET, str(PEOPLE)))


def test_a_new_account_is_proposed_larger_than_the_plan_and_for_nobody_who_has_one(clinic):
    page = Page(decided())
    # Nobody chose the account in this session: these may be other people.
    assert page.find("selectbox", "Account").value is None
    assert not page.find("button", "Open account")
    page.set("selectbox", "Account", "A new account")
    for said in ("they would pay twice", "room for 4 releases at ε = 0.7", "US Census"):
        assert said in page.html
    assert "lowered" not in page.html
    for label, typed in (("Name", "Ward"), ("Who", "Patients"), ("ε spent on them", "0,2")):
        page.set("text_input", label, typed)
    # Another session's new account takes no form's place that is being filled in.
    clinic.ledger.open_account("Elsewhere", "Others", ADD, "1", "0")
    assert page.run().find("text_input", "Name").value == "Ward"
    page.set("selectbox", "Their account", "Clinic").press("Open account")
    assert "have an account for Gaussian noise already, “Clinic”" in page.html
    page.set("radio", "Noise", False).press("Open account")
    ward = clinic.ledger.account("Ward")
    assert (ward.pure, ward.before_epsilon, ward.epsilon) == (True, "0.2", "2.8")
    assert clinic.ledger.sister(ward) == clinic.account


def test_answers_stay_when_another_page_is_opened_and_go_with_their_table(clinic, monkeypatch):
    page = page_of(epsilon=0.4).answer().set("select_slider", "ε", 0.3)
    with monkeypatch.context() as away:
        away.setattr("ui.release.page._draw_cards", lambda: None)
        assert page.run().find("button_group", UNIT) is None
    assert page.run().find("select_slider", "ε").value == 0.3
    then = re.search(r"([0-9]+ %) of its limit would then be spent", page.html)[1]
    page.spend()
    assert f"{then} of its limit spent, " in page.test.get("progress")[0].proto.text
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
    page.decide(before).check().answer().set("button_group", LOST, "Release it as it is")
    assert page.set("selectbox", "Account", "Clinic").find("button", SPEND)
    page.decide(with_recipe(before, missing=Missing.DROP))
    assert page.find("button_group", UNIT).value in (None, [])
    assert page.answer().check().find("button_group", LOST).value in (None, [])


def test_a_check_is_recorded_with_whether_the_recipe_was_changed(clinic, monkeypatch):
    page = page_of(epsilon=0.1).check()
    for said in (f"Records read: {PEOPLE}.", say("nothing_lost"), "and changed nothing of the"):
        assert said in page.html
    assert recorded(page.answer().spend()) == {Fact.NOTHING_SHOWN, Fact.CHECKED}
    age, *others = RECIPE.numbers
    page.decide(with_recipe(page.state[DECISION], numbers=(replace(age, high=150.0), *others)))
    assert f"Records read: {PEOPLE}." not in page.html
    # A second look does not undo the first.
    assert recorded(page.check().answer().spend()) == {Fact.NOTHING_SHOWN, Fact.CHANGED}
    # What was found goes with its table, and the look stays.
    state = {name: page.state[name] for name in (DECISION, FOUND, CHECKED)}
    monkeypatch.setattr("streamlit.session_state", state)
    decisions.keep_decision(None)
    assert list(state) == [CHECKED]


def test_what_becomes_of_a_column_that_could_not_be_read_is_its_owners_answer(clinic, monkeypatch):
    page, pages = page_of(UNREADABLE).check().answer(), []
    assert 'class="release-error">age: ' in page.html
    assert say("nothing_lost") not in page.html
    assert not page.find("button", SPEND)
    monkeypatch.setattr("streamlit.switch_page", pages.append)
    for choice in ("Leave it out", "Mend the recipe"):
        page.set("button_group", LOST, choice)
        assert pages.pop() == "pages/data.py"
        assert page.state[SENT_BACK] == SentBack("age", choice == "Leave it out")
    files = page.set("button_group", LOST, "Release it as it is").spend()
    assert recorded(files) == {Fact.NOTHING_SHOWN, Fact.CHECKED}
    kept = files.row.plan.encode() + b"".join(files.each.values())
    assert str(20 * PEOPLE).encode() not in kept


def test_a_table_that_cannot_be_checked_is_a_sentence_and_blocks_nothing(clinic):
    page = Page(replace(decided(), table=Upload(SECRET, b"a\n1\n")), "Clinic").check().answer()
    assert 'class="release-error"' in page.html
    assert page.find("button", SPEND)


def spent(clinic, epsilon):
    plan = some_plan(epsilon, recipe=decided().handover.recipe)
    return clinic.ledger.spend(clinic.account, plan)


def test_a_draw_that_was_killed_is_spent_again_once_and_only_when_told_to(clinic):
    clinic.ledger.begin_drawing(spent(clinic, "0.3").id)
    page, other = page_of(), page_of()
    other.find("text_input", "Type the account").input("Clinic")
    assert "finishing it costs as much again" in page.html
    assert "Nothing was spent" in page.agree(AGAIN, "clinic").html
    assert clinic.statuses() == [Status.DRAWN]
    page.agree(AGAIN)
    # Whoever asks at the same time reads the same release, at once or from the list.
    for one in (page.finished(), other.press(AGAIN).finished().press("Show again")):
        assert one.made.row.number == 2
    assert clinic.statuses() == [Status.DRAWN, Status.PUBLISHED]
    assert "release 2 has the same plan" in page.html
    assert not page.find("button", AGAIN)


def test_a_draw_that_was_killed_is_no_more_than_listed_where_it_cannot_be_finished(clinic):
    """It is being made, when a press would spend twice; spending again does not fit; no table."""
    clinic.ledger.begin_drawing(spent(clinic, "0.8").id)
    page = page_of()
    assert not page.find("button", "Finish")
    assert "Clinic: one more release may have ε = " in page.html
    page.state[JOB] = [Job("1", [], Future())]
    assert "This can’t be stopped" in page.run().html
    assert not page.find("button", "Finish")
    page = Page().set("selectbox", "Account", "Clinic")
    assert "Finishing needs the table of the same people" in page.html
    assert not page.find("button", "Finish")
    assert clinic.statuses() == [Status.DRAWN]


def test_what_was_spent_and_not_drawn_is_finished_for_nothing(clinic, monkeypatch, caplog):
    page, broken = page_of().answer(), OSError("a cell: 117.3")
    with monkeypatch.context() as disk:
        disk.setattr("ui.release.spend.draw", Mock(side_effect=broken))
        page.agree(SPEND, reason="Because").finished()
    assert page.made == say("failed")
    assert say("failed") in page.html
    assert "117.3" not in page.html + caplog.text
    spent(clinic, "0.3")
    left = clinic.ledger.left(clinic.account)
    page.run().press("Finish")
    jobs = [*page.state[JOB]]
    # It is made though its page is closed.
    del page
    assert all(job.made.result(30) for job in jobs)
    assert clinic.statuses() == [Status.PUBLISHED]
    assert clinic.ledger.left(clinic.account) == left


@pytest.mark.parametrize("look", range(1, 4))
def test_what_was_made_is_shown_though_a_run_ends_at_any_look(monkeypatch, look):
    """As when somebody presses twice in haste: the second run begins before the first is over."""
    made = Future()
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
    page, changed = page_of(), LedgerError("This ledger was changed.")
    monkeypatch.setattr("dpca_core.release.ledger.Ledger.releases", Mock(side_effect=changed))
    assert "This ledger was changed." in page.run().html
    assert not page.find("button", SPEND)


@pytest.mark.parametrize("laptop", [False, True])
def test_on_ones_own_machine_alone_the_usual_folder_is_looked_into(monkeypatch, tmp_path, laptop):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("ui.release.account.on_laptop", lambda: laptop)
    path = opened(tmp_path / "dpca").ledger.path
    page = Page()
    assert (page.find("selectbox", "Account") is not None) is laptop
    page.decide(decided())
    assert ("DPCA_LEDGER=" in page.html) is not laptop
    assert (f"Booked in {path}" in page.html) is laptop
