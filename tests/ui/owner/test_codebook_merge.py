"""A codebook or a saved recipe goes into the draft: typed stays, sources never get better."""

import json
from dataclasses import replace

import pytest

from dpca_core.codebooks import Codebook, read_codebook
from dpca_core.data.provenance import ONE_ROW
from dpca_core.data.recipe import Combine, MissingPerson, Recipe, Source
from dpca_core.data.recipe_json import dumps
from dpca_core.data.text_file_format import EITHER, TextFileFormat
from dpca_core.detection.columns import ColumnProposal
from dpca_core.detection.questions import (
    AS_MISSING,
    CODES,
    COMMA,
    DECIMAL_COMMA,
    IDENTIFIER,
    MISSING,
    STEPS,
)
from sample_data.made_up_clinic import CLINIC_HEADER, codebook_csv, table_schema_json
from tests.ui.owner.drafts import having
from ui.owner.codebook_merge import merge_codebook
from ui.owner.column import Column, Entry, Use
from ui.owner.draft import CANNOT_TELL, EVERY_ROW, FOUND, Draft, Who

WHO = Who(("patient_id",), FOUND, "patient", "patients")
DRAFT = having(Draft(CLINIC_HEADER, who=WHO), "visit_date", use=Entry(Use.OUT))


def codebook(lines: str) -> Codebook:
    head = "column,use,low,typical,high,unit,missing,values,source\n"
    return read_codebook("c.csv", (head + lines).encode())


HR = codebook("hr,number,30,75,220,per min,,,codebook\n")
CLINICS = read_codebook("c", codebook_csv())
SCHEMA = read_codebook("c", table_schema_json())
FIELDS = ("low", "typical", "high")


def origins(draft: Draft, name: str = "hr") -> set[Source | None]:
    return {draft.column(name)[field].origin for field in FIELDS}


def asked_again(book: Codebook, *found: ColumnProposal, name="sbp", **questions: str):
    """Return the answers at a column with these questions once a codebook is merged."""
    asked = having(DRAFT, name, asked=questions)
    return dict(merge_codebook(asked, book, found).draft.column(name).asked)


def texts(draft: Draft, name: str = "hr") -> tuple[str, ...]:
    return tuple(draft.column(name)[field].text for field in FIELDS)


def test_the_clinics_codebook_answers_everything():
    merged = merge_codebook(DRAFT, CLINICS)
    assert merged.sentence == "13 of 15 columns found; temp and site are not in your table."
    assert merged.differing == ()
    assert merged.draft.missing_answers == ()
    recipe = merged.draft.recipe()
    assert recipe.bounds_are_public
    assert len(recipe.numbers) == 10
    assert {c.source for c in recipe.columns} == {Source.CODEBOOK, Source.LAW}
    assert [n.missing for n in recipe.numbers[:2]] == [("-1",), ("999",)]


def test_a_schema_leaves_what_it_does_not_say_and_its_values_stay_whole():
    merged = merge_codebook(DRAFT.merge({"hr": {"typical": "75"}}), SCHEMA)
    assert texts(merged.draft) == ("30", "75", "220")
    assert merged.draft.column("hr")["typical"].origin is Source.GUESS
    ward = {"name": "ward", "type": "string", "constraints": {"enum": ["a;b", "c"]}}
    merged = merge_codebook(DRAFT, read_codebook("c", json.dumps({"fields": [ward]}).encode()))
    assert merged.draft.column("ward")["values"] == Entry('"a;b"; c', Source.CODEBOOK)


def test_what_was_typed_stays_until_the_owner_agrees():
    typed = DRAFT.merge({"hr": {"low": "40", "high": "220.0"}})
    merged = merge_codebook(typed, HR)
    assert merged.differing == (("hr", "low"),)
    assert texts(merged.draft) == ("40", "75", "220.0")
    assert merged.draft.column("hr")["low"].origin is Source.GUESS
    assert merged.draft.column("hr")["high"].origin is Source.CODEBOOK
    agreed = merge_codebook(typed, HR, replace_typed=True)
    assert texts(agreed.draft) == ("30", "75", "220.0")
    assert origins(agreed.draft) == {Source.CODEBOOK}
    by_law = DRAFT.merge({"hr": {"source": "law or physics", "low": "0"}})
    assert merge_codebook(by_law, HR).differing == (("hr", "low"),)


def test_cells_of_the_file_or_of_another_codebook_are_replaced_and_a_look_is_not_forgotten():
    number = DRAFT.merge({"hr": {"use": "number"}}).column("hr")
    filled = DRAFT.with_columns([number.filled({"low": "41", "high": "180"})])
    first = merge_codebook(filled, HR)
    assert origins(first.draft) == {Source.CODEBOOK}
    assert first.draft.column("hr").seen
    second = merge_codebook(first.draft, codebook("hr,number,20,70,300,,,,law or physics\n"))
    assert texts(second.draft) == ("20", "70", "300")
    assert origins(second.draft) == {Source.LAW}
    assert first.differing == second.differing == ()


SOURCES = [
    ("codebook", Source.CODEBOOK),
    ("law or physics", Source.LAW),
    ("guess", Source.DECLARED),
    ("declared by you", Source.DECLARED),
    ("noticed in the file", Source.NOTICED),
    ("read from the file", Source.FILE),
]


@pytest.mark.parametrize(("said", "source"), SOURCES)
def test_after_a_look_a_guess_is_declared(said: str, source: Source):
    seen = having(DRAFT, "hr", seen=True)
    block = codebook(f"hr,number,30,75,220,,,,{said}\n")
    assert origins(merge_codebook(seen, block).draft) == {source}
    # A range from the file counts as a look.
    merged = merge_codebook(DRAFT, block).draft
    assert merged.column("hr").seen == (source is Source.FILE)


def test_the_owners_choice_of_a_use_stays_until_he_agrees_and_a_proposed_one_gives_way():
    chosen = DRAFT.merge({"hr": {"use": "out"}})
    merged = merge_codebook(chosen, HR)
    assert merged.differing == (("hr", "use"),)
    assert merged.draft.column("hr").use is Use.OUT
    assert merge_codebook(chosen, HR, replace_typed=True).draft.column("hr").use is Use.NUMBER
    merged = merge_codebook(having(DRAFT, "hr", use=Entry(Use.OUT, Source.FILE)), HR)
    assert merged.differing == ()
    column = merged.draft.column("hr")
    assert (column.use, column["use"].origin) == (Use.NUMBER, Source.CODEBOOK)


def test_the_person_stays_the_person_and_another_one_is_left_out():
    merged = merge_codebook(DRAFT, codebook("patient_id,number,0,1,2,,,,\nward,person,,,,,,,\n"))
    assert merged.draft.use_of("patient_id") is Use.PERSON
    assert merged.draft.use_of("ward") is Use.OUT
    assert merged.draft.who == WHO


def test_codes_of_missing_values():
    noticed = having(DRAFT, "hr", missing=Entry("999", Source.FILE))
    merged = merge_codebook(noticed, codebook("hr,number,30,75,220,,-1;-9,,\n"))
    column = merged.draft.column("hr")
    assert (column["missing"].text, column["missing"].origin) == ("-1; -9", Source.CODEBOOK)
    typed = DRAFT.merge({"hr": {"missing": "999"}})
    asked = merge_codebook(typed, codebook("hr,number,30,75,220,,-1,,\n"))
    assert asked.differing == (("hr", "missing"),)
    assert asked.draft.column("hr")["missing"].text == "999"


def proposal(name: str, **known: str) -> ColumnProposal:
    return ColumnProposal(name, "number", **known)


def test_questions_that_the_codebook_settles():
    answers = asked_again(
        CLINICS, proposal("sbp", missing_code="999.0"), **{MISSING: "", CODES: "", COMMA: ""}
    )
    assert answers == {MISSING: AS_MISSING, CODES: STEPS, COMMA: DECIMAL_COMMA}
    assert asked_again(CLINICS, **{CODES: "Codes"}) == {CODES: "Codes"}, "the owner’s own answer"


@pytest.mark.parametrize("name", ["ldl", "visit_date"])
def test_a_decimal_comma_is_settled_by_a_schema_beside_whatever_column_it_is_asked(name: str):
    assert asked_again(SCHEMA, name=name, **{COMMA: ""}) == {COMMA: DECIMAL_COMMA}


@pytest.mark.parametrize(("codes", "answer"), [("999; 998", ""), ("", ""), ("999", AS_MISSING)])
def test_a_code_that_the_codebook_does_not_name_stays_a_question(codes: str, answer: str):
    found = proposal("sbp", missing_code=codes)
    assert asked_again(CLINICS, found, **{MISSING: ""}) == {MISSING: answer}


def test_ten_thousand_columns_and_problems_make_one_short_sentence():
    lines = "".join(f"c{i},number,9,,1,,,,\n" for i in range(9_000))
    merged = merge_codebook(DRAFT, codebook(lines))
    assert merged.sentence.startswith("0 of 15 columns found; c0, c1, c2 and 8,997 more are not")
    assert merged.sentence.endswith("; 8,995 more like these.")
    assert len(merged.sentence) < 600


OPEN = {MISSING: "", CODES: "", IDENTIFIER: ""}


def fresh(who: Who = WHO, *, commas: bool = False) -> Draft:
    """A draft as it is after the upload: proposals that nobody confirmed, questions open."""
    draft = Draft(CLINIC_HEADER, who=who)
    for name in CLINIC_HEADER:
        draft = having(draft, name, use=Entry(Use.NUMBER, Source.FILE), asked=OPEN)
    if commas:
        draft = having(draft, "died", asked={**OPEN, COMMA: ""})
    return having(draft, "visit_date", use=Entry(Use.OUT, Source.FILE), asked={})


def finished() -> Draft:
    left_out = {name: {"use": "out"} for name in ("visit_date", "dbp")}
    return merge_codebook(Draft(CLINIC_HEADER, who=WHO).merge(left_out), CLINICS).draft


def book_of(draft: Draft) -> Codebook:
    return read_codebook("recipe.json", dumps(draft.recipe()).encode())


AT_MOST = {"combine": Combine.AT_MOST, "most": "3", "missing_person": MissingPerson.OWN}
TYPED_LATE = {"low": "1e1", "high": " 300 ", "typical": ""}
READ = Column("dbp", {"use": Entry(Use.NUMBER)}).filled({"low": "44", "high": "132"})
CHANGES = {
    "as it is": lambda draft: draft,
    "at most 3 rows": lambda d: replace(d, who=replace(d.who, **AT_MOST, ids_ignore_case=True)),
    "read from the file": lambda d: d.with_columns([READ]),
    "left out unasked": lambda d: having(d, "dbp", use=Entry(Use.OUT, Source.FILE)),
    "a confirmed proposal": lambda d: having(d, "hr", use=Entry(Use.NUMBER, Source.NOTICED)),
    "typed late": lambda d: having(d, "hr", seen=True).merge({"hr": TYPED_LATE}),
    "decimal commas": lambda d: replace(d, reading=TextFileFormat(",", ",", ".")),
    "thousands": lambda d: replace(d, reading=TextFileFormat(",", ".", ",")),
    "either mark": lambda d: replace(d, reading=TextFileFormat(decimal=EITHER)),
}


@pytest.mark.parametrize("name", CHANGES)
def test_saved_and_loaded_the_recipe_is_equal(name: str):
    draft = CHANGES[name](finished())
    recipe = draft.recipe()
    commas = "," in recipe.number_format.decimal + recipe.number_format.thousands
    merged = merge_codebook(fresh(commas=commas), book_of(draft))
    assert merged.differing == ()
    assert merged.draft.recipe() == recipe
    assert recipe.bounds_are_public == (name not in ("read from the file", "left out unasked"))


def test_what_step_1_says_stays_until_the_owner_agrees():
    book, other = book_of(finished()), fresh(Who(("visit_date",), FOUND))
    merged = merge_codebook(other, book)
    assert merged.differing == (("", "who"),)
    assert merged.draft.who == other.who
    assert merge_codebook(other, book, replace_typed=True).draft.who == WHO


def nameless(answer: str) -> Codebook:
    alone = replace(finished(), who=Who((), answer, "patient", "patients"))
    return book_of(having(alone, "patient_id", use=Entry(Use.OUT)))


def test_a_recipe_says_that_rows_cannot_be_told_apart_and_not_that_nobody_has_two():
    book = nameless(CANNOT_TELL)
    merged = merge_codebook(fresh(Who((), "", "pupil", "pupils", noticed=True)), book).draft
    assert merged.who == Who((), CANNOT_TELL, "pupil", "pupils", noticed=True)
    assert merged.unit == ONE_ROW
    other = merge_codebook(fresh(Who(answer=EVERY_ROW)), book)
    assert other.differing == (("", "who"),)
    assert other.draft.who.answer == EVERY_ROW
    assert merge_codebook(fresh(Who()), nameless(EVERY_ROW)).draft.who.answer == ""


def test_columns_that_the_recipe_does_not_name_are_left_out():
    book, chosen = book_of(finished()), fresh().merge({"dbp": {"use": "category"}})
    merged = merge_codebook(chosen, book)
    assert merged.differing == (("dbp", "use"),)
    assert merged.draft.use_of("dbp") is Use.CATEGORY
    assert merge_codebook(chosen, book, replace_typed=True).draft.use_of("dbp") is Use.OUT


def test_a_recipe_whose_person_is_no_column_of_the_table_asks_who_is_protected():
    others = Draft(tuple(name for name in CLINIC_HEADER if name != "patient_id"))
    draft = merge_codebook(others, book_of(finished())).draft
    assert [e.field for e in draft.missing_answers] == ["who"]
    assert not isinstance(draft.recipe(), Recipe)


def test_a_scale_of_a_codebook_is_one_with_its_order():
    book = read_codebook("c.csv", b"column,use,values\npain,scale,none;some\n")
    merged = merge_codebook(Draft(("pain",)), book)
    column = merged.draft.column("pain")
    assert (column.use, column["values"].text) == (Use.SCALE, "none; some")
