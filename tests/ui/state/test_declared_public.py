"""Whoever declares data public does so of these data alone, and never by a link."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from dpca_core.data.dataset import Dataset
from sample_data import load_key
from tests.opened_page import page_at
from ui.explore import page as explore_page
from ui.figures import component_messages
from ui.state import session, session_data
from ui.state.session_data import declare_public, is_public, show_in_explore

NOTICE = "This page is not private"
PAGES = ("explore", "compare", "eigengap", "sample_size", "local", "claims")
OWN_DATA = {"spectrum": "data", "source": "data"}


@pytest.fixture(scope="module")
def tables() -> tuple[Dataset, Dataset]:
    """Two tables of one's own."""
    first, second = (
        replace(load_key("rand"), key="", public=False, synthetic=False, name=name)
        for name in ("first.csv", "second.csv")
    )
    return first, second


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """A session outside any page."""
    found: dict[str, object] = {}
    stand_in = SimpleNamespace(session_state=found, query_params=SimpleNamespace(to_dict=dict))
    for module in (session, session_data, explore_page, component_messages):
        monkeypatch.setattr(module, "st", stand_in)
    return found


def said_to_be_private(page: AppTest) -> bool:
    if "drawn" in page.session_state:
        return not page.session_state["drawn"][0]["public"]
    return any(NOTICE in box.value for box in page.caption)


@pytest.mark.parametrize("name", PAGES)
def test_a_declaration_holds_for_one_data_set_alone(
    name: str, tables: tuple[Dataset, Dataset]
) -> None:
    declared, other = tables
    for data in tables:
        page = page_at(name, data=data.key, **OWN_DATA)
        page.session_state["datasets"] = {data.key: data for data in tables}
        page.session_state["declared-public"] = {declared.key}
        page.run()
        assert not page.exception
        assert said_to_be_private(page) is (data is other)


@pytest.mark.parametrize("name", PAGES)
def test_a_link_declares_nothing(name: str, tables: tuple[Dataset, Dataset]) -> None:
    data = tables[0]
    page = page_at(name, data=data.key, public="1", **OWN_DATA)
    page.session_state["datasets"] = {data.key: data}
    page.run()
    assert not page.exception
    assert said_to_be_private(page)
    assert "public" not in page.query_params


def test_the_tick_is_of_the_data_that_are_shown_and_stays_with_them(
    state: dict[str, object], tables: tuple[Dataset, Dataset]
) -> None:
    first, second = tables
    state["drawn"] = ({}, SimpleNamespace(dataset=first))
    for ticked in (True, False, True):
        state["instrument"] = SimpleNamespace(public={"value": ticked, "at": 0})
        explore_page._public()
        assert is_public(first) is ticked
    show_in_explore(second.key)
    assert not is_public(second)
    assert is_public(first)
    assert is_public(load_key("rand"))
    declare_public(second, True)
    assert session.settings().to_query().keys() == {"data", "mechanism", "epsilon", "delta"}
