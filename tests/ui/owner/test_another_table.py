"""Answers of Decide and looks belong to their table: another one is asked about anew."""

from dataclasses import replace
from pathlib import Path

import pytest

from dpca_core.tables.files import Upload
from tests.ui.owner import tables
from tests.ui.owner.uploads import PEOPLE, VISITS
from ui.owner import session
from ui.owner.draft import DECIDE_FIELDS, Draft
from ui.owner.session import OWNER
from ui.owner.table_source import Owner, SourceTable

ANSWERS = {
    "people_guess": "5000",
    "shares": "40 20",
    "epsilon": "0.1|20|3",
    "delta": "1e-7",
    "chosen": "middle",
}
NONE = dict.fromkeys(DECIDE_FIELDS, "")


def answers(draft: Draft) -> dict[str, str]:
    return {name: getattr(draft, name) for name in DECIDE_FIELDS}


def read(content: bytes, path: str = "") -> SourceTable:
    """Read a table, as one on the server where a path is given."""
    found = tables.read(Upload("people.csv", content))
    return replace(found, place=Path(path)) if path else found


MORE = PEOPLE + b"33,1.80,f\n"
COPIES = {
    "the same": PEOPLE,
    "one row more": MORE,
    "one name less": PEOPLE.replace(b"age,height,sex", b"years,height,sex"),
    "one column more": PEOPLE.replace(b"\n", b",1\n").replace(b"sex,1", b"sex,more", 1),
    "other names": PEOPLE.replace(b"age,height,sex", b"Alter,Hoehe,sex"),
}


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
def test_another_table_drops_the_answers(before, after, kept):
    owner = Owner(Draft(**ANSWERS, looked=True), before).with_table(after)
    assert answers(owner.draft) == (ANSWERS if kept else NONE)
    # Of all these, the visits alone are about other columns.
    assert owner.draft.looked == (list(after.table.columns) == ["age", "height", "sex"])


def taken(first: SourceTable | None, *others: SourceTable) -> list[bool]:
    """Look at a table, or at none yet, take others one after another; return what is noted."""
    owner, noted = Owner(Draft(looked=True), first), []
    for source in others:
        owner = owner.with_table(source)
        noted.append(owner.draft.looked)
    return noted


@pytest.mark.parametrize("between", [(), (VISITS,)])
@pytest.mark.parametrize("copy", COPIES)
def test_a_copy_of_a_table_that_was_looked_at_is_known(copy, between):
    others = [read(content) for content in (*between, COPIES[copy])]
    assert taken(read(PEOPLE), *others)[-1] == (copy != "other names")


def test_one_file_is_known_however_it_is_read_by_its_path_and_over_copies_of_copies() -> None:
    people, visits, on_server = read(PEOPLE), read(VISITS), read(PEOPLE, "/data/a.csv")
    renamed = people.table.rename(columns="{}!".format)
    assert taken(people, visits, replace(people, table=renamed)) == [False, True]
    assert taken(replace(on_server, table=renamed), on_server) == [True]
    assert taken(replace(on_server, table=renamed), read(PEOPLE, "/data/b.csv")) == [False]
    # Each shares enough with the one before, the last nothing with the first.
    chain = [f"{one},{two}\n1,2\n3,4\n".encode() for one, two in ("ab", "bc", "cd")]
    assert taken(*map(read, chain)) == [True, True]
    # A look before any table is known is of the first one.
    assert taken(None, visits, people, visits) == [True, False, True]


def test_noting_a_look_keeps_the_names_under_which_it_was_taken(monkeypatch):
    monkeypatch.setattr("streamlit.session_state", {OWNER: Owner(Draft(), read(PEOPLE))})
    session.note_look()
    owner = session.current()
    assert owner.draft.looked
    # Read in another way it has other names, and is left in that state.
    table = owner.source.table.rename(columns="{}!".format)
    known = replace(owner, source=replace(owner.source, table=table))
    left = known.with_table(read(VISITS))
    assert not left.draft.looked
    assert left.with_table(read(MORE)).draft.looked
