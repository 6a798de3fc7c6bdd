"""Whose rows a table has: asked once, and never assumed."""

from pathlib import Path

import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from dpca_core.data.number_format import NumberFormat
from tests.ui.data.uploads import ELSEWHERE, draft_of, named, opened, ranges, used
from ui.data import server_folders
from ui.data.controls.unit_of_privacy import EACH_ROW
from ui.data.text import DECIDE_FIRST, GROUP_FIRST, SERVER


@pytest.fixture(autouse=True)
def stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streamlit, "switch_page", lambda page: None)


VISITS = b"patient_id,age,sbp\n" + b"".join(
    b"%d,%d,%d\n" % (1000 + i // 3, 20 + i // 3 * 7 % 60, 100 + i * 13 % 50) for i in range(90)
)


def visits() -> AppTest:
    app = opened(VISITS, "visits.csv")
    app.button(key="fill").click().run()
    return app


def test_whose_rows_they_are_is_asked_once_before_anything_is_drawn() -> None:
    app = visits()
    question = named(app.radio, "whose")
    assert question.value is None
    assert "has 3 rows for most values" in question.label
    assert "Does each row belong to a different person, or does patient" in question.label
    app.button(key="use").click().run()
    assert [one.value for one in app.error] == [DECIDE_FIRST]
    assert "datasets" not in app.session_state or not app.session_state["datasets"]
    named(app.radio, "whose").set_value("patient_id").run()
    assert named(app.selectbox, "person").value == "patient_id"
    data = used(app)
    assert data.people == 30
    assert data.columns == ("age", "sbp")
    app.session_state["away"] = True
    app.run()
    app.session_state["away"] = False
    app.run()
    assert named(app.radio, "whose").value == "patient_id"
    assert named(app.selectbox, "person").value == "patient_id"
    assert ranges(app)["age"]


def test_rows_of_different_people_are_the_owners_word() -> None:
    app = visits()
    named(app.radio, "whose").set_value(EACH_ROW).run()
    assert named(app.selectbox, "person").value is None
    assert used(app).people == 90
    named(app.selectbox, "person").set_value("patient_id").run()
    assert named(app.radio, "whose").value == "patient_id"
    assert used(app).people == 30


def test_a_table_on_the_server_can_only_be_of_different_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "visits.csv").write_bytes(VISITS)
    monkeypatch.setenv(server_folders.FOLDERS_VARIABLE, str(tmp_path))
    app = AppTest.from_string(ELSEWHERE, default_timeout=60)
    app.session_state["source"] = SERVER
    app.run()
    app.selectbox(key="server.table").set_value(f"{tmp_path.name}/visits.csv").run()
    assert not app.exception
    assert draft_of(app).recipe(streamed=True).number_format == NumberFormat()
    keys = [button.key for button in app.button]
    assert "sum.start" not in keys
    assert [one.value for one in app.info] == [DECIDE_FIRST]
    named(app.radio, "whose").set_value("patient_id").run()
    assert "sum.start" not in [button.key for button in app.button]
    assert GROUP_FIRST in app.error[0].value
    named(app.radio, "whose").set_value(EACH_ROW).run()
    assert "sum.start" in [button.key for button in app.button]
    assert not app.error
