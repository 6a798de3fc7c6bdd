"""Release as a page: practice from an empty ledger to files, and a table that was decided on."""

import io
import zipfile
from dataclasses import replace
from fractions import Fraction

import pytest

from dpca_core.data.recipe import RowLength
from dpca_core.release.ledger import Status
from dpca_core.release.plan import loads
from dpca_core.text.release_statements import Answer, Fact
from tests.ui.release.release_page import (
    ADD,
    PEOPLE,
    SECRET,
    can_spend,
    clinic,
    confirm,
    decision,
    field,
    has,
    html,
    opened,
    own_page,
    press,
    run,
    spend,
)
from ui.release.account import read_number
from ui.release.spend import SHOWN
from ui.release.text import NOT_READ
from ui.state.decision import DECISION


def practice(noise=True):
    page = run(opened())
    if not noise:
        field(page.radio, "Noise").set_value(False).run()
    return press(page, "Open account")


def slide(page, label, value):
    field(page.select_slider, label).set_value(value)
    run(page)


def test_practice_from_an_empty_ledger_to_the_files():
    page = run(opened())
    assert "Open or choose an account first" in html(page)
    assert not can_spend(page)
    press(page, "Open account")
    for reason, name, said in (
        ("", "Practice", "in your own words why this ε"),
        ("Because", "practice", "That is not the account’s name: Practice. Nothing was spent."),
    ):
        page.text_area[0].input(reason)
        field(page.text_input, "Type the account").input(name)
        press(page)
        assert said in html(page)
        assert "No release yet." in html(page)
    files = spend(page, "Practice")
    assert {"matrix.csv", "certificate.json", "report.html"} < files.each.keys()
    for name, content in files.each.items():
        assert b"PRACTICE" in content.upper(), name
    with zipfile.ZipFile(io.BytesIO(files.archive)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files.each
    labels = [element.label for element in page.get("download_button")]
    assert labels == ["Download all (zip)", *files.each]
    assert page.text_area[0].value == ""
    press(page, "Show again")
    assert page.session_state[SHOWN].archive == files.archive


def test_an_account_has_one_kind_of_noise_and_offers_what_it_can_pay():
    for gaussian, offered in ((True, False), (False, True)):
        page = practice(gaussian)
        assert has(page.selectbox, "Noise") is offered
        assert has(page.select_slider, "δ") is not offered
        plan = loads(spend(page, "Practice").row.plan)
        assert (plan.gaussian, plan.delta > 0) == (gaussian, gaussian)


def test_over_the_limit_is_a_sentence_and_nothing_is_spent():
    page = practice()
    slide(page, "ε", 2.0)
    assert "Practice has ε = " in html(page)
    assert not can_spend(page)
    assert "No release yet." in html(page)


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        *[("0,1", "1/10"), ("11,5", "23/2"), ("1e-6", "1/1000000"), (" 2·10⁻⁶", "1/500000")],
        *[("10^-6", "1/1000000"), ("1 000", "1000"), ("1", "1")],
        *[(no, None) for no in ("", "1e99999999", "1/2", "-1", "−1", "nan", "0x1", "1" * 20)],
    ],
)
def test_numbers_are_read_as_people_write_them(typed, number):
    assert read_number(typed) == (None if number is None else Fraction(number))


def test_a_limit_that_is_no_number_opens_nothing():
    page = run(opened())
    field(page.text_input, "Limit: ε").input("1/2").run()
    press(page, "Open account")
    assert "Type ε and δ as numbers, such as 0.5 or 10⁻⁶." in html(page)
    field(page.text_input, "Limit: ε").input("0,75").run()
    press(page, "Open account")
    assert "Limit ε = 0.75, δ = 10⁻⁶" in html(page)


@pytest.mark.parametrize("laptop", [False, True])
def test_without_a_ledger_the_page_says_how_to_set_one(monkeypatch, tmp_path, laptop):
    """On a laptop the owner names a folder, which is not made before it is needed."""
    monkeypatch.setattr("ui.release.account.on_laptop", lambda: laptop)
    page = opened()
    page.session_state[DECISION] = decision()
    run(page)
    assert not can_spend(page)
    assert not has(page.button, "Open account")
    if not laptop:
        assert "DPCA_LEDGER=" in html(page)
        return
    field(page.text_input, "Folder").input(str(tmp_path / "kept")).run()
    press(page, "Keep the ledger there")
    assert not (tmp_path / "kept").exists()
    assert has(page.button, "Open account")


def test_a_table_of_ones_own_is_released_once_every_question_is_answered(monkeypatch, tmp_path):
    page = own_page(monkeypatch, tmp_path)
    assert "Answer the questions" in html(page)
    confirm(page, accounts="No")
    assert page.text_area[0].value == ""
    files = spend(page, "Clinic")
    plan = loads(files.row.plan)
    assert [(said.fact, said.answer) for said in plan.declarations] == [
        (Fact.NOTHING_SHOWN, Answer.RECORDED),
        (Fact.UNREAD, Answer.YES),
        (Fact.UNIT, Answer.YES),
        (Fact.ACCOUNTS, Answer.NO),
    ]
    assert (plan.epsilon, plan.reason) == (Fraction(7, 10), "Because it is a test")
    for name, content in files.each.items():
        assert SECRET.encode() not in content, name
    ledger, account = clinic(monkeypatch, tmp_path)
    assert [row.status for row in ledger.releases(account)] == [Status.PUBLISHED]


def test_no_table_is_read_before_the_spend(monkeypatch, tmp_path):
    """Two decisions that differ in the table alone show the same, and no reader is asked."""

    def refuse(*_, **__):
        raise AssertionError("the table was read")

    for place in ("blocks", "check"):
        monkeypatch.setattr(f"dpca_core.release.table_source.TableSource.{place}", refuse)
    monkeypatch.setattr("ui.release.whose.check", refuse)
    shown = [own_page(monkeypatch, tmp_path)]
    for rows in (b"", b"7,1,2,3\n" * 5):
        page, found = opened(), decision()
        table = type(found.table)("x.csv", b"id,age,weight\n" + rows)
        page.session_state[DECISION] = replace(found, table=table)
        shown.append(run(page))
    said = [f"{html(page)} {page.query_params}" for page in shown]
    assert NOT_READ in said[1]
    assert said[1] == said[2]
    assert not any(secret in text for text in said for secret in (SECRET, str(PEOPLE)))


def test_a_new_account_is_proposed_larger_than_the_plan_and_for_nobody_who_has_one(
    monkeypatch, tmp_path
):
    ledger, _ = clinic(monkeypatch, tmp_path)
    page = opened()
    page.session_state[DECISION] = decision()
    run(page)
    # Nobody chose the account in this session: these may be other people.
    assert field(page.selectbox, "Account").value is None
    assert not has(page.button, "Open account")
    field(page.selectbox, "Account").select("A new account").run()
    assert "in a second one they would pay twice" in html(page)
    assert "room for 4 releases at ε = 0.7" in html(page)
    assert "US Census" in html(page)
    assert "lowered" not in html(page)
    for label, typed in (("Name", "Ward"), ("Who", "Patients"), ("ε spent on them", "0,2")):
        field(page.text_input, label).input(typed).run()
    field(page.selectbox, "Their account").set_value(ledger.account("Clinic")).run()
    press(page, "Open account")
    assert "have an account for Gaussian noise already, “Clinic”" in html(page)
    field(page.radio, "Noise").set_value(False).run()
    press(page, "Open account")
    ward = ledger.account("Ward")
    assert (ward.pure, ward.before_epsilon, ward.epsilon) == (True, "0.2", "2.8")
    assert ledger.sister(ward) == ledger.account("Clinic")


def test_the_second_release_that_does_not_fit_is_said_and_is_no_error(monkeypatch, tmp_path):
    page = own_page(monkeypatch, tmp_path, epsilon=0.9)
    confirm(page)
    spend(page, "Clinic")
    assert "Clinic has ε =" in html(page)
    assert 'class="release-error"' not in html(page)


@pytest.mark.parametrize(
    ("when", "fact"), [("looked", Fact.CURVES), ("looked_after", Fact.CURVES_AFTER)]
)
def test_that_the_owner_looked_is_announced_and_published(monkeypatch, tmp_path, when, fact):
    """After deciding it changes no range, and the question whether a file was read is asked."""
    page = own_page(monkeypatch, tmp_path, **{when: True})
    assert "The certificate will say, without asking:" in html(page)
    confirm(page, *(() if when == "looked_after" else ("unread",)))
    plan = loads(spend(page, "Clinic").row.plan)
    recorded = [said.fact for said in plan.declarations if said.answer is Answer.RECORDED]
    assert recorded == [fact]


def test_useless_extras_are_said_to_be_so_before_spending(monkeypatch, tmp_path):
    page = own_page(monkeypatch, tmp_path)
    for label in ("Means", "A picture"):
        field(page.checkbox, label).check().run()
    assert "these means have no unit" not in html(page)
    assert "This picture would show noise" in html(page)
    field(page.text_input, "Share of the means").input("11,5").run()
    assert "shares must be above 0" not in html(page)
    field(page.text_input, "Share of the means").input("x").run()
    assert "shares must be above 0" in html(page)
    field(page.text_input, "Share of the means").input("5").run()
    recipe = replace(decision().handover.recipe, row_length=RowLength.ONE)
    page.session_state[DECISION] = decision(recipe=recipe)
    run(page)
    assert "these means have no unit" in html(page)
    field(page.number_input, "How many patients").set_value(1_000_000).run()
    assert "This picture would show noise" not in html(page)
    assert "of 1,000,000)" in html(page)


def test_another_decision_brings_its_budget(monkeypatch, tmp_path):
    page = own_page(monkeypatch, tmp_path)
    slide(page, "ε", 0.3)
    page.session_state[DECISION] = decision(epsilon=0.45, delta=3e-7)
    run(page)
    assert field(page.select_slider, "ε").value == 0.45
    assert field(page.select_slider, "δ").value == 3e-7
    assert ADD in clinic(monkeypatch, tmp_path)[1].neighbours
