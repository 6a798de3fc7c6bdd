"""What was noticed goes into the draft as noticed: nothing typed is lost, nothing asked twice."""

import pandas as pd

from dpca_core.data.recipe import Number, Recipe, Source
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.detection import questions as ask
from dpca_core.detection.columns import propose_columns
from dpca_core.tables.files import Upload
from dpca_core.tables.prepare import prepare
from tests.ui.owner.beginnings import every_row, left_out, number, read_table
from ui.owner.column import Entry, Use
from ui.owner.fill_from_file import fill_from_file, has_empty_cells
from ui.owner.proposals import (
    answer_edits,
    answered_for_all,
    confirmed_left_out,
    shared_questions,
    with_proposals,
)
from ui.owner.table_source import Owner


def drafted(*proposals):
    """Return a draft into which proposals went."""
    return with_proposals(every_row([p.name for p in proposals]), proposals)


def test_proposals_wait_for_their_owner_and_what_is_confirmed_was_noticed():
    draft = drafted(number("sbp", ask.MISSING, missing_code="999"), number("age"), left_out("seen"))
    draft = draft.merge({name: {"low": "0", "high": "300"} for name in ("sbp", "age")})
    assert [error.field for error in draft.missing_answers] == ["asked.missing"]
    assert not confirmed_left_out(draft).bounds_are_public, "a question is open"
    draft = draft.merge({"sbp": {"asked.missing": ask.AS_MISSING}})
    assert (draft.unconfirmed, draft.bounds_are_public) == (("seen",), False)
    draft = confirmed_left_out(draft)
    assert draft.bounds_are_public
    recipe = draft.recipe()
    assert [column.source for column in recipe.numbers] == [Source.NOTICED, Source.GUESS]
    assert recipe.numbers[0].missing == ("999",)
    # An answer confirms nothing that it is not about.
    proposal = number("x", ask.CODES, missing_code="9")
    edits = answer_edits(proposal, ask.CODES, ask.STEPS, TextFileFormat())
    assert edits == [("asked.codes", ask.STEPS)]


def test_a_known_scale_waits_for_one_answer_for_all_its_columns():
    order = "never; sometimes; often; always"
    cells = ["never", "often", "always", "sometimes"] * 20
    names = ("tired", "sad", "alone", "cold")
    proposals = propose_columns(pd.DataFrame(dict.fromkeys(names, cells)), TextFileFormat())
    draft = drafted(*proposals)
    (((key, _, use), columns),) = shared_questions(draft, proposals).items()
    assert (key, use, columns) == (ask.SCALE, Use.SCALE, [*proposals])
    assert not isinstance(draft.recipe(), Recipe)
    recipe = answered_for_all(draft, columns, key, ask.ORDERED).recipe()
    scale = recipe.scales[0]
    assert ("; ".join(scale.values), scale.source) == (order, Source.NOTICED)
    assert (recipe.width, len(recipe.categories)) == (4, 0)
    # Texts that only the file has are shown, and never added.
    (found,) = propose_columns(pd.DataFrame({"tired": [*cells, "who knows"]}), TextFileFormat())
    assert "who knows" in found.questions[0].sentence
    edits = dict(answer_edits(found, ask.SCALE, ask.ORDERED, draft.reading))
    assert draft.merge({"tired": edits}).column("tired")["values"].text == order


def test_people_are_counted_by_the_texts_of_their_ids():
    for written in ("{:03d}", "{}.0", "{}"):
        rows = [f"{written.format(i % 90)},{i % 7},{i % 90 % 2}" for i in range(300)]
        rows += [f"{i % 90},{i % 5},{i % 90 % 2}" for i in range(200)]
        upload = Upload("t.csv", "\n".join(["patient_id,b,sex", *rows]).encode())
        (shown, *_) = Owner().with_table(read_table(upload)).person.candidates
        recipe = Recipe((Number("b", 0, 10), Number("sex", 0, 1)), person=("patient_id",))
        assert shown.columns == ("patient_id",)
        assert shown.people == prepare(upload, recipe, "t").people


LDL = ["3.1 mmol/L", "2.5 mmol/L", None, "4"]
TABLE = pd.DataFrame({"age": [20, 35, 999, 50], "sex": [*"mfm", "x; y"], "ldl": LDL, "empty": None})


def test_only_empty_cells_of_used_columns_are_filled_and_marked():
    ldl = {"use": "number", "unit": "mmol/L", "low": "1", "source": "codebook"}
    edits = {"age": {"use": "number", "missing": "999"}, "sex": {"use": "category"}, "ldl": ldl}
    to_fill = every_row(TABLE.columns, **edits, empty={"use": "number"})
    filled = fill_from_file(to_fill, TABLE)
    column = filled.column("ldl")
    assert (column["low"], column["typical"].empty) == (Entry("1", Source.CODEBOOK), True)
    assert (column["high"].origin, column.seen) == (Source.FILE, True)
    assert not filled.bounds_are_public
    # Codes of missing values are no extremes.
    assert (filled.column("age")["low"].text, filled.column("age")["high"].text) == ("20", "50")
    assert filled.column("sex")["values"].text == 'f; m; "x; y"'
    assert filled.column("empty")["low"].empty
    typed = {"low": "0", "high": "9", "values": "m; f"}
    full = to_fill.merge({**dict.fromkeys(("age", "ldl", "sex"), typed), "empty": {"use": "out"}})
    assert not has_empty_cells(full)
    assert fill_from_file(full, TABLE) is full
