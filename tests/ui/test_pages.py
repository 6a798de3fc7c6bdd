"""The Explore page without a browser: what it draws, says and keeps."""

import numpy as np
import pytest
import scipy.special  # noqa: F401  the server imports it before the first visitor comes

from dpca_core import MECHANISMS
from sample_data import CATALOGUE
from tests.opened_page import hurry, open_page
from tests.page_charts import chart_of, trace_of
from ui.explore import study
from ui.explore.page import REACH
from ui.server import scheduler
from ui.state.slider_stops import EPSILON_STOPS

STOPS = range(len(EPSILON_STOPS))


def explore(**query):
    return open_page("explore", **query)


def content(page):
    assert not page.exception
    return page.session_state["explore.drawn"]


def gap(page):
    """The eigengap, from the line in the chart of noise."""
    (line,) = chart_of(content(page), "noise").figure["layout"]["shapes"]
    return line["y0"]


def refined(page):
    """The next picture, as the browser asks for it."""
    page.session_state["explore.more"] = True
    page.run()
    return content(page)


def near(index):
    return [abs(i - index) <= REACH for i in STOPS]


def test_it_opens_on_people_with_a_drawn_curve(monkeypatch):
    # On a busy machine fewer points come within the time of a first answer.
    monkeypatch.setattr(study, "FIRST_SECONDS", 60)
    page = explore()
    found = content(page)
    assert found.rule.values[found.rule.index] == 0.1
    kept = trace_of(chart_of(found, "variation-kept"), "Gaussian")["y"]
    drawn = kept[np.isfinite(kept)]
    assert len(drawn) >= len(EPSILON_STOPS) / 2
    assert max(np.diff(drawn)) > 0
    assert "keeps **9" in found.says["answer"][found.rule.index]


def test_controls_change_the_picture():
    page = explore()
    before = content(page).id
    page.slider(key="k").set_value(3).run()
    assert content(page).id != before
    assert gap(page) == pytest.approx(17.4, abs=0.1)
    page.select_slider(key="n").set_value(1e7).run()
    assert gap(page) == pytest.approx(17.4 * 1e7 / 5912, rel=0.01)
    page.selectbox(key="adjacency").select("replace_one").run()
    assert "which of two records" in content(page).says["under"][12]
    assert page.query_params["adjacency"] == "replace_one"
    page = explore(mechanism="gap_release")
    before = content(page).id
    page.slider(key="gap_release.gap_share").set_value(0.5).run()
    assert content(page).id != before


FIRST = [("ppca", "0"), ("gaussian", "0"), ("gap_release", "1e-06"), ("wishart", "0.1")]
FIRST += [("smooth_cauchy", "0"), ("local_sparse", "1e-06"), ("non_private", "0.1")]
REST = [(m, d) for m in MECHANISMS for d in ("0", "1e-06", "0.1") if (m, d) not in FIRST]


@pytest.mark.parametrize(
    ("mechanism", "delta"),
    [*FIRST, *(pytest.param(*c, marks=pytest.mark.long("every mechanism")) for c in REST)],
)
def test_every_mechanism_has_a_page_at_every_budget(mechanism, delta, monkeypatch):
    hurry(monkeypatch)
    page = explore(data="wine", mechanism=mechanism, delta=delta, k="1", epsilon="0.001")
    assert [text is not None for text in content(page).says["answer"]] == near(0)
    found = refined(page)
    said = [found.says[name] for name in ("answer", "under", "heading", "lead")]
    said += [chart.title for chart in found.charts]
    assert all(isinstance(each, str) and "nan" not in each for text in said for each in text)


def test_a_busy_server_answers_coarsely_and_says_so(monkeypatch):
    monkeypatch.setattr(scheduler.PAGE_SCHEDULER, "_busy_until", float("inf"))
    page = explore(data="wine", k="1", epsilon="0.1")
    assert "10 releases per point" in content(page).says["footer"]
    # Sentences for all stops cost as much again: they come when fewer ask.
    for found in (content(page), refined(page)):
        said = [text is not None for text in found.says["answer"]]
        assert said == near(EPSILON_STOPS.index(0.1))
    monkeypatch.setattr(scheduler.PAGE_SCHEDULER, "_busy_until", 0.0)
    assert None not in refined(page).says["answer"]


def test_practice_offers_only_sets_with_rows():
    page = open_page("release", data="covtype")
    assert not page.exception
    menu = next(box for box in page.selectbox if box.label == "Built-in set")
    assert CATALOGUE["covtype"].name not in menu.options
    assert len(menu.options) > 3
