"""The draft: typed text stays, what a browser sends is merged once, and all comes back as JSON."""

import json
from contextlib import suppress
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpca_core.data.recipe import Recipe, Source
from dpca_core.data.recipe_checks import require_valid
from dpca_core.data.text_file_format import TextFileFormat
from sample_data.made_up_clinic import CLINIC_HEADER
from tests.ui.ended_runs import EndedRun, EndingState
from tests.ui.owner.beginnings import CLINICS, every_row, having
from ui.owner import session, step_columns
from ui.owner.codebook_merge import merge_codebook
from ui.owner.column import ANSWER, TYPED, Column, Entry, Use
from ui.owner.draft import Draft, Who, of_json
from ui.owner.edits import kept_draft, merge, restored, with_kept

NAMES = ("age", "sex", "__proto__", "", "=cmd")
FIELDS = (*TYPED, "unit", "missing", "use", "source", f"{ANSWER}code", "nothing")
TEXTS = st.sampled_from(["", "1e", "12,5", "0", "100", "−1", "a; b", "a; a", "1e400"])
TEXTS |= st.sampled_from([*Use, *Source]) | st.text(max_size=4)
NAME = st.sampled_from(NAMES)


@given(st.lists(st.tuples(NAME, st.sampled_from(FIELDS), TEXTS) | NAME))
def test_random_edits_lose_nothing_and_raise_nothing(steps):
    """A name alone: the empty cells of that column are filled."""
    draft, last = every_row(NAMES), {}
    for step in steps:
        if isinstance(step, str):
            filled = {"low": "3", "high": "9", "values": "p; q"}
            draft = draft.with_columns([draft.column(step).filled(filled)])
            empty = [field for field in filled if not last.get((step, field), "").strip()]
            last |= {(step, field): filled[field] for field in empty}
        else:
            name, field, text = step
            draft = draft.merge({name: {field: text}})
            last[name, field] = text
    for (name, field), text in last.items():
        if field in (*TYPED, "unit", "missing"):
            assert draft.column(name)[field].text == text
    recipe = draft.recipe()
    if isinstance(recipe, Recipe):
        require_valid(recipe)
    else:
        assert recipe


OWN = st.from_type(Entry).filter(lambda entry: entry.origin is not Source.FILE)
ENTRIES = st.dictionaries(st.sampled_from(FIELDS), OWN, min_size=1)
ANY_TEXT = st.text(max_size=5)
ANY_COLUMN = st.builds(Column, NAME | ANY_TEXT, ENTRIES)


@given(st.lists(ANY_COLUMN, max_size=3), st.from_type(Who), ANY_TEXT, st.booleans())
def test_a_draft_survives_the_round_trip(columns, who, text, looked):
    draft = Draft(
        header=tuple(column.name for column in columns),
        columns={column.name: column for column in columns},
        who=who,
        reading=TextFileFormat(";", ",", missing=("", text)),
        people_guess=text,
        looked=looked,
        asked={"encoding": text},
    )
    assert of_json(kept_draft(draft)) == draft


# --- What the browser sends ---

SMALL = Draft().for_header(("a", "b", "__proto__"))
ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner)),
)


def sent(mount, seq, *cells):
    """Edits of columns: name, field, text, and the message it was in first, if not this."""
    edits = [[name, field, text, *(first or [seq])] for name, field, text, *first in cells]
    return {"mount": mount, "seq": seq, "cells": edits}


def ends(draft, name="a"):
    return draft.column(name)["low"].text, draft.column(name)["high"].text


def test_a_message_and_each_edit_in_it_is_merged_once():
    """An edit is sent until it is known to be merged; a codebook may have replaced it."""
    first = sent("m", 1, ("a", "low", "1"), ("__proto__", "high", "2"))
    draft, merged = merge(SMALL, {}, first)
    assert (ends(draft), ends(draft, "__proto__")) == (("1", ""), ("", "2"))
    draft = draft.merge({"a": {"low": "5"}})
    assert merge(draft, merged, first) == (draft, merged)
    again = sent("m", 2, ("a", "high", "9"), ("a", "low", "1", 1))
    draft, merged = merge(draft, merged, again)
    assert ends(draft) == ("5", "9")
    # Another table of the browser counts by itself, and a late message no more.
    draft, merged = merge(draft, merged, sent("other", 1, ("a", "high", "3")))
    late, merged = merge(draft, merged, sent("m", 1, ("a", "low", "0")))
    assert ends(late) == ("5", "3")
    assert list(merged.items()) == [("m", 2), ("other", 1)]


def test_a_look_and_a_source_come_before_what_is_typed_and_what_is_none_is_dropped():
    edits = [("a", "low", "1"), ("a", "source", "codebook"), ("a", "seen", "seen")]
    for count, origin in ((2, Source.CODEBOOK), (3, Source.DECLARED)):
        given = sent("m", 1, *edits[:count])
        assert merge(SMALL, {}, given)[0].column("a")["low"].origin is origin
    # Cells that are none are dropped, and the others taken.
    texts = [["low", 1, 1], ["low"], ["low", "1"], ["low", "1", True], ["low", "1", 1.0]]
    wrong = [1, [], ["a"], ["a", 1], [1, "low", "1", 1], *(["b", *text] for text in texts)]
    right = [["a", "low", "1", 1], ["a", "", "", 1], ["a", "x", "1", 1]]
    draft, _ = merge(SMALL, {}, {"mount": "m", "seq": 1, "cells": [*wrong, *right]})
    assert (ends(draft), draft.column("b")) == (("1", ""), SMALL.column("b"))


@given(ANYTHING, ANYTHING)
def test_a_browser_can_send_anything(cells, whole):
    for value in (whole, {"mount": "m", "seq": 1, "cells": cells}):
        draft, merged = merge(SMALL, {}, value)
        assert set(draft.columns) == set(SMALL.columns)
        assert merged in ({}, {"m": 1})


@pytest.mark.parametrize("look", range(1, 8))
def test_what_was_typed_is_merged_once_by_the_next_run(monkeypatch, look):
    given = SimpleNamespace(edits=sent("m", 1, ("a", "low", "1")))
    state = EndingState({step_columns.TABLE: given})
    monkeypatch.setattr("streamlit.session_state", state)
    session.update(draft=SMALL)
    state.looks_left, ended = look, True
    with suppress(EndedRun):
        step_columns.merge_edits()
        ended = False
    state.looks_left = 0
    owner = session.current()
    assert (dict(owner.merged) == {"m": 1}) == (ends(owner.draft) == ("1", ""))
    step_columns.merge_edits()
    assert ends(session.current().draft) == ("1", "")
    assert ended or look > 4


# --- After a reload ---

FRESH = Draft(CLINIC_HEADER)
DESCRIBED = merge_codebook(FRESH, CLINICS)[0]


def again(draft, now=FRESH, *late):
    """Return a draft after a reload, as a browser sends what its tab kept."""
    message = {"draft": kept_draft(draft), "edits": sent("m", 7, *late) if late else None}
    return restored(now, json.loads(json.dumps(message)))


def test_codebooks_typed_ranges_uses_and_answers_come_back_with_their_sources():
    edits = {"hr": {"high": "200.500"}, "ward": {"use": "out"}, "sbp": {"asked.missing": "Missing"}}
    draft = DESCRIBED.merge(edits)
    german = having(replace(FRESH, reading=TextFileFormat(";", ",")), "sbp", asked={"missing": ""})
    back = again(draft, german, ("dbp", "high", "260,5"))
    for name in ("ward", "sbp"):
        assert back.column(name).entries == draft.column(name).entries, name
    assert back.column("sbp").asked == {"missing": "Missing"}
    # Numbers are written as the file at hand is, and the last keys come, too.
    hr, dbp = back.column("hr"), back.column("dbp")
    assert (hr["low"].origin, hr["high"]) == (Source.CODEBOOK, Entry("200,5", Source.GUESS))
    assert dbp["high"] == Entry("260,5", Source.GUESS)
    # So do ranges that came over from another table.
    first = Draft(("a", "b")).merge({n: {"low": "0", "high": "9"} for n in "ab"})
    second = first.for_header(("b", "c")).merge({"c": {"low": "1"}})
    back = again(second, Draft(("b", "c")))
    assert (back.column("b")["high"].text, back.column("c")["low"].text) == ("9", "1")
    assert again(second, Draft(("a", "x"))).column("a")["high"].text == "9"


def test_answers_about_a_table_are_for_that_table_alone():
    draft = replace(FRESH, people_guess="900", asked={"format": "Yes"}, looked=True)
    asked = replace(FRESH, asked={"format": ""})
    for now, people, answer in (
        (asked, "900", "Yes"),
        (replace(asked, header=("hr", "x")), "", ""),
        # Written otherwise than what was confirmed.
        (replace(asked, reading=TextFileFormat(";")), "900", ""),
    ):
        back = again(draft, now)
        assert (back.people_guess, back.asked, back.looked) == (people, {"format": answer}, True)
    # Labels and codes may name persons, and are printed: the file at hand may declare others.
    typed = having(FRESH.merge({"sbp": {"low": "1"}}), "sbp", asked={"labels": "Yes"})
    open_ones = {"titles": "", "declared": ""}
    now = replace(having(FRESH, "sbp", asked={"labels": ""}), asked=open_ones)
    back = again(replace(typed, asked=dict.fromkeys(open_ones, "Yes")), now)
    assert (back.asked, back.column("sbp").asked) == (open_ones, {"labels": ""})
    # So are names of columns that were kept.
    titled = FRESH.with_columns([replace(FRESH.column("sbp"), title="Dr. Ada’s", seen=True)])
    now = replace(FRESH, asked={"titles": "Yes"})
    for back in (again(titled, now), with_kept(now, titled)):
        assert (back.column("sbp").title, back.asked) == ("Dr. Ada’s", {"titles": ""})
        assert session.printed_titles(back, {}) == {}


def test_nothing_that_was_read_from_a_file_is_kept():
    draft = every_row("ab", a={"use": "number", "low": "0"}, b={"use": "number"})
    draft = draft.with_columns([draft.column("b").filled({"low": "17.25", "high": "96.5"})])
    draft = having(draft, "a", unit=Entry("mg per litre", Source.FILE), note="a date")
    read = ("17.25", "96.5", "litre", "a date")
    assert [word for word in read if word in kept_draft(draft)] == []
    back = again(draft, Draft(("a", "b")))
    assert (back.column("b")["low"].empty, back.column("b").seen) == (True, True)


def test_what_was_said_since_stays_and_after_a_look_no_typed_range_is_a_guess():
    draft = FRESH.merge({"hr": {"low": "30", "high": "220"}})
    now = having(FRESH, "hr", use=Entry(Use.OUT, Source.FILE)).merge({"hr": {"low": "35"}})
    back = again(draft, now).column("hr")
    assert (back["low"].text, back["high"].text) == ("35", "220")
    looked = FRESH.merge({"hr": {"seen": "seen"}})
    for kept, origin in ((draft, Source.DECLARED), (DESCRIBED, Source.CODEBOOK)):
        assert again(kept, looked).column("hr")["high"] == Entry("220", origin)


def test_what_is_no_draft_changes_nothing():
    for text in (1, "{", "[" * 100_000, '{"format": "dpca-draft/1"}'):
        assert restored(FRESH, {"draft": text}) is FRESH
    forged = json.loads(kept_draft(FRESH.merge({"hr": {"low": "1"}})))
    forged["columns"]["hr"]["entries"] = {
        "low": {"text": "7", "origin": "file"},
        "name": {"text": "x", "origin": "codebook"},
    }
    found = restored(FRESH, {"draft": json.dumps(forged), "edits": 1})
    assert found.column("hr").entries == {}
