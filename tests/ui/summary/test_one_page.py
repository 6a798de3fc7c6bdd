"""The page as a file: small, without scripts or anything loaded, and marked as not private."""

import re
from html.parser import HTMLParser

import pytest

from dpca_core.example_release.csv_file import NOT_PRIVATE
from tests.built_in_sets import QUICK_SETS
from tests.ui.summary.summaries import built_in, frozen, measured, own_table, query, shown
from ui.summary import promise_text as promise
from ui.summary.file import summary_file
from ui.summary.one_page import article, file_text

MOST_BYTES = 60_000
QR = '<svg class="q"><path d="M0 0"/></svg>'


class Tags(HTMLParser):
    """Collects elements with their attributes, and what is left open."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def parsed(text: str) -> Tags:
    found = Tags()
    found.feed(text)
    assert found.open == []
    return found


@pytest.mark.parametrize("key", QUICK_SETS)
def test_the_file_is_small_and_loads_nothing(key: str) -> None:
    found = built_in(key, 5, 1.0)
    file = summary_file(frozen(found), found, shown(found))
    assert len(file.text.encode()) <= MOST_BYTES
    assert file.name == "dpca-summary.html"
    tags = parsed(file.text)
    assert not {"script", "link", "iframe", "object", "svg"} & {tag for tag, _ in tags.seen}
    assert not any(name.startswith("on") for _, names in tags.seen for name in names)
    assert not re.search(r"https?://|url\(|@import|@font-face", file.text)
    assert not file.guaranteed
    assert f"<p><strong>{NOT_PRIVATE}</strong></p>" in file.text


def test_private_data_are_called_so_in_red_and_nothing_names_the_table() -> None:
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


def test_dots_are_a_hundred_and_match_the_odds() -> None:
    found = built_in("rand", 4, 0.5)
    text = article(frozen(found), found, shown(found))
    groups = re.findall(r'<div class="op-dots".*?</div>', text)
    counts = [(g.count("<i"), g.count("op-coin"), g.count("op-gained")) for g in groups]
    assert counts == [(100, 50, 1), (100, 50, 3), (100, 50, 9)]


def test_the_proof_is_a_link_on_the_page_and_a_name_in_the_file() -> None:
    found = built_in("rand", 4, 0.5)
    page = article(frozen(found), found, shown(found), links=True)
    link = '<a href="proofs?document=gaussian" target="_blank" rel="noopener">'
    assert f"Balle &amp; Wang 2018, Theorem 8; see “{link}Gaussian noise, exactly</a>”" in page
    file = file_text(frozen(found), found, shown(found))
    assert "see “Gaussian noise, exactly” on the page Proofs." in file
    assert "<a " not in file


def test_where_no_bound_holds_there_are_no_dots() -> None:
    found = built_in("rand", 2, 0.5, "power_printed")
    assert "op-dots" not in article(frozen(found), found, shown(found))


def test_the_settings_have_equally_many_rows() -> None:
    for found in (built_in("rand", 4, 0.5), built_in("wine", 2, 1.0, "gap_release")):
        text = article(frozen(found), found, shown(found))
        parsed(text)
        (rows,) = re.findall(r"--rows: (\d+)", text)
        for part in re.findall(r'<section class="op-setting.*?</section>', text):
            assert part.count('class="op-cell"') + part.count("op-dots") + 1 == int(rows)


def test_the_code_of_the_address_is_an_image() -> None:
    found = built_in("rand", 4, 0.5)
    text = article(frozen(found), found, shown(found), QR, "dpca.example/?s=abcdef")
    assert 'src="data:image/svg+xml,%3Csvg%20xmlns%3D' in text
    assert "dpca.example/?s=abcdef" in text
    assert "op-qr" not in article(frozen(found), found, shown(found))
