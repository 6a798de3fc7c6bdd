"""Decide as a page: what it draws, what it never reads, what typing does, what a look opens."""

from collections import deque
from dataclasses import replace
from functools import partial

import pandas as pd
import pytest
import streamlit
from streamlit.testing.v1 import AppTest

from dpca_core.data.dataset import Dataset
from dpca_core.data.provenance import ONE_ROW
from dpca_core.data.recipe import Source
from dpca_core.data.text_file_format import TextFileFormat
from dpca_core.privacy.budget import Adjacency
from dpca_core.tables.files import Upload
from sample_data.made_up_clinic import FILE_NAME, clinic_csv
from tests.ui.owner.beginnings import PAGE, clinic_draft, html, read_from_file, read_table
from ui.owner.column import Column, Entry, Use
from ui.owner.decide_answers import answers_of
from ui.owner.decide_plans import Plans
from ui.owner.draft import CANNOT_TELL, Who
from ui.owner.session import OWNER
from ui.owner.steps import Step
from ui.owner.table_source import Owner, SourceTable
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


def table(rows=5):
    frame = pd.DataFrame({name: [str(rows)] * rows for name in DRAFT.header})
    file = Upload(f"secret-{rows}.csv", frame.to_csv(index=False).encode())
    return SourceTable(file.name, frame, file, TextFileFormat())


def opened(draft=DRAFT, source=None):
    """Return the page with a draft and a table, once all that it shows is simulated."""
    page = AppTest.from_file(str(PAGE), default_timeout=60)
    page.session_state[OWNER] = Owner(draft, source or table(), step=Step.DECIDE)
    return settled(page)


def settled(page):
    """Run a page once its results are kept, by their arguments."""
    deque(Plans(answers_of(page.session_state[OWNER].draft)).steps(), maxlen=0)
    page.run()
    assert not page.exception, page.exception[0].stack_trace
    return page


def drawn(page):
    """Return what the page sends, element by element, in order."""
    protos = [proto for node in page.main if (proto := getattr(node, "proto", None)) is not None]
    for proto in protos:
        # Where a file that is stored when it is asked for will be found: drawn at random.
        if hasattr(proto, "deferred_file_id"):
            proto.deferred_file_id = ""
    assert len(protos) > 40
    return b"".join(proto.SerializeToString() for proto in protos)


def field(page, name):
    """Return a text field by its name, however often it was drawn anew."""
    return next(f for f in page.text_input if str(f.key).startswith(f"decide-{name}"))


def decision(page):
    return page.session_state[DECISION].handover


def test_two_files_with_one_draft_give_the_same_bytes():
    small, large = (opened(DRAFT, table(rows)) for rows in (3, 50))
    assert drawn(small) == drawn(large)
    assert decision(small) == decision(large)
    assert "secret" not in str(decision(large))
    # What keeps most follows from the guess, never from the rows.
    assert " would usually keep more." in html(large)
    assert small.query_params == large.query_params
    assert b"secret" not in drawn(large)
    assert {*small.query_params} == {"step"}


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
    assert "Nothing on this page was computed from your file." in html(page)
    page.button(key="decide-look").click().run()
    assert called == ["ui.owner.step_decide.prepare"]


def test_a_look_is_noted_before_anything_is_read_and_kept_apart_until_a_change(monkeypatch):
    page, noted = opened(), []
    decided = decision(page)
    assert (decided.looked, decided.looked_after) == (False, False)

    def prepare(*_, **__):
        noted.append(page.session_state[OWNER].draft.looked)
        raise ValueError("This table has a defect.")

    monkeypatch.setattr("ui.owner.step_decide.prepare", prepare)
    page.button(key="decide-look").click().run()
    assert noted == [True]
    assert [error.value for error in page.error] == ["This table has a defect."]
    page.run()
    assert page.session_state[OWNER].draft.looked
    assert decision(page) == replace(decided, looked_after=True)
    assert "no ε covers that" in html(page)
    assert "Noted: you looked after deciding. If you change anything here now, the" in html(page)
    for epsilon in ("0.5", "1"):
        field(page, "epsilon-middle").set_value(epsilon).run()
        changed = decision(page)
        assert (changed.looked, changed.looked_after) == (True, False)
        assert "Noted: you looked before deciding." in html(page)
    assert replace(changed, looked=False) == decided


def test_what_is_no_answer_is_kept_and_said():
    page = opened()
    for name, typed, sentence in (
        ("shares", "<script>", "&lt;script&gt;"),
        ("epsilon-middle", "1e", "ε must be a number"),
    ):
        field(page, name).set_value(typed).run()
        assert not page.exception
        assert sentence in html(page)
        field(page, "people").set_value("910").run()
        assert field(page, name).value == typed
        assert page.button(key="decide-release").disabled
    assert {*page.query_params} == {"step"}


def test_choosing_a_card_and_an_expectation():
    page = opened(clinic_draft(people_guess="900"))
    assert "Choose one of three" in html(page)
    page.button(key="decide-choose-loose").click().run()
    page.selectbox[0].set_value("many weak directions").run()
    draft = page.session_state[OWNER].draft
    assert (draft.chosen, draft.shares) == ("loose", "many weak directions")
    assert field(page, "shares").value == "12 · 10 · 9 · 8\u00a0%"
    field(page, "shares").set_value("50 20").run()
    assert page.selectbox[0].value == "shares you type"
    assert "Careful" in html(page)
    assert "Almost no protection" not in html(page)
    field(page, "epsilon-careful").set_value("50").run()
    assert page.session_state[OWNER].draft.epsilon == "50|1|3"
    page.button(key="decide-choose-careful").click().run()
    assert "Careful" not in html(page)
    assert "Your own" in html(page)
    assert "Almost no protection" in html(page)


def test_a_card_that_is_chosen_leads_on_where_nothing_is_missing(monkeypatch):
    led = []
    monkeypatch.setattr("streamlit.switch_page", led.append)
    page = opened(replace(DRAFT, chosen="", people_guess=""))
    page.button(key="decide-choose-loose").click().run()
    assert led == []
    field(page, "people").set_value("900").run()
    page.button(key="decide-choose-middle").click().run()
    assert led == ["pages/release.py"]
    told = decision(page)
    assert (told.epsilon, told.k) == (1.0, 4)
    assert told.expected in html(page)


def test_what_was_read_from_the_file_is_said():
    page = opened(read_from_file(DRAFT, "hr"))
    assert "Not private." in html(page)
    assert "Nothing on this page was computed from your file." not in html(page)
    assert "Read from your file: hr. Type their ranges and lists again." in html(page)
    assert "Not ready for Release yet. hr was read from the file" in html(page)
    assert page.get("download_button")[0].proto.disabled
    assert "Not private." not in html(opened())


def test_a_decision_is_kept_with_the_whole_table_until_something_changes(tmp_path):
    source = table()
    page = opened(DRAFT, source)
    assert (decision(page).epsilon, page.session_state[DECISION].table) == (1.0, source.place)
    field(page, "epsilon-middle").set_value("x").run()
    assert DECISION not in page.session_state
    field(page, "epsilon-middle").set_value("0.5").run()
    assert decision(page).epsilon == 0.5
    page.button(key="open-columns").click().run()
    assert decision(page).epsilon == 0.5
    on_server = opened(DRAFT, replace(source, place=tmp_path / "visits.csv"))
    assert on_server.session_state[DECISION].table == tmp_path / "visits.csv"


def test_a_look_before_anything_is_decided_is_one_before(monkeypatch):
    page = opened(replace(DRAFT, people_guess=""))
    assert DECISION not in page.session_state
    monkeypatch.setattr("ui.owner.step_decide.prepare", lambda *_, **__: 1 / 0)
    page.button(key="decide-look").click().run()
    update = replace(page.session_state[OWNER], draft=replace(DRAFT, looked=True))
    page.session_state[OWNER] = update
    settled(page)
    page.button(key="decide-look").click().run()
    assert (decision(page).looked, decision(page).looked_after) == (True, False)


def test_where_rows_cannot_be_told_apart_every_sentence_is_about_rows():
    ids = Column("patient_id", {"use": Entry(Use.OUT, Source.DECLARED)})
    who = Who((), CANNOT_TELL, "patient", "patients")
    page = opened(replace(DRAFT.with_columns([ids]), who=who))
    labels = [field.label for field in (*page.text_input, *page.selectbox)]
    main = html(page).split("one row, not one patient")  # what stands under step 1
    assert len(main) == 2
    assert not any("patient" in part for part in (*main, *labels))
    assert "one row is in the data" in main[1]
    assert decision(page).recipe.unit == ONE_ROW


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, ("gaussian", 1.0, 1e-6, 3, 900)),
        ({"delta": "0"}, ("wishart_difference", 1.0, 0.0, 3, 900)),
        ({"chosen": ""}, ("laplace", None, None, 3, 900)),
    ],
)
def test_a_look_opens_with_what_was_decided(monkeypatch, changes, expected):
    """Where no card is chosen, Explore keeps its mechanism."""
    went = []
    monkeypatch.setattr(streamlit, "switch_page", went.append)
    draft = replace(DRAFT, shares="40 20 10", **changes)
    page = opened(draft)
    source = read_table(Upload(FILE_NAME, clinic_csv()))
    page.session_state[OWNER] = Owner(draft, source, step=Step.DECIDE)
    replaced = str(Adjacency.REPLACE_ONE)
    page.session_state[SETTINGS] = Settings(mechanism="laplace", adjacency=replaced)
    page.button(key="decide-look").click().run()
    assert not page.exception, page.exception[0].stack_trace
    assert went[0] == EXPLORE
    found = page.session_state[SETTINGS]
    assert isinstance(page.session_state["datasets"][found.data], Dataset)
    mechanism, epsilon, delta, k, n = expected
    assert (found.mechanism, found.k, found.n) == (mechanism, k, n)
    if draft.chosen:
        assert (found.epsilon, found.delta) == (epsilon, delta)
        assert found.adjacency == str(Adjacency.ADD_OR_REMOVE_ONE)


@pytest.mark.parametrize("leave_out", [True, False])
def test_a_column_that_a_release_sent_back_is_left_out_or_mended_in_columns(leave_out):
    page = opened()
    page.session_state[SENT_BACK] = SentBack("sbp", leave_out)
    page.run()
    assert not page.exception
    assert page.query_params["step"] == "columns"
    assert (page.session_state[OWNER].draft.column("sbp").use is Use.OUT) is leave_out
    assert SENT_BACK not in page.session_state
