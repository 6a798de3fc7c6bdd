"""An answer about the file reads it again, and what was said stays."""

from typing import Any

import pytest

from dpca_core.data.number_format import EITHER
from dpca_core.readers.file_access import Upload
from ui.owner import session
from ui.owner.controls import reading
from ui.owner.draft import Draft
from ui.owner.proposals import column_proposals, with_proposals
from ui.owner.session import Owner
from ui.owner.source_table import SourceTable

MIXED = b"bmi;ldl\n" + b"".join(b"%d.5;%d,%d\n" % (20 + i % 9, i % 5, i % 7) for i in range(40))


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
