"""Streamlit may end a run at any look at the session's state: nothing typed is lost by that."""

from types import SimpleNamespace

import pytest

from ui.owner import session
from ui.owner.controls import columns
from ui.owner.draft import Draft


class EndedRun(Exception):
    """What Streamlit raises where another run is to begin."""


class State(dict):
    """A session's state at whose n-th look the run ends."""

    def __init__(self, *args: object) -> None:
        super().__init__(*args)
        self.looks_left = 0

    def _look(self) -> None:
        self.looks_left -= 1
        if self.looks_left == 0:
            raise EndedRun

    def get(self, key, default=None):
        self._look()
        return super().get(key, default)

    def __getitem__(self, key):
        self._look()
        return super().__getitem__(key)

    def __setitem__(self, key, value):
        self._look()
        super().__setitem__(key, value)


@pytest.mark.parametrize("look", range(1, 8))
def test_what_was_typed_is_merged_once_by_the_next_run(monkeypatch, look):
    typed = {"mount": "m", "seq": 1, "cells": [["age", [["low", "18", 1]]]]}
    state = State({columns.TABLE: SimpleNamespace(edits=typed)})
    monkeypatch.setattr("streamlit.session_state", state)
    session.update(draft=Draft().for_header(("age",)))
    state.looks_left = look
    try:
        columns.merge_edits()
        ended = False
    except EndedRun:
        ended = True
    state.looks_left = 0
    owner = session.current()
    merged = dict(owner.merged.last) == {"m": 1}
    assert merged == (owner.draft.column("age").low.text == "18")
    columns.merge_edits()
    assert session.current().draft.column("age").low.text == "18"
    assert ended or look > 4
