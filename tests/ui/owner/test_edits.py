"""What the browser sends is merged once, whatever the order, also where Streamlit ends a run."""

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpca_core.data.recipe import Source
from tests.ui.ended_runs import EndedRun, EndingState
from ui.owner import session, step_columns
from ui.owner.draft import Draft
from ui.owner.edits import MOST_MOUNTS, Merged, merge

DRAFT = Draft().for_header(("a", "b", "__proto__"))
ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=3)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner)),
)


def message(mount: str, seq: int, *cells: tuple[str, str, str]) -> dict[str, Any]:
    edits = [[name, [[field, text, seq]]] for name, field, text in cells]
    return {"mount": mount, "seq": seq, "cells": edits}


def test_a_message_is_merged_once() -> None:
    first = message("m", 1, ("a", "low", "1"), ("__proto__", "high", "2"))
    draft, merged = merge(DRAFT, Merged(), first)
    assert (draft.column("a")["low"].text, draft.column("__proto__")["high"].text) == ("1", "2")
    draft = draft.merge({"a": {"low": "9"}})
    assert merge(draft, merged, first) == (draft, merged)
    assert merged.last == {"m": 1}


def test_a_later_message_and_another_table_count() -> None:
    draft, merged = merge(DRAFT, Merged(), message("m", 4, ("a", "low", "1")))
    draft, merged = merge(draft, merged, message("m", 5, ("a", "low", "2")))
    draft, merged = merge(draft, merged, message("other", 1, ("a", "high", "3")))
    late, merged = merge(draft, merged, message("m", 3, ("a", "low", "0")))
    assert (late.column("a")["low"].text, late.column("a")["high"].text) == ("2", "3")
    assert list(merged.last.items()) == [("m", 5), ("other", 1)]
    for i in range(50):
        draft, merged = merge(draft, merged, message(f"m{i}", 1, ("a", "low", str(i))))
    assert len(merged.last) == MOST_MOUNTS
    assert draft.column("a")["low"].text == "49"


def test_an_edit_that_is_sent_again_is_not_merged_again() -> None:
    """It is sent until it is known to be merged; meanwhile a codebook may have replaced it."""
    draft, merged = merge(DRAFT, Merged(), message("m", 1, ("a", "low", "1")))
    draft = draft.merge({"a": {"low": "5"}})
    again = message("m", 2, ("a", "high", "9"))
    again["cells"].append(["a", [["low", "1", 1]]])
    draft, _ = merge(draft, merged, again)
    assert (draft.column("a")["low"].text, draft.column("a")["high"].text) == ("5", "9")


def test_a_look_and_a_source_come_before_what_is_typed() -> None:
    texts = [["low", "1", 1], ["source", "codebook", 1], ["seen", "seen", 1]]
    for count, origin in ((2, Source.CODEBOOK), (3, Source.DECLARED)):
        sent = {"mount": "m", "seq": 1, "cells": [["a", texts[:count]]]}
        draft, _ = merge(DRAFT, Merged(), sent)
        assert draft.column("a")["low"].origin is origin


def test_cells_that_are_none_are_dropped_and_the_others_taken() -> None:
    texts = [["low", 1, 1], ["low"], ["low", "1"], ["low", "1", True], ["low", "1", 1.0]]
    wrong: list[Any] = [1, [], ["a"], ["a", 1], [1, [["low", "1", 1]]], ["b", texts]]
    right = ["a", [["low", "1", 1], ["", "", 1], ["x", "1", 1]]]
    sent = {"mount": "m", "seq": 1, "cells": [*wrong, right]}
    draft, _ = merge(DRAFT, Merged(), sent)
    assert draft.column("a")["low"].text == "1"
    assert draft.column("b") == DRAFT.column("b")


@given(ANYTHING, ANYTHING)
def test_a_browser_can_send_anything(cells: object, whole: object) -> None:
    for value in (whole, {"mount": "m", "seq": 1, "cells": cells}):
        draft, merged = merge(DRAFT, Merged(), value)
        assert set(draft.columns) == set(DRAFT.columns)
        assert merged.last in ({}, {"m": 1})


@pytest.mark.parametrize("look", range(1, 8))
def test_what_was_typed_is_merged_once_by_the_next_run(monkeypatch, look):
    typed = {"mount": "m", "seq": 1, "cells": [["age", [["low", "18", 1]]]]}
    state = EndingState({step_columns.TABLE: SimpleNamespace(edits=typed)})
    monkeypatch.setattr("streamlit.session_state", state)
    session.update(draft=Draft().for_header(("age",)))
    state.looks_left = look
    try:
        step_columns.merge_edits()
        ended = False
    except EndedRun:
        ended = True
    state.looks_left = 0
    owner = session.current()
    merged = dict(owner.merged.last) == {"m": 1}
    assert merged == (owner.draft.column("age")["low"].text == "18")
    step_columns.merge_edits()
    assert session.current().draft.column("age")["low"].text == "18"
    assert ended or look > 4
