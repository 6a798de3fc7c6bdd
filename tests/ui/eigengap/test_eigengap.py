"""The Eigengap page: its numbers are the mechanisms', its sentences and charts say them."""

from dataclasses import replace
from math import pi, sin

import numpy as np
import pytest

from dpca_core import Adjacency, Budget
from sample_data import load_key
from tests.built_in_sets import EVERY_SET_AND_K, loaded
from tests.opened_page import open_page
from tests.page_charts import assert_charts, chart_of, trace_of
from ui.eigengap.figures import GAP_ADAPTIVE, largest_rotation, page_content
from ui.eigengap.query import EigengapQuery


def query_of(**changes):
    data = load_key("rand")
    gap = data.problem(2).gap
    start = EigengapQuery(data, 2, float(data.people), gap, Budget(1.0, 1e-6))
    return replace(start, **changes)


def test_one_person_turns_what_the_theorem_says():
    assert largest_rotation(query_of(gap=2.0)) == pytest.approx(pi / 12)
    assert largest_rotation(query_of(gap=0.5)) == pi / 2
    assert "all the way" in page_content(query_of(gap=0.5)).says["answer"]
    drawn = trace_of(chart_of(page_content(query_of()), "turn"), "one person, exact")
    i = np.flatnonzero(drawn["x"] > 100)[0]
    assert drawn["y"][i] == pytest.approx(2 * sin(np.arcsin(1 / drawn["x"][i]) / 4), rel=1e-5)


@pytest.mark.parametrize("gap", [0.3, 1.5, 129.0])
def test_the_page_draws_what_the_mechanisms_would_add(gap):
    found = chart_of(page_content(query_of(gap=gap)), "by-gap")
    problem = load_key("rand").problem(2)
    for mechanism in GAP_ADAPTIVE:
        drawn = trace_of(found, mechanism.name)
        for g, noise in list(zip(drawn["x"].astype(float), drawn["y"], strict=True))[::7]:
            at = problem.scaled(problem.n * g / problem.gap)
            scale = mechanism.calibrate(at, Budget(1.0, 1e-6)).scale
            expected = scale if np.isfinite(scale) else np.nan
            assert noise == pytest.approx(expected, rel=1e-5, nan_ok=True)


def test_a_private_mean_moves_the_gap_and_takes_its_part():
    data = replace(load_key("wine"), mean_share=0.2)
    now = query_of(data=data, k=1, n=float(data.people), gap=5.0)
    assert now.point[1].epsilon == pytest.approx(0.8)
    centred = data.problem(1, None, Budget(1.0, 1e-6))
    np.testing.assert_allclose(now.point[0].moment, centred.moment)
    content = page_content(now)
    assert "20\u00a0% of the budget" in content.says["footer"]


def test_k_can_be_chosen_privately_and_each_draw_costs():
    opened, said = open_page("eigengap", choice="100"), []
    for _ in range(2):
        button = next(b for b in opened.button if b.label == "Choose k privately")
        button.click().run()
        assert not opened.exception
        said.append(" ".join(box.value for box in opened.caption))
        assert f"k\u00a0=\u00a0{opened.slider[0].value}*" in said[-1]
    assert "was drawn from the actual table" in said[0]
    assert "cost ε\u00a0=\u00a0100 (pure)" in said[0]
    assert "all draws of this session cost ε\u00a0=\u00a0200" in said[1]


@pytest.mark.parametrize("delta", [0.0, 1e-6])
@EVERY_SET_AND_K
def test_charts_and_sentences_of_a_built_in_set_are_whole(key, k, delta):
    data, budget = loaded(key), Budget(0.1, delta, Adjacency.REPLACE_ONE)
    k = min(k, data.d - 1)
    gap = max(data.problem(k).gap, 0.05)
    content = page_content(EigengapQuery(data, k, float(data.people), gap, budget))
    assert_charts(content)
