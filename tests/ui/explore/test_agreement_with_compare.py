"""Explore and Compare say the same of the same releases, and judge them by the same truth."""

import re
from dataclasses import replace

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget
from dpca_core.analysis.reliability import Reliability
from dpca_core.data.clipping import to_length_one
from dpca_core.data.recipe import RowLength
from dpca_core.mechanisms.second_look import Looks
from dpca_core.metrics import without_noise
from sample_data import load_key
from tests.ui.compare.comparisons import cells, keys
from tests.ui.explore.answers import FEW, GAUSSIAN, at, compared, drawn, finished, plain, study_of
from ui.compare.figures import comparison_figure, page_content
from ui.compare.measurements import Comparison
from ui.compare.release_cache import ReleaseCache
from ui.compare.text import CEILING, CompareText
from ui.explore.curve_figures import _ceiling
from ui.explore.example_loadings_and_projections import SampleReleases
from ui.explore.summary import summarize
from ui.text.noise import noise_per_entry


@pytest.fixture(scope="module")
def content():
    return page_content(compared(FEW), 0.9, identity="x", axis_value=0.1)


def test_both_pages_need_the_same_epsilon_and_count_alike(content):
    explored = drawn(finished(rivals=FEW))
    here = {m["key"]: m["needed_text"] for m in explored["mechanisms"]}
    there = {key: cells(content, key)[0]["needed"] for key in keys(content)}
    assert here == there
    counted = 0
    for text, answer in zip(plain(explored)["texts"], content["answers"], strict=True):
        able = re.search(r"; ((\d+|none) of 4) (.*)\.$", plain(answer))
        if able:
            title = plain(f"{text['ladder']}90 %{text['ladder_after']}")
            assert title.endswith(f"{able.group(1)} mechanisms {able.group(3)}")
            counted += 1
    assert counted > 10


def test_noise_per_entry_is_one_number_everywhere(content):
    assert cells(content, "gaussian")[at(0.1)]["noise"] == "36 people"
    problem = load_key("rand").problem(2)
    assert noise_per_entry(GAUSSIAN, problem, Budget(0.1, 1e-6), "people") == "36 people"
    assert noise_per_entry(MECHANISMS["ppca"], problem, Budget(0.1), "people") == "none added"


NOISY = [
    m.key
    for m in MECHANISMS.values()
    if m.publishes_matrix and not isinstance(m, Looks) and m.key != "non_private"
]


@pytest.mark.chance(2e-8)
@pytest.mark.parametrize("key", NOISY)
def test_noise_per_entry_is_the_deviation_of_the_diagonal(key):
    """Of 20,000 entries or more at d = 3: within 10 %, six standard errors of the heaviest tail."""
    mechanism = MECHANISMS[key]
    problem, budget = load_key("wine").problem(1), Budget(0.5, 1e-3)
    small = type(problem).from_moment(problem.moment[:3, :3], problem.n, 1)
    drawn = mechanism.release(small, budget, np.random.default_rng(1), 8000, keep="moment")
    entries = np.diagonal(drawn.moment, axis1=1, axis2=2)
    assert entries.std(axis=0).mean() == pytest.approx(
        mechanism.calibrate(small, budget).entry, rel=0.1
    )


def few_people():
    """900 people whose centre is paid for: too few for it."""
    rand = load_key("rand")
    rows = rand.rows[np.random.default_rng(0).permutation(len(rand.rows))[:900]]
    return replace(rand, key="", rows=rows, people=900, mean_share=0.05)


def test_directions_are_judged_by_the_truth_with_a_mean_for_each_release():
    study, index = study_of(few_people(), k=1), at(0.5)
    study.first_paint(index)
    while study.reliability.at(index) is None:
        study.reliability.step(index)
    found = study.reliability.at(index)
    assert found.directions.directions[0].level is Reliability.LOST
    assert np.median(found.angles) > 45
    assert np.nanmedian(study.chosen.sin_theta[index]) > np.sin(np.radians(45))


def test_true_directions_and_the_spectrum_are_those_of_centred_rows():
    data = few_people()
    study, truth = study_of(data), data.true_problem(2)
    assert study.problem.moment == pytest.approx(truth.moment)
    shown = SampleReleases(study, at(0.5)).loadings().true
    assert np.abs(np.sum(shown * truth.basis.T, axis=1)) == pytest.approx([1, 1])


def test_what_length_1_costs_is_a_line_on_both_pages():
    rand = load_key("rand")
    one = replace(
        rand,
        key="",
        row_length=RowLength.ONE,
        rows=to_length_one(rand.rows),
        at_most_r=rand.moment,
    )
    study = study_of(one)
    study.first_paint(at(1.0))
    summary = summarize(study, 0.9)
    assert summary.ceiling == pytest.approx(0.9977, abs=5e-5)
    (line,) = _ceiling(summary)
    assert "no noise: 99.8\u00a0%" in line.text
    assert np.nanmax(study.chosen.captured) <= summary.ceiling + 2e-3
    query = replace(compared(FEW).query, axis="k", trials=20, mechanisms=(GAUSSIAN,))
    for data in (one, rand):
        comparison = Comparison(data, query, ReleaseCache())
        comparison.advance(0.5)
        text = CompareText(comparison, 0.9)
        assert text.ceilings == pytest.approx(
            [float(without_noise(p).captured) for p, _ in comparison.points]
        )
        assert (CEILING in str(comparison_figure(text))) is (data is one)
    usual = study_of(rand)
    usual.first_paint(at(1.0))
    assert _ceiling(summarize(usual, 0.9)) == []
