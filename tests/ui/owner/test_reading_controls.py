"""An answer about the file reads it again, and what was said stays."""

from dataclasses import replace
from typing import Any

import pytest

from dpca_core.codebooks.read_codebook import read_codebook
from dpca_core.data.disclosures import disclosures
from dpca_core.data.recipe import Recipe, Source
from dpca_core.data.recipe_json import dumps
from dpca_core.data.text_file_format import EITHER, TextFileFormat
from dpca_core.readers.file_access import Upload
from ui.owner import session
from ui.owner.codebook_merge import merge_codebook
from ui.owner.columns_content import private_lines
from ui.owner.controls import reading
from ui.owner.draft import EVERY_ROW, Draft, Who
from ui.owner.draft_json import of_json, to_json
from ui.owner.proposals import column_proposals, with_confirmed_format, with_proposals
from ui.owner.reading import AS_WESTERN, ENCODING, marks_that_differ, origin_of_format
from ui.owner.session import Owner
from ui.owner.source_table import SourceTable
from ui.owner.table_intake import with_table
from ui.owner.text_reading import format_question

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


GERMAN = b"bmi;ldl\n" + b"".join(b"%d,5;%d\n" % (20 + i % 9, i % 5) for i in range(40))


def said(draft: Draft) -> Draft:
    """Return a draft in which only how the file is written may be missing."""
    number = {"use": "number", "low": "0", "high": "99", "missing": ""}
    draft = replace(draft, who=Who(answer=EVERY_ROW)).merge({"bmi": number, "ldl": number})
    return draft.merge({name: {"asked.codes": "Steps of a scale"} for name in draft.header})


def read(content: bytes) -> Owner:
    return with_table(Owner(), SourceTable.read("t.csv", Upload("t.csv", content)))


def test_a_format_that_was_proposed_is_read_from_the_file_until_it_is_confirmed() -> None:
    draft = said(read(GERMAN).draft)
    assert draft.reading == TextFileFormat(";", ",")
    assert "asked.format" in [e.field for e in draft.missing_answers()]
    assert origin_of_format(draft.asked) is Source.FILE
    assert not draft.bounds_are_public
    recipe = draft.recipe()
    assert isinstance(recipe, Recipe)
    assert any("read from the file" in found.text for found in disclosures(recipe))
    assert (Source.FILE, "How the file is written") in [x[:2] for x in private_lines(draft)]
    confirmed = with_confirmed_format(draft)
    assert confirmed.missing_answers() == ()
    assert origin_of_format(confirmed.asked) is Source.NOTICED
    assert confirmed.bounds_are_public
    assert of_json(to_json(confirmed)) == confirmed


def test_what_is_always_tried_needs_no_answer() -> None:
    draft = said(read(GERMAN.replace(b",", b".").replace(b";", b",")).draft)
    assert draft.reading == TextFileFormat()
    assert origin_of_format(draft.asked) is None
    assert draft.bounds_are_public


def test_a_format_that_the_owner_chose_is_his(kept: dict[str, Any]) -> None:
    kept[session.OWNER] = read(GERMAN)
    reading._read_again(TextFileFormat(";", EITHER), chosen=True)
    draft = session.current().draft
    assert draft.reading == TextFileFormat(";", EITHER)
    assert origin_of_format(draft.asked) is Source.NOTICED


def test_a_saved_recipe_says_how_the_file_is_written() -> None:
    confirmed = with_confirmed_format(said(read(GERMAN).draft))
    recipe = confirmed.recipe()
    assert isinstance(recipe, Recipe)
    codebook = read_codebook("recipe.json", dumps(recipe).encode())
    again = merge_codebook(read(GERMAN).draft, codebook).draft
    assert origin_of_format(again.asked) is Source.NOTICED


def test_the_question_names_what_is_unusual() -> None:
    form = TextFileFormat(";", ",")
    assert format_question(form, marks_that_differ(form, {})) == (
        "**The file seems to have a semicolon between columns and numbers like 1,5 for one and a "
        "half.** Is that right?"
    )
    western = TextFileFormat(encoding="cp1252")
    assert marks_that_differ(western, {ENCODING: AS_WESTERN}) == ()
    assert marks_that_differ(western, {}) == ("encoding",)
