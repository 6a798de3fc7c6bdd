"""What workbooks and statistics programs' files say of themselves: shown, and hers to confirm."""

import io

import openpyxl
import pandas as pd
import pyreadstat
import pytest

from dpca_core.data.recipe import Source
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection import questions as ask
from dpca_core.tables.files import Upload
from dpca_core.tables.table import Labels
from tests.ui.owner.uploads import again, answered, begun, draft_of, named, owner_of, read_table
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
from ui.owner.table_source import Owner, first_table

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
    edits = answer_edits(proposal(owner, name), ask.LABELS, answer, draft.reading)
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
    assert draft.asked == {DECLARED_MISSING: ""}
    assert "asked.declared" in [error.field for error in draft.missing_answers]
    assert with_confirmed(draft, DECLARED_MISSING).asked == {DECLARED_MISSING: "Yes"}


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
    assert not app.exception
    draft, labels = draft_of(app), owner_of(app).source.labels
    for name in ("sex", "tired"):
        draft = labelled(owner, draft, name, proposal(owner, name).questions[0].answers[0])
    ranges = {"pain": {"low": "0", "high": "10"}, "age": {"low": "0", "high": "110"}}
    recipe = draft.merge(ranges).merge({"pain": {"asked.codes": ask.STEPS}}).recipe()
    assert [scale.values for scale in recipe.scales] == [("1", "2"), ("4", "3", "2", "1")]
    rows = table_content(draft, owner.columns, Merged(), labels)["rows"]
    assert rows[1]["label"] == "How often were you tired last week?"
    # What was confirmed goes on to the release in the file's words.
    told = declared_by_file(recipe, labels, {scale.name: scale.values for scale in recipe.scales})
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
    (sex, *_) = table_content(category, owner.columns, Merged(), labels)["rows"]
    assert sex["message"].endswith("1 = male, 2 = female")


def test_a_zero_with_a_minus_is_the_zero_that_has_a_label():
    labels = {"ill": Labels(values=(("0", "no"), ("1", "yes")))}
    cells = pd.DataFrame({"ill": [-0.0, 1.0, 0.0] * 20})
    (found,) = with_labels(column_proposals(cells, TextFileFormat()), labels, cells)
    assert found.values == ("0", "1")


def workbook(*titles):
    """A workbook of two sheets, the first under these rows, the second under a title."""
    book, packed = openpyxl.Workbook(), io.BytesIO()
    first, second = [*titles, ["a", "b"]], [["Clinic 3"], ["c", "d"]]
    for sheet, above in ((book.active, first), (book.create_sheet("Second"), second)):
        for row in (*above, *([i, i % 7] for i in range(40))):
            sheet.append(row)
    book.save(packed)
    return packed.getvalue()


def test_a_title_above_the_header_of_a_sheet_is_proposed_to_be_skipped():
    content = workbook(["Clinic 3"], [], ["made up"])
    source = first_table("t.xlsx", Upload("t.xlsx", content), {})
    assert (source.number_format.skip, *source.table.columns) == (3, "a", "b")
    assert source.open_questions == {FORMAT: ""}


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
