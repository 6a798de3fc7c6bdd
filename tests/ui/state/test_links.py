"""What a link asks in vain is one sentence; nothing in it becomes a link or a private fact."""

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
from tests.opened_page import open_page, page_at
from tests.paths import ROOT
from ui.explore.all import all_content
from ui.explore.export import medians_page, quantiles_csv, script
from ui.explore.query import Along
from ui.explore.study import Study
from ui.state import session, session_data
from ui.state import shared_address as shared
from ui.state.session_data import ELSEWHERE
from ui.state.settings import Settings
from ui.state.slider_stops import DELTA_STOPS, EPSILON_STOPS, TARGETS, nearest_stop
from ui.text.numbers import escape_markdown


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


def captions(app):
    """What the page says of replaced values, as it is read."""
    said = [re.sub(r"\\(.)", r"\1", box.value) for box in app.caption]
    return [text for text in said if "is not possible" in text]


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
        (said,) = captions(app)
        assert said.endswith(f". {here}")
        first = said.removeprefix("In this link ").removesuffix(f". {here}")
        assert {*first.split("; ")} == of_link
        app.run()
    app.slider(key="k").set_value(3).run()
    app.number_input(key="seed").set_value(4).run()
    (said,) = captions(app)
    assert said.endswith(f". {people}")
    assert "seed" not in said


@pytest.mark.parametrize("page", ["explore", "eigengap", "sample_size", "local"])
def test_every_page_names_what_it_replaced_and_nothing_else(page):
    app = open_page(page, epsilon="-1")
    assert not app.exception
    assert "ε = -1 is not possible" in captions(app)[0]
    assert captions(open_page(page, data="wine", epsilon="0.1", k="2", delta="1e-06")) == []


def test_names_tell_nothing_of_a_table():
    """Two readings of one file differ in every name; nobody can confirm a guess of its rows."""
    cells = np.random.default_rng(0).uniform(-0.5, 0.5, (60, 3))
    recipe = Recipe(tuple(Number(name, -1, 1) for name in "abc"), bounds_are_public=True)
    table = pd.DataFrame(cells, columns=[*"abc"])
    one, again = (prepare(table, recipe, "oncology 2024.csv") for _ in range(2))
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
