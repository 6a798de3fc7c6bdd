"""How a file is read: each question is asked once, and what was said stays when it is answered."""

from dataclasses import replace

import pandas as pd
import pytest

from dpca_core.codebooks import read_codebook
from dpca_core.data.disclosures import disclosures
from dpca_core.data.errors import TableError
from dpca_core.data.recipe import Source
from dpca_core.data.recipe_json import dumps
from dpca_core.data.text_file_format import EITHER, Escape, TextFileFormat
from dpca_core.tables.files import Upload, open_table
from tests.ui.owner.uploads import again, draft_of, named, opened, read_table
from ui.owner import how_read, session
from ui.owner.codebook_merge import merge_codebook
from ui.owner.columns_table import private_lines
from ui.owner.draft import EVERY_ROW, Who
from ui.owner.proposals import FORMAT, with_confirmed
from ui.owner.table_source import (
    AS_WESTERN,
    ENCODING,
    HEADER,
    NAMES_COLUMNS,
    ROW_ALREADY,
    Owner,
    SourceTable,
    first_format,
    marks_that_differ,
    origin_of_format,
)
from ui.owner.text import format_question

ROWS = Upload("t.csv", b"39, State-gov, 77516\n50, Private, 83311\n38, Private, 215646\n")
MIXED = b"bmi;ldl\n" + b"".join(b"%d.5;%d,%d\n" % (20 + i % 9, i % 5, i % 7) for i in range(40))
GERMAN = b"bmi;ldl\n" + b"".join(b"%d,5;%d\n" % (20 + i % 9, i % 5) for i in range(40))
COST = pd.DataFrame({"bmi": [20.5 + i % 9 for i in range(40)]})
COST["cost"] = [f"{3 + i % 7},{380 + i}.50" for i in range(40)]
TYPED = Upload("t.parquet", COST.to_parquet())
WESTERN = "Größe;Gewicht\n171;70\n180;80\n".encode("cp1252")


def test_a_missing_header_is_asked_and_columns_are_named():
    question = first_format(ROWS, {})
    assert question.key == HEADER
    assert "c1…c3" in question.sentence
    form = first_format(ROWS, {HEADER: ROW_ALREADY})
    table = open_table(ROWS, form).first_rows(5000)
    assert table["c1"].tolist() == ["39", "50", "38"]
    assert [*table.columns] == ["c1", "c2", "c3"]
    assert first_format(ROWS, {HEADER: NAMES_COLUMNS}) == TextFileFormat()


def test_another_encoding_is_asked_once_and_after_no_again():
    app = opened(WESTERN)
    assert any("Größe;Gewicht" in one.value for one in app.markdown)
    named(app.button, "owner-reading-encoding-1").click().run()
    assert "CSV UTF-8" in app.error[0].value
    again(app, WESTERN)
    assert not app.error
    named(app.button, "owner-reading-encoding-0").click().run()
    assert draft_of(app).header == ("Größe", "Gewicht")
    assert draft_of(app).asked == {ENCODING: AS_WESTERN, FORMAT: ""}
    hostile = opened("<img src=x> *b*;Größe\n1;2\n".encode("cp1252"))
    assert any("\\*b\\*" in one.value for one in hostile.markdown), "a line is shown as text"


def taken(content):
    return Owner().with_table(read_table(content))


@pytest.mark.parametrize(
    ("given", "column", "answer", "form"),
    [
        (MIXED, "ldl", "3,3 is 3.3", TextFileFormat(";", EITHER)),
        (TYPED, "cost", "3,300 is 3300", TextFileFormat(",", ".", ",")),
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


def test_a_format_that_is_chosen_is_the_owners(monkeypatch):
    monkeypatch.setattr("streamlit.session_state", {session.OWNER: taken(GERMAN)})
    how_read._read_again(TextFileFormat(";", EITHER), chosen=True)
    assert session.current().draft.reading == TextFileFormat(";", EITHER)
    assert origin_of_format(session.current().draft.asked) is Source.NOTICED


def test_equal_names_are_refused_in_typed_tables_too():
    frame = pd.DataFrame([[1.5, 2.5]] * 9, columns=["a", "a\u200b"])
    with pytest.raises(TableError, match=r"^t\.parquet has 2 columns named “a”: rename them\.$"):
        read_table(Upload("t.parquet", frame.to_parquet()))


def said(draft):
    """Return a draft in which only how the file is written may be missing."""
    number = {"use": "number", "low": "0", "high": "99", "missing": "", "asked.codes": "Numbers"}
    return replace(draft, who=Who(answer=EVERY_ROW)).merge(dict.fromkeys(("bmi", "ldl"), number))


def test_a_format_that_was_proposed_is_read_from_the_file_until_it_is_confirmed():
    draft = said(taken(GERMAN).draft)
    assert draft.reading == TextFileFormat(";", ",")
    assert "asked.format" in [e.field for e in draft.missing_answers]
    assert origin_of_format(draft.asked) is Source.FILE
    assert not draft.bounds_are_public
    assert any("read from the file" in found.text for found in disclosures(draft.recipe()))
    assert (Source.FILE, "How the file is written") in [x[:2] for x in private_lines(draft)]
    confirmed = with_confirmed(draft, FORMAT)
    assert confirmed.missing_answers == ()
    assert origin_of_format(confirmed.asked) is Source.NOTICED
    assert confirmed.bounds_are_public
    plain = said(taken(GERMAN.replace(b",", b".").replace(b";", b",")).draft)
    assert origin_of_format(plain.asked) is None, "what is always tried needs no answer"
    assert plain.bounds_are_public
    # A saved recipe says it as well.
    book = read_codebook("recipe.json", dumps(confirmed.recipe()).encode())
    merged = merge_codebook(taken(GERMAN).draft, book)[0]
    assert origin_of_format(merged.asked) is Source.NOTICED


def test_titles_and_backslashes_are_asked_about_and_can_be_chosen():
    """A title, and marks as R's ``write.table`` has them; the owner changes her mind."""
    rows = b"".join(b'%d;%d;"a \\"b\\"; c"\n' % (20 + i % 9, i % 7) for i in range(40))
    owner = taken(b"Clinic, 2024\nage;visits;note\n" + rows)
    form = owner.source.number_format
    assert (form.skip, form.escape) == (1, Escape.BACKSLASH)
    asked = format_question(form, marks_that_differ(form, owner.draft.asked))
    assert "1 line above its header" in asked
    assert "backslash" in asked
    doubled = SourceTable.read("t.csv", owner.source.place, replace(form, escape=Escape.DOUBLED))
    assert any("do not double marks" in notice for notice in doubled.notices)
