"""Choices that are saved or kept by a tab come back as what they were, with their sources."""

import json
from dataclasses import asdict, replace

import pytest

from dpca_core.codebooks import Codebook, CodebookError, read_codebook
from dpca_core.data.recipe import Source
from dpca_core.data.recipe_json import dumps, loads
from sample_data.made_up_clinic import CLINIC_HEADER, codebook_csv
from tests.ui.owner.drafts import having
from ui.owner.codebook_merge import merge_codebook
from ui.owner.column import KEEP, Column, Entry, Use
from ui.owner.draft import EVERY_ROW, FOUND, Draft, Who
from ui.owner.kept_codebooks import KeptCodebook, kept_codebook, restored
from ui.owner.saved_draft import read_choices, saved_choices

WHO = Who(("patient_id",), FOUND, "patient", "patients")
START = replace(Draft(CLINIC_HEADER, who=WHO), people_guess="900", shares="36, 12")
LEFT_OUT = START.merge({"visit_date": {"use": "out"}})
FINISHED = merge_codebook(LEFT_OUT, read_codebook("c", codebook_csv())).draft
FILLED = Column("dbp", {"use": Entry(Use.NUMBER)}).filled({"low": "44", "high": "132"})


def again(draft: Draft, fresh: Draft = START) -> Draft:
    name, text, _ = saved_choices(draft)
    return merge_codebook(fresh, read_choices(name, text.encode(), fresh.header)).draft


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


@pytest.mark.parametrize("kept", [False, True])
def test_the_name_says_that_something_was_read_from_the_file(kept: bool):
    filled = FILLED.answered(KEEP, KEEP) if kept else FILLED
    name, _, complete = saved_choices(FINISHED.with_columns([filled]))
    assert complete is kept
    assert name == ("not-private-recipe.json" if kept else "not-private-choices.json")


def test_what_was_read_or_typed_after_a_look_comes_back_as_that_and_no_proposal_does():
    back = again(START.with_columns([FILLED])).column("dbp")
    assert (back["low"].origin, back.seen) == (Source.FILE, True)
    seen = having(START, "hr", seen=True, use=Entry(Use.NUMBER)).merge({"hr": {"low": "30"}})
    back = again(seen).column("hr")
    assert (back["low"].origin, back.seen) == (Source.DECLARED, True)
    proposed = {"use": Entry(Use.OUT, Source.FILE), "missing": Entry("999", Source.NOTICED)}
    back = again(having(START, "hr", **proposed)).column("hr")
    assert back.entries == {}


@pytest.mark.parametrize("text", ['{"format": "dpca-draft/1"}', '{"format": "dpca-draft/1", '])
def test_choices_that_are_broken_are_refused_in_a_sentence(text: str):
    with pytest.raises(CodebookError, match="These choices cannot be read"):
        read_choices("choices.json", text.encode(), CLINIC_HEADER)


FRESH = Draft(CLINIC_HEADER)
LINES = b"column\tlow\thigh\nhr\t30\t220\n"


def book(content: bytes = codebook_csv(), header: tuple[str, ...] = CLINIC_HEADER) -> Codebook:
    return read_codebook("codebook", content, header)


def kept(codebook: Codebook, draft: Draft = FRESH, pasted: bool = False) -> KeptCodebook:
    return kept_codebook(codebook, draft, pasted=pasted)


def reloaded(*codebooks: KeptCodebook, draft: Draft = FRESH, **typed: dict[str, str]) -> Draft:
    """Return a draft after a reload, as a browser sends what its tab kept."""
    cells = [[name, [[*one, 1] for one in fields.items()]] for name, fields in typed.items()]
    message = {
        "codebooks": [asdict(one) for one in codebooks],
        "typed": {"mount": "before", "seq": 1, "cells": cells},
    }
    return restored(draft, (), json.loads(json.dumps(message)))


def test_a_codebook_is_a_codebook_again_and_the_last_one_counts() -> None:
    assert reloaded(kept(book())) == merge_codebook(FRESH, book()).draft
    assert reloaded(kept(book())).column("hr")["high"].origin is Source.CODEBOOK
    other = kept(book(b"column,low,high\nhr,20,250\n"))
    assert reloaded(kept(book()), other).column("hr")["high"].text == "250"


def test_what_was_typed_over_a_codebook_stays_typed() -> None:
    draft = reloaded(kept(book()), hr={"high": "200"}, sbp={"seen": "seen", "low": "61"})
    assert draft.column("hr")["high"].origin is Source.GUESS
    assert draft.column("hr")["low"].origin is Source.CODEBOOK
    assert draft.column("sbp")["low"].origin is Source.DECLARED
    assert draft.column("sbp")["high"].origin is Source.CODEBOOK


def test_a_pasted_block_is_no_codebook() -> None:
    pasted = kept(book(LINES), pasted=True)
    assert reloaded(pasted).column("hr")["high"].origin is Source.GUESS
    assert reloaded(pasted, hr={"seen": "seen"}).column("hr")["high"].origin is Source.DECLARED
    late = kept(book(LINES), FRESH.merge({"hr": {"seen": "seen"}}), pasted=True)
    elsewhere = reloaded(late, draft=Draft(("hr", "other")))
    assert elsewhere.column("hr")["high"].origin is Source.DECLARED


def filled() -> Draft:
    draft = Draft(("a", "b"), who=Who(answer=EVERY_ROW))
    draft = draft.merge({n: {"use": "number", "missing": ""} for n in "ab"})
    draft = draft.merge({"a": {"low": "0", "high": "9", "source": "codebook"}})
    return draft.with_columns([draft.column("b").filled({"low": "17.25", "high": "96.5"})])


def test_nothing_that_was_read_from_a_file_is_kept() -> None:
    recipe = filled().merge({"b": {"asked.keep": "keep"}}).recipe()
    found = kept(read_choices("recipe.json", dumps(recipe).encode(), "ab"), Draft(("a", "b")))
    assert "17.25" not in found.content
    draft = reloaded(found, draft=Draft(("a", "b")))
    assert draft.column("a")["high"].text == "9"
    assert draft.column("b")["low"].empty


ENTRY = {**json.loads(kept(book()).content)["entries"][0]}
WRONG = ([{}], [ENTRY | {"low": 1}], [ENTRY | {"source": "file"}])


@pytest.mark.parametrize(
    "message",
    [
        None,
        {"codebooks": 1, "typed": 1},
        {"codebooks": [1, {}, {"content": 1}, {"content": "{"}, {"content": "[]"}]},
        {"codebooks": [{"content": json.dumps({"entries": [ENTRY], "recipe": "{}"})}]},
        {"codebooks": [{"content": json.dumps({"entries": w, "recipe": ""})} for w in WRONG]},
    ],
)
def test_what_is_no_codebook_changes_nothing(message: object) -> None:
    assert restored(FRESH, (), message) == FRESH
