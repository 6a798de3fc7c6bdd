"""What is set on one page is found on every other; what is declared, and what addresses say."""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from dpca_core.data.recipe import Number, Recipe
from dpca_core.tables.prepare import prepare
from tests.opened_page import open_page, page_at
from ui.claims.measurements import ClaimsSettings
from ui.state import session
from ui.state.session import WRITTEN, write_address
from ui.state.settings import ExploreSettings, Settings

CHOSEN = {"data": "wine", "mechanism": "laplace", "epsilon": "3", "delta": "1e-05", "k": "3"}
CHOSEN |= {"n": "500", "adjacency": "replace_one", "seed": "7", "target": "0.8"}
SHOWN = {"epsilon": 3.0, "delta": 1e-5, "k": 3, "n": 500.0, "adjacency": "replace_one"}
SHOWN |= {"data": "wine", "mechanism": "laplace", "seed": 7}
PAGES = {
    "explore": {"data", "mechanism", "delta", "k", "n", "adjacency", "seed"},
    "eigengap": {"data", "epsilon", "delta", "k", "n", "adjacency"},
    "sample_size": {"data", "epsilon", "delta", "k", "adjacency"},
    "local": {"data", "epsilon", "delta", "k", "n"},
    "claims": {"mechanism", "epsilon", "delta", "k", "n", "adjacency"},
}
"""The settings that each page has a control for."""
ON_DATA = {"spectrum": "data", "source": "data"}


def address(page):
    return {k: v[0] if isinstance(v, list) else v for k, v in page.query_params.items()}


def shown(page):
    widgets = (*page.slider, *page.select_slider, *page.selectbox, *page.number_input)
    return {widget.key: widget.value for widget in widgets}


def said(page):
    return re.sub(r"\\(.)", r"\1", " ".join(box.value for box in page.caption))


@pytest.mark.parametrize("name", PAGES)
def test_a_link_or_another_page_sets_every_page_and_reset_returns_all_but_the_data_set(name):
    own = {"axis": "k", "gap": "0.5", "d": "20", "repetitions": "5"}
    page = open_page(name, **CHOSEN, **ON_DATA, **own)
    assert not page.exception
    assert address(page) | CHOSEN == address(page)
    assert {key: shown(page)[key] for key in PAGES[name]} == {k: SHOWN[k] for k in PAGES[name]}
    other = page_at(name, **ON_DATA, **own)
    other.session_state[session.SETTINGS] = Settings.from_query(CHOSEN)
    other.run()
    assert address(other) == address(page)
    assert shown(other) == shown(page)
    page.button(key="reset").click().run()
    assert not page.exception
    assert page.session_state[session.SETTINGS] == Settings(data="wine")
    fresh = open_page(name, data="wine")
    assert address(page) == address(fresh)
    labels = {(widget.label, widget.value) for widget in (*page.slider, *page.select_slider)}
    assert labels == {(w.label, w.value) for w in (*fresh.slider, *fresh.select_slider)}


@pytest.mark.parametrize("name", ["eigengap", "sample_size", "local", "claims"])
def test_a_control_sets_what_all_pages_share_and_nothing_else(name):
    page = open_page(name, **ON_DATA)
    assert page.session_state[session.SETTINGS] == Settings()
    page.select_slider(key="delta").set_value(0.01).run()
    assert page.session_state[session.SETTINGS] == Settings(delta=0.01)
    assert address(page)["delta"] == "0.01"


def test_a_page_keeps_a_setting_that_it_cannot_use_and_says_so():
    page = open_page("claims", data="digits", k="12")
    assert "k = 12 is not possible here: using 9." in said(page)
    assert "not your data set" in said(page)
    assert address(page)["k"] == "12"
    page.number_input(key="d").set_value(20).run()
    assert "not possible" not in said(page)
    assert page.slider(key="k-1").value == 12
    page.slider(key="k-1").set_value(4).run()
    assert page.session_state[session.SETTINGS].k == 4
    unused = "k and the number of people set on other pages are not used"
    assert unused in said(open_page("sample_size"))
    assert "there are no neighbours to choose" in said(open_page("local"))


def test_the_history_returns_settings_and_an_empty_address_changes_nothing(monkeypatch):
    now = {"epsilon": "3", "axis": "k", "d": "20"}
    monkeypatch.setattr(session.st, "session_state", {})
    monkeypatch.setattr(session.st, "query_params", SimpleNamespace(to_dict=now.copy))
    session.change_page_settings(session.page_settings(ExploreSettings), axis="n")
    session.change_page_settings(session.page_settings(ClaimsSettings), d=50)
    session.change_settings(epsilon=1.0, delta=0.01)
    session.read_history(ExploreSettings)
    assert session.settings() == Settings(epsilon=3.0)
    assert session.page_settings(ExploreSettings).axis == "k"
    assert session.page_settings(ClaimsSettings).d == 50
    session.change_settings(epsilon=1.0)
    now.clear()
    session.read_history(ExploreSettings)
    assert session.settings() == Settings(epsilon=1.0)


NOTICE = "This page is not private"


@pytest.fixture(scope="module")
def tables():
    """Two tables of one's own, of as many columns."""
    recipe = Recipe(tuple(Number(name, -1, 1) for name in "abcd"), bounds_are_public=True)
    cells = (np.random.default_rng(rows).uniform(-1, 1, (rows, 4)) for rows in (60, 90))
    frames = (pd.DataFrame(numbers, columns=[*"abcd"]) for numbers in cells)
    return [prepare(frame, recipe, "people.csv") for frame in frames]


def said_to_be_private(page):
    return any(NOTICE in box.value for box in page.caption)


def test_a_tick_on_explore_is_of_the_data_that_are_shown(tables):
    one, other = tables[0], replace(tables[1], name="other.csv")
    page = page_at("explore", data=one.key)
    page.session_state["datasets"] = {data.key: data for data in (one, other)}
    page.run()
    (tick,) = page.checkbox
    tick.check().run()
    assert not said_to_be_private(page)
    tick.uncheck().run()
    assert said_to_be_private(page)
    page.checkbox[0].check().run()
    page.selectbox(key="data").select(other.key).run()
    assert not page.exception
    assert not page.checkbox[0].value
    assert said_to_be_private(page)
    assert page.session_state["declared-public"] == {one.key}
    page.selectbox(key="data").select(one.key).run()
    assert not said_to_be_private(page)
    page.selectbox(key="data").select("rand").run()
    assert not said_to_be_private(page)


@pytest.mark.parametrize("name", PAGES)
def test_public_is_what_was_declared_by_no_link_and_addresses_tell_nothing_of_rows(name, tables):
    """Addresses of two tables differ in their random names alone."""
    declared, other = tables
    seen = []
    for data in tables:
        page = page_at(name, data=data.key, public="1", **ON_DATA)
        page.session_state["datasets"] = {data.key: data for data in tables}
        page.session_state["declared-public"] = {declared.key}
        page.run()
        assert not page.exception
        assert said_to_be_private(page) is (data is other)
        seen.append(address(page))
        assert seen[-1].pop("data") == data.key
        assert "people.csv" not in str(seen)
    assert seen[0] == seen[1]
    assert "public" not in seen[0]


def test_an_address_is_sent_where_the_browser_may_have_another(monkeypatch):
    for there, written, sent in (
        ("2", {}, False),
        ("2", {"k": "2"}, False),
        ("3", {"k": "2"}, True),
        # From k = 2 to 3 and back while the answer to the first is on its way: the browser had
        # not got k = 3 when it asked for 2.
        ("2", {"k": "3"}, True),
    ):
        state, given = {WRITTEN: written} if written else {}, []
        params = SimpleNamespace(to_dict=lambda there=there: {"k": there}, from_dict=given.append)
        stand_in = SimpleNamespace(session_state=state, query_params=params)
        monkeypatch.setattr(session, "st", stand_in)
        write_address({"k": "2"})
        assert given == [{"k": "2"}] * sent
        assert state[WRITTEN] == {"k": "2"}
