"""The questions about a file, as a page shows them: each is asked once, and what was said stays."""

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dpca_core.data.number_format import EITHER
from dpca_core.readers.file_access import Upload
from ui.owner import session
from ui.owner.controls import reading
from ui.owner.draft import Draft
from ui.owner.proposals import column_proposals, with_proposals
from ui.owner.session import Owner
from ui.owner.source_table import SourceTable

GERMAN = "Größe;Gewicht\n171;70\n180;80\n".encode("cp1252")
MIXED = b"bmi;ldl\n" + b"".join(b"%d.5;%d,%d\n" % (20 + i % 9, i % 5, i % 7) for i in range(40))


def page(content: bytes) -> None:
    """Draw a page on which one file is read."""
    import streamlit as st

    from dpca_core.data.errors import TableError
    from dpca_core.readers.file_access import Upload
    from ui.owner.controls import reading

    if "begun" not in st.session_state:
        st.session_state["begun"] = True
        reading.ask_before("file.csv", Upload("file.csv", content))
    try:
        found = reading.draw_waiting()
    except TableError as error:
        st.error(str(error))
        return
    if found is not None:
        st.session_state["found"] = found


def opened(content: bytes) -> AppTest:
    """Return the page with a file chosen."""
    app = AppTest.from_function(page, kwargs={"content": content}, default_timeout=30).run()
    assert not app.exception
    return app


def test_a_plain_file_is_read_at_once() -> None:
    app = opened(MIXED)
    assert not app.button
    assert app.session_state["found"].table.shape == (40, 2)


def test_another_encoding_is_asked_once() -> None:
    app = opened(GERMAN)
    assert "Größe;Gewicht" in app.markdown[1].value
    app = app.button[0].click().run()
    assert not app.button
    assert [*app.session_state["found"].table.columns] == ["Größe", "Gewicht"]
    assert not app.run().button


def test_no_is_an_answer() -> None:
    app = opened(GERMAN).button
    (no,) = (button for button in app if button.label == "No")
    app = no.click().run()
    assert "CSV UTF-8" in app.error[0].value
    assert not app.button


def test_columns_without_names_get_some() -> None:
    app = opened(b"1.5,3\n2.5,4\n7.5,9\n").button[0].click().run()
    assert [*app.session_state["found"].table.columns] == ["c1", "c2"]


def test_a_first_line_is_shown_as_text() -> None:
    app = opened("<img src=x> *b*;Größe\n1;2\n".encode("cp1252"))
    assert "\\*b\\*" in app.markdown[1].value


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the session's state, kept in a dictionary."""
    state: dict[str, Any] = {}
    monkeypatch.setattr("streamlit.session_state", state)
    return state


def owned(content: bytes) -> Owner:
    """Return what a session knows once a file is read and its columns are proposed."""
    source = SourceTable.read("file.csv", Upload("file.csv", content))
    columns = column_proposals(source)
    draft = Draft(reading=source.number_format).for_header(map(str, source.table.columns))
    return Owner(with_proposals(draft, columns), source, columns=columns)


def test_the_answer_about_a_comma_reads_the_file_again(kept: dict[str, Any]) -> None:
    kept[session.OWNER] = owned(MIXED)
    draft = session.current().draft.merge({"bmi": {"low": "10", "high": "70"}})
    assert draft.column("ldl").open_questions == ("comma",)
    session.update(draft=draft.merge({"ldl": {"asked.comma": "3,3 is 3.3", "low": "0"}}))
    reading.follow_answers()
    after = session.current()
    assert after.source is not None
    assert after.source.number_format.decimal == after.draft.reading.decimal == EITHER
    assert after.source.table["ldl"].dtype.kind == after.source.table["bmi"].dtype.kind == "f"
    assert after.draft.column("bmi").high.text == "70"
    assert after.draft.column("ldl").low.text == "0"
    assert after.draft.column("ldl").open_questions == ()
    reading.follow_answers()
    assert session.current() == after
