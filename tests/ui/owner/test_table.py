"""How a file is read and what it says of itself: asked once, for this table alone."""

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pyreadstat
import pytest

from dpca_core.codebooks import read_codebook
from dpca_core.data.recipe import Source
from dpca_core.data.recipe_json import dumps
from dpca_core.data.text_file_format import EITHER, TextFileFormat
from dpca_core.detection import questions as ask
from dpca_core.tables.files import Upload
from tests.ui.owner.beginnings import PEOPLE, VISITS, opened, read_table
from ui.owner import how_read, proposals, session, table_source
from ui.owner.codebook_merge import merge_codebook
from ui.owner.column import Entry, Use
from ui.owner.columns_table import private_lines
from ui.owner.draft import DECIDE_FIELDS, EVERY_ROW, Draft, Who
from ui.owner.proposals import CONFIRMED, DECLARED_MISSING, DENIED, FORMAT, TITLES
from ui.owner.session import OWNER, declared_by_file
from ui.owner.table_source import Owner


def lines(first, line, rows=40):
    """Write a text file of a first line and one for each number."""
    return (f"{first}\n" + "".join(line(i) + "\n" for i in range(rows))).encode()


MIXED = lines("bmi;ldl", lambda i: f"{20 + i % 9}.5;{i % 5},{i % 7}")
GERMAN = lines("bmi;ldl", lambda i: f"{20 + i % 9},5;{i % 5}")


def taken(content):
    return Owner().with_table(read_table(content))


def test_the_answer_about_a_comma_reads_the_file_again(monkeypatch):
    monkeypatch.setattr("streamlit.session_state", {session.OWNER: taken(MIXED)})
    draft = session.current().draft.merge({"bmi": {"low": "10", "high": "70"}})
    assert draft.column("ldl").open_questions == ("comma",)
    session.update(draft=draft.merge({"ldl": {"asked.comma": "3,3 is 3.3", "low": "0"}}))
    how_read.follow_answers()
    after = session.current()
    assert after.source.number_format == after.draft.reading == TextFileFormat(";", EITHER)
    assert after.draft.column("bmi")["high"].text == "70"
    assert after.draft.column("ldl")["low"].text == "0"
    assert after.draft.column("ldl").open_questions == ()
    how_read.follow_answers()
    assert session.current() == after


def test_a_format_that_was_proposed_is_read_from_the_file_until_it_is_confirmed():
    def all_said(content):
        """A draft in which only how the file is written may be missing."""
        number = {"use": "number", "low": "0", "high": "99", "asked.codes": "Numbers"}
        draft = replace(taken(content).draft, who=Who(answer=EVERY_ROW))
        return draft.merge(dict.fromkeys(("bmi", "ldl"), number | {"missing": ""}))

    def origin(draft):
        return table_source.origin_of_format(draft.asked)

    draft = all_said(GERMAN)
    assert draft.reading == TextFileFormat(";", ",")
    assert [e.field for e in draft.missing_answers] == ["asked.format"]
    assert (origin(draft), draft.bounds_are_public) == (Source.FILE, False)
    assert (Source.FILE, "How the file is written") in [x[:2] for x in private_lines(draft)]
    confirmed = proposals.with_confirmed(draft, FORMAT)
    assert (origin(confirmed), confirmed.bounds_are_public) == (Source.NOTICED, True)
    # What is always tried needs no answer.
    plain = all_said(GERMAN.replace(b",", b".").replace(b";", b","))
    assert (origin(plain), plain.bounds_are_public) == (None, True)
    # A saved recipe says it as well.
    book = read_codebook("recipe.json", dumps(confirmed.recipe()).encode())
    assert origin(merge_codebook(taken(GERMAN).draft, book)[0]) is Source.NOTICED


# --- What statistics programs' files say of themselves ---

LABELS = {
    "sex": {1: "male", 2: "female"},
    "tired": {1: "always", 2: "often", 3: "sometimes", 4: "never", 9: "refused"},
    "pain": {0: "none at all", 10: "the worst"},
}
MISSING = {"tired": [9], "pain": [{"lo": 97, "hi": 99}]}
TITLE = "How often were you tired last week?"


@pytest.fixture(scope="module")
def owner(tmp_path_factory):
    """A survey saved by SPSS, with its labels and missing codes."""
    path, rows = tmp_path_factory.mktemp("spss") / "survey.sav", range(60)
    cells = {"sex": [1.0, 2.0], "tired": [1.0, 2, 3, 4, 9], "pain": [0.0, 3, 7, 10, 98]}
    frame = pd.DataFrame({name: [v[i % len(v)] for i in rows] for name, v in cells.items()})
    pyreadstat.write_sav(
        frame.assign(age=[20.5 + i * 17 % 60 for i in rows]),
        str(path),
        column_labels={"tired": TITLE},
        variable_value_labels=LABELS,
        missing_ranges=MISSING,
    )
    return taken(Upload("survey.sav", path.read_bytes()))


def labelled(owner, draft, name, answer):
    """The draft once this is answered about a column's labels."""
    (proposal,) = (one for one in owner.columns if one.name == name)
    edits = proposals.answer_edits(proposal, ask.LABELS, answer, draft.reading)
    return draft.merge({name: dict(edits)})


def test_lists_and_missing_codes_are_shown_in_full_and_wait_for_their_owner(owner):
    draft, (sex, tired, pain, _) = owner.draft, owner.columns
    assert draft.column("sex").open_questions == (ask.LABELS,)
    assert sex.questions[0].sentence.startswith("1 = male, 2 = female: ")
    column = labelled(owner, draft, "sex", ask.UNORDERED).column("sex")
    assert (column.use, column["values"]) == (Use.CATEGORY, Entry("1; 2", Source.NOTICED))
    # Labels of a known scale give its order, and no missing code is a step of it.
    assert (tired.use, tired.values) == (Use.SCALE, ("4", "3", "2", "1"))
    assert pain.use == Use.NUMBER, "it has values beside its list"
    assert draft.asked == {DECLARED_MISSING: "", TITLES: ""}
    assert "asked.declared" in [error.field for error in draft.missing_answers]


def test_what_a_file_declares_is_confirmed_on_the_page_and_goes_on_in_its_words(owner):
    app = opened(owner.source.place.content, "survey.sav").answered(EVERY_ROW)
    app.press("who-on")
    # Each key changed the address of a file that was not stored when it was asked for.
    (save,) = app.get("download_button")
    assert (bool(save.proto.deferred_file_id), save.proto.url) == (True, "")
    assert "9 in tired; 97 to 99 in pain" in " ".join(one.value for one in app.markdown)
    app.press("columns-confirm-declared")
    app.press("columns-confirm-titles-0")
    draft = app.draft
    assert draft.asked == {DECLARED_MISSING: CONFIRMED, TITLES: CONFIRMED}
    labels = app.owner.source.labels
    denied = replace(draft, asked={TITLES: DENIED})
    assert session.printed_titles(denied, labels) == {}
    printed = session.printed_titles(draft, labels)
    assert [title for title in printed.values() if title] == [TITLE]
    for name in ("sex", "tired"):
        draft = labelled(owner, draft, name, ask.ORDERED)
    ranges = {"pain": {"low": "0", "high": "10"}, "age": {"low": "0", "high": "110"}}
    recipe = draft.merge(ranges).merge({"pain": {"asked.codes": ask.STEPS}}).recipe()
    confirmed = {scale.name: scale.values for scale in recipe.scales}
    assert confirmed == {"sex": ("1", "2"), "tired": ("4", "3", "2", "1")}
    told = declared_by_file(recipe, labels, confirmed, printed)
    assert [column.title for column in told.columns] == ["", "", "", TITLE]
    assert [column.missing for column in told.columns] == [("97 to 99",), (), (), ("9",)]
    steps = ("never", "sometimes", "often", "always")
    assert [scale.shown for scale in told.scales] == [("male", "female"), steps]
    # A label may be about one person: what was typed, or another list, confirms none.
    for others in ({}, {"sex": ("1", "2", "3")}):
        found = declared_by_file(recipe, labels, others)
        assert {scale.labels for scale in found.scales} == {()}


# --- Another table ---

DECIDED = dict(zip(DECIDE_FIELDS, ("5000", "40 20", "0.1|20|3", "1e-7", "middle"), strict=True))
NAMED = b"age,height,sex"
MORE, OTHER_NAMES = PEOPLE + b"33,1.80,f\n", PEOPLE.replace(NAMED, b"Alter,Hoehe,sex")
ONE_COLUMN_MORE = PEOPLE.replace(b"\n", b",1\n").replace(b"sex,1", b"sex,more", 1)
COPIES = (PEOPLE, MORE, PEOPLE.replace(NAMED, b"years,height,sex"), ONE_COLUMN_MORE)


def read(content, path=""):
    """Read a table, as one on the server where a path is given."""
    found = read_table(content)
    return replace(found, place=Path(path)) if path else found


def test_another_table_drops_the_answers():
    typed = Draft(header=("age", "w"), **DECIDED, looked=True).merge({"age": {"low": "18"}})
    for before, after, kept in (
        (read(PEOPLE), read(VISITS), False),
        (read(PEOPLE), read(MORE), False),
        (read(PEOPLE), replace(read(PEOPLE), name="other.csv"), True),
        (read(PEOPLE, "/a.csv"), read(MORE, "/a.csv"), True),
        (read(PEOPLE, "/a.csv"), read(PEOPLE, "/b.csv"), False),
    ):
        owner = Owner(typed, before).with_table(after)
        # Ranges of a column of that name stand in this table, too, and the page says so.
        assert ("age" in owner.loaded) == ("age" in after.names)
        found = {name: getattr(owner.draft, name) for name in DECIDE_FIELDS}
        assert found == (DECIDED if kept else dict.fromkeys(DECIDE_FIELDS, ""))


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


def test_a_look_counts_for_its_file_and_for_copies_however_they_are_read(monkeypatch):
    people, visits, on_server = read(PEOPLE), read(VISITS), read(PEOPLE, "/data/a.csv")
    for copy in (*COPIES, OTHER_NAMES):
        assert noted(people, visits, read(copy)) == [False, copy in COPIES]
    assert noted(people, visits, renamed(people)) == [False, True]
    assert noted(renamed(on_server), on_server) == [True]
    assert noted(renamed(on_server), read(PEOPLE, "/data/b.csv")) == [False]
    # A look before any table is known is of the first one.
    assert noted(None, visits, people, visits) == [True, False, True]
    # Noting a look keeps the names under which it was taken.
    monkeypatch.setattr("streamlit.session_state", {OWNER: Owner(Draft(), people)})
    session.note_look()
    left = replace(session.current(), source=renamed(people)).with_table(visits)
    assert not left.draft.looked
    assert left.with_table(read(MORE)).draft.looked
