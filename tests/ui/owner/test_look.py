"""*Look, and note it*: Explore and the summary open with what was decided."""

from dataclasses import replace
from typing import Any

import pytest
import streamlit

import tests.ui.owner.test_decide_page as decide
from dpca_core.data.dataset import Dataset
from dpca_core.privacy.budget import Adjacency
from dpca_core.readers.file_access import Upload
from sample_data.made_up_clinic import FILE_NAME, clinic_csv
from tests.ui.owner.decide_drafts import clinic_draft
from ui.owner.controls.built_in import EXPLORE
from ui.owner.decide_answers import Card, answers_of
from ui.owner.decide_plans import Plans
from ui.owner.draft import Draft
from ui.owner.session import OWNER, Owner
from ui.owner.source_table import SourceTable
from ui.state.session import SETTINGS
from ui.state.settings import Settings

DRAFT = clinic_draft(people_guess="900", shares="40 20 10", chosen="middle")


def looked(monkeypatch: pytest.MonkeyPatch, draft: Draft, way: str) -> tuple[Settings, Any]:
    """Take a look, and return the settings with which the other page opens, and its data."""
    opened: list[str] = []
    monkeypatch.setattr(streamlit, "switch_page", opened.append)
    page = decide.settled(decide.opened(draft, decide.table(5)))
    source = SourceTable.read(FILE_NAME, Upload(FILE_NAME, clinic_csv()))
    page.session_state[OWNER] = Owner(draft, source)
    page.session_state[SETTINGS] = Settings(
        mechanism="laplace", adjacency=str(Adjacency.REPLACE_ONE)
    )
    decide.button(page, way).click().run()
    assert not page.exception, page.exception[0].stack_trace
    assert opened[0] == ("pages/summary.py" if way == "decide-summary" else EXPLORE)
    found: Settings = page.session_state[SETTINGS]
    return found, page.session_state["datasets"][found.data]


@pytest.mark.parametrize("way", ["decide-look", "decide-simulated"])
@pytest.mark.parametrize("delta", ["10⁻⁶", "0"])
def test_explore_opens_with_what_was_decided(
    monkeypatch: pytest.MonkeyPatch, way: str, delta: str
) -> None:
    draft = replace(DRAFT, delta=delta)
    plan = Plans(answers_of(draft)).card(Card.MIDDLE)
    assert plan is not None
    found, data = looked(monkeypatch, draft, way)
    assert isinstance(data, Dataset)
    assert found.mechanism == plan.recommendation.mechanism.key
    assert (found.epsilon, found.delta) == (plan.budget.epsilon, plan.budget.delta)
    assert (found.k, found.n) == (3, 900)
    assert found.adjacency == str(plan.budget.adjacency) == str(Adjacency.ADD_OR_REMOVE_ONE)


def test_a_summary_opens_with_what_was_decided_and_all_people(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, _ = looked(monkeypatch, DRAFT, "decide-summary")
    plan = Plans(answers_of(DRAFT)).card(Card.MIDDLE)
    assert plan is not None
    assert found.mechanism == plan.recommendation.mechanism.key
    assert (found.k, found.n, found.epsilon) == (3, 0.0, 1.0)


def test_where_no_card_is_chosen_explore_keeps_its_mechanism(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, _ = looked(monkeypatch, replace(DRAFT, chosen=""), "decide-look")
    assert (found.mechanism, found.k, found.n) == ("laplace", 3, 900)
