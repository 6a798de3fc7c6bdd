"""Old addresses lead to the view of Explore that has taken their place, with all their settings."""

import pytest
import streamlit

from tests.cases import sampled
from tests.opened_page import page_at
from ui.state.session import EXPLORE, PAGE_SETTINGS, SETTINGS
from ui.state.settings import ExploreSettings, Settings, View

SUMMARY = [
    {},
    {"data": "rand", "k": "4", "epsilon": "0.5"},
    {"data": "wine", "mechanism": "laplace", "epsilon": "3", "delta": "0"},
    {"data": "chaudhuri", "mechanism": "wishart_sn", "epsilon": "0.1", "n": "20000"},
    {"data": "dense?p=20&n=30", "k": "1", "adjacency": "replace_one"},
    {"data": "rand", "mechanism": "power", "epsilon": "1", "delta": "1e-05", "seed": "7"},
    {"data": "upload:x:1", "epsilon": "2", "target": "0.8"},
    {"data": "wine", "epsilon": "100", "k": "99"},
]


@pytest.mark.parametrize("query", sampled(SUMMARY, len(SUMMARY), "each has another setting"))
def test_an_old_address_leads_to_its_view_with_the_same_settings(
    query: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    went: list[str] = []
    monkeypatch.setattr(streamlit, "switch_page", went.append)
    page = page_at("summary", **query).run()
    assert not page.exception
    assert went == [EXPLORE]
    assert page.session_state[SETTINGS] == Settings.from_query(query)
    assert page.session_state[PAGE_SETTINGS][ExploreSettings].view == View.PAGE
