"""What a decision brings to Release: a reason while it is true, a limit, what was looked at."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dpca_core.data.handover import CURVES_LOOKED_AT, CURVES_LOOKED_AT_AFTER
from dpca_core.data.recipe import RowLength
from dpca_core.release.ledger import Ledger
from tests.ui.release.release_page import decision, html, opened, own_page, run, spend
from ui.release.controls.data_and_new_account import OPENED
from ui.state.decision import DECISION

PROPOSED = "54 in 100."


def slide(label: str, value: float) -> Callable[[AppTest], object]:
    return lambda page: next(s for s in page.select_slider if s.label == label).set_value(value)


def reason(page: AppTest) -> str:
    return str(page.text_area[0].value)


def people_field(page: AppTest):  # type: ignore[no-untyped-def]
    return next(f for f in page.number_input if f.key.startswith("release-people-guess"))


@pytest.mark.parametrize(
    "move",
    [
        slide("ε", 0.5),
        slide("δ", 1e-5),
        lambda page: page.selectbox(key="release-mechanism").select_index(1),
        lambda page: people_field(page).set_value(5000),
        lambda page: page.checkbox(key="release-means").check(),
    ],
    ids=["ε", "δ", "mechanism", "people", "means"],
)
def test_a_proposed_reason_goes_with_the_settings_it_is_about(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, move: Callable[[AppTest], object]
) -> None:
    page = own_page(monkeypatch, tmp_path)
    assert reason(page) == PROPOSED
    move(page)
    run(page)
    assert reason(page) == ""
    assert "other settings" in page.text_area[0].placeholder
    assert not any(button.key == "release-spend" for button in page.button)


def test_it_comes_back_with_them_and_the_owners_own_words_stay(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = own_page(monkeypatch, tmp_path)
    slide("ε", 0.5)(page)
    run(page)
    slide("ε", 0.7)(page)
    run(page)
    assert reason(page) == PROPOSED
    page.text_area[0].input("Mine").run()
    for epsilon in (0.5, 0.7):
        slide("ε", epsilon)(page)
        run(page)
        assert reason(page) == "Mine"


def test_a_new_account_is_proposed_with_the_limit_that_was_decided(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = own_page(monkeypatch, tmp_path)
    fresh = opened()
    found = decision()
    fresh.session_state[DECISION] = replace(found, handover=replace(found.handover, epsilon=3.0))
    run(fresh)
    # The ledger has an account, but nobody chose it in this session.
    assert page.selectbox(key="release-account").value == "Clinic"
    assert fresh.selectbox(key="release-account").value == "A new account"
    assert fresh.text_input(key="release-limit-epsilon").value == "3"
    assert fresh.text_input(key="release-limit-delta").value == "1e-6"
    assert "never raised" in html(fresh)
    fresh.text_input(key="release-name").input("Ward").run()
    fresh.text_input(key="release-people").input("Patients").run()
    fresh.button(key="release-open").click().run()
    for key in ("unread", "unit", "accounts"):
        fresh.button_group(key=f"release-confirm-{key}").set_value("Yes").run()
    assert fresh.session_state[OPENED] == "Ward"
    files = spend(fresh, "Ward")
    assert files.row.plan.epsilon == 3
    # What was just published used everything: that is said, and is no error.
    assert "Another release like this one does not fit." in html(fresh)
    assert 'class="release-error"' not in html(fresh)
    assert len(Ledger(tmp_path / "ledger.sqlite").account("Ward").releases()) == 1


def test_that_the_owner_looked_is_announced_and_published(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = own_page(monkeypatch, tmp_path)
    found = decision()
    page.session_state[DECISION] = replace(found, handover=replace(found.handover, looked=True))
    run(page)
    assert f"The certificate will say, without asking: {CURVES_LOOKED_AT}" in html(page)
    for key in ("unit", "accounts"):
        page.button_group(key=f"release-confirm-{key}").set_value("Yes").run()
    files = spend(page, "Clinic")
    for name in ("certificate.json", "certificate.html", "report.html"):
        assert CURVES_LOOKED_AT in files.each[name].decode(), name
        assert "by the owner’s word" not in files.each[name].decode(), name


def test_a_look_after_deciding_is_published_and_the_question_is_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = own_page(monkeypatch, tmp_path)
    found = decision()
    after = replace(found.handover, looked_after=True)
    page.session_state[DECISION] = replace(found, handover=after)
    run(page)
    assert f"The certificate will say, without asking: {CURVES_LOOKED_AT_AFTER}" in html(page)
    for key in ("unread", "unit", "accounts"):
        page.button_group(key=f"release-confirm-{key}").set_value("Yes").run()
    files = spend(page, "Clinic")
    for name in ("certificate.html", "report.html"):
        assert CURVES_LOOKED_AT_AFTER in files.each[name].decode(), name
        assert CURVES_LOOKED_AT not in files.each[name].decode(), name
        assert "yes, by the owner’s word" in files.each[name].decode(), name


def test_useless_extras_are_said_to_be_so_before_spending(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = own_page(monkeypatch, tmp_path)
    page.checkbox(key="release-means").check().run()
    assert "these means have no unit" not in html(page)
    found = decision()
    recipe = replace(found.handover.recipe, row_length=RowLength.ONE)
    page.session_state[DECISION] = replace(found, handover=replace(found.handover, recipe=recipe))
    run(page)
    assert "these means have no unit" in html(page)
    assert "This picture would show noise" not in html(page)
    next(b for b in page.checkbox if b.key.startswith("release-scores")).check().run()
    assert "This picture would show noise" in html(page)
    people_field(page).set_value(1_000_000).run()
    assert "This picture would show noise" not in html(page)


@pytest.mark.parametrize("name", ["release-means", "release-scores"])
def test_every_click_on_a_table_counts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    page = own_page(monkeypatch, tmp_path)
    for ticked in (True, False, True, False):
        box = next(b for b in page.checkbox if b.key.startswith(name))
        box.set_value(ticked).run()
        assert next(b for b in page.checkbox if b.key.startswith(name)).value is ticked


def test_every_choice_of_noise_counts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = own_page(monkeypatch, tmp_path)
    for index in (1, 0, 1, 0):
        menu = next(b for b in page.selectbox if b.key.startswith("release-mechanism"))
        menu.select_index(index).run()
        menu = next(b for b in page.selectbox if b.key.startswith("release-mechanism"))
        assert menu.index == index
