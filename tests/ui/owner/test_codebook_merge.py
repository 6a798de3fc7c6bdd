"""A codebook, a saved recipe or saved choices go into the draft: what is typed stays."""

import json
from dataclasses import replace

import pytest

from dpca_core.codebooks import Codebook, CodebookError, read_codebook
from dpca_core.data.provenance import ONE_ROW
from dpca_core.data.recipe import Combine, MissingPerson, Recipe, Source
from dpca_core.data.recipe_json import dumps, loads
from dpca_core.data.text_file_format import EITHER, TextFileFormat
from dpca_core.detection import questions as ask
from dpca_core.detection.columns import ColumnProposal
from sample_data.made_up_clinic import CLINIC_HEADER, codebook_csv, table_schema_json
from tests.ui.owner.drafts import having
from ui.owner.codebook_merge import merge_codebook, read_choices, saved_choices
from ui.owner.column import Column, Entry, Use
from ui.owner.draft import CANNOT_TELL, EVERY_ROW, FOUND, Draft, Who
from ui.owner.edits import with_kept

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


def texts(draft: Draft, name: str = "hr") -> tuple[str, ...]:
    return tuple(draft.column(name)[field].text for field in FIELDS)


def test_the_clinics_codebook_answers_everything():
    draft, said = merge_codebook(DRAFT, CLINICS)
    assert said == "13 of 15 columns found; temp and site are not in your table."
    assert draft.missing_answers == ()
    recipe = draft.recipe()
    assert recipe.bounds_are_public
    assert len(recipe.numbers) == 10
    assert {c.source for c in recipe.columns} == {Source.CODEBOOK, Source.LAW}
    assert [n.missing for n in recipe.numbers[:2]] == [("-1",), ("999",)]


def test_a_schema_leaves_what_it_does_not_say_and_its_values_stay_whole():
    draft, _ = merge_codebook(DRAFT.merge({"hr": {"typical": "75"}}), SCHEMA)
    assert texts(draft) == ("30", "75", "220")
    assert draft.column("hr")["typical"].origin is Source.GUESS
    ward = {"name": "ward", "type": "string", "constraints": {"enum": ["a;b", "c"]}}
    book = read_codebook("c", json.dumps({"fields": [ward]}).encode())
    draft, _ = merge_codebook(DRAFT, book)
    assert draft.column("ward")["values"] == Entry('"a;b"; c', Source.CODEBOOK)


def test_what_was_typed_stays_and_is_named_and_what_is_the_same_is_the_codebooks():
    typed = DRAFT.merge({"hr": {"low": "40", "high": "220.0", "missing": "9"}})
    draft, said = merge_codebook(typed, codebook("hr,number,30,75,220,,-1,,codebook\n"))
    assert said.endswith("found; yours stays where it differs: hr (low) and hr (missing).")
    assert texts(draft) == ("40", "75", "220.0")
    assert draft.column("hr")["low"].origin is Source.GUESS
    assert draft.column("hr")["high"].origin is Source.CODEBOOK
    assert draft.column("hr")["missing"].text == "9"
    by_law = DRAFT.merge({"hr": {"source": "law or physics", "low": "0"}})
    assert "hr (low)" in merge_codebook(by_law, HR)[1]
    chosen, said = merge_codebook(DRAFT.merge({"hr": {"use": "out"}}), HR)
    assert (chosen.column("hr").use, "hr (use)" in said) == (Use.OUT, True)


def test_cells_of_the_file_or_of_another_codebook_are_replaced_and_a_look_is_not_forgotten():
    number = DRAFT.merge({"hr": {"use": "number"}}).column("hr")
    filled = DRAFT.with_columns([number.filled({"low": "41", "high": "180"})])
    first, said = merge_codebook(filled, HR)
    assert origins(first) == {Source.CODEBOOK}
    assert first.column("hr").seen
    second, _ = merge_codebook(first, codebook("hr,number,20,70,300,,,,law or physics\n"))
    assert texts(second) == ("20", "70", "300")
    assert origins(second) == {Source.LAW}
    assert "differs" not in said
    noticed = having(DRAFT, "hr", missing=Entry("999", Source.FILE), use=Entry("out", Source.FILE))
    column = merge_codebook(noticed, codebook("hr,number,30,75,220,,-1;-9,,\n"))[0].column("hr")
    assert column["missing"] == Entry("-1; -9", Source.CODEBOOK)
    assert (column.use, column["use"].origin) == (Use.NUMBER, Source.CODEBOOK)


SOURCES = {
    "codebook": Source.CODEBOOK,
    "law or physics": Source.LAW,
    "guess": Source.DECLARED,
    "declared by you": Source.DECLARED,
    "noticed in the file": Source.NOTICED,
    "read from the file": Source.FILE,
}


@pytest.mark.parametrize("said", SOURCES)
def test_after_a_look_a_guess_is_declared(said: str):
    block = codebook(f"hr,number,30,75,220,,,,{said}\n")
    seen, _ = merge_codebook(having(DRAFT, "hr", seen=True), block)
    assert origins(seen) == {SOURCES[said]}
    # A range from the file counts as a look.
    draft, _ = merge_codebook(DRAFT, block)
    assert draft.column("hr").seen == (SOURCES[said] is Source.FILE)


def test_the_person_stays_the_person_and_another_one_is_left_out():
    lines = codebook("patient_id,number,0,1,2,,,,\nward,person,,,,,,,\n")
    draft, _ = merge_codebook(DRAFT, lines)
    assert draft.use_of("patient_id") is Use.PERSON
    assert draft.use_of("ward") is Use.OUT
    assert draft.who == WHO


def asked_again(book: Codebook, *found: ColumnProposal, name="sbp", **questions: str):
    """Return the answers at a column with these questions once a codebook is merged."""
    asked = having(DRAFT, name, asked=questions)
    return dict(merge_codebook(asked, book, found)[0].column(name).asked)


def test_questions_that_the_codebook_settles():
    def found(codes: str) -> ColumnProposal:
        return ColumnProposal("sbp", "number", missing_code=codes)

    answers = asked_again(CLINICS, found("999.0"), missing="", codes="", comma="")
    assert answers == {"missing": ask.AS_MISSING, "codes": ask.STEPS, "comma": ask.DECIMAL_COMMA}
    assert asked_again(CLINICS, codes="Codes") == {"codes": "Codes"}, "the owner’s own answer"
    for name in ("ldl", "visit_date"):
        assert asked_again(SCHEMA, name=name, comma="") == {"comma": ask.DECIMAL_COMMA}
    for codes, answer in (("999; 998", ""), ("", ""), ("999", ask.AS_MISSING)):
        assert asked_again(CLINICS, found(codes), missing="") == {"missing": answer}


def test_ten_thousand_columns_and_problems_make_one_short_sentence():
    lines = "".join(f"c{i},number,9,,1,,,,\n" for i in range(9_000))
    _, said = merge_codebook(DRAFT, codebook(lines))
    assert said.startswith("0 of 15 columns found; c0, c1, c2 and 8,997 more are not")
    assert said.endswith("; 8,995 more like these.")
    assert len(said) < 600


OPEN = {ask.MISSING: "", ask.CODES: "", ask.IDENTIFIER: ""}


def fresh(who: Who = WHO, *, commas: bool = False) -> Draft:
    """A draft as it is after the upload: proposals that nobody confirmed, questions open."""
    draft = Draft(CLINIC_HEADER, who=who)
    for name in CLINIC_HEADER:
        draft = having(draft, name, use=Entry(Use.NUMBER, Source.FILE), asked=OPEN)
    if commas:
        draft = having(draft, "died", asked={**OPEN, ask.COMMA: ""})
    return having(draft, "visit_date", use=Entry(Use.OUT, Source.FILE), asked={})


LEFT_OUT = {name: {"use": "out"} for name in ("visit_date", "dbp")}
FINISHED = merge_codebook(Draft(CLINIC_HEADER, who=WHO).merge(LEFT_OUT), CLINICS)[0]


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
    "a scale": lambda d: d.merge({"dbp": {"use": "scale", "values": "low; high"}}),
    "typed late": lambda d: having(d, "hr", seen=True).merge({"hr": TYPED_LATE}),
    "decimal commas": lambda d: replace(d, reading=TextFileFormat(",", ",", ".")),
    "thousands": lambda d: replace(d, reading=TextFileFormat(",", ".", ",")),
    "either mark": lambda d: replace(d, reading=TextFileFormat(decimal=EITHER)),
}


@pytest.mark.parametrize("name", CHANGES)
def test_saved_and_loaded_the_recipe_is_equal(name: str):
    draft = CHANGES[name](FINISHED)
    recipe = draft.recipe()
    commas = "," in recipe.number_format.decimal + recipe.number_format.thousands
    merged, said = merge_codebook(fresh(commas=commas), book_of(draft))
    assert "differs" not in said
    assert merged.recipe() == recipe
    assert recipe.bounds_are_public == (name not in ("read from the file", "left out unasked"))


def test_what_step_1_and_the_owner_said_stays_beside_a_recipe():
    other = fresh(Who(("visit_date",), FOUND)).merge({"dbp": {"use": "category"}})
    draft, said = merge_codebook(other, book_of(FINISHED))
    assert said.endswith("yours stays where it differs: dbp (use) and who is protected.")
    assert draft.who == other.who
    assert draft.use_of("dbp") is Use.CATEGORY


def test_a_recipe_says_that_rows_cannot_be_told_apart_and_not_that_nobody_has_two():
    def nameless(answer: str) -> Codebook:
        alone = replace(FINISHED, who=Who((), answer, "patient", "patients"))
        return book_of(having(alone, "patient_id", use=Entry(Use.OUT)))

    pupils = Who((), "", "pupil", "pupils", noticed=True)
    draft, _ = merge_codebook(fresh(pupils), nameless(CANNOT_TELL))
    assert draft.who == replace(pupils, answer=CANNOT_TELL)
    assert draft.unit == ONE_ROW
    other, said = merge_codebook(fresh(Who(answer=EVERY_ROW)), nameless(CANNOT_TELL))
    assert (other.who.answer, "who is protected" in said) == (EVERY_ROW, True)
    assert merge_codebook(fresh(Who()), nameless(EVERY_ROW))[0].who.answer == ""


def test_a_recipe_whose_person_is_no_column_of_the_table_asks_who_is_protected():
    others = Draft(tuple(name for name in CLINIC_HEADER if name != "patient_id"))
    draft, _ = merge_codebook(others, book_of(FINISHED))
    assert [e.field for e in draft.missing_answers] == ["who"]
    assert not isinstance(draft.recipe(), Recipe)


def test_finished_choices_are_a_recipe_and_others_are_kept_as_they_are_typed():
    name, text, complete = saved_choices(FINISHED)
    assert (name, complete, loads(text)) == ("recipe.json", True, FINISHED.recipe())
    typed = DRAFT.merge({"hr": {"use": "number", "low": "1e", "high": "12,5", "unit": "per min"}})
    name, text, complete = saved_choices(typed)
    assert (name, complete) == ("choices.json", False)
    kept = read_choices(text.encode())
    assert kept is not None
    column = with_kept(DRAFT, kept).column("hr")
    assert column == typed.column("hr")
    with pytest.raises(CodebookError, match="These choices cannot be read"):
        read_choices(b'{"format": "dpca-draft/1", ')


def test_a_name_of_a_file_counts_and_earlier_columns_are_not_saved():
    earlier = Draft(("secret_name",)).merge({"secret_name": {"low": "1"}})
    for draft in (DRAFT, FINISHED, earlier.for_header(CLINIC_HEADER)):
        answered = replace(draft, people_guess="900", shares="36, 12")
        _, text, _ = saved_choices(answered)
        assert [word for word in ("900", "36, 12", "secret_name") if word in text] == []
        assert "csv" not in text.replace('"dpca-', "")


def test_the_name_of_a_recipe_says_that_something_was_read_and_choices_keep_none_of_it():
    filled = FINISHED.with_columns([READ])
    name, text, complete = saved_choices(filled)
    assert (name, complete, "132" in text) == ("not-private-recipe.json", True, True)
    name, text, complete = saved_choices(replace(filled, who=Who()))
    assert (name, complete, "132" in text) == ("choices.json", False, False)
    kept = read_choices(text.encode())
    assert kept is not None
    back = with_kept(DRAFT, kept).column("dbp")
    assert (back["low"].empty, back.seen) == (True, True)
