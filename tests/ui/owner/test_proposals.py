"""Proposals go into the draft: nothing typed is lost, no question is asked twice."""

from dataclasses import replace

import pandas as pd
import pytest

from dpca_core.data.recipe import Source
from dpca_core.data.text_file_format import EITHER, TextFileFormat
from dpca_core.detection import column_questions as ask
from dpca_core.detection.column_proposal import NUMBER, OUT, ColumnProposal, Recognised
from dpca_core.detection.kinds import propose_columns
from dpca_core.detection.sampled_texts import sampled_texts
from dpca_core.readers.file_access import Upload
from dpca_core.readers.table import proposed_format, read_table
from sample_data.made_up_clinic import clinic_csv
from ui.owner.column import Use
from ui.owner.draft import EVERY_ROW, Draft, Who
from ui.owner.proposals import (
    answered_for_all,
    confirmed_left_out,
    reading_after_answers,
    shared_questions,
    unconfirmed,
    with_proposals,
)

STEPS = ask.codes(5)


def number(name, *questions, unit="", missing_code=""):
    """Return the proposal of a number."""
    kind = Recognised.NUMBERS
    return ColumnProposal(name, NUMBER, kind, "", questions, unit, missing_code)


def left_out(name):
    """Return the proposal to leave a column out."""
    return ColumnProposal(name, OUT, Recognised.DATE, "a date")


def drafted(*proposals, **typed):
    """Return a draft into which proposals went, after columns were typed in."""
    draft = replace(Draft().for_header([p.name for p in proposals]), who=Who(answer=EVERY_ROW))
    return with_proposals(draft.merge(typed), proposals)


def test_proposals_wait_for_their_owner():
    sbp = number("sbp", ask.missing(("999",)), unit="mmHg", missing_code="999")
    draft = drafted(sbp, left_out("seen"))
    column = draft.column("sbp")
    assert (column.use, column.use_origin, column.unit) == (Use.NUMBER, Source.FILE, "mmHg")
    assert (column.missing, column.missing_origin) == ("999", Source.FILE)
    assert column.asked == {ask.MISSING: ""}
    assert draft.column("seen").note == "a date"
    assert unconfirmed(draft) == ("seen",)
    assert not draft.bounds_are_public


def test_what_is_confirmed_was_noticed_in_the_file():
    sbp = number("sbp", ask.missing(("999",)), missing_code="999")
    draft = drafted(sbp, number("age"), left_out("seen"))
    ranges = {name: {"low": "0", "high": "300"} for name in ("sbp", "age")}
    draft = draft.merge(ranges)
    assert not draft.bounds_are_public
    draft = draft.merge({"sbp": {"asked.missing": ask.AS_MISSING}})
    assert draft.column("sbp").missing_origin is Source.NOTICED
    assert not draft.bounds_are_public
    draft = confirmed_left_out(draft)
    assert draft.column("seen").use_origin is Source.NOTICED
    assert draft.bounds_are_public
    recipe = draft.recipe()
    assert [column.source for column in recipe.numbers] == [Source.NOTICED, Source.GUESS]
    assert recipe.numbers[0].missing == ("999",)


@pytest.mark.parametrize(
    ("question", "answer", "use", "missing"),
    [
        (STEPS, ask.STEPS, Use.NUMBER, "9"),
        (STEPS, ask.AS_CODES, Use.CATEGORY, "9"),
        (ask.identifier(), ask.AN_IDENTIFIER, Use.OUT, "9"),
        (ask.identifier(), ask.MEASUREMENT, Use.NUMBER, "9"),
        (ask.weight(), ask.SURVEY, Use.OUT, "9"),
        (ask.texts(["<5"]), ask.LEAVE_OUT, Use.OUT, "9"),
        (ask.texts(["<5"]), ask.AS_MISSING, Use.NUMBER, "9"),
        (ask.units(["kg", "lb"]), ask.LEAVE_OUT, Use.OUT, "9"),
        (ask.missing(["9"]), ask.REAL_VALUE, Use.NUMBER, ""),
        (ask.missing(["9"]), ask.AS_MISSING, Use.NUMBER, "9"),
    ],
)
def test_an_answer_has_its_effect_and_is_not_asked_again(question, answer, use, missing):
    proposal = number("x", question, missing_code="9")
    draft = drafted(proposal)
    assert draft.column("x").open_questions == (question.key,)
    draft = draft.merge({"x": {f"asked.{question.key}": answer}})
    for found in (draft, with_proposals(draft, [proposal])):
        column = found.column("x")
        assert (column.use, column.missing) == (use, missing)
        assert column.asked[question.key] == answer
        assert column.open_questions == ()


def test_the_unit_that_counts_is_chosen():
    draft = drafted(number("x", ask.units(["kg", "lb"]), unit="kg"))
    assert draft.merge({"x": {"asked.units": "lb"}}).column("x").unit == "lb"


def test_nothing_typed_is_overwritten():
    typed = {"use": "category", "values": "1; 2", "missing": "7", "unit": "g", "low": "3"}
    draft = drafted(number("x", STEPS, unit="kg", missing_code="9"), x=typed)
    column = draft.column("x")
    found = (column.use, column.values.text, column.missing, column.unit, column.low.text)
    assert found == (Use.CATEGORY, "1; 2", "7", "g", "3")
    assert column.use_origin is Source.DECLARED
    assert column.open_questions == ()


def test_whoever_gives_a_range_has_said_what_the_column_is():
    draft = drafted(number("x", STEPS)).merge({"x": {"low": "1", "high": "5"}})
    assert draft.column("x").open_questions == ()


def test_another_reading_of_the_file_changes_only_what_was_proposed():
    before = drafted(left_out("ldl"), number("age", STEPS)).merge({"age": {"asked.codes": "Codes"}})
    after = with_proposals(before, [number("ldl", STEPS), number("age", STEPS)])
    assert (after.column("ldl").use, after.column("ldl").note) == (Use.NUMBER, "")
    assert after.column("age").use is Use.CATEGORY
    gone = with_proposals(after, [number("ldl"), number("age")])
    assert gone.column("ldl").asked == {}
    assert gone.column("age").asked == {"codes": "Codes"}


def test_a_column_of_another_table_gets_no_proposal():
    assert with_proposals(Draft().for_header(["a"]), [number("b")]).columns.keys() == {"a"}


def test_what_a_comma_means_is_asked_once():
    names = ("ldl", "hdl", "crp")
    draft = drafted(*(number(name, ask.comma("3,4")) for name in names))
    assert [draft.column(name).open_questions for name in names] == [(ask.COMMA,), (), ()]
    again = with_proposals(draft, [number(name, ask.comma("3,4")) for name in names])
    assert again == draft


def test_the_question_about_commas_moves_to_the_next_column_that_is_used():
    proposals = [number(name, ask.comma("3,4")) for name in ("ldl", "hdl")]
    draft = drafted(*proposals).merge({"ldl": {"use": "out"}})
    draft = with_proposals(draft, proposals)
    assert draft.column("hdl").open_questions == (ask.COMMA,)
    draft = draft.merge({"hdl": {"asked.comma": ask.DECIMAL_COMMA}, "ldl": {"use": "number"}})
    draft = with_proposals(draft, proposals)
    assert draft.column("ldl").open_questions == draft.column("hdl").open_questions == ()


def test_the_same_proposals_again_bring_nothing_back():
    proposals = [number("x", STEPS, unit="kg", missing_code="9"), left_out("day")]
    cleared = {"x": {"unit": "", "missing": "", "use": "category"}, "day": {"use": "category"}}
    draft = drafted(*proposals).merge(cleared)
    assert with_proposals(draft, proposals) == draft
    assert (draft.column("x").unit, draft.column("x").missing) == ("", "")


@pytest.mark.parametrize(
    ("before", "answer", "after"),
    [
        (TextFileFormat(), ask.DECIMAL_COMMA, TextFileFormat(",", EITHER)),
        (TextFileFormat(";", ","), ask.DECIMAL_COMMA, TextFileFormat(";", ",")),
        (TextFileFormat(";", ",", "."), ask.DECIMAL_COMMA, TextFileFormat(";", ",", ".")),
        (TextFileFormat(";", ".", ","), ask.DECIMAL_COMMA, TextFileFormat(";", EITHER)),
        (TextFileFormat(), ask.THOUSANDS_COMMA, TextFileFormat(",", ".", ",")),
        (TextFileFormat(";", ","), ask.THOUSANDS_COMMA, TextFileFormat(";", ".", ",")),
        (TextFileFormat(";", ","), "", TextFileFormat(";", ",")),
        (TextFileFormat(), "nonsense", TextFileFormat()),
    ],
)
def test_the_answer_says_how_the_file_is_read(before, answer, after):
    draft = replace(drafted(number("ldl", ask.comma("3,4"))), reading=before)
    draft = draft.merge({"ldl": {"asked.comma": answer}})
    assert reading_after_answers(draft) == after
    assert reading_after_answers(replace(draft, reading=after)) == after


def test_a_question_of_many_columns_is_answered_at_once():
    proposals = [number(f"q{i}", ask.codes(5)) for i in range(6)]
    draft = drafted(*proposals, number("age"))
    draft = draft.merge({"q0": {"asked.codes": ask.AS_CODES}})
    (question,) = shared_questions(draft, proposals)
    assert question.columns == ("q1", "q2", "q3", "q4", "q5")
    draft = answered_for_all(draft, question, ask.STEPS)
    assert [draft.column(f"q{i}").use for i in range(6)] == [Use.CATEGORY, *[Use.NUMBER] * 5]
    assert shared_questions(draft, proposals) == ()
    assert shared_questions(drafted(*proposals[:3]), proposals[:3]) == ()


def test_the_made_up_clinic():
    content = clinic_csv()
    upload = Upload("clinic.csv", content if isinstance(content, bytes) else content.encode())
    form = proposed_format(upload)

    def proposals(form):
        table = read_table(upload.name, upload.content, form)
        return propose_columns(table, form, sampled_texts(upload, form, len(table)))

    found = proposals(form)
    draft = replace(with_proposals(Draft().for_header(p.name for p in found), found), reading=form)
    open_ones = {c.name: c.open_questions for c in draft.columns.values() if c.open_questions}
    assert open_ones == {"age": (ask.MISSING,), "sbp": (ask.MISSING,), "ldl": (ask.COMMA,)}
    assert draft.column("hba1c").unit == "%"
    assert unconfirmed(draft) == ("patient_id", "visit_date")
    draft = draft.merge({"ldl": {"asked.comma": ask.DECIMAL_COMMA}})
    form = reading_after_answers(draft)
    again = with_proposals(replace(draft, reading=form), proposals(form))
    assert again.column("ldl").asked == {ask.COMMA: ask.DECIMAL_COMMA}
    assert again.column("ldl").open_questions == ()
    ldl = read_table(upload.name, upload.content, form)["ldl"]
    assert pd.api.types.is_float_dtype(ldl)
    assert 0.5 < ldl.mean() < 10
