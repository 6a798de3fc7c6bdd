"""The Papers page without a browser: each card drawn from its stored table, with words that say
what that bears out; what a link shows, what controls change, and runs.
"""

import csv
import re
from urllib.parse import parse_qsl, urlsplit

import numpy as np
import plotly.graph_objects as go
import pytest

from dpca_core.figures.colours import resolve
from papers import chaudhuri
from papers.card import Verdict
from papers.registry import BY_KEY, CARDS
from papers.store import printed_values
from tests.cases import sampled
from tests.opened_page import open_page
from tests.ui.taken_settings import not_taken
from ui.page.files import NOT_PRIVATE
from ui.papers import text
from ui.papers.figure import OURS, figure, is_end, thumbnail
from ui.papers.page import RUN
from ui.papers.query import FIRST
from ui.papers.text import SIGNS, WORDS, head, numbers_csv, statements
from ui.state.session import SETTINGS
from ui.state.settings import Settings
from ui.text.documents import DOCUMENTS
from ui.text.navigation import PAGE_TITLES

EVERY = pytest.mark.parametrize("card", CARDS, ids=lambda one: one.key)


def traces_of(card, results):
    """Return the traces of a card's charts."""
    return [t for panel in card.panels for t in figure(card, panel, results)["data"]]


def words(markup):
    return re.sub(r"<[^>]+>", "", markup)


def assert_leads_somewhere(address):
    found = urlsplit(address)
    query = dict(parse_qsl(found.query))
    assert found.path in PAGE_TITLES
    assert query.get("figure", "gonen-thm-1") in BY_KEY
    assert query.get("document", "errata") in DOCUMENTS
    return found.path, query


@pytest.mark.parametrize("key", sampled(BY_KEY, 4, "Plotly checks every chart of every card"))
def test_plotly_draws_a_card_and_a_small_picture_has_numbers(key):
    card = BY_KEY[key]
    for theme in ("light", "dark"):
        for panel in card.panels:
            spec = resolve(figure(card, panel, card.stored, card.stored), theme)
            assert go.Figure(spec).layout.height > 0
        picture = thumbnail(card, theme)
        assert re.search(r"<(polyline|circle)", picture)
        assert "nan" not in picture


@EVERY
def test_what_is_drawn_are_means_of_stored_releases_and_numbers_on_record(card):
    """A printed curve would have to be read off: a line is a run of a printed mechanism."""
    across = "x" if card.panels[0].x.names else "y"
    drawn, marked = {}, []
    for trace in traces_of(card, card.stored):
        if key := trace.get("meta"):
            drawn[key] = drawn.get(key, []) + list(trace[across])
            assert "printed" not in trace["name"].partition(", ")[0]
        elif trace.get("marker", {}).get("symbol") == "diamond-open":
            marked += [*trace[across]]
            authors = trace["name"].endswith("the first author's later public code")
            assert authors == card.number.startswith("Figure")
    for series in card.series:
        known = np.array(drawn.get(series.key, ()), dtype=float)
        means = card.stored.means(series.key)
        np.testing.assert_allclose(known[np.isfinite(known)], means, rtol=1e-6)
    own = {series.key for series in card.series}
    stated = [value for (key, _), value in printed_values(card.key).items() if key in own]
    assert sorted(marked) == pytest.approx(sorted(stated))


@EVERY
def test_its_words_say_what_the_table_bears_out_or_nothing_while_it_is_hidden(card):
    """Our curves, verdict and sentence stay on the server until they are asked for."""
    shown, sign = statements(card, card.stored), SIGNS[card.verdict]
    assert not re.search(r"\bnan\b|\binf\b|\{|\}", words(shown))
    signs = re.findall(r'class="dpca-(holds|fails)"', shown)
    assert signs == ["holds" if s.holds(card.stored) else "fails" for s in card.statements]
    assert text.tile(card, veiled=False).startswith(sign)
    assert sign not in text.tile(card, veiled=True)
    unsaid = words(head(card, None) + statements(card, None))
    for said in (str(card.verdict), "Compared with"):
        assert said in words(head(card, card.stored))
        assert said not in unsaid
    assert card.tell(card.stored)[0][:30] not in unsaid
    ends = {s.key for s in card.series if is_end(s)}
    assert {t["meta"] for t in traces_of(card, None) if t.get("meta")} <= ends


@EVERY
def test_every_link_opens_at_the_card_s_settings(card):
    """Each setting is taken as it is written: no slider moves it to a stop beside it."""
    for link in card.links:
        assert not_taken(*assert_leads_somewhere(link)) == {}


@pytest.mark.parametrize(
    ("key", "source", "printed"),
    [
        ("imtiaz-fig-1b", "the first author's later public code (stored result)", False),
        ("imtiaz-table-1", "Table 1 (typed)", True),
    ],
)
def test_numbers_say_that_they_are_not_private_and_whose_they_are(key, source, printed):
    """Of Figure 1(b) the first author's own runs are on record, of Table 1 what is printed."""
    numbers = numbers_csv(BY_KEY[key], BY_KEY[key].stored)
    assert numbers.startswith(f"# {NOT_PRIVATE}\n")
    rows = list(csv.DictReader(numbers.splitlines()[1:]))
    saved = [row for row in rows if row["source"] != OURS]
    assert len(rows) - len(saved) == len(BY_KEY[key].stored.rows)
    said = {(row["source"], bool(row["printed"]), bool(row["value"])) for row in saved}
    assert said == {(source, printed, not printed)}


# --- The page ---

QUICK, SLOW = "chaudhuri-fig-5", "chaudhuri-fig-2"
"""A card whose run takes well below a second, and one that is not run here."""


def button(page, label):
    return next(one for one in page.button if one.label == label)


def labels(page):
    return [one.label for one in page.button]


def tiles(page):
    start = "papers-open-"
    return [b.key.removeprefix(start) for b in page.button if (b.key or "").startswith(start)]


def test_it_opens_on_the_first_card_with_all_tiles_which_links_and_controls_limit():
    page = open_page("papers")
    assert not page.exception
    assert page.query_params["figure"] == FIRST
    assert tiles(page) == [*BY_KEY]
    assert text.counted().total() == len(CARDS)
    button(page, text.tile(BY_KEY[QUICK], veiled=False)).click().run()
    assert page.query_params["figure"] == QUICK
    verdict = CARDS[-1].verdict
    asked = {"seed": "7", "mechanism": "laplace", "epsilon": "5"}
    page = open_page("papers", figure=QUICK, verdict=str(verdict), **asked)
    assert page.session_state[SETTINGS] == Settings(), "what other pages show"
    limited = [c.key for c in CARDS if c.verdict == verdict]
    assert {*tiles(page)} == {QUICK, *limited}
    page.get("button_group")[0].set_value(Verdict.ONE_FAILS).run()
    assert page.query_params["verdict"] == str(Verdict.ONE_FAILS)
    assert not page.exception


def test_a_link_for_a_class_hides_our_run_until_it_is_asked_for():
    """No verdict limits the wall, and no seed in the link begins a run that would show it."""
    verdict = str(Verdict.ONE_FAILS)
    page = open_page("papers", figure=QUICK, reveal="0", seed="3", verdict=verdict)
    assert tiles(page) == [*BY_KEY]
    assert RUN not in page.session_state
    assert text.tile(BY_KEY[QUICK], veiled=True) in labels(page)
    assert WORDS("run") not in labels(page)
    button(page, WORDS("show")).click().run()
    assert WORDS("show") not in labels(page)
    assert page.session_state[RUN].share == 1


def test_what_cannot_be_run_is_one_sentence(monkeypatch):
    page = open_page("papers", figure=SLOW, seed="4")
    assert not page.error
    assert sum("Not run here" in caption.value for caption in page.caption) == 1
    monkeypatch.delenv("DPCA_DATA", raising=False)
    chaudhuri.problem.cache_clear()
    page = open_page("papers", figure="chaudhuri-fig-4b", seed="1")
    for _ in range(2):
        assert [e.value.split(" is ")[0] for e in page.error] == ["coil2000_insurance.parquet"]
        assert not page.exception
        page.run()
