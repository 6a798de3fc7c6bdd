"""Answers of Decide and looks belong to their table: another one is asked about anew."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.ui.owner.uploads import PEOPLE, VISITS, read_table
from ui.owner import session
from ui.owner.draft import DECIDE_FIELDS, Draft
from ui.owner.session import OWNER
from ui.owner.table_source import Owner

ANSWERS = dict(zip(DECIDE_FIELDS, ("5000", "40 20", "0.1|20|3", "1e-7", "middle"), strict=True))
HEADER = b"age,height,sex"
MORE, OTHER_NAMES = PEOPLE + b"33,1.80,f\n", PEOPLE.replace(HEADER, b"Alter,Hoehe,sex")
ONE_COLUMN_MORE = PEOPLE.replace(b"\n", b",1\n").replace(b"sex,1", b"sex,more", 1)
COPIES = (PEOPLE, MORE, PEOPLE.replace(HEADER, b"years,height,sex"), ONE_COLUMN_MORE)


def read(content, path=""):
    """Read a table, as one on the server where a path is given."""
    found = read_table(content)
    return replace(found, place=Path(path)) if path else found


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        (read(PEOPLE), read(VISITS), False),
        (read(PEOPLE), read(MORE), False),
        (read(PEOPLE), replace(read(PEOPLE), name="other.csv"), True),
        (read(PEOPLE, "/a.csv"), read(MORE, "/a.csv"), True),
        (read(PEOPLE, "/a.csv"), read(PEOPLE, "/b.csv"), False),
        (read(PEOPLE), read(PEOPLE, "/a.csv"), False),
        (None, read(PEOPLE), True),
    ],
)
def test_another_table_drops_the_answers(before, after, kept):
    owner = Owner(Draft(**ANSWERS, looked=True), before).with_table(after)
    found = {name: getattr(owner.draft, name) for name in DECIDE_FIELDS}
    assert found == (ANSWERS if kept else dict.fromkeys(DECIDE_FIELDS, ""))
    # Of all these, the visits alone are about other columns.
    assert owner.draft.looked == (list(after.table.columns) == ["age", "height", "sex"])


def noted(first, *others):
    """Look at a table, or at none yet, take others one after another; return what is noted."""
    owner, found = Owner(Draft(looked=True), first), []
    for source in others:
        owner = owner.with_table(source)
        found.append(owner.draft.looked)
    return found


def renamed(source):
    """The same file, as if it were read with other names."""
    return replace(source, table=source.table.rename(columns="{}!".format))


def test_a_look_counts_for_its_file_and_for_copies_however_they_are_read() -> None:
    people, visits, on_server = read(PEOPLE), read(VISITS), read(PEOPLE, "/data/a.csv")
    for copy in (*COPIES, OTHER_NAMES):
        assert noted(people, read(copy)) == [copy in COPIES]
        assert noted(people, visits, read(copy)) == [False, copy in COPIES]
    assert noted(people, visits, renamed(people)) == [False, True]
    assert noted(renamed(on_server), on_server) == [True]
    assert noted(renamed(on_server), read(PEOPLE, "/data/b.csv")) == [False]
    # Each shares enough with the one before, the last nothing with the first.
    chain = [read(f"{one},{two}\n1,2\n3,4\n".encode()) for one, two in ("ab", "bc", "cd")]
    assert noted(*chain) == [True, True]
    # A look before any table is known is of the first one.
    assert noted(None, visits, people, visits) == [True, False, True]


def test_noting_a_look_keeps_the_names_under_which_it_was_taken(monkeypatch):
    monkeypatch.setattr("streamlit.session_state", {OWNER: Owner(Draft(), read(PEOPLE))})
    session.note_look()
    owner = session.current()
    assert owner.draft.looked
    left = replace(owner, source=renamed(owner.source)).with_table(read(VISITS))
    assert not left.draft.looked
    assert left.with_table(read(MORE)).draft.looked
