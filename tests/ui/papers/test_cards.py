"""Every card: drawn from its stored table, with words that say what the table bears out."""

import re

import numpy as np
import plotly.graph_objects as go
import pytest

from dpca_core.figures.colours import resolve
from papers.card import Verdict
from papers.comparison import comparison_of
from papers.publications import PAPERS
from papers.registry import BY_KEY, CARDS
from tests.cases import sampled
from tests.ui.taken_settings import not_taken
from ui.papers import text
from ui.papers.figure import Shown, figures, thumbnail
from ui.papers.parts import MOST_ROWS, parts_of
from ui.papers.stored import counted, printed_points, recorded
from ui.papers.styles import is_chance, is_truth
from ui.papers.text import LEGEND, MEANINGS, PHRASES, SIGNS, headline
from ui.papers.theorems import theorems
from ui.papers.words import CardView, head, statements, told
from ui.text.documents import DOCUMENTS
from ui.text.product import PAGE_TITLES

EVERY = pytest.mark.parametrize("card", CARDS, ids=lambda one: one.key)


def stored(card):
    return figures(Shown(card, card.stored))


def traces_of(charts, **like):
    """Return the traces of charts that have these values."""
    traces = [trace for _, spec in charts for trace in spec["data"]]
    return [t for t in traces if all(t.get(name) == value for name, value in like.items())]


def words(markup):
    return re.sub(r"<[^>]+>", "", markup)


@pytest.mark.parametrize("key", sampled(BY_KEY, 4, "Plotly checks every chart of every card"))
def test_plotly_draws_a_card_and_a_small_picture_has_numbers(key):
    card = BY_KEY[key]
    for theme in ("light", "dark"):
        for _, spec in stored(card):
            assert go.Figure(resolve(spec, theme)).layout.height > 0
        picture = thumbnail(card, theme)
        assert re.search(r"<(polyline|circle)", picture)
        assert "nan" not in picture


@EVERY
def test_its_curves_are_the_means_of_the_stored_releases(card):
    charts, results = stored(card), card.stored
    assert [part for part, _ in charts] == [*parts_of(card)]
    for part, spec in charts:
        panel = card.panels[part.panel]
        for trace in [one for one in spec["data"] if one.get("meta")]:
            known = dict(zip(trace["x"], trace["y"], strict=True))
            for x in panel.x.values:
                np.testing.assert_equal(known[x], results.mean(trace["meta"], x))
            assert np.isfinite(trace["y"]).any()


@EVERY
def test_its_words_hold_no_missing_number_and_its_ticks_are_the_tables(card):
    """And it says what its verdict was decided on: of no curve without values that it agrees."""
    results = card.stored
    view = CardView(card, results)
    said, above = words(statements(view)), words(head(view)).replace("&#x27;", "'")
    assert not re.search(r"\bnan\b|\binf\b|\{|\}", said)
    signs = re.findall(r'class="dpca-(holds|fails)"', statements(view))
    assert signs == ["holds" if s.holds(results) else "fails" for s in card.statements]
    assert str(card.judged(results)) in above
    assert all(part for part in told(view))
    compared = comparison_of(card, results)
    assert f"Compared with {compared.told()}" in above
    assert not re.search(r"\bagrees?\b", above)
    assert (card.key in recorded()) == (compared.printed > 0)
    tile = text.tile(card, known=card.key in recorded(), veiled=False)
    assert tile.startswith(SIGNS[card.verdict])
    assert ("◇" in tile) == (compared.printed > 0)


@EVERY
def test_what_is_hidden_is_not_sent(card):
    """Our curves, verdict and sentence stay on the server until they are asked for."""
    charts, view = figures(Shown(card, None)), CardView(card, None)
    ends = {s.key for s in card.series if is_chance(s) or is_truth(s)}
    assert {t["meta"] for t in traces_of(charts) if t.get("meta")} <= ends
    assert not traces_of(charts, name=text.OURS)
    assert not any(t.get("fill") and "fillpattern" not in t for t in traces_of(charts))
    said = words(head(view) + statements(view))
    assert str(card.verdict) not in said
    assert "Compared with" not in said
    assert told(CardView(card, card.stored))[0][:30] not in said
    assert SIGNS[card.verdict] not in text.tile(card, known=False, veiled=True)


@EVERY
def test_printed_numbers_are_marks_of_their_own_and_no_line_is_called_printed(card):
    """A printed curve would have to be read off: what is drawn is a run of a printed mechanism."""
    own = {series.key for series in card.series}
    stated = [p.value for k, found in printed_points(card.key).items() if k in own for p in found]
    marked, rows = [], bool(card.panels[0].x.names)
    for trace in traces_of(stored(card)):
        if trace.get("marker", {}).get("symbol") == "diamond-open":
            marked += trace["x" if rows else "y"]
            authors = trace["name"].endswith("the first author's later public code")
            assert authors == card.number.startswith("Figure")
        if trace.get("meta"):
            assert "printed" not in trace["name"].removeprefix("PCA, printed in Table")
    assert sorted(marked) == pytest.approx(sorted(stated))


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
    assert {*PHRASES} == {*MEANINGS} == {*LEGEND} == {*SIGNS} == {*Verdict}
    assert f"Of {len(CARDS) - len(known)} no printed values are on record" in said


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
    charts = stored(card)
    for number, panel in enumerate(card.panels):
        layouts = [spec["layout"] for part, spec in charts if part.panel == number]
        if panel.x.names:
            assert max(len(one["yaxis"]["tickvals"]) for one in layouts) <= MOST_ROWS + 6
            assert len({tuple(one["xaxis"]["range"]) for one in layouts}) == 1
