"""The page and its file: frozen until somebody asks, small, nothing loaded, marked not private."""

import re
from html.parser import HTMLParser

import pytest

from dpca_core.mechanisms.registry import MECHANISMS
from tests.built_in_sets import QUICK_SETS
from tests.cases import sampled
from tests.opened_page import open_page, page_at
from tests.ui.summary.summaries import built_in, frozen, measured, own_table, query, shown
from ui.figures.downloads import NOT_PRIVATE
from ui.state.settings import Settings
from ui.summary import promise_text as promise
from ui.summary.file import summary_file
from ui.summary.one_page import article, file_text

MOST_BYTES, MOST_RUNS = 60_000, 100


class Tags(HTMLParser):
    """Collects elements with their attributes; each that is opened is closed."""

    def __init__(self, text):
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


SETS = [("rand", 4, 0.5), *((key, 5, 1.0) for key in QUICK_SETS)]


@pytest.mark.parametrize(("key", "k", "epsilon"), sampled(SETS, len(SETS), "every data set"))
def test_the_file_is_small_and_loads_nothing(key, k, epsilon):
    found = built_in(key, k, epsilon)
    file = summary_file(frozen(found), found, shown(found))
    assert len(file.text.encode()) <= MOST_BYTES
    assert file.name == "dpca-summary.html"
    seen = Tags(file.text).seen
    assert not {"script", "link", "iframe", "object", "svg"} & {tag for tag, _ in seen}
    assert not any(name.startswith("on") for _, names in seen for name in names)
    assert not re.search(r"https?://|url\(|@import|@font-face", file.text)
    assert f"<p><strong>{NOT_PRIVATE}</strong></p>" in file.text


def test_private_data_are_called_so_in_red_and_nothing_names_the_table():
    data = own_table()
    found = measured(data, query(data, 2, 2.0))
    hidden = shown(found, public=False, people=False)
    text = summary_file(frozen(found), found, hidden).text
    assert f'<b class="op-inside">{promise.INSIDE}</b>' in text
    assert "clinic" not in text
    assert data.key not in text
    assert "<b>age</b>" not in text
    assert "500" not in re.sub(r"<style>.*?</style>|<svg.*?</svg>", "", text, flags=re.S)
    public = file_text(frozen(found), found, shown(found))
    assert promise.INSIDE not in public
    assert promise.PUBLIC in public


def test_dots_are_a_hundred_and_match_the_odds():
    found = built_in("rand", 4, 0.5)
    text = article(frozen(found), found, shown(found))
    groups = re.findall(r'<div class="op-dots".*?</div>', text)
    counts = [(g.count("<i"), g.count("op-coin"), g.count("op-gained")) for g in groups]
    assert counts == [(100, 50, 1), (100, 50, 3), (100, 50, 9)]
    unbounded = built_in("rand", 2, 0.5, "power_printed")
    assert "op-dots" not in article(frozen(unbounded), unbounded, shown(unbounded))


def test_the_proof_is_a_link_on_the_page_and_a_name_in_the_file():
    found = built_in("rand", 4, 0.5)
    page = article(frozen(found), found, shown(found), links=True)
    link = '<a href="proofs?document=gaussian" target="_blank" rel="noopener">'
    assert f"see “{link}Gaussian noise, exactly</a>”" in page
    file = file_text(frozen(found), found, shown(found))
    assert "see “Gaussian noise, exactly” on the page Proofs." in file
    assert "<a " not in file


SMALL = {"data": "chaudhuri", "k": "2", "epsilon": "0.5"}


def sheet(page):
    """Return the sheet, once the page has measured it: each run measures a slice more."""
    for _ in range(MOST_RUNS):
        assert not page.exception
        found = [h.proto.body for h in page.get("html") if "<article" in h.proto.body]
        if found:
            break
        page.run()
    (body,) = found
    return body


def test_it_is_frozen_until_it_is_updated():
    page = open_page("summary", **SMALL)
    first = sheet(page)
    assert "ε\u00a0=\u00a00.5" in first
    page.session_state["settings"] = Settings(data="chaudhuri", k=2, epsilon=1.0)
    page.run()
    assert sheet(page) == first
    assert page.query_params["epsilon"] in ("0.5", ["0.5"])
    page.button(key="summary-update").click().run()
    assert "ε\u00a0=\u00a01" in sheet(page)
    assert "summary-update" not in [button.key for button in page.button]


def test_a_mechanism_keeps_its_own_settings():
    page = page_at("summary", **SMALL, mechanism="power")
    page.session_state["summary.mechanism"] = type(MECHANISMS["power"])(rounds=7)
    page.run()
    assert "Rounds L 7" in sheet(page)


def test_a_table_of_ones_own():
    data = own_table()
    page = page_at("summary")
    page.session_state["datasets"] = {data.key: data}
    page.session_state["settings"] = Settings(data=data.key, k=2, epsilon=2.0)
    page.run()
    assert "these people" in sheet(page)
    assert promise.INSIDE in sheet(page)
    page.checkbox[0].check().run()
    assert "500 people" in sheet(page)
    first = next(box for box in page.text_input if box.label.endswith("high end"))
    first.set_value("those who **shout**").run()
    assert "those who ∗∗shout∗∗" in sheet(page)
