"""Every card: drawn from its stored table, with words that say what the table bears out."""

import re

import numpy as np
import pytest

from papers.comparison import comparison_of
from papers.experiment import Scale, Verdict
from papers.publications import PAPERS
from papers.registry import BY_KEY, EXPERIMENTS
from tests.cases import sampled
from tests.chart_figures import assert_names_are_apart, assert_plotly_draws
from ui.claims.query import ClaimsSettings
from ui.compare.query import CompareSettings
from ui.eigengap.query import EigengapSettings
from ui.figures.packed_content import encode
from ui.local_model.query import LocalModelSettings
from ui.papers.card import Card, told
from ui.papers.content import Screen, page_content
from ui.papers.measurements import counted, printed_points, recorded, stored
from ui.papers.parts import MOST_ROWS, parts_of
from ui.papers.query import PapersSettings
from ui.papers.styles import is_chance, is_truth
from ui.papers.text import LEGEND, MEANINGS, PHRASES, headline
from ui.papers.theorems import THEOREMS
from ui.papers.wall import wall_markup
from ui.sample_size.query import SampleSizeSettings
from ui.state.settings import Settings
from ui.text.documents import DOCUMENTS
from ui.text.page_titles import PAGE_TITLES

EVERY = pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda one: one.key)
OWN = {
    "compare": CompareSettings,
    "claims": ClaimsSettings,
    "eigengap": EigengapSettings,
    "local": LocalModelSettings,
    "sample_size": SampleSizeSettings,
    "explore": Settings,
}
"""What the pages that cards lead to set alone."""


def content_of(experiment, **settings):
    hidden = not settings.get("reveal", True)
    return page_content(Screen(PapersSettings(experiment.key, **settings), hidden=hidden))


def panels_of(experiment):
    """Return the panel of each chart."""
    return [experiment.panels[part.panel] for part in parts_of(experiment)]


def words(markup):
    return re.sub(r"<[^>]+>", "", markup)


@pytest.mark.parametrize("key", sampled(BY_KEY, 4, "Plotly checks every chart of every card"))
def test_plotly_draws_a_card_and_its_names_are_apart(key):
    content = content_of(BY_KEY[key])
    assert_plotly_draws(content)
    assert_names_are_apart(content)
    assert encode(content)


@EVERY
def test_its_curves_are_the_means_of_the_stored_releases(experiment):
    content, results = content_of(experiment), stored(experiment)
    assert content["complete"]
    assert [chart["key"] for chart in content["charts"]] == [p.key for p in parts_of(experiment)]
    for chart, panel in zip(content["charts"], panels_of(experiment), strict=True):
        curves = [] if panel.x.scale is Scale.NAMES else chart["figure"]["data"]
        for trace in [one for one in curves if one.get("meta")]:
            assert np.isfinite(trace["y"]).any()
            for x in panel.x.values:
                mean = results.mean(trace["meta"], x)
                nearest = np.argmin(np.abs(np.array(trace["x"]) - x))
                if np.isfinite(mean):
                    assert trace["y"][nearest] == pytest.approx(mean, rel=1e-5)


@EVERY
def test_its_words_hold_no_missing_number_and_its_ticks_are_the_tables(experiment):
    """And it says what its verdict was decided on: of no curve without values that it agrees."""
    content, results = content_of(experiment), stored(experiment)
    said, head = words(content["words"]), words(content["head"]).replace("&#x27;", "'")
    assert not re.search(r"\bnan\b|\binf\b|\{|\}", said)
    signs = re.findall(r'class="dpca-(holds|fails)"', content["words"])
    assert signs == ["holds" if s.holds(results) else "fails" for s in experiment.statements]
    assert str(experiment.judged(results)) in head
    assert all(part for part in told(Card(experiment, results)))
    compared = comparison_of(experiment, results)
    tile = wall_markup().split(experiment.key)[-1].split("</a>")[0]
    assert f"Compared with {compared.told()}" in head
    assert not re.search(r"\bagrees?\b", head)
    assert ("printed values on record" in tile) == (compared.printed > 0)
    assert "Compared with" not in content_of(experiment, reveal=False)["head"]


@EVERY
def test_what_is_hidden_is_not_sent(experiment):
    """Our curves, verdict, sentence and downloads stay on the server until they are asked for."""
    content = content_of(experiment, reveal=False)
    ends = {s.key for s in experiment.series if is_chance(s) or is_truth(s)}
    for chart in content["charts"]:
        assert {t["meta"] for t in chart["figure"]["data"] if t.get("meta")} <= ends
        assert "ours" not in [t.get("name") for t in chart["figure"]["data"]]
        assert not any(t.get("fill") for t in chart["figure"]["data"] if "fillpattern" not in t)
    assert str(experiment.verdict) not in words(content["head"])
    assert told(Card(experiment, stored(experiment)))[0][:30] not in words(content["words"])
    assert 'data-say="save"' not in content["actions"]
    assert 'data-say="show"' in content["words"]


@EVERY
def test_printed_numbers_are_marks_of_their_own(experiment):
    own = {series.key for series in experiment.series}
    printed = {key: found for key, found in printed_points(experiment.key).items() if key in own}
    content = content_of(experiment, reveal=False)
    drawn = [
        value
        for chart, panel in zip(content["charts"], panels_of(experiment), strict=True)
        for trace in chart["figure"]["data"]
        if str(trace.get("marker", {}).get("symbol", "")).endswith("-open")
        for value in trace["x" if panel.x.scale is Scale.NAMES else "y"]
    ]
    stated = [point.value for points in printed.values() for point in points]
    assert sorted(drawn) == pytest.approx(sorted(stated))


@EVERY
def test_every_link_opens_at_the_card_s_settings(experiment):
    """Each setting is taken as it is written: no slider moves it to a stop beside it."""
    for link in experiment.links:
        assert link.page in PAGE_TITLES
        both = [Settings.from_query(link.query)]
        if link.page in OWN:
            both.append(OWN[link.page].from_query(link.query))
        for name, asked in link.query.items():
            taken = [getattr(s, name) for s in both if hasattr(s, name)]
            written = {f"{v:g}" if isinstance(v, float) else str(v) for v in taken}
            written |= {str(int(v)) for v in taken if isinstance(v, bool | float) and v == int(v)}
            assert asked in written, (link.page, name, asked, written)


def test_the_headline_counts_every_card_once():
    counts, known = counted(), recorded()
    assert sum(counts.values()) == len(EXPERIMENTS)
    said = headline(counts, len(known)).replace("\u00a0", " ").replace("**", "")
    assert said.startswith(f"Of {len(EXPERIMENTS)} printed figures, tables and theorems ")
    for verdict, count in counts.items():
        assert (f"{count} {PHRASES[verdict][count != 1]}" in said) == bool(count)
    assert {*PHRASES} == {*MEANINGS} == {*LEGEND} == {*Verdict}
    without = len(EXPERIMENTS) - len(known)
    assert said.endswith(f"Of {without} no printed values are on record, only words and formulas.")
    assert headline(counts, len(EXPERIMENTS)).endswith("Printed values are on record of all.")


@EVERY
def test_no_line_of_ours_is_called_printed(experiment):
    """A printed curve would have to be read off: what is drawn is a run of a printed mechanism."""
    content, known = content_of(experiment), set(printed_points(experiment.key))
    for chart in content["charts"]:
        for trace in chart["figure"]["data"]:
            ours = trace.get("mode") == "lines" and trace.get("meta")
            if ours and not str(trace["name"]).startswith("PCA, printed in Table"):
                assert "printed" not in trace["name"]
    key = " ".join([content["notes"], content["grid"]])
    assert "thin: as printed" not in key.lower()
    if experiment.number.startswith("Figure"):
        assert ("No points of the paper’s own curves" in content["notes"]) == (
            comparison_of(experiment, stored(experiment)).printed == 0
        )
    if known and experiment.number.startswith("Figure"):
        names = [t.get("name", "") for c in content["charts"] for t in c["figure"]["data"]
                 if str(t.get("marker", {}).get("symbol", "")).endswith("-open")]  # fmt: skip
        assert all(name.endswith("the first author's later public code") for name in names)


def test_the_wall_has_a_tile_for_each_card_under_its_paper():
    columns = wall_markup().split("<section")[1:]
    keys = [re.findall(r'data-figure="([^"]+)"', column) for column in columns]
    assert keys == [
        [one.key for one in EXPERIMENTS if one.paper == paper]
        for paper in PAPERS
        if any(one.paper == paper for one in EXPERIMENTS)
    ]
    assert "nan" not in words(wall_markup()).lower()
    assert not re.search(r'points="[^"]*nan', wall_markup())


def test_every_theorem_leads_to_a_place_that_is_there():
    for theorem in THEOREMS:
        page, _, rest = theorem.address.partition("?")
        document, figure = rest.removeprefix("document="), rest.removeprefix("figure=")
        assert page.partition("#")[0] in PAGE_TITLES
        assert not rest or document in DOCUMENTS or figure in BY_KEY
        assert theorem.paper in PAPERS


@EVERY
def test_a_long_table_stands_in_two_charts_with_one_axis(experiment):
    content = content_of(experiment)
    for number, panel in enumerate(experiment.panels):
        if panel.x.scale is not Scale.NAMES:
            continue
        charts = [
            chart["figure"]
            for chart, part in zip(content["charts"], parts_of(experiment), strict=True)
            if part.panel == number
        ]
        rows = [len(figure["layout"]["yaxis"]["tickvals"]) for figure in charts]
        assert max(rows) <= MOST_ROWS
        assert len({tuple(figure["layout"]["xaxis"]["range"]) for figure in charts}) == 1
        drawn = {row[0] for figure in charts for row in figure["table"][1:]}
        assert drawn <= {*panel.x.names}
