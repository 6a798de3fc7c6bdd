"""What a link asks in vain is one sentence, and nothing in it becomes a link or a private fact."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from dpca_core import MECHANISMS, Adjacency
from dpca_core.data.recipe import Number, Recipe
from dpca_core.preparation import prepare
from sample_data import load_key
from tests.opened_page import open_page, page_at
from tests.paths import ROOT
from ui.compare.export import comparison_csv, comparison_html, comparison_script
from ui.compare.figures import page_content
from ui.compare.measurements import Comparison
from ui.compare.query import CompareQuery
from ui.compare.release_cache import ReleaseCache
from ui.explore.query import ExploreQuery
from ui.state import session, session_data
from ui.state.session_data import ELSEWHERE
from ui.state.slider_stops import nearest_stop
from ui.text.numbers import escape_markdown

PAGES = ROOT / "pages"
WITH_DATA = ["explore.py", "compare.py", "eigengap.py"]


def opened(name: str, **query: str) -> AppTest:
    return open_page(name.removesuffix(".py"), **query)


@pytest.mark.parametrize("page", WITH_DATA)
@pytest.mark.parametrize(
    "data", ["wangxu?p=10&k=10", "imtiaz?d=400&n=200000", "rand?n=3", "x" * 999]
)
def test_what_a_loader_refuses_is_one_sentence(page: str, data: str) -> None:
    app = opened(page, data=data)
    assert not app.exception
    (box,) = app.info
    assert box.value.endswith(".")
    assert len(box.value) < 300


EVIL = [
    "upload:https://evil.example/a", "https://evil.example", "www.evil.example", "http://[::1]/",
    "a@evil.example", "//evil.example", "<https://evil.example>", "[x](https://evil.example)",
    "ftp://evil.example", "mailto:a@evil.example", "WWW.evil.example", "<img src=x>",
    ":material/x:",
]  # fmt: skip
AUTOLINKS = (
    r"(?i)https?://|ftp://|www\.",
    r"(?i)(?:^|[^\w\\])[-.\w+]+@[-\w]+(?:\.[-\w]+)+",
)
"""What Markdown of GitHub's flavour makes a link of, after escapes are undone."""


def linked(markdown: str) -> bool:
    seen = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", markdown)
    return any(re.search(pattern, seen) for pattern in AUTOLINKS)


@pytest.mark.parametrize("data", EVIL)
def test_no_name_of_data_becomes_a_link(data: str) -> None:
    assert not linked(escape_markdown(data))
    app = opened("explore.py", data=data)
    (box,) = app.info
    assert not linked(box.value)
    assert not re.search(r"(?<!\\)[<\[`:]", box.value.replace("“", "").replace(" session:", ""))


def test_the_search_for_links_finds_them() -> None:
    assert all(linked(text) for text in ("https://a.b", r"https\://a.b", "see www.a.b", "a@b.cc"))


def test_a_table_of_another_session_is_named_as_one() -> None:
    app = opened("explore.py", data="upload:0123456789abcdef0123456789abcdef", k="4")
    assert [box.value for box in app.info] == [escape_markdown(ELSEWHERE)]
    assert app.session_state["settings"].k == 4


def test_a_browser_back_at_a_server_started_anew_does_not_name_data_never_had() -> None:
    """It tells its menu's old text; the link still says what is missing."""
    app = page_at("explore", data="upload:0123456789abcdef0123456789abcdef")
    app.session_state["data"] = "people.csv"
    app.run()
    assert not app.exception
    assert [box.value for box in app.info] == [escape_markdown(ELSEWHERE)]
    app.selectbox(key="data").select("wine").run()
    assert app.session_state["settings"].data == "wine"
    assert not app.info


def captions(app: AppTest) -> list[str]:
    """What the page says of replaced values, as it is read."""
    said = [re.sub(r"\\(.)", r"\1", box.value) for box in app.caption]
    return [text for text in said if "is not possible" in text]


REPLACED = {
    "n": ("1e99", "n = 1e+99 is not possible here: using 1e+07"),
    "k": ("50", "k = 50 is not possible here: using 18"),
    "epsilon": ("1e6", "ε = 1e6 is not possible: using 100"),
    "delta": ("nan", "δ = nan is not possible: using 1e-06"),
    "adjacency": ("both", "neighbours = both is not possible: using add_or_remove_one"),
    "mechanism": ("x:y", "mechanism = x:y is not possible: using gaussian"),
}


@pytest.mark.parametrize("name", REPLACED)
def test_a_value_that_is_replaced_is_named(name: str) -> None:
    asked, sentence = REPLACED[name]
    said = f"{sentence}." if "here" in sentence else f"In this link {sentence}."
    app = opened("explore.py", data="rand", **{name: asked})
    for _ in range(2):
        assert captions(app) == [said]
        app.run()


def test_it_is_named_until_it_is_changed() -> None:
    app = opened("explore.py", data="rand", k="50", seed="-3")
    assert "k = 50" in captions(app)[0]
    assert "seed = -3" in captions(app)[0]
    app.slider(key="k").set_value(3).run()
    assert captions(app) == ["In this link seed = -3 is not possible: using the default."]


@pytest.mark.parametrize("page", ["compare.py", "eigengap.py", "sample_size.py", "local.py"])
def test_every_page_names_what_it_replaced(page: str) -> None:
    app = opened(page, epsilon="-1")
    assert not app.exception
    assert "ε = -1 is not possible" in captions(app)[0]


def test_a_link_as_it_was_written_says_nothing() -> None:
    app = opened("explore.py", data="wine", epsilon="0.1", k="2", n="178", delta="1e-06")
    assert captions(app) == []


def test_nearest_is_the_last_stop_for_what_is_beyond() -> None:
    assert nearest_stop(1e99, (100.0, 1e7)) == 1e7
    assert nearest_stop(1e-99, (100.0, 1e7)) == 100.0


# --- What of one's own table leaves in names ---


def own(rows: np.ndarray, name: str = "oncology 2024.csv"):
    table = pd.DataFrame(rows, columns=["a", "b", "c"])
    ranges = tuple(Number(column, -1, 1) for column in table)
    return prepare(table, Recipe(ranges, bounds_are_public=True), name)


def test_names_tell_nothing_of_a_table() -> None:
    """Two readings of one file differ in every name; nobody can confirm a guess of its rows."""
    rows = np.random.default_rng(0).uniform(-0.5, 0.5, (60, 3))
    one, again = own(rows), own(rows)
    view = ExploreQuery(MECHANISMS["gaussian"], 1, 1e-6, 60.0, Adjacency.ADD_OR_REMOVE_ONE, 0)
    assert view.digest(one) != view.digest(again)
    asked = CompareQuery(
        (MECHANISMS["gaussian"],), "k", 0.5, 1e-6, 60.0, 1, view.adjacency, 0, 20, False
    )
    comparison = Comparison(one, asked, ReleaseCache())
    while not comparison.complete:
        comparison.advance(1)
    content = page_content(comparison, 0.9, identity="x", axis_value=asked.axis_value)
    files = [
        make(comparison, content).text
        for make in (comparison_csv, comparison_script, comparison_html)
    ]
    for text in files:
        assert "oncology" not in text
        assert one.key not in text
        assert "assert data.identity" not in text
    assert 'PATH = "PATH_TO_YOUR_FILE"' in files[1]


def test_the_address_of_a_page_names_no_file() -> None:
    data = own(np.random.default_rng(0).uniform(-0.5, 0.5, (60, 3)))
    app = opened("explore.py", data=data.key)
    app.session_state["datasets"] = {data.key: data}
    app.run()
    assert not app.info
    assert app.query_params["data"] == [data.key] or app.query_params["data"] == data.key
    assert "oncology" not in str(dict(app.query_params))


def test_a_session_keeps_a_few_tables_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each press of “Use these data” makes another one: they must not fill the memory."""
    state: dict[str, object] = {}
    monkeypatch.setattr(session.st, "session_state", state)
    data = load_key("wine")
    made = [replace(data, key="", name=str(i)) for i in range(session_data.MOST_UPLOADS + 3)]
    for one in made:
        session_data.add_upload(one)
    assert [d.name for d in session_data.uploads().values()] == [d.name for d in made[3:]]
