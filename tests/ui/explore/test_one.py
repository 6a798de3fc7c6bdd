"""What Explore's view of one mechanism draws, and what is below it, are the study's releases."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.special  # noqa: F401  the server imports it before the first visitor comes

from dpca_core import MECHANISMS
from dpca_core.mechanisms.registry import shown_by_default
from dpca_core.simulation.trials import TrialDraws, run_trials
from sample_data import load_key
from tests.built_in_sets import EVERY_SET_AND_K, loaded
from tests.opened_page import open_page
from tests.page_charts import assert_charts, chart_of, trace_of
from tests.ui.explore.studies import ADDED, EVERYWHERE, at, finished, own, study_of, summary_of
from ui.explore import below
from ui.explore.one import one_content
from ui.explore.page import BELOW, CHECKLIST, REACH, RELEASE
from ui.explore.query import MOST_CURVES, Along, compared, recommended
from ui.server import scheduler
from ui.state.slider_stops import EPSILON_STOPS


def shown(study, epsilon=0.1, **more):
    return one_content(study, "x", at(epsilon), 0.9, **more)


@pytest.mark.parametrize(("data", "key"), [("rand", "ppca_gibbs"), ("digits", "second_look")])
def test_few_curves_are_drawn_the_chosen_and_the_recommended_among_them(data, key):
    """None comes and goes while ε moves."""
    table, chosen = load_key(data), MECHANISMS[key]
    asked = Along(0.1, 1e-6, float(table.people), 2, ADDED)
    drawn = compared(table, asked, chosen)[1]
    assert len({m.key for m in drawn}) == len(drawn) == MOST_CURVES
    assert drawn[0] is chosen
    for epsilon in (0.001, 0.1, 100.0):
        there = replace(asked, epsilon=epsilon)
        assert compared(table, there, chosen)[1] == drawn
        assert recommended(table, there).keeps_most in drawn


def test_the_curve_is_the_median_and_gap_and_noise_are_in_people():
    content = shown(finished())
    drawn = trace_of(chart_of(content, "variation-kept"), "Gaussian")["y"]
    np.testing.assert_allclose(drawn, np.median(finished().curves.chosen.captured, axis=1), 1e-6)
    (line,) = [s["y0"] for s in chart_of(content, "noise").figure["layout"]["shapes"]]
    assert line == pytest.approx(128.6, abs=0.1)
    values = summary_of(finished()).chosen.noise
    spectrum = chart_of(content, "spectrum")
    top = spectrum.figure["layout"]["yaxis"]["range"][1]
    (band,) = spectrum.over
    upper, lower = band.y[at(0.1)]
    assert (lower - upper) * top == pytest.approx(values[at(0.1)], rel=1e-6)


@EVERY_SET_AND_K
def test_no_name_is_on_another_whatever_is_drawn(key, k):
    """Curves of all mechanisms, of few releases at every third ε: rough, and so crowded."""
    study = study_of(loaded(key), rivals=shown_by_default(), k=min(k, loaded(key).d - 1))
    stops = range(0, len(EPSILON_STOPS), 3)
    for line in study.curves.lines:
        found = run_trials(
            TrialDraws(line.mechanism, 0, range(2)), [study.points[i] for i in stops]
        )
        line.enter(stops, range(2), found)
    assert_charts(shown(study))


def test_the_guarantee_is_spelled_out_for_ones_own_data_only():
    study = study_of(own(), trials=2)
    study.first_answer(at(0.1))
    shown_at = [shown(study, own=its_own).says["under"][at(0.1)] for its_own in (True, False)]
    assert ["PROVED" in text for text in shown_at] == [True, False]


def test_pictures_are_aligned_releases_of_the_same_streams():
    """Of all turns of a basis the closest one makes BᵀT symmetric and positive (Procrustes)."""
    found, rand = below.releases_at(finished(), at(0.1)), load_key("rand")
    truth = found.true
    for frame in found.released:
        np.testing.assert_allclose(frame @ frame.T, np.eye(2), atol=0.01)
        inner = frame @ truth.T
        np.testing.assert_allclose(inner, inner.T, atol=0.01)
        assert (np.linalg.eigvalsh(inner) > 0).all()
    (people,) = below.people_figure(truth, rand, "ink")["data"]
    assert len(people["x"]) == below.PROJECTED_ROWS


@pytest.mark.parametrize(("data", "drawn"), [("rand", 3), ("digits", 1)])
def test_what_is_read_on_demand_is_drawn_below(data, drawn):
    page = open_page("explore", data=data)
    for asked, said, charts in ((RELEASE, "Not private", drawn), (CHECKLIST, "your choice", 0)):
        page.session_state[BELOW] = asked
        page.run()
        assert not page.exception
        assert len(page.get("plotly_chart")) == charts
        assert said in " ".join(x.value for x in (*page.markdown, *page.caption))


def content_of(page):
    assert not page.exception
    return page.session_state["explore.drawn"]


def refined(page):
    """The next picture, as the browser asks for it."""
    page.session_state["explore.more"] = True
    page.run()
    return content_of(page)


def test_a_busy_server_answers_coarsely_and_says_so(monkeypatch):
    monkeypatch.setattr(scheduler.PAGE_SCHEDULER, "_busy_until", float("inf"))
    page = open_page("explore", data="wine", k="1", epsilon="0.1")
    assert "10 releases per point" in content_of(page).says["footer"]
    # Sentences for all stops cost as much again: they come when fewer ask.
    for found in (content_of(page), refined(page)):
        said = [text is not None for text in found.says["answer"]]
        assert said == [abs(i - at(0.1)) <= REACH for i in EVERYWHERE]
    monkeypatch.setattr(scheduler.PAGE_SCHEDULER, "_busy_until", 0.0)
    assert None not in refined(page).says["answer"]
