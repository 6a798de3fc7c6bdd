"""How a file is read and what it says of itself: asked once, for this table alone."""

import io
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import openpyxl
import pandas as pd
import pyreadstat
import pytest

from dpca_core.codebooks import read_codebook
from dpca_core.data.errors import TableError
from dpca_core.data.recipe import Source
from dpca_core.data.recipe_json import dumps
from dpca_core.data.text_file_format import EITHER, Escape, TextFileFormat
from dpca_core.detection import questions as ask
from dpca_core.detection.columns import propose_columns
from dpca_core.tables.files import Upload
from dpca_core.tables.table import Labels
from tests.ui.owner.beginnings import (
    PEOPLE,
    VISITS,
    again,
    answered,
    begun,
    draft_of,
    named,
    owner_of,
    read_table,
)
from ui.owner import how_read, proposals, session, table_source
from ui.owner.codebook_merge import merge_codebook
from ui.owner.column import Entry, Use
from ui.owner.columns_table import private_lines, table_content
from ui.owner.draft import DECIDE_FIELDS, EVERY_ROW, Draft, Who
from ui.owner.session import OWNER, declared_by_file
from ui.owner.table_source import Owner
from ui.owner.text import format_question

ROWS = Upload("t.csv", b"39, State-gov, 77516\n50, Private, 83311\n38, Private, 215646\n")
MIXED = b"bmi;ldl\n" + b"".join(b"%d.5;%d,%d\n" % (20 + i % 9, i % 5, i % 7) for i in range(40))
GERMAN = b"bmi;ldl\n" + b"".join(b"%d,5;%d\n" % (20 + i % 9, i % 5) for i in range(40))
COST = pd.DataFrame({"bmi": [20.5 + i % 9 for i in range(40)]})
COST["cost"] = [f"{3 + i % 7},{380 + i}.50" for i in range(40)]
TYPED = Upload("t.parquet", COST.to_parquet())
WESTERN = Upload("t.csv", "Größe;Gewicht\n171;70\n180;80\n".encode("cp1252"))
NO_NAMES = "no names in its first line (columns are called c1…c3)"
SAVE_AS_UTF_8 = "Western European (Windows-1252) letters (of others, save it as “CSV UTF-8”)"
TITLED = Upload(
    "t.csv",
    b"Clinic, 2024\nage;visits;note\n"
    + b"".join(b'%d;%d;"a \\"b\\"; c"\n' % (20 + i % 9, i % 7) for i in range(40)),
)
"""A title, and marks as R's ``write.table`` has them."""


def workbook(*titles):
    """A workbook of two sheets, the first under these rows, the second under a title."""
    book, packed = openpyxl.Workbook(), io.BytesIO()
    first, second = [*titles, ["a", "b"]], [["Clinic 3"], ["c", "d"]]
    for sheet, above in ((book.active, first), (book.create_sheet("Second"), second)):
        for row in (*above, *([i, i % 7] for i in range(40))):
            sheet.append(row)
    book.save(packed)
    return packed.getvalue()


HEADED = Upload("t.xlsx", workbook(["Clinic 3"], [], ["made up"]))


@pytest.mark.parametrize(
    ("upload", "form", "header", "rows", "asked"),
    [
        (ROWS, {"unnamed": 3}, "c1 c2 c3", 3, NO_NAMES),
        (WESTERN, {"encoding": "cp1252"}, "Größe Gewicht", 2, SAVE_AS_UTF_8),
        (TITLED, {"skip": 1}, "age visits note", 40, "1 line above its header"),
        (TITLED, {"escape": Escape.BACKSLASH}, "age visits note", 40, "backslash"),
        (HEADED, {"skip": 3}, "a b", 40, "3 lines"),
    ],
)
def test_how_a_file_seems_to_be_written_is_proposed_and_asked(upload, form, header, rows, asked):
    source = read_table(upload)
    found = source.number_format
    assert {name: getattr(found, name) for name in form} == form
    assert ([*source.table.columns], len(source.table)) == (header.split(), rows)
    assert asked in format_question(found, table_source.marks_that_differ(found))
    assert source.open_questions == {proposals.FORMAT: ""}


def test_marks_that_are_not_doubled_are_noticed_where_they_should_be():
    source = read_table(TITLED)
    form = replace(source.number_format, escape=Escape.DOUBLED)
    read = table_source.SourceTable.read("t.csv", source.place, form)
    assert any("do not double marks" in notice for notice in read.notices)


def taken(content):
    return Owner().with_table(read_table(content))


@pytest.mark.parametrize(
    ("given", "column", "answer", "form"),
    [
        (MIXED, "ldl", "3,3 is 3.3", TextFileFormat(";", EITHER)),
        (TYPED, "cost", "3,300 is 3300", TextFileFormat(",", ".", ",", typed=True)),
    ],
)
def test_the_answer_about_a_comma_reads_the_file_again(given, column, answer, form, monkeypatch):
    monkeypatch.setattr("streamlit.session_state", {session.OWNER: taken(given)})
    draft = session.current().draft.merge({"bmi": {"low": "10", "high": "70"}})
    assert draft.column(column).open_questions == ("comma",)
    session.update(draft=draft.merge({column: {"asked.comma": answer, "low": "0"}}))
    how_read.follow_answers()
    after = session.current()
    assert after.source.number_format == after.draft.reading == form
    assert after.draft.column("bmi")["high"].text == "70"
    assert after.draft.column(column)["low"].text == "0"
    assert after.draft.column(column).open_questions == ()
    how_read.follow_answers()
    assert session.current() == after
    # One that is chosen is the owner's.
    how_read._read_again(TextFileFormat(";", ","), chosen=True)
    assert session.current().draft.reading == TextFileFormat(";", ",")
    assert table_source.origin_of_format(session.current().draft.asked) is Source.NOTICED


def test_equal_names_are_refused_in_typed_tables_too():
    frame = pd.DataFrame([[1.5, 2.5]] * 9, columns=["a", "a\u200b"])
    with pytest.raises(TableError, match=r"^t\.parquet has 2 columns named “a”: rename them\.$"):
        read_table(Upload("t.parquet", frame.to_parquet()))


def all_said(draft):
    """Return a draft in which only how the file is written may be missing."""
    number = {"use": "number", "low": "0", "high": "99", "missing": "", "asked.codes": "Numbers"}
    return replace(draft, who=Who(answer=EVERY_ROW)).merge(dict.fromkeys(("bmi", "ldl"), number))


def test_a_format_that_was_proposed_is_read_from_the_file_until_it_is_confirmed():
    draft = all_said(taken(GERMAN).draft)
    assert draft.reading == TextFileFormat(";", ",")
    assert "asked.format" in [e.field for e in draft.missing_answers]
    assert table_source.origin_of_format(draft.asked) is Source.FILE
    assert not draft.bounds_are_public
    assert draft.recipe() == draft.missing_answers
    assert (Source.FILE, "How the file is written") in [x[:2] for x in private_lines(draft)]
    confirmed = proposals.with_confirmed(draft, proposals.FORMAT)
    assert confirmed.missing_answers == ()
    assert table_source.origin_of_format(confirmed.asked) is Source.NOTICED
    assert confirmed.bounds_are_public
    plain = all_said(taken(GERMAN.replace(b",", b".").replace(b";", b",")).draft)
    assert table_source.origin_of_format(plain.asked) is None, (
        "what is always tried needs no answer"
    )
    assert plain.bounds_are_public
    # A saved recipe says it as well.
    book = read_codebook("recipe.json", dumps(confirmed.recipe()).encode())
    merged = merge_codebook(taken(GERMAN).draft, book)[0]
    assert table_source.origin_of_format(merged.asked) is Source.NOTICED


# --- What workbooks and statistics programs' files say of themselves ---

ANSWERS = {
    "sex": {1: "male", 2: "female"},
    "tired": {1: "always", 2: "often", 3: "sometimes", 4: "never", 9: "refused"},
    "pain": {0: "none at all", 10: "the worst"},
}
MISSING = {"tired": [9], "pain": [{"lo": 97, "hi": 99}]}


@pytest.fixture(scope="module")
def owner(tmp_path_factory):
    """A survey saved by SPSS, with its labels and missing codes."""
    path, rows = tmp_path_factory.mktemp("spss") / "survey.sav", range(60)
    cells = {"sex": [1.0, 2.0], "tired": [1.0, 2, 3, 4, 9], "pain": [0.0, 3, 7, 10, 98]}
    frame = pd.DataFrame({name: [v[i % len(v)] for i in rows] for name, v in cells.items()})
    pyreadstat.write_sav(
        frame.assign(age=[20.5 + i * 17 % 60 for i in rows]),
        str(path),
        column_labels={"tired": "How often were you tired last week?"},
        variable_value_labels=ANSWERS,
        missing_ranges=MISSING,
    )
    return Owner().with_table(read_table(Upload("survey.sav", path.read_bytes())))


def proposal(owner, name):
    return next(one for one in owner.columns if one.name == name)


def labelled(owner, draft, name, answer):
    """The draft once this is answered about a column's labels."""
    edits = proposals.answer_edits(proposal(owner, name), ask.LABELS, answer, draft.reading)
    return draft.merge({name: dict(edits)})


def test_lists_and_missing_codes_are_shown_in_full_and_wait_for_their_owner(owner):
    draft, sex = owner.draft, proposal(owner, "sex")
    assert draft.column("sex").open_questions == (ask.LABELS,)
    assert draft.column("sex")["values"].empty
    assert sex.questions[0].sentence.startswith("1 = male, 2 = female: ")
    column = labelled(owner, draft, "sex", ask.UNORDERED).column("sex")
    assert (column.use, column["values"]) == (Use.CATEGORY, Entry("1; 2", Source.NOTICED))
    number = draft.merge({"sex": {"asked.labels": ask.A_NUMBER}}).column("sex")
    assert (number.use, number["values"]) == (Use.NUMBER, Entry())
    # Labels of a known scale give its order, and no missing code is a step of it.
    tired, pain = proposal(owner, "tired"), proposal(owner, "pain")
    assert (tired.use, tired.values) == (Use.SCALE, ("4", "3", "2", "1"))
    assert pain.use == Use.NUMBER, "it has values beside its list"
    assert "0 = none at all, 10 = the worst" in pain.reason
    assert pain.questions[0].sentence.startswith(pain.reason)
    assert draft.asked == {proposals.DECLARED_MISSING: "", proposals.TITLES: ""}
    assert "asked.declared" in [error.field for error in draft.missing_answers]
    confirmed = proposals.with_confirmed(draft, proposals.DECLARED_MISSING)
    assert confirmed.asked[proposals.DECLARED_MISSING] == "Yes"


def on_columns(content, name):
    """The page on its second step, with a file of which every row is another person's."""
    app = answered(again(begun(), content, name), EVERY_ROW)
    named(app.button, "who-on").click().run()
    return app


def test_the_page_shows_all_of_it_and_takes_the_answers(owner):
    app = on_columns(owner.source.place.content, "survey.sav")
    said = " ".join(one.value for one in app.markdown)
    assert "9 in tired; 97 to 99 in pain" in said
    app.button(key="columns-confirm-declared").click().run()
    # A column's label is printed where its owner says so.
    labels = owner_of(app).source.labels
    for answer, titles in (("1", {}), ("0", {"tired": "How often were you tired last week?"})):
        asked = {**draft_of(app).asked, proposals.TITLES: ""}
        app.session_state[OWNER] = replace(
            owner_of(app), draft=replace(draft_of(app), asked=MappingProxyType(asked))
        )
        app.run().button(key=f"columns-confirm-titles-{answer}").click().run()
        printed = session.printed_titles(draft_of(app), labels)
        assert {name: title for name, title in printed.items() if title} == titles
    assert not app.exception
    draft = draft_of(app)
    for name in ("sex", "tired"):
        draft = labelled(owner, draft, name, proposal(owner, name).questions[0].answers[0])
    ranges = {"pain": {"low": "0", "high": "10"}, "age": {"low": "0", "high": "110"}}
    recipe = draft.merge(ranges).merge({"pain": {"asked.codes": ask.STEPS}}).recipe()
    assert [scale.values for scale in recipe.scales] == [("1", "2"), ("4", "3", "2", "1")]
    rows = table_content(draft, owner.columns, {}, labels)["rows"]
    assert rows[1]["label"] == "How often were you tired last week?"
    # What was confirmed goes on to the release in the file's words.
    confirmed = {scale.name: scale.values for scale in recipe.scales}
    told = declared_by_file(recipe, labels, confirmed, printed)
    assert [column.title for column in told.columns] == ["", "", "", titles["tired"]]
    assert recipe.number_format.typed
    assert [scale.shown for scale in told.scales] == [
        ("male", "female"),
        ("never", "sometimes", "often", "always"),
    ]
    assert [column.missing for column in told.columns] == [("97 to 99",), (), (), ("9",)]
    assert told.scales[0].values == ("1", "2")
    # A label may be about one person: what was typed, or another list, confirms none.
    for others in ({}, {"sex": ("1", "2", "3")}):
        found = declared_by_file(recipe, labels, others)
        assert {scale.labels for scale in found.scales} == {()}
    # Once it is answered the labels are still beside it.
    assert rows[1]["steps"][0] == ("4", "never")
    category = draft.merge({"sex": {"use": "category"}})
    (sex, *_) = table_content(category, owner.columns, {}, labels)["rows"]
    assert sex["message"].endswith("1 = male, 2 = female")


def test_a_zero_with_a_minus_is_the_zero_that_has_a_label():
    labels = {"ill": Labels(values=(("0", "no"), ("1", "yes")))}
    cells = pd.DataFrame({"ill": [-0.0, 1.0, 0.0] * 20})
    (found,) = proposals.with_labels(propose_columns(cells, TextFileFormat()), labels, cells)
    assert found.values == ("0", "1")


def test_a_label_that_says_nobody_answered_is_no_step_and_no_value():
    steps = ("none", "mild", "moderate", "severe", "No answer")
    labels = {"pain": Labels(values=tuple(zip("12349", steps, strict=True)))}
    cells = pd.DataFrame({"pain": [1.0, 2.0, 3.0, 4.0, 9.0] * 20})
    (found,) = proposals.with_labels(propose_columns(cells, TextFileFormat()), labels, cells)
    assert ", 4 = severe, and 9 = No answer missing: the same" in found.questions[0].sentence
    form = TextFileFormat(typed=True)
    asked = proposals.with_proposals(replace(Draft(header=("pain",)), reading=form), [found])
    for answer, values in ((ask.ORDERED, "1; 2; 3; 4"), (ask.A_NUMBER, "")):
        column = proposals.answered_for_all(asked, [found], ask.LABELS, answer).column("pain")
        assert (column["values"].text, column["missing"].text) == (values, "9")
        assert column["missing"].origin is Source.NOTICED
        assert not column.open_questions
    # Whoever chooses the use has not confirmed the code, and is asked until that is done.
    chosen = asked.merge({"pain": {"use": "category", "values": "1; 2; 3; 4"}})
    assert chosen.column("pain").open_questions == (ask.LABELS,)
    assert not chosen.merge({"pain": {"missing": ""}}).column("pain").open_questions


def test_another_sheet_of_a_workbook_is_chosen_and_lines_are_skipped():
    app = on_columns(workbook(), "survey.xlsx")
    assert draft_of(app).header == ("a", "b")
    assert named(app.selectbox, "owner.format.sheet").options == ["Sheet", "Second"]
    named(app.selectbox, "owner.format.sheet").set_value("Second").run()
    assert ["only one column" in one.value for one in app.error] == [True]
    assert draft_of(app).header == ("a", "b")
    named(app.number_input, "owner.format.skip").set_value(1).run()
    assert not app.exception
    form = draft_of(app).reading
    assert (form.sheet, form.skip, draft_of(app).header) == ("Second", 1, ("c", "d"))


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
    typed = Draft(header=("age", "w"), **DECIDED, looked=True).merge({"age": {"low": "18"}})
    owner = Owner(typed, before).with_table(after)
    # Ranges of a column of that name stand in this table, too, and the page says so.
    assert ("age" in owner.loaded) == ("age" in after.names)
    found = {name: getattr(owner.draft, name) for name in DECIDE_FIELDS}
    assert found == (DECIDED if kept else dict.fromkeys(DECIDE_FIELDS, ""))
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
