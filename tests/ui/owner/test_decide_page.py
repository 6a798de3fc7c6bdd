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


def simulate(draft):
    """Let all that follows from a draft be known: results are kept, by their arguments."""
    deque(Plans(answers_of(draft)).steps(), maxlen=0)


def opened(draft=DRAFT, source=None):
    """Return the page with a draft and a table, once all that it shows is simulated."""
    simulate(draft)
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
    # What keeps most follows from the guess, never from the rows.
    assert " would usually keep more." in large.html
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
    assert "Nothing on this page was computed from your file." in page.html
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
    assert "no ε covers that" in page.html
    assert "Noted: you looked after deciding. If you change anything here now, the" in page.html
    for epsilon in ("0.5", "1"):
        page.put(MIDDLE, epsilon)
        changed = decision(page)
        assert (changed.looked, changed.looked_after) == (True, False)
        assert "Noted: you looked before deciding." in page.html
    assert replace(changed, looked=False) == decided
    # Where nothing was decided yet, a look is one before.
    page = opened(replace(DRAFT, people_guess=""))
    assert DECISION not in page.session_state
    page.press("decide-look")
    page.keep(draft=replace(DRAFT, looked=True))
    page.press("decide-look")
    assert (decision(page).looked, decision(page).looked_after) == (True, False)


def test_a_decision_is_kept_with_the_whole_table_until_something_changes(tmp_path):
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
    assert {*page.query_params} == {"step"}
    page.put("decide-shares", "")
    page.put(MIDDLE, "0.5")
    assert decision(page).epsilon == 0.5
    page.press("open-columns")
    assert decision(page).epsilon == 0.5
    on_server = opened(DRAFT, replace(source, place=tmp_path / "visits.csv"))
    assert on_server.session_state[DECISION].table == tmp_path / "visits.csv"


def test_a_card_and_an_expectation_are_chosen_and_lead_on_where_nothing_is_missing(monkeypatch):
    led = []
    monkeypatch.setattr(streamlit, "switch_page", led.append)
    page = opened(clinic_draft())
    assert "Choose one of three" in page.html
    page.press("decide-choose-loose")
    assert led == []
    page.put("decide-expectation", "many weak directions")
    assert (page.draft.chosen, page.draft.shares) == ("loose", "many weak directions")
    assert page.named("decide-shares").value == "12 · 10 · 9 · 8\u00a0%"
    page.put("decide-shares", "50 20")
    assert page.named("decide-expectation").value == "shares you type"
    assert "Careful" in page.html
    assert "Almost no protection" not in page.html
    page.put("decide-epsilon-careful", "50")
    assert page.draft.epsilon == "50|1|3"
    page.press("decide-choose-careful")
    assert "Careful" not in page.html
    assert "Your own" in page.html
    assert "Almost no protection" in page.html
    page.put("decide-people_guess", "900")
    simulate(page.draft)
    page.press("decide-choose-middle")
    assert led == ["pages/release.py"]
    told = decision(page)
    assert (told.epsilon, told.k) == (1.0, 2)
    assert "reliable" in told.expected
    assert told.expected in page.html


def test_what_was_read_from_the_file_is_said():
    page = opened(read_from_file(DRAFT, "hr"))
    assert "Not private." in page.html
    assert "Nothing on this page was computed from your file." not in page.html
    assert "Read from your file: hr. Type their ranges and lists again." in page.html
    assert "Not ready for Release yet. hr was read from the file" in page.html
    assert page.get("download_button")[0].proto.disabled
    assert "Not private." not in opened().html


def test_where_rows_cannot_be_told_apart_every_sentence_is_about_rows():
    ids = Column("patient_id", {"use": Entry(Use.OUT, Source.DECLARED)})
    who = Who((), CANNOT_TELL, "patient", "patients")
    page = opened(replace(DRAFT.with_columns([ids]), who=who))
    labels = [field.label for field in (*page.text_input, *page.selectbox)]
    main = page.html.split("one row, not one patient")  # what stands under step 1
    assert len(main) == 2
    assert not any("patient" in part for part in (*main, *labels))
    assert "one row is in the data" in main[1]
    assert decision(page).recipe.unit == ONE_ROW


@pytest.mark.parametrize(
    ("changes", "budget"),
    [
        ({}, ("gaussian", 1.0, 1e-6, Adjacency.ADD_OR_REMOVE_ONE)),
        ({"delta": "0"}, ("wishart_difference", 1.0, 0.0, Adjacency.ADD_OR_REMOVE_ONE)),
        # Where no card is chosen, Explore keeps its own.
        ({"chosen": ""}, ("laplace", 0.1, 1e-6, Adjacency.REPLACE_ONE)),
    ],
)
def test_a_look_opens_with_what_was_decided(monkeypatch, changes, budget):
    went = []
    monkeypatch.setattr(streamlit, "switch_page", went.append)
    source = read_table(Upload(FILE_NAME, clinic_csv()))
    page = opened(replace(DRAFT, shares="40 20 10", **changes), source)
    kept = Settings(mechanism="laplace", adjacency=str(Adjacency.REPLACE_ONE))
    page.session_state[SETTINGS] = kept
    page.press("decide-look")
    assert went[0] == EXPLORE
    found = page.session_state[SETTINGS]
    assert isinstance(page.session_state["datasets"][found.data], Dataset)
    assert (found.mechanism, found.epsilon, found.delta, found.adjacency) == budget
    assert (found.k, found.n) == (3, 900)


@pytest.mark.parametrize("leave_out", [True, False])
def test_a_column_that_a_release_sent_back_is_left_out_or_mended_in_columns(leave_out):
    page = opened()
    page.session_state[SENT_BACK] = SentBack("sbp", leave_out)
    page.run()
    assert not page.exception
    assert page.query_params["step"] == "columns"
    assert (page.owner.draft.column("sbp").use is Use.OUT) is leave_out
    assert SENT_BACK not in page.session_state
