"""Answers of *Decide* are about one table: another one is asked about anew, the same one is not."""

from dataclasses import replace
from pathlib import Path

import pytest

from dpca_core.readers.file_access import Upload
from tests.ui.owner.uploads import PEOPLE, VISITS, again, draft_of, opened, owner_of
from ui.owner.draft import DECIDE_FIELDS, Draft
from ui.owner.session import OWNER, Owner
from ui.owner.source_table import SourceTable
from ui.owner.table_intake import with_table
from ui.state.decision import DECISION

ANSWERS = {
    "people_guess": "5000",
    "shares": "40 20",
    "epsilon": "0.1|20|3",
    "delta": "1e-7",
    "chosen": "middle",
}
NONE = dict.fromkeys(DECIDE_FIELDS, "")


def answers(draft: Draft) -> dict[str, str]:
    """Return what a draft has of *Decide*."""
    return {name: getattr(draft, name) for name in DECIDE_FIELDS}


def read(content: bytes, path: str = "") -> SourceTable:
    """Read a table, as one on the server where a path is given."""
    where = Path(path) if path else None
    return SourceTable.read("people.csv", Upload("people.csv", content), where)


MORE = PEOPLE + b"33,1.80,f\n"


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        (read(PEOPLE), read(VISITS), False),
        (read(PEOPLE), read(MORE), False),
        (read(PEOPLE), read(PEOPLE), True),
        (read(PEOPLE), replace(read(PEOPLE), name="other.csv"), True),
        (read(PEOPLE, "/a.csv"), read(PEOPLE, "/a.csv"), True),
        (read(PEOPLE, "/a.csv"), read(MORE, "/a.csv"), True),
        (read(PEOPLE, "/a.csv"), read(PEOPLE, "/b.csv"), False),
        (read(PEOPLE), read(PEOPLE, "/a.csv"), False),
        (None, read(PEOPLE), True),
    ],
)
def test_another_table_drops_the_answers(
    before: SourceTable | None, after: SourceTable, kept: bool
) -> None:
    owner = with_table(Owner(Draft(**ANSWERS, looked=True), before), after)
    assert answers(owner.draft) == (ANSWERS if kept else NONE)
    # Of all these, the visits alone are about other columns.
    assert owner.draft.looked == (list(after.table.columns) == ["age", "height", "sex"])


def test_answers_are_all_that_decide_asks() -> None:
    draft = Draft(**ANSWERS)
    assert {*ANSWERS} == {*DECIDE_FIELDS}
    assert replace(draft, **NONE) == Draft()


def test_the_next_upload_begins_without_a_decision() -> None:
    app = opened(PEOPLE)
    app.session_state[OWNER] = replace(owner_of(app), draft=replace(draft_of(app), **ANSWERS))
    again(app, PEOPLE)
    assert answers(draft_of(app)) == ANSWERS
    app.button(key="another").click().run()
    app.button(key="keep-table").click().run()
    assert answers(draft_of(app)) == ANSWERS
    again(app, MORE)
    assert answers(draft_of(app)) == NONE
    assert DECISION not in app.session_state
    assert "chosen" not in app.query_params
    # The columns have the same names: what was typed of them stays.
    assert draft_of(app).header == ("age", "height", "sex")
