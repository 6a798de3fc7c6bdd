"""After a reload all that was said comes back as what it was, and nothing of the file does."""

import json
from dataclasses import replace

import pytest

from dpca_core.codebooks import read_codebook
from dpca_core.data.recipe import Source
from dpca_core.data.text_file_format import TextFileFormat
from sample_data.made_up_clinic import CLINIC_HEADER, codebook_csv
from tests.ui.owner.drafts import having
from ui.owner.codebook_merge import merge_codebook
from ui.owner.column import Entry, Use
from ui.owner.draft import EVERY_ROW, Draft, Who
from ui.owner.edits import kept_draft, restored

FRESH = Draft(CLINIC_HEADER)
BOOK = read_codebook("codebook", codebook_csv())


def again(draft: Draft, now: Draft = FRESH, *late: tuple[str, str, str]) -> Draft:
    """Return a draft after a reload, as a browser sends what its tab kept."""
    edits = {"mount": "m", "seq": 7, "cells": [[n, [[f, text, 7]]] for n, f, text in late]}
    message = {"draft": kept_draft(draft), "edits": edits if late else None}
    return restored(now, json.loads(json.dumps(message)))


def test_codebooks_typed_ranges_uses_and_answers_come_back_with_their_sources() -> None:
    draft = merge_codebook(FRESH, BOOK)[0].merge({"hr": {"high": "200"}})
    draft = draft.merge({"ward": {"use": "out"}, "sbp": {"asked.missing": "Missing"}})
    asked = having(FRESH, "sbp", asked={"missing": ""})
    back = again(draft, asked)
    for name in CLINIC_HEADER:
        assert back.column(name).entries == draft.column(name).entries, name
    assert back.column("sbp").asked == {"missing": "Missing"}
    assert (back.column("hr")["high"].origin, back.column("hr")["low"].origin) == (
        Source.GUESS, Source.CODEBOOK,
    )  # fmt: skip


def test_ranges_that_came_over_from_another_table_come_back_too() -> None:
    first = Draft(("a", "b")).merge({n: {"low": "0", "high": "9"} for n in "ab"})
    second = first.for_header(("b", "c")).merge({"c": {"low": "1"}})
    back = again(second, Draft(("b", "c")))
    assert (back.column("b")["high"].text, back.column("c")["low"].text) == ("9", "1")
    assert again(second, Draft(("a", "x"))).column("a")["high"].text == "9"


def test_answers_about_a_table_are_for_that_table_alone() -> None:
    draft = replace(FRESH, people_guess="900", asked={"format": "Yes"}, looked=True)
    draft = draft.merge({"hr": {"low": "30"}})
    back = again(draft, replace(FRESH, asked={"format": ""}))
    assert (back.people_guess, back.asked, back.looked) == ("900", {"format": "Yes"}, True)
    other = again(draft, Draft(("hr", "x"), asked={"format": ""}))
    assert (other.people_guess, other.asked, other.looked) == ("", {"format": ""}, True)


def test_nothing_that_was_read_from_a_file_is_kept() -> None:
    draft = Draft(("a", "b"), who=Who(answer=EVERY_ROW))
    draft = draft.merge({"a": {"use": "number", "low": "0"}, "b": {"use": "number"}})
    draft = draft.with_columns([draft.column("b").filled({"low": "17.25", "high": "96.5"})])
    draft = having(draft, "a", unit=Entry("mg per litre", Source.FILE), note="a date")
    assert [
        word for word in ("17.25", "96.5", "litre", "a date") if word in kept_draft(draft)
    ] == []
    back = again(draft, Draft(("a", "b")))
    assert (back.column("b")["low"].empty, back.column("b").seen) == (True, True)


def test_what_was_said_since_stays_and_after_a_look_no_typed_range_is_a_guess() -> None:
    draft = FRESH.merge({"hr": {"low": "30", "high": "220"}})
    now = having(FRESH, "hr", use=Entry(Use.OUT, Source.FILE)).merge({"hr": {"low": "35"}})
    back = again(draft, now).column("hr")
    assert (back["low"].text, back["high"].text) == ("35", "220")
    seen = again(draft, FRESH.merge({"hr": {"seen": "seen"}})).column("hr")
    assert seen["high"] == Entry("220", Source.DECLARED)
    book = again(merge_codebook(FRESH, BOOK)[0], FRESH.merge({"hr": {"seen": "seen"}}))
    assert book.column("hr")["high"].origin is Source.CODEBOOK


def test_numbers_are_written_as_the_file_at_hand_is() -> None:
    draft = FRESH.merge({"hr": {"use": "number", "low": "12.500"}})
    back = again(draft, replace(FRESH, reading=TextFileFormat(";", ",")))
    assert back.column("hr")["low"].text == "12,5"


def test_the_last_keys_before_a_reload_come_with_it() -> None:
    draft = FRESH.merge({"hr": {"low": "3"}})
    back = again(draft, FRESH, ("hr", "low", "30"), ("sbp", "high", "260"))
    assert (back.column("hr")["low"].text, back.column("sbp")["high"].text) == ("30", "260")


@pytest.mark.parametrize(
    "message", [None, {"draft": 1}, {"draft": "{"}, {"draft": "[]"}, {"draft": '{"format": 1}'}]
)
def test_what_is_no_draft_changes_nothing(message: object) -> None:
    assert restored(FRESH, message) is FRESH
    forged = json.loads(kept_draft(FRESH.merge({"hr": {"low": "1"}})))
    forged["columns"]["hr"]["entries"] = {"low": {"text": "7", "origin": "file"}}
    forged["columns"]["hr"]["entries"]["name"] = {"text": "x", "origin": "codebook"}
    found = restored(FRESH, {"draft": json.dumps(forged), "edits": 1})
    assert found.column("hr").entries == {}
