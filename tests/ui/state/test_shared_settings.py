"""What is set on one page is found on every other; a page that cannot use it says so."""

import re

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from dpca_core.data.recipe import Number, Recipe
from dpca_core.preparation import prepare
from tests.opened_page import open_page, page_at
from ui.claims.query import ClaimsSettings
from ui.compare.query import CompareSettings
from ui.state import session, widget_keys
from ui.state.settings import Settings

CHOSEN = {
    "data": "wine", "mechanism": "laplace", "epsilon": "3", "delta": "1e-05", "k": "3", "n": "500",
    "adjacency": "replace_one", "seed": "7", "target": "0.8",
}  # fmt: skip
SHOWN = {"epsilon": 3.0, "delta": 1e-5, "k": 3, "n": 500.0, "adjacency": "replace_one"}
SHOWN |= {"data": "wine", "mechanism": "laplace", "seed": 7}
PAGES = {
    "explore": {"data", "mechanism", "delta", "k", "n", "adjacency", "seed"},
    "compare": {"data", "delta", "k", "n", "adjacency", "seed"},
    "eigengap": {"data", "epsilon", "delta", "k", "n", "adjacency"},
    "sample_size": {"data", "epsilon", "delta", "k", "adjacency"},
    "local": {"data", "epsilon", "delta", "k", "n"},
    "claims": {"mechanism", "epsilon", "delta", "k", "n", "adjacency"},
}
"""The settings that each page has a control for."""
ON_DATA = {"spectrum": "data", "source": "data"}


def address(page: AppTest) -> dict[str, str]:
    return {k: v[0] if isinstance(v, list) else v for k, v in page.query_params.items()}


def shown(page: AppTest) -> dict[str, object]:
    widgets = (*page.slider, *page.select_slider, *page.selectbox, *page.number_input)
    return {widget.key: widget.value for widget in widgets}


def said(page: AppTest) -> str:
    return re.sub(r"\\(.)", r"\1", " ".join(box.value for box in page.caption))


@pytest.mark.parametrize("name", PAGES)
def test_a_link_sets_every_page_under_the_same_names(name: str) -> None:
    page = open_page(name, **CHOSEN, **ON_DATA)
    assert not page.exception
    found = shown(page)
    assert PAGES[name] <= found.keys()
    assert {key: found[key] for key in PAGES[name]} == {key: SHOWN[key] for key in PAGES[name]}
    assert address(page) | CHOSEN == address(page)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_finds_what_another_has_set(name: str) -> None:
    page = page_at(name, **ON_DATA)
    page.session_state[session.SETTINGS] = Settings.from_query(CHOSEN)
    page.run()
    assert address(page) | CHOSEN == address(page)
    assert {key: shown(page)[key] for key in PAGES[name]} == {k: SHOWN[k] for k in PAGES[name]}


@pytest.mark.parametrize("name", ["compare", "eigengap", "sample_size", "local", "claims"])
def test_a_control_sets_what_all_pages_share_and_nothing_else(name: str) -> None:
    page = open_page(name, **ON_DATA)
    before = page.session_state[session.SETTINGS]
    page.select_slider(key="delta").set_value(0.01).run()
    assert page.session_state[session.SETTINGS] == Settings(delta=0.01)
    assert before == Settings()
    assert address(page)["delta"] == "0.01"


@pytest.mark.parametrize("name", PAGES)
def test_reset_returns_all_but_the_data_set(name: str) -> None:
    own = {"axis": "k", "gap": "0.5", "d": "20", "repetitions": "5"}
    page = open_page(name, **CHOSEN, **own)
    page.button(key="reset").click().run()
    assert not page.exception
    assert page.session_state[session.SETTINGS] == Settings(data="wine")
    fresh = open_page(name, data="wine")
    assert address(page) == address(fresh)
    labels = {(widget.label, widget.value) for widget in (*page.slider, *page.select_slider)}
    assert labels == {(w.label, w.value) for w in (*fresh.slider, *fresh.select_slider)}


def test_a_page_keeps_a_setting_that_it_cannot_use_and_says_so() -> None:
    page = open_page("claims", data="digits", k="12")
    assert "k = 12 is not possible here: using 9." in said(page)
    assert address(page)["k"] == "12"
    page.number_input(key="d").set_value(20).run()
    assert "not possible" not in said(page)
    assert page.slider(key="k-1").value == 12
    page.slider(key="k-1").set_value(4).run()
    assert page.session_state[session.SETTINGS].k == 4


def test_pages_say_which_settings_they_do_not_use() -> None:
    assert "k and the number of people set on other pages are not used" in said(
        open_page("sample_size")
    )
    assert "there are no neighbours to choose" in said(open_page("local"))
    assert "not on your data set" in said(open_page("claims"))


def test_a_control_is_drawn_anew_only_where_its_setting_was_changed_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state: dict[str, object] = {}
    monkeypatch.setattr(widget_keys.st, "session_state", state)
    assert widget_keys.key_starting_at("k", 2) == "k"
    widget_keys.note_position("k", 3)
    assert widget_keys.key_starting_at("k", 3) == "k"
    assert widget_keys.key_starting_at("k", 5) == "k-1"
    assert widget_keys.key_starting_at("n", 5) == "n"
    widget_keys.renew_controls()
    assert widget_keys.widget_key("k") == "k-2"
    assert widget_keys.widget_key("n") == "n-1"


class Address(dict[str, str]):
    """The address as Streamlit offers it."""

    def to_dict(self) -> dict[str, str]:
        """Return a copy."""
        return dict(self)


def test_the_history_returns_settings_and_an_empty_address_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state: dict[str, object] = {}
    monkeypatch.setattr(session.st, "session_state", state)
    monkeypatch.setattr(session.st, "query_params", Address(epsilon="3", axis="k", d="20"))
    session.change_page_settings(session.page_settings(CompareSettings), axis="n")
    session.change_page_settings(session.page_settings(ClaimsSettings), d=50)
    session.change_settings(epsilon=1.0, delta=0.01)
    session.read_history(CompareSettings)
    assert session.settings() == Settings(epsilon=3.0)
    assert session.page_settings(CompareSettings).axis == "k"
    assert session.page_settings(ClaimsSettings).d == 50
    session.change_settings(epsilon=1.0)
    monkeypatch.setattr(session.st, "query_params", Address())
    session.read_history(CompareSettings)
    assert session.settings() == Settings(epsilon=1.0)


@pytest.mark.parametrize("name", PAGES)
def test_the_address_tells_nothing_of_the_rows(name: str) -> None:
    """Two tables of as many columns: their addresses differ in the random name alone."""
    seen = []
    for rows in (60, 90):
        table = pd.DataFrame(
            np.random.default_rng(rows).uniform(-1, 1, (rows, 4)), columns=[*"abcd"]
        )
        recipe = Recipe(tuple(Number(column, -1, 1) for column in table), bounds_are_public=True)
        data = prepare(table, recipe, "people.csv")
        page = page_at(name, data=data.key, **ON_DATA)
        page.session_state["datasets"] = {data.key: data}
        page.run()
        assert not page.exception
        seen.append(address(page))
        assert seen[-1].pop("data") == data.key
    assert seen[0] == seen[1]
