"""The check of a table before a release: for its owner alone, and nothing of it blocks or stays."""

from dataclasses import replace

import pytest

from dpca_core.release.plan import loads
from dpca_core.text.release_statements import Answer, Fact
from tests.ui.release.release_page import (
    PEOPLE,
    can_spend,
    clinic,
    confirm,
    decision,
    finished,
    has,
    html,
    own_page,
    press,
    run,
    spend,
)
from ui.state.decision import DECISION, SENT_BACK, SentBack

LOST = "\n".join(f"x{i},no,{i},{i % 9}" for i in range(20 * PEOPLE))
"""Records of further people of whom the age cannot be read."""


def checked(page, lines=""):
    page.session_state[DECISION] = decision(lines)
    run(page)
    press(page, "Check my table")
    return finished(page)


def facts_of(files):
    plan = loads(files.row.plan)
    return {said.fact for said in plan.declarations if said.answer is Answer.RECORDED}


def test_a_check_is_a_look_that_is_recorded_with_whether_the_recipe_was_changed(
    monkeypatch, tmp_path
):
    page = checked(own_page(monkeypatch, tmp_path, epsilon=0.1))
    assert f"{PEOPLE} records were read." in html(page)
    assert "and changed nothing of the recipe afterwards" in html(page)
    confirm(page)
    assert Fact.CHECKED in facts_of(spend(page, "Clinic"))
    recipe = decision().handover.recipe
    mended = replace(recipe, numbers=(replace(recipe.numbers[0], high=150.0), *recipe.numbers[1:]))
    page.session_state[DECISION] = decision(recipe=mended)
    run(page)
    assert f"{PEOPLE} records were read." not in html(page)
    assert Fact.CHANGED in facts_of(spend(page, "Clinic"))


@pytest.mark.parametrize("choice", ["Leave it out", "Mend the recipe"])
def test_a_column_that_could_not_be_read_goes_back_to_be_answered(monkeypatch, tmp_path, choice):
    page = checked(own_page(monkeypatch, tmp_path), LOST)
    switched = []
    monkeypatch.setattr("streamlit.switch_page", switched.append)
    page.button_group(key="release-lost-age").set_value(choice).run()
    assert switched == ["pages/data.py"]
    assert page.session_state[SENT_BACK] == SentBack("age", choice == "Leave it out")


def test_a_column_that_could_not_be_read_is_released_as_it_is_where_the_owner_says_so(
    monkeypatch, tmp_path
):
    page = checked(own_page(monkeypatch, tmp_path), LOST)
    confirm(page)
    assert 'class="release-error">age: ' in html(page)
    assert not can_spend(page)
    page.button_group(key="release-lost-age").set_value("Release it as it is").run()
    files = spend(page, "Clinic")
    ledger, account = clinic(monkeypatch, tmp_path)
    (row,) = ledger.releases(account)
    kept = row.plan.encode() + b"".join(files.each.values())
    assert str(20 * PEOPLE).encode() not in kept
    assert facts_of(files) == {Fact.NOTHING_SHOWN, Fact.CHECKED}


def test_nobody_has_to_check_and_what_cannot_be_read_is_a_sentence(monkeypatch, tmp_path):
    page = own_page(monkeypatch, tmp_path)
    confirm(page)
    assert can_spend(page)
    other = decision()
    page.session_state[DECISION] = replace(other, table=replace(other.table, content=b"a,b\n1,2\n"))
    run(page)
    press(page, "Check my table")
    finished(page)
    assert 'class="release-error"' in html(page)
    assert has(page.button, "Check again")
    assert can_spend(page)
