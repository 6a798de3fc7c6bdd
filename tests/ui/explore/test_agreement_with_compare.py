"""Explore and Compare say the same of the same releases."""

import re
from dataclasses import replace

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget
from dpca_core.mechanisms.registry import shown_by_default
from dpca_core.metrics import random_baseline
from sample_data import load_key
from tests.ui.compare.comparisons import cells, keys, traces
from tests.ui.explore.answers import FEW, GAUSSIAN, at, compared, finished, said
from ui.compare.figures import page_content
from ui.compare.measurements import Comparison
from ui.compare.query import CompareSettings
from ui.compare.release_cache import ReleaseCache
from ui.explore.chart_words import SUBTITLES
from ui.explore.figures import page_content as explore_content
from ui.text.glossary import TERMS
from ui.text.noise import noise_per_entry


def test_both_pages_need_the_same_epsilon():
    study, comparison = finished(rivals=FEW), compared(FEW)
    content = page_content(comparison, 0.9, identity="x", axis_value=0.1)
    explored = explore_content(
        study, identity="x", epsilon=0.1, target=0.9, samples=None, public=False
    )
    here = {m["key"]: m["needed_text"] for m in explored["mechanisms"]}
    there = {key: cells(content, key)[0]["needed"] for key in keys(content)}
    assert {k: v.replace(" up to 100", "") for k, v in here.items()} == there
    counted, kept = 0, "90\u00a0% in 9 of 10 releases"
    for text, answer in zip(explored["texts"], content["answers"], strict=True):
        able = re.search(r"; ((\d+|none) of 4) (.*)\.$", answer)
        if able:
            title = f"{text['ladder']}90\u00a0%{text['ladder_after']}"
            assert title.endswith(f"{able.group(1)} mechanisms {able.group(3)}")
            assert kept in title
            counted += 1
    assert counted > 10


def test_both_pages_show_how_well_a_median_is_known():
    study, comparison = finished(rivals=FEW), compared(FEW)
    content = page_content(comparison, 0.9, identity="x", axis_value=0.1)
    here = cells(content, "gaussian")[at(0.1)]
    low, high = map(int, re.search(r"\((\d+)–(\d+)", here["interval"]).groups())
    text = said(study, 0.1)["dots_sub"]
    first, last = map(int, re.search(r"interval (\d+)–(\d+)", text).groups())
    assert max(low, first) <= min(high, last)
    assert re.fullmatch(r"\(0\.\d\d–0\.\d\d\)", here["sin_interval"])


def test_one_rule_says_which_mechanisms_are_shown_by_default():
    assert CompareSettings().mechanisms == ",".join(m.key for m in shown_by_default())
    assert CompareSettings().keys == tuple(m.key for m in shown_by_default())


def test_random_directions_differ_with_k():
    asked = replace(compared(FEW).query, axis="k", trials=2, mechanisms=(GAUSSIAN,))
    drawn = page_content(
        Comparison(load_key("rand"), asked, ReleaseCache()),
        0.9,
        identity="x",
        axis_value=1.0,
    )
    assert traces(drawn, "y2")[""]["y"][:3] == pytest.approx(
        [random_baseline(load_key("rand").problem(k)).sin_theta for k in (1, 2, 3)]
    )


def test_noise_per_entry_is_one_number_everywhere():
    comparison = compared(FEW)
    content = page_content(comparison, 0.9, identity="x", axis_value=0.1)
    assert cells(content, "gaussian")[at(0.1)]["noise"] == "36 people"
    problem = load_key("rand").problem(2)
    assert noise_per_entry(GAUSSIAN, problem, Budget(0.1, 1e-6), "people") == "36 people"
    assert noise_per_entry(MECHANISMS["ppca"], problem, Budget(0.1), "people") == "none added"
    for name in ("kept", "noise", "spectrum"):
        assert "spectral norm" not in SUBTITLES[name] or "largest effect" in SUBTITLES[name]
    assert {"noise per entry", "noise norm"} <= TERMS.keys()


NOISY = [
    m.key
    for m in MECHANISMS.values()
    if m.publishes_matrix and not m.reads_rows and m.key != "non_private"
]


@pytest.mark.parametrize("key", NOISY)
def test_noise_per_entry_is_the_deviation_of_the_diagonal(key):
    """Of 4,000 releases at d = 3: within 10 %, five standard errors of the heaviest tail."""
    mechanism = MECHANISMS[key]
    problem, budget = load_key("wine").problem(1), Budget(0.5, 1e-3)
    small = type(problem).from_moment(problem.moment[:3, :3], problem.n, 1)
    drawn = mechanism.release(small, budget, np.random.default_rng(1), 4000, keep="moment")
    entries = np.diagonal(drawn.moment, axis1=1, axis2=2)
    assert entries.std(axis=0).mean() == pytest.approx(
        mechanism.entry_noise(small, budget), rel=0.1
    )
