"""Codebooks that a browser's tab keeps come back as what they were, with their sources."""

import json
from dataclasses import asdict
from typing import Any

import pytest

from dpca_core.codebooks.codebook import Codebook, CodebookEntry
from dpca_core.codebooks.read_codebook import read_codebook
from dpca_core.data.recipe import Recipe, Source
from dpca_core.data.recipe_json import dumps
from sample_data.made_up_clinic import CLINIC_HEADER, codebook_csv
from ui.owner.codebook_merge import merge_codebook
from ui.owner.draft import EVERY_ROW, Draft, Who
from ui.owner.kept_codebooks import KeptCodebook, kept_codebook, restored
from ui.owner.saved_draft import read_choices

FRESH = Draft(CLINIC_HEADER)
LINES = b"column\tlow\thigh\nhr\t30\t220\n"


def book(content: bytes = codebook_csv(), header: tuple[str, ...] = CLINIC_HEADER) -> Codebook:
    return read_codebook("codebook", content, header)


def kept(codebook: Codebook, draft: Draft = FRESH, **options: Any) -> KeptCodebook:
    found = kept_codebook(codebook, draft, **{"pasted": False, **options})
    assert found is not None
    return found


def reloaded(*codebooks: KeptCodebook, draft: Draft = FRESH, **typed: dict[str, str]) -> Draft:
    """Return a draft after a reload, as a browser sends what its tab kept."""
    cells = [[name, [[*one, 1] for one in fields.items()]] for name, fields in typed.items()]
    message = {
        "codebooks": [asdict(one) for one in codebooks],
        "typed": {"mount": "before", "seq": 1, "cells": cells},
    }
    return restored(draft, (), json.loads(json.dumps(message)))


def test_a_codebook_is_a_codebook_again() -> None:
    assert reloaded(kept(book())) == merge_codebook(FRESH, book()).draft
    assert reloaded(kept(book())).column("hr").high.origin is Source.CODEBOOK


def test_what_was_typed_over_a_codebook_stays_typed() -> None:
    draft = reloaded(kept(book()), hr={"high": "200"}, sbp={"seen": "seen", "low": "61"})
    assert draft.column("hr").high.origin is Source.GUESS
    assert draft.column("hr").low.origin is Source.CODEBOOK
    assert draft.column("sbp").low.origin is Source.DECLARED
    assert draft.column("sbp").high.origin is Source.CODEBOOK


def test_the_last_codebook_counts() -> None:
    other = kept(book(b"column,low,high\nhr,20,250\n"))
    assert reloaded(kept(book()), other).column("hr").high.text == "250"


def test_a_pasted_block_is_no_codebook() -> None:
    pasted = kept(book(LINES), pasted=True)
    assert reloaded(pasted).column("hr").high.origin is Source.GUESS
    assert reloaded(pasted, hr={"seen": "seen"}).column("hr").high.origin is Source.DECLARED


def test_what_was_pasted_after_a_look_is_declared_for_another_table_too() -> None:
    seen = FRESH.merge({"hr": {"seen": "seen"}})
    pasted = kept(book(LINES), seen, pasted=True)
    draft = reloaded(pasted, draft=Draft(("hr", "other")))
    assert draft.column("hr").high.origin is Source.DECLARED


def filled() -> Draft:
    draft = Draft(("a", "b"), who=Who(answer=EVERY_ROW))
    draft = draft.merge({n: {"use": "number", "missing": ""} for n in "ab"})
    draft = draft.merge({"a": {"low": "0", "high": "9", "source": "codebook"}})
    return draft.with_columns([draft.column("b").filled({"low": "17.25", "high": "96.5"})])


def test_nothing_that_was_read_from_a_file_is_kept() -> None:
    recipe = filled().merge({"b": {"asked.keep": "keep"}}).recipe()
    assert isinstance(recipe, Recipe)
    found = kept(read_choices("recipe.json", dumps(recipe).encode(), "ab"), Draft(("a", "b")))
    assert "17.25" not in found.content
    draft = reloaded(found, draft=Draft(("a", "b")))
    assert draft.column("a").high.text == "9"
    assert draft.column("b").low.empty


def test_a_saved_recipe_says_who_is_protected_again() -> None:
    whole = filled().merge({"b": {"low": "1", "high": "2"}}).recipe()
    assert isinstance(whole, Recipe)
    codebook = read_choices("recipe.json", dumps(whole).encode(), "ab")
    again = reloaded(kept(codebook, Draft(("a", "b"))), draft=Draft(("a", "b")))
    assert again == merge_codebook(Draft(("a", "b")), codebook).draft


def test_a_tab_keeps_no_codebook_that_is_too_large() -> None:
    values = tuple(f"value {i}" for i in range(99_999))
    codebook = Codebook((CodebookEntry("ward", values=values),))
    assert kept_codebook(codebook, FRESH, pasted=False) is None


ENTRY = {**json.loads(kept(book()).content)["entries"][0]}


@pytest.mark.parametrize(
    "message",
    [
        None,
        [],
        {},
        {"codebooks": 1, "typed": 1},
        {"codebooks": [1, {}, {"content": 1}, {"content": "{"}, {"content": "[]"}]},
        {"codebooks": [{"content": json.dumps({"entries": [{}], "recipe": ""})}]},
        {"codebooks": [{"content": json.dumps({"entries": [{**ENTRY, "low": 1}], "recipe": ""})}]},
        {"codebooks": [{"content": json.dumps({"entries": [ENTRY], "recipe": "{}"})}]},
        {
            "codebooks": [
                {"content": json.dumps({"entries": [{**ENTRY, "source": "file"}], "recipe": ""})}
            ]
        },
    ],
)
def test_what_is_no_codebook_changes_nothing(message: object) -> None:
    assert restored(FRESH, (), message) == FRESH
