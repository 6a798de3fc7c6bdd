"""The check of a table before a release: for its owner alone, and nothing of it blocks or stays."""

from dataclasses import replace

import pytest

from dpca_core.release.plan import loads
from dpca_core.text.release_statements import Answer, Fact
from tests.ui.release.release_page import PEOPLE, SPEND, decided
from ui.release import text
from ui.state.decision import CHECKED, DECISION, FOUND, SENT_BACK, SentBack, keep_decision

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
    page.decide(decided(recipe=mended))
    assert f"{PEOPLE} records were read." not in page.html
    # A second look does not undo the first.
    assert recorded(checked(page).spend()) == {Fact.NOTHING_SHOWN, Fact.CHANGED}


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
