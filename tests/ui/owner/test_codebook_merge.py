"""A codebook goes into the draft: what was typed stays, sources are never better than they are."""

from dataclasses import replace

import pytest

from dpca_core.codebooks.codebook import Codebook
from dpca_core.codebooks.read_codebook import read_codebook
from dpca_core.data.recipe import Source
from dpca_core.detection.column_proposal import ColumnProposal, Recognised
from dpca_core.detection.column_questions import (
    AS_MISSING,
    CODES,
    COMMA,
    DECIMAL_COMMA,
    MISSING,
    STEPS,
)
from sample_data.made_up_clinic import CLINIC_HEADER, codebook_csv, table_schema_json
from ui.owner.codebook_merge import merge_codebook
from ui.owner.column import Cell, Use
from ui.owner.draft import FOUND, Draft, Who

WHO = Who(("patient_id",), FOUND, "patient", "patients")
DRAFT = Draft(CLINIC_HEADER, who=WHO).with_column("visit_date", use=Use.OUT)


def codebook(lines: str) -> Codebook:
    head = "column,use,low,typical,high,unit,missing,values,source\n"
    return read_codebook("c.csv", (head + lines).encode())


HR = codebook("hr,number,30,75,220,per min,,,codebook\n")
FIELDS = ("low", "typical", "high")


def origins(draft: Draft, name: str = "hr") -> set[Source | None]:
    return {getattr(draft.column(name), field).origin for field in FIELDS}


def texts(draft: Draft, name: str = "hr") -> tuple[str, ...]:
    return tuple(getattr(draft.column(name), field).text for field in FIELDS)


def test_the_clinics_codebook_answers_everything():
    merged = merge_codebook(DRAFT, read_codebook("c", codebook_csv()))
    assert merged.sentence == "13 of 15 columns found; temp and site are not in your table."
    assert merged.differing == ()
    assert merged.draft.missing_answers() == ()
    recipe = merged.draft.recipe()
    assert not isinstance(recipe, tuple)
    assert recipe.bounds_are_public
    assert len(recipe.numbers) == 10
    assert {c.source for c in recipe.columns} == {Source.CODEBOOK, Source.LAW}
    assert [n.missing for n in recipe.numbers[:2]] == [("-1",), ("999",)]


def test_a_schema_leaves_what_it_does_not_say():
    typed = DRAFT.merge({"hr": {"typical": "75"}})
    merged = merge_codebook(typed, read_codebook("c", table_schema_json()))
    assert texts(merged.draft) == ("30", "75", "220")
    assert merged.draft.column("hr").typical.origin is Source.GUESS


def test_problems_are_in_the_sentence():
    text = "hr,number,220,75,30,,,,\nhr2,number,1,2,3,,,,\n"
    merged = merge_codebook(DRAFT, codebook(text))
    assert merged.sentence == (
        "1 of 15 columns found; hr2 is not in your table; hr: minimum above maximum, left empty."
    )
    assert texts(merged.draft) == ("", "", "")


def test_what_was_typed_stays_until_the_owner_agrees():
    typed = DRAFT.merge({"hr": {"low": "40", "high": "220.0"}})
    merged = merge_codebook(typed, HR)
    assert merged.differing == (("hr", "low"),)
    assert texts(merged.draft) == ("40", "75", "220.0")
    assert merged.draft.column("hr").low.origin is Source.GUESS
    assert merged.draft.column("hr").high.origin is Source.CODEBOOK
    agreed = merge_codebook(typed, HR, replace_typed=True)
    assert texts(agreed.draft) == ("30", "75", "220.0")
    assert origins(agreed.draft) == {Source.CODEBOOK}


def test_a_cell_of_a_named_source_was_typed_too():
    typed = DRAFT.merge({"hr": {"source": "law or physics", "low": "0"}})
    assert merge_codebook(typed, HR).differing == (("hr", "low"),)


def test_a_second_codebook_replaces_the_first():
    first = merge_codebook(DRAFT, HR).draft
    second = merge_codebook(first, codebook("hr,number,20,70,300,,,,law or physics\n"))
    assert second.differing == ()
    assert texts(second.draft) == ("20", "70", "300")
    assert origins(second.draft) == {Source.LAW}


def test_cells_read_from_the_file_are_replaced_and_the_look_is_not_forgotten():
    filled = DRAFT.with_columns(
        [replace(DRAFT.column("hr"), use=Use.NUMBER).filled({"low": "41", "high": "180"})]
    )
    merged = merge_codebook(filled, HR)
    assert merged.differing == ()
    assert origins(merged.draft) == {Source.CODEBOOK}
    assert merged.draft.column("hr").seen


SOURCES = [
    ("codebook", Source.CODEBOOK),
    ("law or physics", Source.LAW),
    ("guess", Source.DECLARED),
    ("declared by you", Source.DECLARED),
    ("noticed in the file", Source.NOTICED),
    ("read from the file", Source.FILE),
]


@pytest.mark.parametrize(("said", "source"), SOURCES)
def test_after_a_look_a_guess_is_declared_and_the_rest_is_what_it_says(said: str, source: Source):
    seen = DRAFT.with_column("hr", seen=True)
    merged = merge_codebook(seen, codebook(f"hr,number,30,75,220,,,,{said}\n"))
    assert origins(merged.draft) == {source}


@pytest.mark.parametrize(("said", "source"), SOURCES)
def test_nothing_pasted_after_a_look_is_public(said: str, source: Source):
    seen = DRAFT.with_column("hr", seen=True)
    block = codebook(f"hr,number,30,75,220,,,,{said}\n")
    found = origins(merge_codebook(seen, block, pasted=True).draft)
    assert found == {source if source in (Source.NOTICED, Source.FILE) else Source.DECLARED}


def test_what_is_pasted_before_a_look_is_a_guess_unless_a_source_is_named():
    block = codebook("hr,number,30,75,220,,,,\nsbp,number,60,125,260,,,,law or physics\n")
    merged = merge_codebook(DRAFT, block, pasted=True)
    assert origins(merged.draft) == {Source.GUESS}
    assert origins(merged.draft, "sbp") == {Source.LAW}


def test_a_range_from_the_file_counts_as_a_look():
    merged = merge_codebook(DRAFT, codebook("hr,number,30,75,220,,,,read from the file\n"))
    assert merged.draft.column("hr").seen
    assert not merged.draft.bounds_are_public


def test_the_owners_choice_of_a_use_stays_until_he_agrees():
    chosen = DRAFT.merge({"hr": {"use": "out"}})
    merged = merge_codebook(chosen, HR)
    assert merged.differing == (("hr", "use"),)
    assert merged.draft.column("hr").use is Use.OUT
    assert merge_codebook(chosen, HR, replace_typed=True).draft.column("hr").use is Use.NUMBER


def test_a_proposed_use_gives_way_without_a_question():
    proposed = DRAFT.with_column("hr", use=Use.OUT, use_origin=Source.FILE)
    merged = merge_codebook(proposed, HR)
    assert merged.differing == ()
    column = merged.draft.column("hr")
    assert (column.use, column.use_origin) == (Use.NUMBER, Source.CODEBOOK)
    assert column.origin is Source.CODEBOOK


def test_the_person_stays_the_person():
    merged = merge_codebook(DRAFT, codebook("patient_id,number,0,1,2,,,,\n"))
    assert merged.draft.use_of("patient_id") is Use.PERSON
    assert merged.draft.who == WHO


def test_another_column_that_names_the_person_is_left_out():
    merged = merge_codebook(DRAFT, codebook("ward,person,,,,,,,\n"))
    assert merged.draft.use_of("ward") is Use.OUT


def test_codes_of_missing_values():
    noticed = DRAFT.with_column("hr", missing="999", missing_origin=Source.FILE)
    merged = merge_codebook(noticed, codebook("hr,number,30,75,220,,-1;-9,,\n"))
    column = merged.draft.column("hr")
    assert (column.missing, column.missing_origin) == ("-1; -9", Source.CODEBOOK)
    typed = DRAFT.merge({"hr": {"missing": "999"}})
    asked = merge_codebook(typed, codebook("hr,number,30,75,220,,-1,,\n"))
    assert asked.differing == (("hr", "missing"),)
    assert asked.draft.column("hr").missing == "999"


def proposal(name: str, **known: str) -> ColumnProposal:
    return ColumnProposal(name, "number", Recognised.NUMBERS, **known)


def test_questions_that_the_codebook_settles():
    asked = DRAFT.with_column("sbp", asked={MISSING: "", CODES: "", COMMA: ""})
    found = [proposal("sbp", missing_code="999.0")]
    column = merge_codebook(asked, read_codebook("c", codebook_csv()), found).draft.column("sbp")
    assert column.asked == {MISSING: AS_MISSING, CODES: STEPS, COMMA: DECIMAL_COMMA}


def test_a_decimal_comma_is_settled_by_a_schema():
    asked = DRAFT.with_column("ldl", asked={COMMA: ""})
    merged = merge_codebook(asked, read_codebook("c", table_schema_json()))
    assert merged.draft.column("ldl").asked == {COMMA: DECIMAL_COMMA}


def test_the_question_about_commas_may_stand_beside_another_column():
    asked = DRAFT.with_column("visit_date", asked={COMMA: ""})
    merged = merge_codebook(asked, read_codebook("c", table_schema_json()))
    assert merged.draft.column("visit_date").asked == {COMMA: DECIMAL_COMMA}


def test_marks_that_contradict_each_other_settle_nothing():
    marks = {"ldl": '"decimalChar": ","', "bmi": '"groupChar": ","'}
    fields = [f'{{"name": "{name}", "type": "number", {mark}}}' for name, mark in marks.items()]
    schema = '{"fields": [' + ", ".join(fields) + "]}"
    asked = DRAFT.with_column("ldl", asked={COMMA: ""})
    merged = merge_codebook(asked, read_codebook("c", schema.encode()))
    assert merged.draft.column("ldl").asked == {COMMA: ""}


@pytest.mark.parametrize(("codes", "answer"), [("999; 998", ""), ("", ""), ("999", AS_MISSING)])
def test_a_code_that_the_codebook_does_not_name_stays_a_question(codes: str, answer: str):
    asked = DRAFT.with_column("sbp", asked={MISSING: ""})
    found = [proposal("sbp", missing_code=codes)]
    merged = merge_codebook(asked, read_codebook("c", codebook_csv()), found)
    assert merged.draft.column("sbp").asked == {MISSING: answer}


def test_an_answer_the_owner_gave_stays():
    asked = DRAFT.with_column("sbp", asked={CODES: "Codes"})
    merged = merge_codebook(asked, read_codebook("c", codebook_csv()))
    assert merged.draft.column("sbp").asked == {CODES: "Codes"}


def test_another_unit_in_the_table_is_said():
    merged = merge_codebook(DRAFT, HR, [proposal("hr", unit="1/s")])
    assert merged.sentence.endswith("hr: per min in the codebook, 1/s in the table.")
    same = merge_codebook(DRAFT, HR, [proposal("hr", unit="Per Min")])
    assert same.sentence == "1 of 15 columns found."


def test_categories_with_semicolons_stay_whole():
    schema = (
        b'{"fields": [{"name": "ward", "type": "string", "constraints": {"enum": ["a;b", "c"]}}]}'
    )
    merged = merge_codebook(DRAFT, read_codebook("c", schema))
    assert merged.draft.column("ward").values == Cell('"a;b"; c', Source.CODEBOOK)


def test_ten_thousand_columns_and_problems_make_one_short_sentence():
    lines = "".join(f"c{i},number,9,,1,,,,\n" for i in range(9_000))
    merged = merge_codebook(DRAFT, codebook(lines))
    assert merged.sentence.startswith("0 of 15 columns found; c0, c1, c2 and 8,997 more are not")
    assert merged.sentence.endswith("; 8,995 more like these.")
    assert len(merged.sentence) < 600
