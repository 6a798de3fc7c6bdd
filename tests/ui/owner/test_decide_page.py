"""Decide as a page: what it draws, what it never reads, what typing does, what a look opens."""

from collections import deque
from dataclasses import replace
from functools import partial

import pandas as pd
import pytest
import streamlit

from dpca_core.data.dataset import Dataset
from dpca_core.data.recipe import ONE_ROW, Source
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.privacy.budget import Adjacency
from dpca_core.tables.files import Upload
from sample_data.made_up_clinic import FILE_NAME, clinic_csv
from tests.ui.owner.beginnings import OwnerPage, clinic_draft, read_from_file, read_table
from ui.owner.column import Column, Entry, Use
from ui.owner.decide_answers import answers_of
from ui.owner.decide_plans import Plans
from ui.owner.draft import CANNOT_TELL, Who
from ui.owner.steps import Step
from ui.owner.table_source import SourceTable
from ui.state.decision import DECISION, SENT_BACK, SentBack
from ui.state.session import EXPLORE, SETTINGS
from ui.state.settings import Settings

READERS = (
    "ui.owner.table_source.open_table",
    "ui.owner.table_source.proposed_format",
    "ui.owner.step_decide.prepare",
    "ui.owner.sum_job.second_moment",
    "dpca_core.detection.people.propose_person",
    "dpca_core.detection.columns.propose_columns",
    "pandas.read_csv",
    "pandas.DataFrame.to_numpy",
    "pandas.DataFrame.__getitem__",
)
DRAFT = clinic_draft(people_guess="900", chosen="middle")
MIDDLE = "decide-epsilon-middle"


def table(rows=5):
    frame = pd.DataFrame({name: [str(rows)] * rows for name in DRAFT.header})
    file = Upload(f"secret-{rows}.csv", frame.to_csv(index=False).encode())
    return SourceTable(file.name, frame, file, TextFileFormat())


def opened(draft=DRAFT, source=None):
    """Return the page with a draft and a table, once all that it shows is simulated."""
    deque(Plans(answers_of(draft)).steps(), maxlen=0)
    return OwnerPage().keep(draft=draft, source=source or table(), step=Step.DECIDE)


def drawn(page):
    """Return what the page sends, element by element, in order."""
    protos = [proto for node in page.main if (proto := getattr(node, "proto", None)) is not None]
    for proto in protos:
        # Where a file that is stored when it is asked for will be found: drawn at random.
        if hasattr(proto, "deferred_file_id"):
            proto.deferred_file_id = ""
    assert len(protos) > 40
    return b"".join(proto.SerializeToString() for proto in protos)


def decision(page):
    return page.session_state[DECISION].handover


def test_two_files_with_one_draft_give_the_same_bytes():
    small, large = (opened(DRAFT, table(rows)) for rows in (3, 50))
    assert drawn(small) == drawn(large)
    assert decision(small) == decision(large)
    assert "secret" not in str(decision(large))
    assert b"secret" not in drawn(large)
    assert {*small.query_params} == {*large.query_params} == {"step"}


def test_no_reader_is_called_while_it_draws(monkeypatch):
    source, called = table(), []
    opened(DRAFT, source)  # what is imported late is imported now

    def refuse(name, *_, **__):
        called.append(name)
        raise AssertionError(name)

    for name in READERS:
        monkeypatch.setattr(name, partial(refuse, name))
    page = opened(replace(DRAFT, shares="41 13 7"), source)
    assert called == []
    page.button(key="decide-look").click().run()
    assert called == ["ui.owner.step_decide.prepare"]


def test_a_look_is_noted_before_anything_is_read_and_kept_apart_until_a_change(monkeypatch):
    page, noted = opened(), []
    decided = decision(page)
    assert (decided.looked, decided.looked_after) == (False, False)

    def prepare(*_, **__):
        noted.append(page.draft.looked)
        raise ValueError("This table has a defect.")

    monkeypatch.setattr("ui.owner.step_decide.prepare", prepare)
    page.press("decide-look")
    assert noted == [True]
    assert [error.value for error in page.error] == ["This table has a defect."]
    page.run()
    assert page.draft.looked
    assert decision(page) == replace(decided, looked_after=True)
    for epsilon in ("0.5", "1"):
        page.put(MIDDLE, epsilon)
        changed = decision(page)
        assert (changed.looked, changed.looked_after) == (True, False)
    assert replace(changed, looked=False) == decided
    # Where nothing was decided yet, a look is one before.
    page = opened(replace(DRAFT, people_guess=""))
    assert DECISION not in page.session_state
    page.press("decide-look")
    page.keep(draft=replace(DRAFT, looked=True))
    page.press("decide-look")
    assert (decision(page).looked, decision(page).looked_after) == (True, False)


def test_a_decision_is_kept_with_the_whole_table_until_something_changes():
    source = table()
    page = opened(DRAFT, source)
    assert (decision(page).epsilon, page.session_state[DECISION].table) == (1.0, source.place)
    for name, typed, sentence in (
        ("decide-shares", "<script>", "&lt;script&gt;"),
        (MIDDLE, "1e", "ε must be a number"),
    ):
        page.put(name, typed)
        assert sentence in page.html
        assert DECISION not in page.session_state
        page.put("decide-people_guess", "910")
        assert page.named(name).value == typed, "what is no answer is kept and said"
        assert page.button(key="decide-release").disabled
    page.put("decide-shares", "")
    page.put(MIDDLE, "0.5")
    page.press("open-columns")
    assert decision(page).epsilon == 0.5


def test_it_says_what_was_read_from_the_file_and_speaks_of_rows_that_cannot_be_told_apart():
    page = opened(read_from_file(DRAFT, "hr"))
    assert "Not private." in page.html
    assert "Nothing on this page was computed from your file." not in page.html
    assert "Not ready for Release yet. hr was read from the file" in page.html
    assert page.get("download_button")[0].proto.disabled
    ids = Column("patient_id", {"use": Entry(Use.OUT, Source.DECLARED)})
    who = Who((), CANNOT_TELL, "patient", "patients")
    page = opened(replace(DRAFT.with_columns([ids]), who=who))
    assert "Not private." not in page.html
    assert decision(page).recipe.unit == ONE_ROW
    _, below = page.html.split("one row, not one patient")  # what stands under step 1
    labels = [field.label for field in (*page.text_input, *page.selectbox)]
    assert not any("patient" in part for part in (below, *labels))


def test_a_look_opens_with_what_was_decided(monkeypatch):
    went = []
    monkeypatch.setattr(streamlit, "switch_page", went.append)
    source = read_table(Upload(FILE_NAME, clinic_csv()))
    page = opened(replace(DRAFT, shares="40 20 10"), source)
    kept = Settings(mechanism="laplace", adjacency=str(Adjacency.REPLACE_ONE))
    page.session_state[SETTINGS] = kept
    page.press("decide-look")
    assert went[0] == EXPLORE
    found = page.session_state[SETTINGS]
    assert isinstance(page.session_state["datasets"][found.data], Dataset)
    decided = found.mechanism, found.epsilon, found.delta, found.adjacency
    assert decided == ("gaussian", 1.0, 1e-6, Adjacency.ADD_OR_REMOVE_ONE)
    assert (found.k, found.n) == (3, 900)


@pytest.mark.parametrize("leave_out", [True, False])
def test_a_column_that_a_release_sent_back_is_left_out_or_mended_in_columns(leave_out):
    page = opened()
    page.session_state[SENT_BACK] = SentBack("sbp", leave_out)
    page.run()
    assert page.query_params["step"] == "columns"
    assert (page.owner.draft.column("sbp").use is Use.OUT) is leave_out
    assert SENT_BACK not in page.session_state
