"""Settings: what a link or another page sets, what is said of what is replaced, what is declared,
and that no address becomes a link of somebody's or tells of a table.
"""

import re
from dataclasses import replace
from types import SimpleNamespace
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import app
from dpca_core import MECHANISMS, Adjacency
from dpca_core.data.recipe import Number, Recipe
from dpca_core.tables.prepare import prepare
from sample_data import load_key
from tests.cases import sampled
from tests.opened_page import hurry, open_page, page_at
from tests.paths import ROOT
from ui.claims.measurements import ClaimsSettings
from ui.explore.all import all_content
from ui.explore.export import medians_page, quantiles_csv, script
from ui.explore.query import Along
from ui.explore.study import Study
from ui.state import session, session_data
from ui.state import shared_address as shared
from ui.state.session import WRITTEN, write_address
from ui.state.session_data import ELSEWHERE
from ui.state.settings import ExploreSettings, Settings
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS, TARGETS, nearest_stop
from ui.text.numbers import escape_markdown

CHOSEN = {"data": "wine", "mechanism": "laplace", "epsilon": "3", "delta": "1e-05", "k": "3"}
CHOSEN |= {"n": "500", "adjacency": "replace_one", "seed": "7", "target": "0.8"}
SHOWN = {"epsilon": 3.0, "delta": 1e-5, "k": 3, "n": 500.0, "adjacency": "replace_one"}
SHOWN |= {"data": "wine", "mechanism": "laplace", "seed": 7, "target": 0.8}
PAGES = {
    "explore": {"data", "mechanism", "delta", "k", "n", "adjacency", "seed", "target"},
    "eigengap": {"data", "epsilon", "delta", "k", "n", "adjacency"},
    "sample_size": {"data", "epsilon", "delta", "k", "adjacency"},
    "local": {"data", "epsilon", "delta", "k", "n"},
    "claims": {"mechanism", "epsilon", "delta", "k", "n", "adjacency"},
}
"""The settings that each page has a control for."""
ON_DATA = {"spectrum": "data", "source": "data"}
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


def table(rows, name="people.csv"):
    """Return a table of one's own."""
    cells = np.random.default_rng(rows).uniform(-0.5, 0.5, (rows, 4))
    recipe = Recipe(tuple(Number(each, -1, 1) for each in "abcd"), bounds_are_public=True)
    return prepare(pd.DataFrame(cells, columns=[*"abcd"]), recipe, name)


@pytest.fixture(scope="module")
def tables():
    return [table(rows) for rows in (60, 90)]


@pytest.mark.parametrize("name", PAGES)
def test_a_link_or_another_page_sets_every_page_and_reset_returns_all_but_the_data_set(name):
    own = {"axis": "k", "gap": "0.5", "d": "20", "repetitions": "5"}
    page = open_page(name, **CHOSEN, **ON_DATA, **own)
    assert not page.exception
    assert address(page) | CHOSEN == address(page)
    assert {key: shown(page)[key] for key in PAGES[name]} == {k: SHOWN[k] for k in PAGES[name]}
    other = page_at(name, **ON_DATA, **own)
    other.session_state[session.SETTINGS] = chosen = Settings.from_query(CHOSEN)
    other.run()
    assert address(other) == address(page)
    assert shown(other) == shown(page)
    # A control sets what all pages share and nothing else.
    page.select_slider(key="delta").set_value(0.01).run()
    assert page.session_state[session.SETTINGS] == replace(chosen, delta=0.01)
    assert address(page)["delta"] == "0.01"
    page.button(key="reset").click().run()
    assert not page.exception
    assert page.session_state[session.SETTINGS] == Settings(data="wine")
    fresh = open_page(name, data="wine")
    assert fresh.session_state[session.SETTINGS] == Settings(data="wine")
    assert address(page) == address(fresh)
    labels = {(widget.label, widget.value) for widget in (*page.slider, *page.select_slider)}
    assert labels == {(w.label, w.value) for w in (*fresh.slider, *fresh.select_slider)}


def test_a_page_keeps_a_setting_that_it_cannot_use_and_says_so():
    page = open_page("claims", data="digits", k="12")
    assert "k = 12 is not possible here: using 9." in said(page)[0]
    assert said(page, "not your data set")
    assert address(page)["k"] == "12"
    page.number_input(key="d").set_value(20).run()
    assert said(page) == []
    assert page.slider(key="k-1").value == 12
    page.slider(key="k-1").set_value(4).run()
    assert page.session_state[session.SETTINGS].k == 4
    unused = "k and the number of people set on other pages are not used"
    assert said(open_page("sample_size"), unused)
    assert said(open_page("local"), "there are no neighbours to choose")


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


def test_a_tick_on_explore_is_of_the_data_that_are_shown(tables):
    one, other = tables[0], replace(tables[1], name="other.csv")
    page = page_at("explore", data=one.key)
    page.session_state["datasets"] = {data.key: data for data in (one, other)}
    page.run()
    (tick,) = page.checkbox
    tick.check().run()
    assert said(page, NOT_PRIVATE) == []
    tick.uncheck().run()
    assert said(page, NOT_PRIVATE)
    page.checkbox[0].check().run()
    page.selectbox(key="data").select(other.key).run()
    assert not page.exception
    assert not page.checkbox[0].value
    assert said(page, NOT_PRIVATE)
    assert page.session_state["declared-public"] == {one.key}
    page.selectbox(key="data").select(one.key).run()
    assert said(page, NOT_PRIVATE) == []
    page.selectbox(key="data").select("rand").run()
    assert said(page, NOT_PRIVATE) == []


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


# --- What a link says ---


@pytest.mark.parametrize(
    ("name", "view"), [("compare", "all"), ("summary", "page"), ("results", "one")]
)
def test_an_old_address_leads_to_its_page_with_all_its_settings(name, view, monkeypatch):
    went = []
    address = SimpleNamespace(to_dict=lambda: {"k": "3", "view": "one"})
    monkeypatch.setattr(app.st, "query_params", address)
    monkeypatch.setattr(app.st, "switch_page", lambda *to, **how: went.append((*to, how)))
    app._lead(*app.MOVED[name])
    ((page, how),) = went
    assert how["query_params"] == {"k": "3", "view": view}
    assert (ROOT / page).exists()


EVIL = ["upload:https://evil.example/a", "www.evil.example", "http://[::1]/", "a@evil.example"]
EVIL += ["[x](https://evil.example)", "//evil.example", "<https://evil.example>", ":material/x:"]
EVIL += ["<img src=x>", "WWW.evil.example", "mailto:a@evil.example"]
AUTOLINKS = r"(?i)https?://|ftp://|www\.", r"(?i)(?:^|[^\w\\])[-.\w+]+@[-\w]+(?:\.[-\w]+)+"
"""What Markdown of GitHub's flavour makes a link of, after escapes are undone."""
UPLOAD = "upload:0123456789abcdef0123456789abcdef"


def linked(markdown):
    seen = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown)
    return any(re.search(pattern, seen) for pattern in AUTOLINKS)


@pytest.mark.parametrize("data", sampled(EVIL, 4, "the same characters, other links"))
def test_no_name_of_data_becomes_a_link_on_a_page(data):
    (box,) = open_page("explore", data=data).info
    assert not linked(box.value)
    assert not re.search(r"(?<!\\)[<\[`:]", box.value.replace("“", "").replace(" session:", ""))
    assert not any(linked(escape_markdown(data)) for data in EVIL)
    assert all(linked(text) for text in ("https://a.b", r"https\://a.b", "see www.a.b", "a@b.cc"))


def test_a_table_of_another_session_is_named_as_one_at_a_server_started_anew_too():
    """It tells its menu's old text; the link still says what is missing."""
    app = page_at("explore", data=UPLOAD, k="4")
    app.session_state["data"] = "people.csv"
    app.run()
    assert not app.exception
    assert [box.value for box in app.info] == [escape_markdown(ELSEWHERE)]
    assert app.session_state["settings"].k == 4
    app.selectbox(key="data").select("wine").run()
    assert app.session_state["settings"].data == "wine"
    assert not app.info


def test_values_that_are_replaced_are_named_until_they_are_changed():
    link = {"epsilon": "1e6", "delta": "nan", "adjacency": "both", "mechanism": "x:y", "n": "1e99"}
    app = open_page("explore", data="rand", k="50", seed="-3", curves="perhaps", **link)
    of_link = {
        "ε = 1e6 is not possible: using 100",
        "δ = nan is not possible: using 1e-06",
        "neighbours = both is not possible: using add_or_remove_one",
        "mechanism = x:y is not possible: using gaussian",
        "seed = -3 is not possible: using the default",
        "curves = perhaps is not possible: using the default",
    }
    people = "n = 1e+99 is not possible here: using 1e+07."
    here = f"k = 50 is not possible here: using 18; {people}"
    for _ in range(2):
        (text,) = said(app)
        assert text.endswith(f". {here}")
        first = text.removeprefix("In this link ").removesuffix(f". {here}")
        assert {*first.split("; ")} == of_link
        app.run()
    app.slider(key="k").set_value(3).run()
    app.number_input(key="seed").set_value(4).run()
    (text,) = said(app)
    assert text.endswith(f". {people}")
    assert "seed" not in text


@pytest.mark.parametrize("page", ["explore", "eigengap", "sample_size", "local"])
def test_every_page_names_what_it_replaced_and_nothing_else(page):
    app = open_page(page, epsilon="-1")
    assert not app.exception
    assert "ε = -1 is not possible" in said(app)[0]
    assert said(open_page(page, data="wine", epsilon="0.1", k="2", delta="1e-06")) == []


def test_names_tell_nothing_of_a_table():
    """Two readings of one file differ in every name; nobody can confirm a guess of its rows."""
    one, again = (table(60, "oncology 2024.csv") for _ in range(2))
    gaussian = MECHANISMS["gaussian"]
    view = Along(0.1, 1e-6, 60.0, 1, Adjacency.ADD_OR_REMOVE_ONE)
    assert view.digest(one) != view.digest(again)
    study = Study(one, replace(view, axis="k"), (gaussian,), trials={gaussian: 20})
    for _ in study.curves.steps(0):
        pass
    content = all_content(study, "x", 0, 0.9)
    files = [make(study, content) for make in (script, quantiles_csv, medians_page)]
    assert 'PATH = "PATH_TO_YOUR_FILE"' in files[0]
    told = ("oncology", one.key, "assert data.identity")
    assert [word for text in files for word in told if word in text] == []


def test_a_session_keeps_a_few_tables_of_its_own(monkeypatch):
    """Each press of “Use these data” makes another one: they must not fill the memory."""
    monkeypatch.setattr(session.st, "session_state", {})
    many = range(session_data.MOST_UPLOADS + 3)
    for i in many:
        session_data.uploads()[str(i)] = replace(load_key("wine"), name=str(i))
    assert [d.name for d in session_data.uploads().values()] == [str(i) for i in many[3:]]


ANY_SETTINGS = st.builds(
    Settings,
    data=st.sampled_from(["rand", "digits", UPLOAD]),
    mechanism=st.sampled_from(list(MECHANISMS)),
    epsilon=st.sampled_from(EPSILON_STOPS),
    delta=st.sampled_from(DELTA_STOPS),
    k=st.integers(0, 20),
    n=st.sampled_from([0.0, 100.0, 5e6]),
    adjacency=st.sampled_from([str(a) for a in Adjacency]),
    seed=st.integers(0, 2**32 - 1),
    target=st.sampled_from(TARGETS),
)
FIELDS = st.sampled_from([*Settings.__dataclass_fields__, "x"])


@given(ANY_SETTINGS, st.dictionaries(FIELDS, st.text(max_size=12)))
def test_a_link_is_read_as_it_was_written_and_none_breaks_the_page(settings, query):
    assert Settings.from_query(settings.to_query()) == settings
    found = Settings.from_query(query)
    assert (found.epsilon in EPSILON_STOPS, found.delta in DELTA_STOPS) == (True, True)
    assert found.mechanism in MECHANISMS


def test_what_cannot_be_used_falls_back_alone_and_to_the_nearest_stop():
    query = {"epsilon": "nan", "delta": "1e-3", "mechanism": "nonsense", "k": "3"}
    query["seed"] = str(2**32)
    assert Settings.from_query(query) == replace(Settings(), delta=1e-3, k=3)
    assert {*Settings().to_query()} == {"data", "mechanism", "epsilon", "delta"}, "always"
    assert nearest_stop(0.04, (0.01, 0.1)) == 0.1, "by ratio"
    assert nearest_stop(0.0, (0.0, 1e-12)) == 0.0
    assert nearest_stop(1e99, (100.0, 1e7)) == 1e7


# --- The address that a room is given ---

ROOM = "http://class.local:8501/"
SETTINGS = {"data": "rand", "mechanism": "gaussian", "epsilon": "0.2", "delta": "1e-06"}


def test_an_address_opens_the_same_settings_and_leaves_the_rooms_view_out():
    found = shared.address_beside(ROOM, "compare", SETTINGS | {"present": "1", "told": "1"})
    assert found.url.startswith("http://class.local:8501/compare?")
    assert dict(parse_qsl(urlsplit(found.url).query)) == SETTINGS
    assert found.text == "class.local:8501/compare", "nobody types so much"
    lesson = shared.address_beside(ROOM, "learn", {"lesson": "gap", "present": "1"})
    assert lesson.url == f"http://{lesson.text}" == "http://class.local:8501/learn?lesson=gap"
    assert shared.address_beside(ROOM, "proofs", {"present": "1"}).text == "class.local:8501/proofs"


def test_neither_a_loopback_address_nor_a_table_of_ones_own_is_given_to_a_room():
    for host in ("localhost", "127.8.8.8", "[::1]", "a.localhost", "0.0.0.0"):
        found = shared.address_beside(f"http://{host}:8501/", "explore", SETTINGS)
        assert found == shared.SharedAddress(None, shared.THIS_COMPUTER_ONLY, "")
    own = shared.address_beside(ROOM, "explore", SETTINGS | {"data": UPLOAD})
    assert own == shared.SharedAddress(None, shared.THIS_SESSION_ONLY, "")
    for host in ("192.168.0.7", "[2001:db8::1]", "localhost.example"):
        for shown in ("", "/", "/compare/", "/local"):
            found = shared.address_beside(f"https://{host}/dpca{shown}", "explore", SETTINGS)
            assert found.url.startswith(f"https://{host}/dpca/explore?data=rand")
