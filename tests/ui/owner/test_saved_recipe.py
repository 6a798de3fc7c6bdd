"""The recipe saved and loaded in a fresh session gives the equal recipe."""

from dataclasses import replace

import pytest

from dpca_core.codebooks.codebook import Codebook
from dpca_core.codebooks.read_codebook import read_codebook
from dpca_core.data.provenance import ONE_ROW
from dpca_core.data.recipe import Combine, MissingPerson, Recipe, Source
from dpca_core.data.recipe_json import dumps
from dpca_core.data.text_file_format import EITHER, TextFileFormat
from dpca_core.detection.column_proposal import ColumnProposal, Recognised
from dpca_core.detection.column_questions import CODES, COMMA, IDENTIFIER, MISSING
from sample_data.made_up_clinic import CLINIC_HEADER, codebook_csv
from ui.owner.codebook_merge import merge_codebook
from ui.owner.column import KEEP, Column, Use
from ui.owner.draft import CANNOT_TELL, EVERY_ROW, FOUND, Draft, Who
from ui.owner.proposals import with_proposals

WHO = Who(("patient_id",), FOUND, "patient", "patients")
OPEN = {MISSING: "", CODES: "", IDENTIFIER: ""}


def fresh(who: Who = WHO, *, commas: bool = False) -> Draft:
    """A draft as it is after the upload: proposals that nobody confirmed, questions open."""
    draft = Draft(CLINIC_HEADER, who=who)
    for name in CLINIC_HEADER:
        draft = draft.with_column(name, use=Use.NUMBER, use_origin=Source.FILE, asked=OPEN)
    if commas:
        draft = draft.with_column("died", asked={**OPEN, COMMA: ""})
    return draft.with_column("visit_date", use=Use.OUT, use_origin=Source.FILE, asked={})


def finished() -> Draft:
    draft = Draft(CLINIC_HEADER, who=WHO).merge(
        {"visit_date": {"use": "out"}, "dbp": {"use": "out"}}
    )
    return merge_codebook(draft, read_codebook("c", codebook_csv())).draft


def recipe_of(draft: Draft) -> Recipe:
    recipe = draft.recipe()
    assert isinstance(recipe, Recipe)
    return recipe


def again(recipe: Recipe, draft: Draft) -> Recipe:
    book = read_codebook("recipe.json", dumps(recipe).encode())
    merged = merge_codebook(draft, book)
    assert merged.differing == ()
    return recipe_of(merged.draft)


CHANGES = {
    "as it is": lambda draft: draft,
    "at most 3 rows": lambda draft: replace(
        draft,
        who=replace(
            draft.who, combine=Combine.AT_MOST, most="3", missing_person=MissingPerson.OWN,
            ids_ignore_case=True,
        ),
    ),
    "read from the file": lambda draft: draft.with_columns(
        [
            Column("dbp", Use.NUMBER).filled({"low": "44", "high": "132"}).answered(KEEP, KEEP)
        ]
    ),
    "left out by a proposal": lambda draft: draft.with_column("dbp", use_origin=Source.FILE),
    "a confirmed proposal": lambda draft: draft.with_column("hr", use_origin=Source.NOTICED),
    "typed after a look": lambda draft: draft.with_column("hr", seen=True).merge(
        {"hr": {"low": "1e1", "high": " 300 ", "typical": ""}}
    ),
    "decimal commas": lambda draft: replace(draft, reading=TextFileFormat(",", ",", ".")),
    "commas between thousands": lambda draft: replace(
        draft, reading=TextFileFormat(",", ".", ",")
    ),
    "either mark": lambda draft: replace(draft, reading=TextFileFormat(decimal=EITHER)),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_saved_and_loaded_the_recipe_is_equal(change):
    recipe = recipe_of(change(finished()))
    commas = "," in recipe.number_format.decimal + recipe.number_format.thousands
    assert again(recipe, fresh(commas=commas)) == recipe


def test_what_a_comma_means_in_a_new_file_is_asked_where_the_recipe_knew_none():
    book = read_codebook("r", dumps(recipe_of(finished())).encode())
    merged = merge_codebook(fresh(commas=True), book)
    assert merged.draft.column("died").open_questions == (COMMA,)


def test_a_recipe_that_read_the_file_stays_so():
    recipe = recipe_of(CHANGES["read from the file"](finished()))
    assert not recipe.bounds_are_public
    assert not again(recipe, fresh()).bounds_are_public


def test_what_step_1_says_stays_until_the_owner_agrees():
    book = read_codebook("r", dumps(recipe_of(finished())).encode())
    other = fresh(Who(("visit_date",), FOUND))
    merged = merge_codebook(other, book)
    assert merged.differing == (("", "who"),)
    assert merged.draft.who == other.who
    assert merge_codebook(other, book, replace_typed=True).draft.who == WHO


def nameless(answer: str) -> Codebook:
    """Return the saved recipe of a draft in which no column names the person."""
    alone = replace(finished(), who=Who((), answer, "patient", "patients"))
    recipe = recipe_of(alone.with_column("patient_id", use=Use.OUT))
    return read_codebook("r", dumps(recipe).encode())


def test_a_recipe_cannot_say_that_nobody_has_two_rows():
    book = nameless(EVERY_ROW)
    assert merge_codebook(fresh(Who(answer=EVERY_ROW)), book).draft.who.answer == EVERY_ROW
    assert merge_codebook(fresh(Who()), book).draft.who.answer == ""


def test_a_recipe_says_that_rows_cannot_be_told_apart():
    book = nameless(CANNOT_TELL)
    merged = merge_codebook(fresh(Who((), "", "pupil", "pupils", noticed=True)), book).draft
    assert merged.who == Who((), CANNOT_TELL, "pupil", "pupils", noticed=True)
    assert merged.unit == ONE_ROW
    other = merge_codebook(fresh(Who(answer=EVERY_ROW)), book)
    assert other.differing == (("", "who"),)
    assert other.draft.who.answer == EVERY_ROW


def test_a_recipe_that_is_pasted_after_a_look_counts_as_typed():
    book = read_codebook("r", dumps(recipe_of(finished())).encode())
    seen = fresh().with_column("hr", seen=True)
    merged = merge_codebook(seen, book, pasted=True).draft
    assert merged.column("hr").low.origin is Source.DECLARED
    assert merged.column("dbp").use_origin is Source.FILE


def test_proposals_of_a_second_reading_change_nothing():
    recipe = recipe_of(finished())
    book = read_codebook("r", dumps(recipe).encode())
    found = [
        ColumnProposal(name, "number", Recognised.NUMBERS, unit="x", missing_code="7")
        for name in CLINIC_HEADER
    ]
    merged = merge_codebook(fresh(), book).draft
    assert recipe_of(with_proposals(merged, found)) == replace(
        recipe, numbers=tuple(replace(n, unit=n.unit or "x") for n in recipe.numbers)
    )


def test_columns_that_the_recipe_does_not_name_are_left_out():
    book = read_codebook("r", dumps(recipe_of(finished())).encode())
    chosen = fresh().merge({"dbp": {"use": "category"}})
    merged = merge_codebook(chosen, book)
    assert merged.differing == (("dbp", "use"),)
    assert merged.draft.use_of("dbp") is Use.CATEGORY
    agreed = merge_codebook(chosen, book, replace_typed=True).draft
    assert agreed.use_of("dbp") is Use.OUT


def test_another_separator_is_not_taken():
    book = read_codebook("r", dumps(recipe_of(finished())).encode())
    semicolons = replace(fresh(), reading=TextFileFormat(delimiter=";"))
    assert merge_codebook(semicolons, book).draft.reading.delimiter == ";"


def test_a_recipe_whose_person_is_no_column_of_the_table_asks_who_is_protected():
    book = read_codebook("recipe.json", dumps(recipe_of(finished())).encode())
    others = Draft(tuple(name for name in CLINIC_HEADER if name != "patient_id"))
    draft = merge_codebook(others, book).draft
    assert [e.field for e in draft.missing_answers()] == ["who"]
    assert not isinstance(draft.recipe(), Recipe)
