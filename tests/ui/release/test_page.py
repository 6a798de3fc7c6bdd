"""Release as a page: practice from an empty ledger to files, and a table that was decided on."""

import io
import zipfile
from dataclasses import replace
from fractions import Fraction

import pytest

from dpca_core.data.handover import CURVES_LOOKED_AT, CURVES_LOOKED_AT_AFTER
from dpca_core.data.recipe import RowLength
from dpca_core.release.ledger import Ledger, Status
from tests.ui.release.release_page import (
    PEOPLE,
    SECRET,
    can_spend,
    confirm,
    decision,
    html,
    opened,
    own_page,
    run,
    spend,
    type_name,
)
from ui.release.controls.data_and_new_account import OPENED
from ui.release.controls.spend import SHOWN
from ui.release.query import SAFE
from ui.release.text import NOT_READ
from ui.state.decision import DECISION

PROPOSED = "54 in 100."


@pytest.fixture
def practice():
    page = run(opened())
    page.button(key="release-open").click().run()
    return page


def field(elements, key):
    return next(found for found in elements if found.key.startswith(key))


def slide(page, label, value):
    next(slider for slider in page.select_slider if slider.label == label).set_value(value).run()


def guess(page):
    return field(page.number_input, "release-people-guess")


def test_practice_from_an_empty_ledger_to_the_files():
    page = run(opened())
    assert "Open an account in card 1 first" in html(page)
    assert not can_spend(page)
    page.button(key="release-open").click().run()
    assert "why this ε was chosen" in html(page)
    assert not can_spend(page)
    page.text_area[0].input("Because").run()
    type_name(page, "practice ")
    assert page.button(key="release-spend").disabled
    assert "That is not the account’s name: Practice." in html(page)
    files = spend(page, "Practice")
    assert {"matrix.csv", "certificate.json", "report.html"} < files.each.keys()
    assert files.row.plan.practice
    for name, content in files.each.items():
        assert b"PRACTICE" in content.upper(), name
    with zipfile.ZipFile(io.BytesIO(files.archive)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == files.each
    labels = [element.label for element in page.get("download_button")]
    assert labels == ["Download all (zip)", *files.each]
    assert "You have published with ε = 0.5." in html(page)
    page.button(key=f"release-again-{files.row.id}").click().run()
    assert page.session_state[SHOWN].archive == files.archive


def test_over_the_limit_is_a_sentence_and_nothing_is_spent(practice):
    practice.text_area[0].input("Because").run()
    slide(practice, "ε", 2.0)
    assert "Practice has ε =" in html(practice)
    assert not can_spend(practice)
    assert "No release yet." in html(practice)


def test_an_address_holds_the_public_settings_of_the_plan_alone():
    page = opened()
    page.session_state[DECISION] = decision()
    page.query_params["epsilon"] = "3"
    page.query_params["scores"] = "90"
    run(page)
    assert {*page.query_params} <= {"mechanism", "epsilon", "delta", "means", "scores", "bins", "k"}
    said = f"{page.query_params} {html(page)}"
    assert SECRET not in said
    assert str(PEOPLE) not in said


def test_an_address_that_asks_for_no_built_in_set_opens_the_usual_one():
    page = opened()
    page.query_params["data"] = "upload:0"
    run(page)
    run(page)
    assert page.selectbox[0].value == "rand"


def test_a_limit_that_is_no_decimal_number_opens_nothing():
    page = run(opened())
    for limit in ("1e99999999", "1/2", "-1", "nan", "0x1", "", "1" * 20):
        page.text_input(key="release-limit-epsilon").input(limit).run()
        page.button(key="release-open").click().run()
        assert "decimal numbers" in html(page)
        assert any(button.key == "release-open" for button in page.button)


@pytest.mark.parametrize("laptop", [False, True])
def test_without_a_ledger_the_page_says_how_to_set_one(monkeypatch, tmp_path, laptop):
    """On a laptop the owner names a folder, which is not made before it is needed."""
    monkeypatch.setattr("ui.release.controls.ledgers.on_laptop", lambda: laptop)
    page = opened()
    page.session_state[DECISION] = decision()
    run(page)
    assert not any(button.key in ("release-spend", "release-open") for button in page.button)
    if not laptop:
        assert "DPCA_LEDGER=" in html(page)
        return
    page.text_input(key="release-folder").input(str(tmp_path / "kept")).run()
    page.button(key="release-keep-ledger").click().run()
    assert not page.exception
    assert not (tmp_path / "kept").exists()
    assert any(button.key == "release-open" for button in page.button)


def test_a_table_of_ones_own_is_released_once_every_question_is_answered(monkeypatch, tmp_path):
    page = own_page(monkeypatch, tmp_path)
    assert "Answer the questions" in html(page)
    confirm(page, accounts="No")
    assert page.text_area[0].value == PROPOSED
    files = spend(page, "Clinic")
    assert [d.answer for d in files.row.plan.declarations] == [True, True, True, False]
    assert files.row.plan.epsilon == Fraction(7, 10)
    for name, content in files.each.items():
        assert SECRET.encode() not in content, name
        assert b"PRACTICE" not in content, name
    stored = Ledger(tmp_path / "ledger.sqlite").account("Clinic").releases()
    assert [row.status for row in stored] == [Status.PUBLISHED]


def test_no_table_is_read_before_the_spend(monkeypatch, tmp_path):
    """Two decisions that differ in the table alone show the same, and no reader is asked."""

    def refuse(*_, **__):
        raise AssertionError("the table was read")

    for place in ("blocks", "check"):
        monkeypatch.setattr(f"dpca_core.release.table_source.TableSource.{place}", refuse)
    shown = [html(own_page(monkeypatch, tmp_path))]
    assert "No row of it is read before you spend" in shown[0]
    for rows in (b"", b"7,1,2,3\n" * 5):
        page, found = opened(), decision()
        table = type(found.table)("x.csv", b"id,age,weight\n" + rows)
        page.session_state[DECISION] = replace(found, table=table)
        shown.append(html(run(page)))
    assert NOT_READ in shown[1]
    assert shown[1] == shown[2]


def test_a_proposed_reason_goes_with_the_settings_it_is_about(monkeypatch, tmp_path):
    """It comes back with them, and the owner's own words stay."""
    page = own_page(monkeypatch, tmp_path)
    for move in (
        lambda back: slide(page, "ε", 0.7 if back else 0.5),
        lambda back: slide(page, "δ", 1e-6 if back else 1e-5),
        lambda back: guess(page).set_value(900 if back else 5000).run(),
        lambda back: page.checkbox(key="release-means").set_value(not back).run(),
    ):
        assert page.text_area[0].value == PROPOSED
        move(False)
        assert page.text_area[0].value == ""
        assert "other settings" in page.text_area[0].placeholder
        assert not can_spend(page)
        move(True)
    page.text_area[0].input("Mine").run()
    for epsilon in (0.5, 0.7):
        slide(page, "ε", epsilon)
        assert page.text_area[0].value == "Mine"


def test_a_new_account_is_proposed_with_the_limit_that_was_decided(monkeypatch, tmp_path):
    page = own_page(monkeypatch, tmp_path)
    assert page.selectbox(key="release-account").value == "Clinic"
    # The ledger has an account, but nobody chose it in this session.
    fresh = opened()
    fresh.session_state[DECISION] = decision(epsilon=3.0)
    run(fresh)
    assert fresh.selectbox(key="release-account").value == "A new account"
    assert fresh.text_input(key="release-limit-epsilon").value == "3"
    assert fresh.text_input(key="release-limit-delta").value == "1e-6"
    assert "never raised" in html(fresh)
    fresh.text_input(key="release-name").input("Ward").run()
    fresh.text_input(key="release-people").input("Patients").run()
    fresh.button(key="release-open").click().run()
    confirm(fresh)
    assert fresh.session_state[OPENED] == "Ward"
    assert spend(fresh, "Ward").row.plan.epsilon == 3
    # What was just published used everything: that is said, and is no error.
    assert "Another release like this one does not fit." in html(fresh)
    assert 'class="release-error"' not in html(fresh)
    assert len(Ledger(tmp_path / "ledger.sqlite").account("Ward").releases()) == 1


@pytest.mark.parametrize(
    ("when", "sentence"),
    [("looked", CURVES_LOOKED_AT), ("looked_after", CURVES_LOOKED_AT_AFTER)],
)
def test_that_the_owner_looked_is_announced_and_published(monkeypatch, tmp_path, when, sentence):
    """After deciding it changes no range, and the question whether a file was read is asked."""
    page = own_page(monkeypatch, tmp_path, **{when: True})
    assert f"The certificate will say, without asking: {sentence}" in html(page)
    after = when == "looked_after"
    confirm(page, *(() if after else ("unread",)))
    files = spend(page, "Clinic")
    for name in ("certificate.html", "report.html"):
        text = files.each[name].decode()
        assert sentence in text, name
        assert (CURVES_LOOKED_AT in text, "by the owner’s word" in text) == (not after, after), name


def test_useless_extras_are_said_to_be_so_before_spending(monkeypatch, tmp_path):
    page = own_page(monkeypatch, tmp_path)
    page.checkbox(key="release-means").check().run()
    field(page.checkbox, "release-scores").check().run()
    assert "these means have no unit" not in html(page)
    assert "This picture would show noise" in html(page)
    recipe = replace(decision().handover.recipe, row_length=RowLength.ONE)
    page.session_state[DECISION] = decision(recipe=recipe)
    run(page)
    assert "these means have no unit" in html(page)
    guess(page).set_value(1_000_000).run()
    assert "This picture would show noise" not in html(page)


def test_every_click_on_a_table_or_a_noise_counts(monkeypatch, tmp_path):
    page = own_page(monkeypatch, tmp_path)
    for key in ("release-means", "release-scores"):
        for ticked in (True, False, True, False):
            field(page.checkbox, key).set_value(ticked).run()
            assert field(page.checkbox, key).value is ticked
    for index in (*range(len(SAFE)), 1, 0):
        field(page.selectbox, "release-mechanism").select_index(index)
        run(page)
        assert field(page.selectbox, "release-mechanism").index == index


def test_the_guess_is_the_one_of_decide_and_can_be_changed(monkeypatch, tmp_path):
    page = own_page(monkeypatch, tmp_path)
    assert guess(page).value == decision().handover.people_guess
    assert "patients" in guess(page).label
    assert "% of 900)" in html(page)
    guess(page).set_value(40).run()
    assert "% of 40)" in html(page)
    assert "of 900)" not in html(page)
    assert str(PEOPLE) not in f"{html(page)} {page.query_params}"
