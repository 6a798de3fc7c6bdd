"""Settings come from a link, another page or a control, and what is replaced is said; no address
becomes a link of somebody's or tells of a table.
"""

import re
from dataclasses import replace
from types import SimpleNamespace
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pandas as pd
import pytest

import app
from dpca_core.data.recipe import Number, Recipe
from dpca_core.tables.prepare import prepare
from tests.opened_page import hurry, open_page, page_at
from tests.paths import ROOT
from ui.state import session
from ui.state import shared_address as shared
from ui.state.settings import Settings
from ui.text.numbers import escape_markdown

CHOSEN = {"data": "wine", "mechanism": "laplace", "epsilon": "3", "delta": "1e-05", "k": "3"}
CHOSEN |= {"n": "500", "adjacency": "replace_one", "seed": "7", "target": "0.8"}
SHOWN = CHOSEN | {"epsilon": 3.0, "delta": 1e-5, "k": 3, "n": 500.0, "seed": 7, "target": 0.8}
PAGES = {
    "explore": {"data", "mechanism", "delta", "k", "n", "adjacency", "seed", "target"},
    "eigengap": {"data", "epsilon", "delta", "k", "n", "adjacency"},
    "sample_size": {"data", "epsilon", "delta", "k", "adjacency"},
    "local": {"data", "epsilon", "delta", "k", "n"},
    "claims": {"mechanism", "epsilon", "delta", "k", "n", "adjacency"},
}
"""The settings that each page has a control for."""
ON_DATA = {"spectrum": "data", "source": "data"}
UPLOAD = "upload:0123456789abcdef0123456789abcdef"
REPLACED, NOT_PRIVATE = "is not possible", "This page is not private"


@pytest.fixture(autouse=True)
def hurried(monkeypatch):
    """How much a page measures is not the point here."""
    hurry(monkeypatch)


def address(page):
    return {k: v[0] if isinstance(v, list) else v for k, v in page.query_params.items()}


def shown(page):
    widgets = (*page.slider, *page.select_slider, *page.selectbox, *page.number_input)
    return {widget.key: widget.value for widget in widgets}


def said(page, words=REPLACED):
    """Return the captions with these words, as they are read."""
    texts = (re.sub(r"\\(.)", r"\1", box.value) for box in page.caption)
    return [text for text in texts if words in text]


def table(rows):
    """Return a table of one's own."""
    cells = np.random.default_rng(rows).uniform(-0.5, 0.5, (rows, 4))
    recipe = Recipe(tuple(Number(each, -1, 1) for each in "abcd"), bounds_are_public=True)
    return prepare(pd.DataFrame(cells, columns=[*"abcd"]), recipe, f"{rows}.csv")


@pytest.fixture(scope="module")
def tables():
    return [table(60), table(90)]


@pytest.mark.parametrize("name", PAGES)
def test_a_link_or_another_page_sets_every_page_and_reset_returns_all_but_the_data_set(name):
    page = open_page(name, **CHOSEN, **ON_DATA)
    assert not page.exception
    assert address(page) | CHOSEN == address(page)
    assert {key: shown(page)[key] for key in PAGES[name]} == {k: SHOWN[k] for k in PAGES[name]}
    other = page_at(name, **ON_DATA)
    other.session_state[session.SETTINGS] = chosen = Settings.from_query(CHOSEN)
    other.run()
    assert (address(other), shown(other)) == (address(page), shown(page))
    # A control sets what all pages share and nothing else.
    page.select_slider(key="delta").set_value(0.01).run()
    assert page.session_state[session.SETTINGS] == replace(chosen, delta=0.01)
    assert address(page)["delta"] == "0.01"
    page.button(key="reset").click().run()
    assert not page.exception
    fresh = open_page(name, data="wine", epsilon="-1")
    assert page.session_state[session.SETTINGS] == Settings(data="wine")
    assert address(page) == address(fresh)
    assert "ε = -1 is not possible" in said(fresh)[0]


def test_reset_stays_in_the_view():
    page = open_page("explore", view="all", axis="k", **CHOSEN, **ON_DATA)
    page.button(key="reset").click().run()
    assert (address(page)["view"], address(page).get("axis")) == ("all", None)


def test_a_page_keeps_a_setting_that_it_cannot_use_and_says_so():
    page = open_page("claims", data="digits", k="12")
    assert "k = 12 is not possible here: using 9." in said(page)[0]
    assert address(page)["k"] == "12"
    page.number_input(key="d").set_value(20).run()
    assert said(page) == []
    assert page.slider(key="k-1").value == 12
    page.slider(key="k-1").set_value(4).run()
    assert page.session_state[session.SETTINGS].k == 4
    unused = "k and the number of people set on other pages are not used"
    assert said(open_page("sample_size"), unused)


# --- Tables of one's own ---


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
        assert bool(said(page, NOT_PRIVATE)) is (data is other)
        seen.append(address(page))
        assert seen[-1].pop("data") == data.key
    assert seen[0] == seen[1]
    assert declared.key != table(60).key, "nobody can confirm a guess of its rows"
    assert "public" not in seen[0]
    assert ".csv" not in str(seen)


# --- What a link says ---


@pytest.mark.parametrize("name", app.MOVED)
def test_an_old_address_leads_to_its_page_with_all_its_settings(name, monkeypatch):
    went, link = [], {"k": "3", "view": "one"}
    monkeypatch.setattr(app.st, "query_params", SimpleNamespace(to_dict=lambda: link))
    monkeypatch.setattr(app.st, "switch_page", lambda *to, **how: went.append((*to, how)))
    page, changed = app.MOVED[name]
    app._lead(page, changed)
    assert went == [(app._file(page), {"query_params": link | changed})]
    assert (ROOT / went[0][0]).exists()


EVIL = ["upload:https://evil.example/a", "www.evil.example", "http://[::1]/", "a@evil.example"]
EVIL += ["[x](https://evil.example)", "//evil.example", "<https://evil.example>", ":material/x:"]
AUTOLINKS = r"(?i)https?://|ftp://|www\.", r"(?i)(?:^|[^\w\\])[-.\w+]+@[-\w]+(?:\.[-\w]+)+"
"""What Markdown of GitHub's flavour makes a link of, after escapes are undone."""


def test_no_name_of_data_becomes_a_link_on_a_page():
    (box,) = open_page("explore", data=EVIL[0]).info
    for shown in (box.value, *map(escape_markdown, EVIL)):
        seen = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", shown)
        assert not any(re.search(pattern, seen) for pattern in AUTOLINKS)
        assert not re.search(r"(?<!\\)[<\[`:]", shown)


def test_a_room_gets_the_settings_without_its_view_and_neither_a_table_nor_a_loopback_address():
    query = {"data": "rand", "mechanism": "gaussian", "epsilon": "0.2", "delta": "1e-06"}

    def beside(at, page="explore", **changes):
        return shared.address_beside(at, page, query | changes | {"present": "1", "told": "1"})

    for at in ("", "/", "/compare/", "/local"):
        found = beside(f"https://[2001:db8::1]/dpca{at}")
        assert found.url.startswith("https://[2001:db8::1]/dpca/explore?")
        assert dict(parse_qsl(urlsplit(found.url).query)) == query
    own = beside("http://class.local:8501", data=UPLOAD)
    assert own == shared.SharedAddress(None, shared.THIS_SESSION_ONLY, "")
    for host in ("localhost", "127.8.8.8", "[::1]", "a.localhost", "0.0.0.0"):
        found = beside(f"http://{host}:8501/")
        assert found == shared.SharedAddress(None, shared.THIS_COMPUTER_ONLY, "")
