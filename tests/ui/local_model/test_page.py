"""The Local page: its errors against brute force, its sentences against its numbers."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import kstest

from dpca_core import MECHANISMS, Adjacency, Budget, Problem
from dpca_core.data.dataset import Dataset
from dpca_core.simulation.trials import TrialDraws
from dpca_core.text.guarantee_sentences import between, promise
from dpca_core.text.privacy_numbers import upward
from sample_data import load_key
from sample_data.synthetic import sample_moment, sample_rows
from tests.built_in_sets import EVERY_SET_AND_K, loaded
from tests.page_charts import assert_charts, chart_of, trace_of
from ui.local_model.figures import page_content
from ui.local_model.measurements import LOCAL, SAMPLE, ErrorMeasurements, Point, points_to_measure
from ui.local_model.query import LocalModelQuery, RecordSource
from ui.text.badges_and_odds import attacker_question, short_guarantee

HALF, ONE = (Budget(epsilon, 1e-4, Adjacency.REPLACE_ONE) for epsilon in (0.5, 1.0))
PURE = Budget(0.5, 0.0, Adjacency.REPLACE_ONE)
DENSE = LocalModelQuery(RecordSource.DENSE, None, 20, 3, 20, 1e5, HALF, repetitions=5)
SPARSE = LocalModelQuery(RecordSource.SPARSE, None, 40, 2, 6, 2000.0, ONE, repetitions=1)


def of_data(data, k, n, budget=ONE, **more):
    return LocalModelQuery(RecordSource.DATA, data, data.d, k, 20, float(n), budget, **more)


def measured(*points):
    runs = ErrorMeasurements()
    for _ in runs.steps(points):
        pass
    return runs


@pytest.fixture(scope="module")
def dense():
    return measured(*points_to_measure(DENSE))


@pytest.fixture(scope="module")
def content(dense):
    return page_content(DENSE, dense)


def errors_of(key, problem, truth, budget, runs):
    bases = TrialDraws(MECHANISMS[key], 0, range(runs)).release(problem, budget).bases
    return [np.linalg.norm(b @ b.T - truth @ truth.T) for b in bases]


@pytest.mark.chance(1e-7)
def test_a_sample_without_rows_has_the_law_of_one_with_rows():
    """500 of each, top eigenvalue, an entry and the overlap with V; KS at p > 3·10⁻⁸ each."""
    p, k, n = 6, 2, 40
    rows = [sample_rows(n, p, k, p, seed=s) for s in range(500)]
    samples = [sample_moment(n, p, k, p, seed=s + 500) for s in range(500)]
    assert max(design.clipped for design in rows) == 0

    def seen(moment, directions):
        inside = np.trace(directions.T @ moment @ directions)
        return np.linalg.eigvalsh(moment)[-1], moment[0, 1], inside

    with_rows = np.array([seen(d.rows.T @ d.rows, d.directions) for d in rows])
    without = np.array([seen(s.moment, s.directions) for s in samples])
    assert (kstest(with_rows, without).pvalue > 3e-8).all()


def test_errors_are_those_of_the_mechanisms_releases(dense, content):
    problem, truth, _ = DENSE.ground_truth
    for key in ("gaussian", "local_gaussian", "local_printed"):
        expected = errors_of(key, problem, truth, DENSE.budget, 5)
        found = dense.results(Point(DENSE, key))[:, 0]
        np.testing.assert_allclose(found, expected, atol=1e-7)
    own = dense.mean(Point(DENSE, SAMPLE))
    assert own == pytest.approx(np.linalg.norm(problem.basis @ problem.basis.T - truth @ truth.T))
    (cells,) = (row.cells for row in content.rows if row.key == LOCAL)
    assert cells == [f"{dense.mean(Point(DENSE, LOCAL)):.2f}", "5"]
    by_n = trace_of(chart_of(content, "local-n"), "local Gaussian")["y"]
    points = [Point(asked, LOCAL) for asked in DENSE.axis_queries()["n"]]
    np.testing.assert_allclose(by_n, [dense.mean(point) for point in points], rtol=1e-6)


def test_a_private_mean_takes_its_share_before_the_mechanism():
    data = replace(load_key("wine"), mean_share=0.2)
    query = of_data(data, 2, 178, replace(ONE, epsilon=2.0), repetitions=3)
    assert query.mechanism_budget == Budget(1.6, 0.8e-4, Adjacency.REPLACE_ONE)
    point = Point(query, "gaussian")
    runs = measured(point)
    problem, truth, _ = query.ground_truth
    expected = errors_of("gaussian", problem, truth, query.mechanism_budget, 3)
    np.testing.assert_allclose(runs.results(point)[:, 0], expected, atol=1e-7)
    summary = page_content(query, runs).says["under"]
    printed = MECHANISMS["local_printed"].guarantee(problem, query.mechanism_budget).epsilon
    assert "calibrated for ε\u00a0=\u00a01.6, actually has" in summary
    assert f"**{upward(printed)}**" in summary
    assert "no local guarantee" in summary


def test_the_answer_says_so_far_and_when_nothing_is_kept(content):
    def answer(runs, **changes):
        return page_content(replace(DENSE, **changes), runs).says["answer"]

    assert "no better than **random directions**" in content.says["answer"]
    assert "so far" not in content.says["answer"]
    runs = ErrorMeasurements()
    for key, error in ((LOCAL, 2.4), ("gaussian", 2.0)):
        runs._results[Point(replace(DENSE, n=1e12), key).law] = np.array([[error, 1, 1]])
    assert "an error of **2.40** so far" in answer(runs, n=1e12)
    assert "need δ > 0" in answer(runs, budget=PURE)


@pytest.mark.parametrize("adjacency", Adjacency)
def test_a_local_promise_is_between_two_records_of_one_person(adjacency):
    problem = Problem.from_moment(np.diag([60.0, 40, 10, 5]), 200, 2)
    for key in ("local_gaussian", "local_printed", "local_sparse"):
        found = MECHANISMS[key].guarantee(problem, Budget(1.0, 1e-6, adjacency))
        assert promise(found).startswith("local (ε, δ)-DP with ε")
        assert between(found, "patient") == "between any two records of one patient"
        assert attacker_question(found, "patient") == "which of two records one patient has"
        assert short_guarantee(found).endswith(", local")


@pytest.mark.parametrize("columns", [2, 3])
def test_narrow_tables_and_few_records_have_charts_for_what_can_vary(columns):
    rows = np.random.default_rng(0).normal(size=(40, columns)) / 9
    table = Dataset("mine", "Mine", rows, ("a", "b", "c")[:columns])
    for asked in (of_data(table, 1, 40), replace(DENSE, n=30.0), SPARSE):
        found = page_content(asked, ErrorMeasurements())
        assert {"local-n", "local-epsilon"} <= {chart.key for chart in found.charts}
        assert_charts(found)


@EVERY_SET_AND_K
def test_charts_and_sentences_of_a_built_in_set_are_whole(key, k):
    data = loaded(key)
    found = page_content(of_data(data, min(k, data.d - 1), data.people), ErrorMeasurements())
    assert_charts(found)
