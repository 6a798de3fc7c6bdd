"""Saved choices: a recipe, or a draft as far as it is; a name that says what was read."""

import json
from dataclasses import replace

import pytest

from dpca_core.codebooks.codebook import CodebookError
from dpca_core.codebooks.read_codebook import read_codebook
from dpca_core.data.recipe import Source
from dpca_core.data.recipe_json import loads
from sample_data.made_up_clinic import CLINIC_HEADER, codebook_csv
from ui.owner.codebook_merge import merge_codebook
from ui.owner.column import KEEP, Column, Use
from ui.owner.draft import FOUND, Draft, Who
from ui.owner.saved_draft import read_choices, saved_choices

WHO = Who(("patient_id",), FOUND, "patient", "patients")
START = replace(Draft(CLINIC_HEADER, who=WHO), people_guess="900", shares="36, 12")
LEFT_OUT = START.merge({"visit_date": {"use": "out"}})
FINISHED = merge_codebook(LEFT_OUT, read_codebook("c", codebook_csv())).draft
FILLED = Column("dbp", Use.NUMBER).filled({"low": "44", "high": "132"})


def again(draft: Draft, fresh: Draft = START) -> Draft:
    name, text, _ = saved_choices(draft)
    return merge_codebook(fresh, read_choices(name, text.encode(), fresh.header)).draft


def test_finished_choices_are_a_recipe():
    name, text, complete = saved_choices(FINISHED)
    assert (name, complete) == ("recipe.json", True)
    assert loads(text) == FINISHED.recipe()


def test_unfinished_choices_are_kept_as_they_are_typed():
    typed = START.merge({"hr": {"use": "number", "low": "1e", "high": "12,5", "unit": "per min"}})
    name, _, complete = saved_choices(typed)
    assert (name, complete) == ("choices.json", False)
    column = again(typed).column("hr")
    assert (column.low.text, column.high.text, column.unit) == ("1e", "12,5", "per min")
    assert (column.use, column.low.origin) == (Use.NUMBER, Source.GUESS)


@pytest.mark.parametrize("draft", [START, FINISHED], ids=["unfinished", "finished"])
def test_a_name_of_a_file_and_counts_are_not_in_it(draft: Draft):
    _, text, _ = saved_choices(draft)
    assert "900" not in text
    assert "36, 12" not in text
    assert "csv" not in text.replace('"dpca-', "")


def test_columns_of_an_earlier_table_are_not_in_it():
    earlier = Draft(("secret_name",)).merge({"secret_name": {"low": "1"}})
    _, text, _ = saved_choices(earlier.for_header(CLINIC_HEADER))
    assert "secret_name" not in text


@pytest.mark.parametrize("kept", [False, True])
def test_the_name_says_that_something_was_read_from_the_file(kept: bool):
    filled = FILLED.answered(KEEP, KEEP) if kept else FILLED
    name, _, complete = saved_choices(FINISHED.with_columns([filled]))
    assert complete is kept
    assert name == ("not-private-recipe.json" if kept else "not-private-choices.json")


def test_what_was_read_from_the_file_comes_back_as_that():
    back = again(START.with_columns([FILLED])).column("dbp")
    assert (back.low.origin, back.seen) == (Source.FILE, True)


def test_typed_after_a_look_comes_back_as_declared():
    seen = START.with_column("hr", seen=True, use=Use.NUMBER).merge({"hr": {"low": "30"}})
    back = again(seen).column("hr")
    assert (back.low.origin, back.seen) == (Source.DECLARED, True)


def test_a_proposal_of_the_file_is_not_saved_as_a_choice():
    proposed = START.with_column(
        "hr", use=Use.OUT, use_origin=Source.FILE, missing="999", missing_origin=Source.NOTICED
    )
    back = again(proposed).column("hr")
    assert (back.use, back.missing) == (None, "")


@pytest.mark.parametrize("text", ['{"format": "dpca-draft/1"}', '{"format": "dpca-draft/1", '])
def test_choices_that_are_broken_are_refused_in_a_sentence(text: str):
    with pytest.raises(CodebookError, match="These choices cannot be read"):
        read_choices("choices.json", text.encode(), CLINIC_HEADER)


def test_what_is_saved_is_json_and_names_its_format():
    for draft, form in ((START, "dpca-draft/1"), (FINISHED, "dpca-recipe/1")):
        assert json.loads(saved_choices(draft)[1])["format"] == form
