"""Old addresses lead to the view of Explore that has taken their place, with all their settings."""

from dataclasses import replace

import pytest
import streamlit

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


COMPARE = [
    {},
    {"data": "wine", "axis": "k", "epsilon": "0.5"},
    {"axis": "delta", "epsilon": "1", "k": "3", "mechanisms": "gaussian,laplace"},
    {"data": "chaudhuri", "axis": "n", "trials": "20", "target": "0.8"},
    {"data": "rand", "axis": "epsilon", "equalise": "1", "mechanisms": "wishart_sn,wishart_jiang"},
    {"data": "dense?p=20&n=30", "k": "2", "trials": "200"},
    {"data": "covtype", "axis": "epsilon", "epsilon": "1", "delta": "0.01"},
    {"data": "wine", "mechanism": "laplace", "seed": "5", "trials": "100"},
    {"data": "rand", "axis": "x", "trials": "7", "mechanisms": "none"},
    {"data": "upload:x:1", "axis": "k", "delta": "1e-05"},
    {"adjacency": "replace_one", "n": "20000", "delta": "0", "mechanisms": "laplace"},
    {"data": "rand", "epsilon": "0.3", "mechanisms": "power,power_printed", "equalise": "0"},
]
LINKS = [*(("summary", each) for each in SUMMARY), *(("compare", each) for each in COMPARE)]
VIEWS = {"summary": View.PAGE, "compare": View.ALL}


@pytest.mark.parametrize(("name", "query"), LINKS)
def test_an_old_address_leads_to_its_view_with_the_same_settings(
    name: str, query: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    went: list[str] = []
    monkeypatch.setattr(streamlit, "switch_page", went.append)
    page = page_at(name, **query).run()
    assert not page.exception
    assert went == [EXPLORE]
    assert page.session_state[SETTINGS] == Settings.from_query(query)
    found = page.session_state[PAGE_SETTINGS][ExploreSettings]
    asked = ExploreSettings.from_query({} if name == "summary" else query)
    assert found == replace(asked, view=str(VIEWS[name]))
