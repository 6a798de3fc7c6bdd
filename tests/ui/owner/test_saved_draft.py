"""Choices that are saved come back as what they were, with their sources."""

from dataclasses import replace

import pytest

from dpca_core.codebooks import CodebookError, read_codebook
from dpca_core.data.recipe import Source
from dpca_core.data.recipe_json import loads
from sample_data.made_up_clinic import CLINIC_HEADER, codebook_csv
from tests.ui.owner.drafts import having
from ui.owner.codebook_merge import merge_codebook, read_choices, saved_choices
from ui.owner.column import Column, Entry, Use
from ui.owner.draft import FOUND, Draft, Who
from ui.owner.edits import with_kept

WHO = Who(("patient_id",), FOUND, "patient", "patients")
START = replace(Draft(CLINIC_HEADER, who=WHO), people_guess="900", shares="36, 12")
LEFT_OUT = START.merge({"visit_date": {"use": "out"}})
FINISHED = merge_codebook(LEFT_OUT, read_codebook("c", codebook_csv())).draft
FILLED = Column("dbp", {"use": Entry(Use.NUMBER)}).filled({"low": "44", "high": "132"})


def again(draft: Draft, fresh: Draft = START) -> Draft:
    kept = read_choices(saved_choices(draft)[1].encode())
    assert kept is not None
    return with_kept(fresh, kept)


def test_finished_choices_are_a_recipe_and_unfinished_ones_are_kept_as_they_are_typed():
    name, text, complete = saved_choices(FINISHED)
    assert (name, complete, loads(text)) == ("recipe.json", True, FINISHED.recipe())
    typed = START.merge({"hr": {"use": "number", "low": "1e", "high": "12,5", "unit": "per min"}})
    name, _, complete = saved_choices(typed)
    assert (name, complete) == ("choices.json", False)
    column = again(typed).column("hr")
    assert (column["low"].text, column["high"].text, column["unit"].text) == (
        "1e",
        "12,5",
        "per min",
    )
    assert (column.use, column["low"].origin) == (Use.NUMBER, Source.GUESS)


def test_a_name_of_a_file_counts_and_earlier_columns_are_not_in_it():
    earlier = Draft(("secret_name",)).merge({"secret_name": {"low": "1"}})
    for draft in (START, FINISHED, earlier.for_header(CLINIC_HEADER)):
        _, text, _ = saved_choices(draft)
        assert "900" not in text
        assert "36, 12" not in text
        assert "secret_name" not in text
        assert "csv" not in text.replace('"dpca-', "")


@pytest.mark.parametrize("complete", [False, True])
def test_the_name_says_that_something_was_read_from_the_file(complete: bool):
    filled = FINISHED.with_columns([FILLED])
    name, text, whole = saved_choices(filled if complete else replace(filled, who=Who()))
    assert whole is complete
    assert name == ("not-private-recipe.json" if complete else "choices.json")
    assert ("132" in text) is complete, "the high end that was read"


def test_what_was_typed_after_a_look_comes_back_as_that_and_nothing_of_the_file_does():
    back = again(START.with_columns([FILLED])).column("dbp")
    assert (back["low"].empty, back.seen) == (True, True)
    seen = having(START, "hr", seen=True, use=Entry(Use.NUMBER)).merge({"hr": {"low": "30"}})
    back = again(seen).column("hr")
    assert (back["low"].origin, back.seen) == (Source.DECLARED, True)
    proposed = {"use": Entry(Use.OUT, Source.FILE), "missing": Entry("999", Source.FILE)}
    back = again(having(START, "hr", **proposed)).column("hr")
    assert back.entries == {}


@pytest.mark.parametrize("text", ['{"format": "dpca-draft/1"}', '{"format": "dpca-draft/1", '])
def test_choices_that_are_broken_are_refused_in_a_sentence(text: str):
    with pytest.raises(CodebookError, match="These choices cannot be read"):
        read_choices(text.encode())
