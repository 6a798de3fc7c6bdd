"""What the browser sends is merged once, whatever happens; after a reload what it kept comes back.

Nothing of the file does.
"""

import json
from contextlib import suppress
from dataclasses import replace
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpca_core.data.recipe import Source
from dpca_core.data.text_file_format import TextFileFormat
from sample_data.made_up_clinic import CLINIC_HEADER
from tests.ui.ended_runs import EndedRun, EndingState
from tests.ui.owner.drafts import CLINICS, every_row, having
from ui.owner import session, step_columns
from ui.owner.codebook_merge import merge_codebook
from ui.owner.column import Entry, Use
from ui.owner.draft import Draft
from ui.owner.edits import MOST_MOUNTS, Merged, kept_draft, merge, restored

DRAFT = Draft().for_header(("a", "b", "__proto__"))
ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner)),
)


def message(mount, seq, *cells):
    """Edits of columns: name, field, text, and the message it was in first, if not this."""
    edits = [[name, [[field, text, *(first or [seq])]]] for name, field, text, *first in cells]
    return {"mount": mount, "seq": seq, "cells": edits}


def ends(draft, name="a"):
    return draft.column(name)["low"].text, draft.column(name)["high"].text


def test_a_message_and_each_edit_in_it_is_merged_once():
    """An edit is sent until it is known to be merged; a codebook may have replaced it."""
    first = message("m", 1, ("a", "low", "1"), ("__proto__", "high", "2"))
    draft, merged = merge(DRAFT, Merged(), first)
    assert (ends(draft), ends(draft, "__proto__")) == (("1", ""), ("", "2"))
    draft = draft.merge({"a": {"low": "5"}})
    assert merge(draft, merged, first) == (draft, merged)
    assert merged.last == {"m": 1}
    again = message("m", 2, ("a", "high", "9"), ("a", "low", "1", 1))
    assert ends(merge(draft, merged, again)[0]) == ("5", "9")


def test_a_later_message_and_another_table_count():
    draft, merged = merge(DRAFT, Merged(), message("m", 4, ("a", "low", "1")))
    draft, merged = merge(draft, merged, message("m", 5, ("a", "low", "2")))
    draft, merged = merge(draft, merged, message("other", 1, ("a", "high", "3")))
    late, merged = merge(draft, merged, message("m", 3, ("a", "low", "0")))
    assert ends(late) == ("2", "3")
    assert list(merged.last.items()) == [("m", 5), ("other", 1)]
    for i in range(50):
        draft, merged = merge(draft, merged, message(f"m{i}", 1, ("a", "low", str(i))))
    assert (len(merged.last), ends(draft)) == (MOST_MOUNTS, ("49", "3"))


def test_a_look_and_a_source_come_before_what_is_typed():
    texts = [["low", "1", 1], ["source", "codebook", 1], ["seen", "seen", 1]]
    for count, origin in ((2, Source.CODEBOOK), (3, Source.DECLARED)):
        sent = {"mount": "m", "seq": 1, "cells": [["a", texts[:count]]]}
        assert merge(DRAFT, Merged(), sent)[0].column("a")["low"].origin is origin


def test_cells_that_are_none_are_dropped_and_the_others_taken():
    texts = [["low", 1, 1], ["low"], ["low", "1"], ["low", "1", True], ["low", "1", 1.0]]
    wrong = [1, [], ["a"], ["a", 1], [1, [["low", "1", 1]]], ["b", texts]]
    right = ["a", [["low", "1", 1], ["", "", 1], ["x", "1", 1]]]
    draft, _ = merge(DRAFT, Merged(), {"mount": "m", "seq": 1, "cells": [*wrong, right]})
    assert ends(draft) == ("1", "")
    assert draft.column("b") == DRAFT.column("b")


@given(ANYTHING, ANYTHING)
def test_a_browser_can_send_anything(cells, whole):
    for value in (whole, {"mount": "m", "seq": 1, "cells": cells}):
        draft, merged = merge(DRAFT, Merged(), value)
        assert set(draft.columns) == set(DRAFT.columns)
        assert merged.last in ({}, {"m": 1})


@pytest.mark.parametrize("look", range(1, 8))
def test_what_was_typed_is_merged_once_by_the_next_run(monkeypatch, look):
    sent = SimpleNamespace(edits=message("m", 1, ("a", "low", "1")))
    state = EndingState({step_columns.TABLE: sent})
    monkeypatch.setattr("streamlit.session_state", state)
    session.update(draft=DRAFT)
    state.looks_left = look
    ended = True
    with suppress(EndedRun):
        step_columns.merge_edits()
        ended = False
    state.looks_left = 0
    owner = session.current()
    assert (dict(owner.merged.last) == {"m": 1}) == (ends(owner.draft) == ("1", ""))
    step_columns.merge_edits()
    assert ends(session.current().draft) == ("1", "")
    assert ended or look > 4


# --- After a reload ---

FRESH = Draft(CLINIC_HEADER)
DESCRIBED = merge_codebook(FRESH, CLINICS)[0]
LOOKED_AT = FRESH.merge({"hr": {"seen": "seen"}})


def again(draft, now=FRESH, *late):
    """Return a draft after a reload, as a browser sends what its tab kept."""
    edits = {"mount": "m", "seq": 7, "cells": [[n, [[f, text, 7]]] for n, f, text in late]}
    message = {"draft": kept_draft(draft), "edits": edits if late else None}
    return restored(now, json.loads(json.dumps(message)))


def test_codebooks_typed_ranges_uses_and_answers_come_back_with_their_sources():
    edits = {"hr": {"high": "200"}, "ward": {"use": "out"}, "sbp": {"asked.missing": "Missing"}}
    draft = DESCRIBED.merge(edits)
    back = again(draft, having(FRESH, "sbp", asked={"missing": ""}))
    for name in CLINIC_HEADER:
        assert back.column(name).entries == draft.column(name).entries, name
    assert back.column("sbp").asked == {"missing": "Missing"}
    origins = [back.column("hr")[end].origin for end in ("low", "high")]
    assert origins == [Source.CODEBOOK, Source.GUESS]


def test_ranges_that_came_over_from_another_table_come_back_too():
    first = Draft(("a", "b")).merge({n: {"low": "0", "high": "9"} for n in "ab"})
    second = first.for_header(("b", "c")).merge({"c": {"low": "1"}})
    back = again(second, Draft(("b", "c")))
    assert (back.column("b")["high"].text, back.column("c")["low"].text) == ("9", "1")
    assert again(second, Draft(("a", "x"))).column("a")["high"].text == "9"


def test_answers_about_a_table_are_for_that_table_alone():
    draft = replace(FRESH, people_guess="900", asked={"format": "Yes"}, looked=True)
    back = again(draft, replace(FRESH, asked={"format": ""}))
    assert (back.people_guess, back.asked, back.looked) == ("900", {"format": "Yes"}, True)
    other = again(draft, Draft(("hr", "x"), asked={"format": ""}))
    assert (other.people_guess, other.asked, other.looked) == ("", {"format": ""}, True)


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
    for kept, origin in ((draft, Source.DECLARED), (DESCRIBED, Source.CODEBOOK)):
        assert again(kept, LOOKED_AT).column("hr")["high"] == Entry("220", origin)


def test_numbers_are_written_as_the_file_at_hand_is_and_the_last_keys_come_too():
    draft = FRESH.merge({"hr": {"use": "number", "low": "12.500"}, "sbp": {"high": "9"}})
    german = replace(FRESH, reading=TextFileFormat(";", ","))
    back = again(draft, german, ("sbp", "high", "260"))
    assert (back.column("hr")["low"].text, back.column("sbp")["high"].text) == ("12,5", "260")


NO_DRAFT = (None, {"draft": 1}, {"draft": "{"}, {"draft": "[]"}, {"draft": '{"format": 1}'})


@pytest.mark.parametrize("message", NO_DRAFT)
def test_what_is_no_draft_changes_nothing(message):
    assert restored(FRESH, message) is FRESH
    forged = json.loads(kept_draft(FRESH.merge({"hr": {"low": "1"}})))
    forged["columns"]["hr"]["entries"] = {"low": {"text": "7", "origin": "file"}}
    forged["columns"]["hr"]["entries"]["name"] = {"text": "x", "origin": "codebook"}
    found = restored(FRESH, {"draft": json.dumps(forged), "edits": 1})
    assert found.column("hr").entries == {}
