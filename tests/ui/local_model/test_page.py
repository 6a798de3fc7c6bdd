"""The Local page: its errors against brute force, its sentences against its numbers."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import kstest

from dpca_core import MECHANISMS, Adjacency, Budget, Problem
from dpca_core.data.dataset import Dataset
from dpca_core.mechanisms.registry import shown_by_default
from dpca_core.simulation.trials import TrialDraws
from dpca_core.text.guarantee_sentences import attacker_question, between, promise, short_guarantee
from dpca_core.text.privacy_numbers import upward
from papers.wang_xu_errors import largest_distance
from sample_data import load_key
from sample_data.wang_xu import sample_moment, sample_rows
from tests.chart_figures import assert_names_are_apart, assert_plotly_draws, chart_of, trace_of
from tests.opened_page import open_page
from tests.ui.explore.answers import at, begun, said
from ui.local_model.figures import page_content
from ui.local_model.measurements import (
    LOCAL_KEY,
    WITHOUT_PRIVACY,
    ErrorMeasurements,
    MechanismPoint,
    points_to_measure,
)
from ui.local_model.query import PEOPLE_AXIS, LocalModelQuery, RecordSource
from ui.local_model.record_images import record_of, record_pictures

DENSE = LocalModelQuery(RecordSource.DENSE, None, 20, 3, 20, 1e5, 0.5, 1e-4, repetitions=5)
SPARSE = LocalModelQuery(RecordSource.SPARSE, None, 40, 2, 6, 2000.0, 1.0, 1e-4, repetitions=1)
LOCAL = ("local_gaussian", "local_printed", "local_sparse")


def measured(asked):
    runs = ErrorMeasurements()
    while runs.share(points_to_measure(asked)) < 1:
        runs.advance(asked, points_to_measure(asked))
    return runs


@pytest.fixture(scope="module")
def dense():
    return measured(DENSE)


@pytest.fixture(scope="module")
def content(dense):
    return page_content(DENSE, dense)


def line(found, name):
    return trace_of(found, name)["y"]


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
    for of in (
        lambda s, v: np.linalg.eigvalsh(s)[-1],
        lambda s, v: s[0, 1],
        lambda s, v: np.trace(v.T @ s @ v),
    ):
        with_rows = [of(d.rows.T @ d.rows, d.directions) for d in rows]
        without = [of(s.moment, s.directions) for s in samples]
        assert kstest(with_rows, without).pvalue > 3e-8


def test_errors_are_those_of_the_mechanisms_releases(dense):
    problem, truth, _ = DENSE.ground_truth
    budget = Budget(0.5, 1e-4, Adjacency.REPLACE_ONE)
    for key in ("gaussian", "local_gaussian", "local_printed"):
        found = dense.results(MechanismPoint(DENSE, key))[:, 0]
        np.testing.assert_allclose(found, errors_of(key, problem, truth, budget, 5), atol=1e-7)
    own = dense.mean(MechanismPoint(DENSE, WITHOUT_PRIVACY))
    assert own == pytest.approx(np.linalg.norm(problem.basis @ problem.basis.T - truth @ truth.T))


def test_a_private_mean_takes_its_share_before_the_mechanism():
    data = replace(load_key("wine"), mean_share=0.2)
    query = LocalModelQuery(RecordSource.DATA, data, 13, 2, 13, 178, 2.0, 1e-4, repetitions=3)
    assert query.mechanism_budget == Budget(1.6, 0.8e-4, Adjacency.REPLACE_ONE)
    runs, point = ErrorMeasurements(), MechanismPoint(query, "gaussian")
    while len(runs.results(point)) < 3:
        runs.advance(query, [point])
    problem, truth, _ = query.ground_truth
    expected = errors_of("gaussian", problem, truth, query.mechanism_budget, 3)
    np.testing.assert_allclose(runs.results(point)[:, 0], expected, atol=1e-7)
    summary = page_content(query, runs)["under"]
    printed = MECHANISMS["local_printed"].guarantee(problem, query.mechanism_budget).epsilon
    assert "calibrated for ε\u00a0=\u00a01.6, actually has" in summary
    assert f"**{upward(printed)}**" in summary
    assert "no local guarantee" in summary
    usual = page_content(replace(query, data=load_key("wine")), runs)["under"]
    assert "no local guarantee" not in usual


def test_error_falls_with_people_and_epsilon(dense, content):
    assert content["complete"]
    by_n = line(chart_of(content, "local-n"), "local Gaussian")
    points = [MechanismPoint(asked, LOCAL_KEY) for asked in DENSE.axis_queries()["n"]]
    np.testing.assert_allclose(by_n, [dense.mean(point) for point in points], rtol=1e-6)
    assert by_n[0] > by_n[12] > by_n[-1]
    for key in ("with a curator, Gaussian", "local Gaussian"):
        values = line(chart_of(content, "local-epsilon"), key)
        assert values[-1] < values[0]
    lines = [t for t in chart_of(content, "local-n")["figure"]["data"] if t["meta"] != "ceiling"]
    assert len(lines) == 5
    assert all(np.nanmax(each["y"]) <= largest_distance(3) * (1 + 1e-6) for each in lines)
    note = chart_of(content, "local-n")["note"]
    slope = float(note.split("**")[1].replace("−", "-"))
    assert slope == pytest.approx(-0.5, abs=0.05), "one over √n"
    assert "as good as random" in note


def test_plotly_draws_every_chart_and_every_line_has_a_name(content):
    for each in (content, page_content(SPARSE, ErrorMeasurements())):
        assert_plotly_draws(each)
        assert_names_are_apart(each)


def test_the_sentence_says_when_nothing_is_kept(content):
    assert "no better than **random directions**" in content["answer"]
    many = replace(DENSE, n=1e12)
    runs = ErrorMeasurements()
    runs.advance(many, points_to_measure(many)[:6])
    assert "no better" not in page_content(many, runs)["answer"]
    assert "need δ > 0" in page_content(replace(DENSE, delta=0.0), ErrorMeasurements())["answer"]


def entries(chart):
    """Entries of the pictures, row by row, relative to the largest."""
    return [trace["y"] for trace in chart["figure"]["data"]]


def test_pictures_show_the_record_its_report_and_the_average():
    found = entries(record_pictures(DENSE))
    x = record_of(DENSE)
    own = np.outer(x, x) / np.abs(np.outer(x, x)).max()
    np.testing.assert_allclose(np.reshape(found[0], (20, 20)), own, atol=1e-6)
    report = np.reshape(found[1], (20, 20))
    assert np.abs(np.corrcoef(report.ravel(), own.ravel())[0, 1]) < 0.4
    many = entries(record_pictures(replace(DENSE, n=1e13)))
    np.testing.assert_allclose(many[2], many[3], atol=0.02)
    assert record_pictures(replace(DENSE, delta=0.0)) is None


def test_images_show_the_record_as_an_image_and_sums_have_no_record():
    data = load_key("digits")
    asked = LocalModelQuery(RecordSource.DATA, data, 64, 4, 20, float(data.people), 1.0, 1e-4)
    chart = record_pictures(asked)
    assert [len(values) for values in entries(chart)[4:]] == [64] * 4
    for size in chart["figure"]["sizes"].values():
        assert len(size["layout"]["images"]) == len(size["annotations"]) == 8
    sums = load_key("covtype")
    assert sums.rows.shape == (0, 54)
    assert record_pictures(replace(asked, data=sums, p=54, k=2, n=581_012.0)) is None


def test_settings_stay_possible():
    sparse = LocalModelQuery(RecordSource.SPARSE, None, 100, 10, 15, 2000.0, 1.0, 1e-4)
    for along in sparse.axis_queries().values():
        assert all(a.k <= a.columns <= a.p <= a.n for a in along)
    assert min(a.n for a in sparse.axis_queries()["n"]) >= 100
    assert set(PEOPLE_AXIS) >= {1e4, 1e5}


def test_the_page_opens_on_figure_3():
    opened = open_page("local")
    assert not opened.exception
    drawn = opened.session_state["local.drawn"]
    assert "n\u00a0=\u00a0100,000, k\u00a0=\u00a05, ε\u00a0=\u00a00.1" in drawn["footer"]
    next(b for b in opened.button if b.label == "Figure 3’s values").click().run()
    drawn = opened.session_state["local.drawn"]
    assert "n\u00a0=\u00a0100,000, k\u00a0=\u00a05, ε\u00a0=\u00a00.5" in drawn["footer"]
    assert opened.session_state["settings"].delta == 1e-4


def test_the_papers_n_is_a_number_and_the_datas_own_is_none():
    for link, chosen, kept in (
        ({"source": "dense"}, 100_000.0, 100_000.0),
        ({"source": "data", "data": "wine"}, 178.0, 0.0),
    ):
        opened = open_page("local", n="500", **link)
        opened.select_slider(key="n").set_value(chosen).run()
        assert opened.session_state["settings"].n == kept


@pytest.mark.parametrize("adjacency", Adjacency)
def test_a_local_promise_is_between_two_records_of_one_person(adjacency):
    problem = Problem.from_moment(np.diag([60.0, 40, 10, 5]), 200, 2)
    for key in LOCAL:
        found = MECHANISMS[key].guarantee(problem, Budget(1.0, 1e-6, adjacency))
        assert promise(found).startswith("local (ε, δ)-DP with ε")
        assert between(found, "patient") == "between any two records of one patient"
        assert attacker_question(found, "patient") == "which of two records one patient has"
        assert short_guarantee(found).endswith(", local")
    central = MECHANISMS["gaussian"].guarantee(problem, Budget(1.0, 1e-6, adjacency))
    added = adjacency is Adjacency.ADD_OR_REMOVE_ONE
    change = "added or removed" if added else "replaced"
    question = "whether one person is in the data" if added else "which of two records one person"
    assert between(central, "person") == f"for one person {change}"
    assert attacker_question(central, "person").startswith(question)
    assert "local" not in promise(central) + short_guarantee(central)


def test_explore_says_that_a_promise_is_local():
    study = begun("wine", "local_gaussian", rivals=shown_by_default())
    study.first_paint(at(1.0))
    words = said(study, 1.0)
    assert "which of two records" in words["odds"]
    assert "between any two records" in words["badge"]["line"]


@pytest.mark.parametrize("columns", [2, 3])
def test_narrow_tables_and_few_records_have_charts_for_what_can_vary(columns):
    rows = np.random.default_rng(0).normal(size=(40, columns)) / 9
    table = Dataset("mine", "Mine", "Mine", rows, ("a", "b", "c")[:columns])
    narrow = LocalModelQuery(RecordSource.DATA, table, columns, 1, columns, 40.0, 1.0, 1e-4)
    for asked in (narrow, replace(DENSE, n=30.0)):
        charts = page_content(asked, ErrorMeasurements())["charts"]
        keys = [chart["key"] for chart in charts if chart["key"].startswith("local-")]
        assert keys == ["local-n", "local-epsilon"]
