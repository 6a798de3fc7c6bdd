"""Every card: drawn from its stored table, with words that say what the table bears out."""

import re

import numpy as np
import pytest

from papers.card import Verdict
from papers.comparison import comparison_of
from papers.publications import PAPERS
from papers.registry import BY_KEY, CARDS
from tests.cases import sampled
from tests.chart_figures import assert_names_are_apart, assert_plotly_draws
from tests.ui.taken_settings import not_taken
from ui.figures.packed_content import encode
from ui.papers.card import CardView, told
from ui.papers.content import Screen, page_content
from ui.papers.measurements import counted, printed_points, recorded
from ui.papers.parts import MOST_ROWS, parts_of
from ui.papers.query import PapersSettings
from ui.papers.styles import is_chance, is_truth
from ui.papers.text import LEGEND, MEANINGS, PHRASES, headline
from ui.papers.theorems import theorems
from ui.papers.wall import wall_markup
from ui.text.documents import DOCUMENTS
from ui.text.page_titles import PAGE_TITLES

EVERY = pytest.mark.parametrize("card", CARDS, ids=lambda one: one.key)


def content_of(card, **settings):
    hidden = not settings.get("reveal", True)
    return page_content(Screen(PapersSettings(card.key, **settings), hidden=hidden))


def panels_of(card):
    """Return the panel of each chart."""
    return [card.panels[part.panel] for part in parts_of(card)]


def words(markup):
    return re.sub(r"<[^>]+>", "", markup)


@pytest.mark.parametrize("key", sampled(BY_KEY, 4, "Plotly checks every chart of every card"))
def test_plotly_draws_a_card_and_its_names_are_apart(key):
    content = content_of(BY_KEY[key])
    assert_plotly_draws(content)
    assert_names_are_apart(content)
    assert encode(content)


@EVERY
def test_its_curves_are_the_means_of_the_stored_releases(card):
    content, results = content_of(card), card.stored
    assert content["complete"]
    assert [chart["key"] for chart in content["charts"]] == [p.key for p in parts_of(card)]
    for chart, panel in zip(content["charts"], panels_of(card), strict=True):
        curves = [] if panel.x.names else chart["figure"]["data"]
        for trace in [one for one in curves if one.get("meta")]:
            assert np.isfinite(trace["y"]).any()
            for x in panel.x.values:
                mean = results.mean(trace["meta"], x)
                nearest = np.argmin(np.abs(np.array(trace["x"]) - x))
                if np.isfinite(mean):
                    assert trace["y"][nearest] == pytest.approx(mean, rel=1e-5)


@EVERY
def test_its_words_hold_no_missing_number_and_its_ticks_are_the_tables(card):
    """And it says what its verdict was decided on: of no curve without values that it agrees."""
    content, results = content_of(card), card.stored
    said, head = words(content["words"]), words(content["head"]).replace("&#x27;", "'")
    assert not re.search(r"\bnan\b|\binf\b|\{|\}", said)
    signs = re.findall(r'class="dpca-(holds|fails)"', content["words"])
    assert signs == ["holds" if s.holds(results) else "fails" for s in card.statements]
    assert str(card.judged(results)) in head
    assert all(part for part in told(CardView(card, results)))
    compared = comparison_of(card, results)
    tile = wall_markup().split(card.key)[-1].split("</a>")[0]
    assert f"Compared with {compared.told()}" in head
    assert not re.search(r"\bagrees?\b", head)
    assert ("printed values on record" in tile) == (compared.printed > 0)
    assert "Compared with" not in content_of(card, reveal=False)["head"]


@EVERY
def test_what_is_hidden_is_not_sent(card):
    """Our curves, verdict, sentence and downloads stay on the server until they are asked for."""
    content = content_of(card, reveal=False)
    ends = {s.key for s in card.series if is_chance(s) or is_truth(s)}
    for chart in content["charts"]:
        assert {t["meta"] for t in chart["figure"]["data"] if t.get("meta")} <= ends
        assert "ours" not in [t.get("name") for t in chart["figure"]["data"]]
        assert not any(t.get("fill") for t in chart["figure"]["data"] if "fillpattern" not in t)
    assert str(card.verdict) not in words(content["head"])
    assert told(CardView(card, card.stored))[0][:30] not in words(content["words"])
    assert 'data-say="save"' not in content["actions"]
    assert 'data-say="show"' in content["words"]


@EVERY
def test_printed_numbers_are_marks_of_their_own_and_no_line_is_called_printed(card):
    """A printed curve would have to be read off: what is drawn is a run of a printed mechanism."""
    own = {series.key for series in card.series}
    printed = {key: found for key, found in printed_points(card.key).items() if key in own}
    marked, names = [], []
    for chart, panel in zip(content_of(card)["charts"], panels_of(card), strict=True):
        for trace in chart["figure"]["data"]:
            if str(trace.get("marker", {}).get("symbol", "")).endswith("-open"):
                marked += trace["x" if panel.x.names else "y"]
                names.append(trace.get("name", ""))
            if trace.get("mode") == "lines" and trace.get("meta"):
                assert "printed" not in trace["name"].removeprefix("PCA, printed in Table")
    stated = [point.value for points in printed.values() for point in points]
    assert sorted(marked) == pytest.approx(sorted(stated))
    if card.number.startswith("Figure"):
        assert all(name.endswith("the first author's later public code") for name in names)


@EVERY
def test_every_link_opens_at_the_card_s_settings(card):
    """Each setting is taken as it is written: no slider moves it to a stop beside it."""
    for link in card.links:
        assert link.page in PAGE_TITLES
        assert not_taken(link.page, link.query) == {}


def test_the_headline_counts_every_card_once():
    counts, known = counted(), recorded()
    assert sum(counts.values()) == len(CARDS)
    said = headline(counts, len(known)).replace("\u00a0", " ").replace("**", "")
    assert said.startswith(f"Of {len(CARDS)} printed figures, tables and theorems ")
    for verdict, count in counts.items():
        assert (f"{count} {PHRASES[verdict][count != 1]}" in said) == bool(count)
    assert {*PHRASES} == {*MEANINGS} == {*LEGEND} == {*Verdict}
    assert f"Of {len(CARDS) - len(known)} no printed values are on record" in said


def test_the_wall_has_a_tile_for_each_card_under_its_paper():
    columns = wall_markup().split("<section")[1:]
    keys = [re.findall(r'data-figure="([^"]+)"', column) for column in columns]
    expected = [[one.key for one in CARDS if one.paper == paper] for paper in PAPERS]
    assert keys == [column for column in expected if column]
    assert "nan" not in words(wall_markup()).lower()
    assert not re.search(r'points="[^"]*nan', wall_markup())


def test_every_theorem_leads_to_a_place_that_is_there():
    assert len(theorems()) == 26
    for theorem in theorems():
        assert theorem.standing in ("holds", "refuted", "corrected", "cited")
        page, _, rest = theorem.address.partition("?")
        document, figure = rest.removeprefix("document="), rest.removeprefix("figure=")
        assert page.partition("#")[0] in PAGE_TITLES
        assert not rest or document in DOCUMENTS or figure in BY_KEY
        assert theorem.paper in PAPERS


@EVERY
def test_a_long_table_stands_in_two_charts_with_one_axis(card):
    figures = [chart["figure"] for chart in content_of(card)["charts"]]
    for number, panel in enumerate(card.panels):
        places = zip(figures, parts_of(card), strict=True)
        own = [figure for figure, part in places if part.panel == number]
        if panel.x.names:
            assert max(len(one["layout"]["yaxis"]["tickvals"]) for one in own) <= MOST_ROWS
            assert len({tuple(one["layout"]["xaxis"]["range"]) for one in own}) == 1
            assert {row[0] for one in own for row in one["table"][1:]} <= {*panel.x.names}
