"""Release as a page: practice from an empty ledger to files, and a table of one's own."""

import io
import zipfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from dpca_core.release.ledger import Ledger, Status
from tests.ui.release.release_page import (
    PEOPLE,
    SECRET,
    decision,
    html,
    opened,
    own_page,
    run,
    spend,
)
from ui.release.controls.spend import SHOWN
from ui.release.query import SAFE
from ui.state.decision import DECISION


def test_practice_from_an_empty_ledger_to_the_files() -> None:
    page = run(opened())
    assert "Open an account in card 1 first" in html(page)
    assert "Second look would usually keep more." in html(page)
    assert not any(button.key == "release-spend" for button in page.button)
    page.button(key="release-open").click().run()
    files = spend(page, "Practice")
    assert {
        "matrix.csv",
        "certificate.json",
        "certificate.html",
        "report.html",
    } <= files.each.keys()
    assert files.row.plan.practice
    for name, content in files.each.items():
        assert b"PRACTICE" in content.upper(), name
    with zipfile.ZipFile(io.BytesIO(files.archive)) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert {name: archive.read(name) for name in archive.namelist()} == files.each
    labels = [element.label for element in page.get("download_button")]
    assert labels == ["Download all (zip)", *files.each]
    assert "You have published with ε = 0.5." in html(page)


@pytest.mark.parametrize("key", SAFE)
def test_each_noise_can_be_chosen(key: str) -> None:
    """Also that which nothing better is known than: then there is no sentence on a better one."""
    page = run(opened())
    page.selectbox(key="release-mechanism").select_index([*SAFE].index(key))
    run(page)
    assert page.selectbox(key="release-mechanism").value == key


def test_the_files_again_are_the_same_bytes() -> None:
    page = run(opened())
    page.button(key="release-open").click().run()
    files = spend(page, "Practice")
    page.button(key=f"release-again-{files.row.id}").click().run()
    assert page.session_state[SHOWN].archive == files.archive


def test_over_the_limit_is_a_sentence_and_nothing_is_spent() -> None:
    page = run(opened())
    page.button(key="release-open").click().run()
    page.text_area[0].input("Because").run()
    slider = next(s for s in page.select_slider if s.label == "ε")
    slider.set_value(2.0).run()
    assert "Practice has ε =" in html(page)
    assert not any(button.key == "release-spend" for button in page.button)
    assert "No release yet." in html(page)


def test_without_a_reason_nothing_can_be_spent() -> None:
    page = run(opened())
    page.button(key="release-open").click().run()
    assert "why this ε was chosen" in html(page)
    assert not any(button.key == "release-spend" for button in page.button)


def test_an_address_holds_the_public_settings_of_the_plan_alone() -> None:
    page = opened()
    page.session_state[DECISION] = decision()
    page.query_params["epsilon"] = "3"
    page.query_params["scores"] = "90"
    run(page)
    assert {*page.query_params} <= {"mechanism", "epsilon", "delta", "means", "scores", "bins", "k"}
    assert page.query_params["epsilon"] == "0.7"
    said = f"{page.query_params} {html(page)}"
    assert SECRET not in said
    assert str(PEOPLE) not in said


@pytest.mark.parametrize("data", ["wangxu?p=10000000", "upload:0", "<img>"])
def test_an_address_that_asks_for_no_built_in_set_opens_the_usual_one(data: str) -> None:
    page = opened()
    page.query_params["data"] = data
    run(page)
    run(page)
    assert page.selectbox[0].value == "rand"


@pytest.mark.parametrize("limit", ["1e99999999", "1/2", "-1", "nan", "0x1", "", "1" * 20])
def test_a_limit_that_is_no_decimal_number_opens_nothing(limit: str) -> None:
    page = run(opened())
    page.text_input(key="release-limit-epsilon").input(limit).run()
    page.button(key="release-open").click().run()
    assert "decimal numbers" in html(page)
    assert any(button.key == "release-open" for button in page.button)


def test_a_server_without_a_ledger_says_how_to_set_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DPCA_LEDGER", raising=False)
    monkeypatch.setattr("ui.release.controls.ledgers.on_laptop", lambda: False)
    page = opened()
    page.session_state[DECISION] = decision()
    run(page)
    assert "DPCA_LEDGER=" in html(page)
    assert not any(button.key in ("release-spend", "release-open") for button in page.button)


def test_on_a_laptop_the_owner_names_a_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("DPCA_LEDGER", raising=False)
    monkeypatch.setattr("ui.release.controls.ledgers.on_laptop", lambda: True)
    page = opened()
    page.session_state[DECISION] = decision()
    run(page)
    page.text_input(key="release-folder").input(str(tmp_path / "kept")).run()
    page.button(key="release-keep-ledger").click().run()
    assert not page.exception
    assert not (tmp_path / "kept").exists()
    assert any(button.key == "release-open" for button in page.button)


def test_a_table_of_ones_own_is_released_once_every_question_is_answered(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = own_page(monkeypatch, tmp_path)
    assert "Answer the questions" in html(page)
    for key, answer in (("unread", "Yes"), ("unit", "Yes"), ("accounts", "No")):
        page.button_group(key=f"release-confirm-{key}").set_value(answer).run()
    assert page.text_area[0].value == "54 in 100."
    files = spend(page, "Clinic")
    assert [d.answer for d in files.row.plan.declarations] == [True, True, True, False]
    assert files.row.plan.epsilon == Fraction(7, 10)
    for name, content in files.each.items():
        assert SECRET.encode() not in content, name
        assert b"PRACTICE" not in content, name
    stored = Ledger(tmp_path / "ledger.sqlite").account("Clinic").releases()
    assert [row.status for row in stored] == [Status.PUBLISHED]


def test_nothing_is_read_before_the_spend(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(*_: Any) -> None:
        raise AssertionError("the table was read")

    monkeypatch.setattr("dpca_core.release.table_source.TableSource.blocks", refuse)
    monkeypatch.setattr("dpca_core.release.table_source.TableSource.check", refuse)
    page = own_page(monkeypatch, tmp_path)
    assert "No row of it is read before you spend" in html(page)
