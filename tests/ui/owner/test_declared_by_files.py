"""What workbooks and statistics programs' files say of themselves: shown, and hers to confirm."""

import io
from typing import Any

import openpyxl
import pandas as pd
import pyreadstat
import pytest

from dpca_core.data.recipe import Recipe, Source
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection import questions as ask
from dpca_core.tables.files import Upload
from dpca_core.tables.table import Labels
from tests.ui.owner import tables
from tests.ui.owner.uploads import again, begun, draft_of, named, owner_of
from ui.owner.column import Entry, Use
from ui.owner.columns_table import table_content
from ui.owner.draft import EVERY_ROW
from ui.owner.edits import Merged
from ui.owner.proposals import (
    DECLARED_MISSING,
    FORMAT,
    answer_edits,
    column_proposals,
    with_confirmed,
    with_labels,
)
from ui.owner.session import declared_by_file
from ui.owner.table_source import Owner, SourceTable, first_table

ANSWERS = {
    "sex": {1: "male", 2: "female"},
    "tired": {1: "always", 2: "often", 3: "sometimes", 4: "never", 9: "refused"},
    "pain": {0: "none at all", 10: "the worst"},
}
MISSING = {"tired": [9], "pain": [{"lo": 97, "hi": 99}]}


@pytest.fixture(scope="module")
def owner(tmp_path_factory: pytest.TempPathFactory) -> Owner:
    """A survey saved by SPSS, with its labels and missing codes."""
    rows, path = range(60), tmp_path_factory.mktemp("spss") / "survey.sav"
    frame = pd.DataFrame(
        {
            "sex": [1.0 + i % 2 for i in rows],
            "tired": [float([1, 2, 3, 4, 9][i % 5]) for i in rows],
            "pain": [float([0, 3, 7, 10, 98][i % 5]) for i in rows],
            "age": [20.5 + i * 17 % 60 for i in rows],
        }
    )
    pyreadstat.write_sav(
        frame,
        str(path),
        column_labels={"tired": "How often were you tired last week?"},
        variable_value_labels=ANSWERS,
        missing_ranges=MISSING,
    )
    return Owner().with_table(tables.read(Upload("survey.sav", path.read_bytes())))


def test_a_list_is_shown_in_full_and_waits_for_its_owner(owner: Owner) -> None:
    draft = owner.draft
    sex = next(one for one in owner.columns if one.name == "sex")
    assert draft.column("sex").open_questions == (ask.LABELS,)
    assert draft.column("sex")["values"].empty
    assert sex.questions[0].sentence.startswith("1 = male, 2 = female: ")
    edits = dict(answer_edits(sex, ask.LABELS, ask.UNORDERED, draft.reading))
    column = draft.merge({"sex": edits}).column("sex")
    assert (column.use, column["values"]) == (Use.CATEGORY, Entry("1; 2", Source.NOTICED))
    number = draft.merge({"sex": {"asked.labels": ask.A_NUMBER}}).column("sex")
    assert (number.use, number["values"]) == (Use.NUMBER, Entry())


def test_labels_of_a_known_scale_give_its_order_and_no_missing_code_is_a_step(owner: Owner) -> None:
    tired = next(one for one in owner.columns if one.name == "tired")
    assert (tired.use, tired.values) == (Use.SCALE, ("4", "3", "2", "1"))
    pain = next(one for one in owner.columns if one.name == "pain")
    assert pain.use == Use.NUMBER, "it has values beside its list"
    assert "0 = none at all, 10 = the worst" in pain.reason
    assert pain.questions[0].sentence.startswith(pain.reason)


def test_what_the_file_declares_missing_is_confirmed_as_a_whole(owner: Owner) -> None:
    assert owner.draft.asked == {DECLARED_MISSING: ""}
    assert "asked.declared" in [error.field for error in owner.draft.missing_answers]
    assert with_confirmed(owner.draft, DECLARED_MISSING).asked == {DECLARED_MISSING: "Yes"}


def test_the_page_shows_all_of_it_and_takes_the_answers(owner: Owner) -> None:
    app = begun()
    assert owner.source is not None
    assert isinstance(owner.source.place, Upload)
    again(app, owner.source.place.content, "survey.sav")
    named(app.radio, "who.answer").set_value(EVERY_ROW).run()
    named(app.button, "who-on").click().run()
    said = " ".join(one.value for one in app.markdown)
    assert "9 in tired; 97 to 99 in pain" in said
    app.button(key="columns-confirm-declared").click().run()
    assert not app.exception
    draft, columns = draft_of(app), owner_of(app).columns
    for name in ("sex", "tired"):
        one = next(one for one in columns if one.name == name)
        edits = answer_edits(one, ask.LABELS, one.questions[0].answers[0], draft.reading)
        draft = draft.merge({name: dict(edits)})
    ranges = {"pain": {"low": "0", "high": "10"}, "age": {"low": "0", "high": "110"}}
    steps = {name: {"asked.codes": ask.STEPS} for name in ("pain",)}
    recipe = draft.merge(ranges).merge(steps).recipe()
    assert isinstance(recipe, Recipe)
    assert [scale.values for scale in recipe.scales] == [("1", "2"), ("4", "3", "2", "1")]
    source = owner_of(app).source
    assert source is not None
    rows = table_content(draft, columns, Merged(), source.labels)["rows"]
    assert rows[1]["label"] == "How often were you tired last week?"
    # What was confirmed goes on to the release in the file's words.
    confirmed = {scale.name: scale.values for scale in recipe.scales}
    told = declared_by_file(recipe, source.labels, confirmed)
    assert [scale.shown for scale in told.scales] == [
        ("male", "female"),
        ("never", "sometimes", "often", "always"),
    ]
    assert [column.missing for column in told.columns] == [("97 to 99",), (), (), ("9",)]
    assert told.scales[0].values == ("1", "2")
    # A label may be about one person: what was typed, or another list, confirms none.
    for others in ({}, {"sex": ("1", "2", "3")}):
        found = declared_by_file(recipe, source.labels, others)
        assert {scale.labels for scale in found.scales} == {()}
    # Once it is answered the labels are still beside it.
    assert rows[1]["steps"][0] == ("4", "never")
    category = draft.merge({"sex": {"use": "category"}})
    (sex, *_) = table_content(category, columns, Merged(), source.labels)["rows"]
    assert sex["message"].endswith("1 = male, 2 = female")


def test_a_zero_with_a_minus_is_the_zero_that_has_a_label() -> None:
    labels = {"ill": Labels(values=(("0", "no"), ("1", "yes")))}
    cells = pd.DataFrame({"ill": [-0.0, 1.0, 0.0] * 20})
    (found,) = with_labels(column_proposals(cells, TextFileFormat()), labels, cells)
    assert found.values == ("0", "1")


FIRST = [["a", "b"], *([i, i % 7] for i in range(40))]
SECOND = [["Clinic 3"], ["c", "d"], *([i, i % 5] for i in range(40))]


def workbook(rows: list[list[Any]] = FIRST) -> bytes:
    """A workbook of two sheets, the second under a title."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, table in (("First", rows), ("Second", SECOND)):
        sheet = book.create_sheet(name)
        for row in table:
            sheet.append(row)
    packed = io.BytesIO()
    book.save(packed)
    return packed.getvalue()


def test_a_title_above_the_header_of_a_sheet_is_proposed_to_be_skipped() -> None:
    rows = [["Clinic 3"], [], ["made up"], ["a", "b"], *([i, i % 7] for i in range(40))]
    source = first_table("t.xlsx", Upload("t.xlsx", workbook(rows)), {})
    assert isinstance(source, SourceTable)
    assert (source.number_format.skip, *source.table.columns) == (3, "a", "b")
    assert source.open_questions == {FORMAT: ""}


def test_another_sheet_of_a_workbook_is_chosen_and_lines_are_skipped() -> None:
    app = begun()
    again(app, workbook(), "survey.xlsx")
    named(app.radio, "who.answer").set_value(EVERY_ROW).run()
    named(app.button, "who-on").click().run()
    assert draft_of(app).header == ("a", "b")
    assert named(app.selectbox, "owner.format.sheet").options == ["First", "Second"]
    named(app.selectbox, "owner.format.sheet").set_value("Second").run()
    assert ["only one column" in one.value for one in app.error] == [True]
    assert draft_of(app).header == ("a", "b")
    named(app.number_input, "owner.format.skip").set_value(1).run()
    assert not app.exception
    form = draft_of(app).reading
    assert (form.sheet, form.skip, draft_of(app).header) == ("Second", 1, ("c", "d"))
