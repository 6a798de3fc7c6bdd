"""What Explore and Compare judge releases by: exactly centred rows, and rows at most R."""

from dataclasses import replace

import numpy as np
import pytest

from dpca_core.analysis.reliability import Reliability
from dpca_core.data.clipping import to_length_one
from dpca_core.data.dataset import Dataset
from dpca_core.data.recipe import RowLength
from dpca_core.metrics import without_noise
from dpca_core.privacy.budget import Adjacency
from sample_data import load_key
from tests.ui.explore.answers import GAUSSIAN, at
from ui.compare.figures import comparison_figure
from ui.compare.measurements import Comparison
from ui.compare.query import CompareQuery
from ui.compare.release_cache import ReleaseCache
from ui.compare.text import CEILING, CompareText
from ui.explore.curve_figures import _ceiling
from ui.explore.example_loadings_and_projections import SampleReleases
from ui.explore.measurements import Study
from ui.explore.query import ExploreQuery
from ui.explore.summary import summarize


def unit_rows(**changes) -> Dataset:
    rand = load_key("rand")
    one = {"rows": to_length_one(rand.rows), "at_most_r": rand.moment}
    return replace(rand, key="", row_length=RowLength.ONE, **one, **changes)


def few_people() -> Dataset:
    """900 people whose centre is paid for: too few for it."""
    rand = load_key("rand")
    rows = rand.rows[np.random.default_rng(0).permutation(len(rand.rows))[:900]]
    return replace(rand, key="", rows=rows, people=900, mean_share=0.05)


def study_of(data: Dataset, k: int = 1) -> Study:
    query = ExploreQuery(GAUSSIAN, k, 1e-6, float(data.people), Adjacency.ADD_OR_REMOVE_ONE, 0)
    return Study(data, query, ())


def test_directions_are_judged_by_the_truth_with_a_mean_for_each_release():
    study, index = study_of(few_people()), at(0.5)
    study.first_paint(index)
    while study.reliability.at(index) is None:
        study.reliability.step(index)
    found = study.reliability.at(index)
    assert found.directions.directions[0].level is Reliability.LOST
    assert np.median(found.angles) > 45
    assert np.nanmedian(study.chosen.sin_theta[index]) > np.sin(np.radians(45))


def test_true_directions_and_the_spectrum_are_those_of_centred_rows():
    data = few_people()
    study = study_of(data, k=2)
    truth = data.true_problem(2)
    assert study.problem.moment == pytest.approx(truth.moment)
    shown = SampleReleases(study, at(0.5)).loadings().true
    assert np.abs(np.sum(shown * truth.basis.T, axis=1)) == pytest.approx([1, 1])


def test_what_length_1_costs_is_a_line():
    data = unit_rows()
    study = study_of(data, k=2)
    study.first_paint(at(1.0))
    summary = summarize(study, 0.9)
    assert summary.ceiling == pytest.approx(0.9977, abs=5e-5)
    (line,) = _ceiling(summary)
    assert line.text == "PCA of rows of length 1, no noise: 99.8\u00a0%"
    assert np.nanmax(study.chosen.captured) <= summary.ceiling + 2e-3
    plain = study_of(load_key("rand"), k=2)
    plain.first_paint(at(1.0))
    assert _ceiling(summarize(plain, 0.9)) == []


def test_compare_draws_it_too():
    query = CompareQuery(
        (GAUSSIAN,), "k", 1.0, 1e-6, 5912.0, 2, Adjacency.ADD_OR_REMOVE_ONE, 0, 20, False
    )
    names = []
    for data in (unit_rows(), load_key("rand")):
        comparison = Comparison(data, query, ReleaseCache())
        comparison.advance(0.5)
        text = CompareText(comparison, 0.9)
        ceilings = [float(without_noise(p).captured) for p, _ in comparison.points]
        assert text.ceilings == pytest.approx(ceilings)
        names.append(CEILING in str(comparison_figure(text)))
    assert names == [True, False]
