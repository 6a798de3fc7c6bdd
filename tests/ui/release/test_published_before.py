"""A new session without a decision: what was published before is read again, and nothing spent."""

from pathlib import Path

import pytest

from dpca_core.release.ledger import Account, Ledger
from tests.ui.release.release_page import decision, html, opened, own_page, run, spend
from tests.ui.release.test_finishing import killed_after_its_draw
from ui.release.controls.spend import SHOWN
from ui.release.release_job import Files
from ui.state.decision import DECISION


def published(monkeypatch: pytest.MonkeyPatch, folder: Path) -> tuple[Account, Files]:
    """Publish a release of the account Clinic in another session."""
    page = own_page(monkeypatch, folder)
    for key in ("unread", "unit", "accounts"):
        page.button_group(key=f"release-confirm-{key}").set_value("Yes").run()
    files = spend(page, "Clinic")
    return Ledger(folder / "ledger.sqlite").account("Clinic"), files


def test_releases_are_read_again_without_a_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    account, files = published(monkeypatch, tmp_path)
    rows = account.releases()
    page = run(opened())
    assert "No account for practice is open yet" in html(page)
    assert "Your accounts" in html(page)
    again = f"release-again-{files.row.id}"
    assert not any(button.key == again for button in page.button)
    page.selectbox(key="release-published-before").select("Clinic").run()
    page.button(key=again).click().run()
    assert not page.exception
    assert page.session_state[SHOWN].archive == files.archive
    assert "Release 1 of Clinic is published, and stored." in html(page)
    assert not any(button.key == "release-spend" for button in page.button)
    assert account.releases() == rows


def test_what_was_interrupted_is_listed_and_not_finished(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own_page(monkeypatch, tmp_path)
    account = killed_after_its_draw(tmp_path)
    page = run(opened())
    page.selectbox(key="release-published-before").select("Clinic").run()
    assert "Finishing needs the table of the same people" in html(page)
    assert not any("finish" in str(button.key) for button in page.button)
    assert len(account.releases()) == 1


def test_with_a_decision_the_accounts_stand_in_card_1(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = own_page(monkeypatch, tmp_path)
    assert "Your accounts" not in html(page)


def test_without_an_account_it_says_where_releases_are_found_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DPCA_LEDGER", str(tmp_path / "ledger.sqlite"))
    assert "found again once a table was decided on" in html(run(opened()))
    assert not (tmp_path / "ledger.sqlite").exists()
    monkeypatch.setenv("DPCA_LEDGER", "")
    monkeypatch.setattr("ui.release.controls.ledgers.on_laptop", lambda: False)
    assert "found again" not in html(run(opened()))


def test_on_ones_own_machine_the_usual_folder_is_looked_into(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    folder = tmp_path / "dpca"
    folder.mkdir()
    published(monkeypatch, folder)
    monkeypatch.delenv("DPCA_LEDGER")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("ui.release.controls.ledgers.on_laptop", lambda: True)
    page = run(opened())
    assert page.selectbox(key="release-published-before").options == ["Clinic"]
    page.session_state[DECISION] = decision()
    run(page)
    assert "Name the folder where it is kept" in html(page)
