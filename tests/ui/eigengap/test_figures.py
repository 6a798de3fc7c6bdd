"""The charts of the Eigengap page: their numbers, their names and what Plotly makes of them."""

import json
from dataclasses import replace
from math import pi

import numpy as np
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget
from dpca_core.analysis.choose_k import chances
from sample_data import load_key
from tests.built_in_sets import QUICK_SETS, loaded
from tests.chart_figures import (
    assert_names_are_apart,
    chart_of,
    figures_of,
    trace_of,
)
from tests.ui.eigengap.test_eigengap import query_of
from ui.eigengap.figures import page_content, sensitivity_by_gap
from ui.eigengap.noise_figures import (
    GAP_ADAPTIVE,
    noise_by_epsilon,
    noise_by_gap,
    noise_by_people,
)
from ui.eigengap.query import EigengapQuery


def named(found, name):
    return trace_of(found, name)["y"]


@pytest.mark.parametrize("gap", [0.3, 1.5, 17.4, 129.0, 4e3])
def test_the_page_draws_what_the_mechanisms_would_add(gap):
    content = page_content(query_of(gap=gap))
    found = chart_of(content, "by-gap")
    gaps = trace_of(found, MECHANISMS[GAP_ADAPTIVE[0]].name)["x"].astype(float)
    problem = load_key("rand").problem(2)
    for key in GAP_ADAPTIVE:
        drawn = np.array(named(found, MECHANISMS[key].name), dtype=float)
        for i in range(0, len(drawn), 7):
            at = problem.scaled(problem.n * gaps[i] / problem.gap)
            scale = MECHANISMS[key].calibrate(at, Budget(1.0, 1e-6)).scale
            if np.isfinite(scale):
                assert drawn[i] == pytest.approx(scale, rel=1e-5)
            else:
                assert np.isnan(drawn[i])


def test_the_winner_is_the_dot():
    content = page_content(query_of())
    found = chart_of(content, "terms")
    (dot,) = (t for t in found["figure"]["data"] if t["mode"] == "markers")
    line = trace_of(found, "e⁻ᵝʲ·LS(g − j)")
    assert line["y"].max() == pytest.approx(dot["y"][0], rel=1e-5)
    assert line["x"][line["y"].argmax()] == dot["x"][0] == 128
    assert "128 people away" in found["title"]


@pytest.mark.parametrize("key", QUICK_SETS)
@pytest.mark.parametrize("k", range(1, 7))
def test_every_line_has_a_name_that_touches_no_other(key, k):
    data = loaded(key)
    k = min(k, data.d - 1)
    gap = max(data.problem(k).gap, 0.05)
    people, adjacency = float(data.people), Adjacency.ADD_OR_REMOVE_ONE
    asked = EigengapQuery(data, k, people, gap, 0.1, 1e-6, adjacency, 0.766)
    curves = (noise_by_gap, noise_by_people, noise_by_epsilon, sensitivity_by_gap)
    assert_names_are_apart({"charts": [draw(asked) for draw in curves]})


@pytest.mark.parametrize("k", [1, 6])
def test_no_words_of_the_page_overlap(k):
    assert_names_are_apart(page_content(query_of(k=k)))


def test_a_unit_with_markup_is_shown_as_it_was_typed():
    data = load_key("rand")
    odd = replace(data, unit=replace(data.unit, many="<b>visits</b>"))
    content = page_content(query_of(data=odd))
    shown = json.dumps([figure["layout"] for figure in figures_of(content).values()], default=str)
    shown += json.dumps([f.get("sizes") for f in figures_of(content).values()])
    assert "<b>visits" not in shown
    assert "&lt;b&gt;visits&lt;/b&gt;" in shown


def fan_angles(found, name):
    """Angles of a fan, in radians, from the ends of its lines; without sign those in the hover."""
    fan = trace_of(found, name)
    ends = [part[1::3] for part in (fan["x"], fan["y"])]
    drawn = np.arctan2(ends[1], ends[0]).astype(float) - pi / 4
    np.testing.assert_allclose(np.degrees(abs(drawn)), fan["customdata"][1::3], atol=1e-3)
    return np.sign(drawn) * np.radians(fan["customdata"][1::3])


def caption(found, number):
    words = found["figure"]["sizes"]["1300"]["annotations"]
    return [a["text"] for a in words if a.get("xanchor") == "center"][number].replace("<br>", " ")


def test_three_gaps_look_different():
    """129 people, 17, and less than one: the bars' ratio and the fans fall apart."""
    seen = []
    for k, gap in ((2, 129.0), (3, 17.4), (2, 0.5)):
        found = chart_of(page_content(query_of(k=k, gap=gap, epsilon=1.0)), "outcomes")
        (bars,) = (t for t in found["figure"]["data"] if t["type"] == "bar")
        assert bars["x"][0] == gap
        seen.append((bars["x"][0] / bars["x"][1], np.median(np.abs(fan_angles(found, "Gaussian")))))
    ratios, angles = np.array(seen).T
    assert ratios[0] > 5
    assert 0.3 < ratios[1] < 3
    assert ratios[2] < 0.1
    assert angles[0] < 0.25 < angles[2]
    assert angles[0] < angles[1] < angles[2]


def test_a_fan_shows_the_mechanisms_own_releases():
    now = query_of(gap=40.0)
    found = chart_of(page_content(now), "outcomes")
    problem = now.problem_with_gap()
    assert problem.gap == pytest.approx(40)
    np.testing.assert_allclose(np.linalg.eigvalsh(problem.moment)[::-1], problem.spectrum)
    bases = (
        MECHANISMS["gaussian"]
        .release(problem, Budget(1.0, 1e-6), np.random.default_rng(0), 25)
        .bases
    )
    cosines = [np.linalg.svd(problem.basis.T @ b, compute_uv=False)[-1] for b in bases]
    expected = np.arccos(cosines)
    np.testing.assert_allclose(np.abs(fan_angles(found, "Gaussian")), expected, atol=1e-7)
    table = [row for row in found["figure"]["table"] if row[0].startswith("Gaussian")]
    np.testing.assert_allclose([row[2] for row in table], np.degrees(expected), atol=1e-5)


def test_a_rotation_on_the_left_keeps_what_random_directions_keep():
    """25 random planes of 12 columns: their median is far from 100 %, whatever the draw."""
    found = chart_of(page_content(query_of()), "rotation")
    assert "more than 99" in caption(found, 1)
    assert np.max(np.abs(fan_angles(found, "V·R, as it must be"))) < 1e-6
    kept = int(caption(found, 0).split("keeps ")[1].split("\u00a0")[0])
    d = load_key("rand").d
    values = load_key("rand").problem(2).spectrum
    random_share = 2 * values.sum() / d / values[:2].sum()
    assert kept / 100 == pytest.approx(random_share, abs=0.15)


def test_the_private_choice_is_drawn_with_its_own_chances():
    content = page_content(query_of(choice_epsilon=0.5))
    bars = trace_of(chart_of(content, "private-choice"), "probability")
    shares = chances(query_of().problem, 0.5, len(bars["y"]), Adjacency.ADD_OR_REMOVE_ONE)
    np.testing.assert_allclose(bars["y"], shares, rtol=1e-6)
    filled = [color != "clear" for color in bars["marker"]["color"]]
    assert filled == [k == 2 for k in range(1, len(shares) + 1)]
