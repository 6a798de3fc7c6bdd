"""The Local page: its errors against brute force, its sentences against its numbers."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import kstest

from dpca_core import MECHANISMS, Adjacency, Budget
from dpca_core.data.dataset import Dataset
from dpca_core.metrics import largest_distance, projector_distance, random_distance
from dpca_core.simulation.draws import TrialDraws
from dpca_core.simulation.wang_xu import (
    dense_design,
    sample_moment,
    sparse_design,
    spiked_eigenvalues,
)
from dpca_core.text.privacy_numbers import upward
from sample_data import load_key
from tests.built_in_sets import QUICK_SETS, loaded
from tests.chart_figures import (
    assert_names_are_apart,
    assert_plotly_draws,
    chart_of,
    trace_of,
)
from tests.opened_page import open_page
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


def measured(asked):
    runs = ErrorMeasurements()
    while runs.share(points_to_measure(asked)) < 1:
        runs.advance(asked, points_to_measure(asked))
    return runs


@pytest.fixture(scope="module")
def dense():
    return measured(DENSE)


def line(found, name):
    return trace_of(found, name)["y"]


def test_the_distance_is_that_of_the_projections():
    rng = np.random.default_rng(0)
    truth = np.linalg.qr(rng.standard_normal((7, 3)))[0]
    bases = np.linalg.qr(rng.standard_normal((5, 7, 3)))[0]
    expected = [np.linalg.norm(b @ b.T - truth @ truth.T) for b in bases]
    np.testing.assert_allclose(projector_distance(truth, bases), expected)
    assert projector_distance(truth, -truth[None])[0] == pytest.approx(0, abs=1e-7)


def test_random_directions_have_the_baseline_and_never_pass_the_ceiling():
    """4,000 random subspaces: five standard errors of the mean square."""
    rng = np.random.default_rng(1)
    truth = np.eye(9)[:, :4]
    errors = projector_distance(truth, np.linalg.qr(rng.standard_normal((4000, 9, 4)))[0])
    square = np.square(errors)
    assert square.mean() == pytest.approx(
        random_distance(9, 4) ** 2, abs=5 * square.std() / 4000**0.5
    )
    assert errors.max() <= largest_distance(4)


def test_a_sample_without_rows_has_the_law_of_one_with_rows():
    """500 of each, top eigenvalue, an entry and the overlap with V; KS at p > 10⁻⁶."""
    p, k, n = 6, 2, 40
    rows = [dense_design(n, p, k, seed=s) for s in range(500)]
    samples = [sample_moment(n, p, k, p, seed=s + 500) for s in range(500)]
    assert max(design.clipped for design in rows) == 0
    for of in (
        lambda s, v: np.linalg.eigvalsh(s)[-1],
        lambda s, v: s[0, 1],
        lambda s, v: np.trace(v.T @ s @ v),
    ):
        with_rows = [of(d.rows.T @ d.rows, d.directions) for d in rows]
        without = [of(s.moment, s.directions) for s in samples]
        assert kstest(with_rows, without).pvalue > 1e-6


def test_a_sample_points_where_the_design_with_rows_does():
    sample, design = sample_moment(900, 12, 3, 5, seed=4), sparse_design(9, 12, 3, 5, seed=4)
    np.testing.assert_array_equal(sample.directions, design.directions)
    assert sample.support.sum() == 5
    big = sample_moment(1e13, 12, 3, 5, seed=4)
    expected = np.sort(spiked_eigenvalues(12, 3))
    np.testing.assert_allclose(np.linalg.eigvalsh(big.moment) / 1e13, expected, rtol=1e-4)
    with pytest.raises(ValueError, match="as many people as columns"):
        sample_moment(5, 12, 3, 5)


def test_errors_are_those_of_the_mechanisms_releases(dense):
    problem, truth, _ = DENSE.ground_truth
    budget = Budget(0.5, 1e-4, Adjacency.REPLACE_ONE)
    for key in ("gaussian", "local_gaussian", "local_printed"):
        bases = TrialDraws(MECHANISMS[key], 0, range(5)).release(problem, budget).bases
        expected = [np.linalg.norm(b @ b.T - truth @ truth.T) for b in bases]
        np.testing.assert_allclose(
            dense.results(MechanismPoint(DENSE, key))[:, 0], expected, atol=1e-7
        )
    own = dense.mean(MechanismPoint(DENSE, WITHOUT_PRIVACY))
    assert own == pytest.approx(np.linalg.norm(problem.basis @ problem.basis.T - truth @ truth.T))


def test_a_private_mean_takes_its_share_before_the_mechanism():
    data = replace(load_key("wine"), mean_share=0.2)
    query = LocalModelQuery(RecordSource.DATA, data, 13, 2, 13, 178, 2.0, 1e-4, repetitions=3)
    assert query.mechanism_budget == Budget(1.6, 0.8e-4, Adjacency.REPLACE_ONE)
    measured = ErrorMeasurements()
    point = MechanismPoint(query, "gaussian")
    measured.advance(query, [point])
    problem, truth, _ = query.ground_truth
    draws = TrialDraws(MECHANISMS["gaussian"], 0, range(3))
    bases = draws.release(problem, query.mechanism_budget).bases
    expected = [np.linalg.norm(b @ b.T - truth @ truth.T) for b in bases]
    found = measured.results(point)[:, 0]
    np.testing.assert_allclose(found, expected[: len(found)], atol=1e-7)
    assert len(found) > 0
    summary = page_content(query, measured)["under"]
    printed = MECHANISMS["local_printed"].guarantee(problem, query.mechanism_budget).epsilon
    assert "calibrated for ε\u00a0=\u00a01.6, actually has" in summary
    assert f"**{upward(printed)}**" in summary
    assert "no local guarantee" in summary
    assert (
        "no local guarantee"
        not in page_content(replace(query, data=load_key("wine")), measured)["under"]
    )


def test_error_falls_with_people_and_epsilon_and_rises_with_columns_and_directions(dense):
    content = page_content(DENSE, dense)
    assert content["complete"]
    by_n = line(chart_of(content, "local-n"), "local Gaussian")
    points = [MechanismPoint(asked, LOCAL_KEY) for asked in DENSE.axis_queries()["n"]]
    np.testing.assert_allclose(by_n, [dense.mean(point) for point in points], rtol=1e-6)
    assert by_n[0] > by_n[12] > by_n[-1]
    for name, rising in (("epsilon", False), ("k", True), ("p", True)):
        for key in ("with a curator, Gaussian", "local Gaussian"):
            values = line(chart_of(content, f"local-{name}"), key)
            assert bool(values[-1] > values[0]) is rising
    lines = [t for t in chart_of(content, "local-n")["figure"]["data"] if t["meta"] != "ceiling"]
    assert len(lines) == 5
    assert all(np.nanmax(each["y"]) <= largest_distance(3) * (1 + 1e-6) for each in lines)


def test_plotly_draws_every_chart_and_every_line_has_a_name(dense):
    content = page_content(DENSE, dense)
    assert_plotly_draws(content)
    assert_names_are_apart(content)


@pytest.mark.parametrize("k", range(1, 7))
@pytest.mark.parametrize("key", QUICK_SETS)
def test_names_are_apart_whatever_was_measured(key, k):
    data = loaded(key)
    k, people = min(k, data.d - 1), float(data.people)
    asked = LocalModelQuery(RecordSource.DATA, data, data.d, k, 20, people, 1.0, 1e-4)
    content = page_content(asked, ErrorMeasurements())
    assert_names_are_apart(content)
    if k == 1:
        assert_plotly_draws(content)


def test_the_sparse_design_is_drawn_before_and_after_measuring():
    asked = LocalModelQuery(RecordSource.SPARSE, None, 40, 2, 6, 2000.0, 1.0, 1e-4, repetitions=1)
    for runs in (ErrorMeasurements(), measured(asked)):
        content = page_content(asked, runs)
        assert_plotly_draws(content)
        assert_names_are_apart(content)
    shares = trace_of(chart_of(content, "local-support"), "recall")["y"]
    assert ((shares >= 0) & (shares <= 1)).all()


def test_the_fall_is_one_over_root_n(dense):
    note = chart_of(page_content(DENSE, dense), "local-n")["note"]
    slope = float(note.split("**")[1].replace("−", "-"))
    assert slope == pytest.approx(-0.5, abs=0.03)
    assert "as good as random" in note


def test_the_sentence_says_when_nothing_is_kept(dense):
    assert "no better than **random directions**" in page_content(DENSE, dense)["answer"]
    many = replace(DENSE, n=1e12)
    assert "no better" not in page_content(many, measured(many))["answer"]
    assert "need δ > 0" in page_content(replace(DENSE, delta=0.0), ErrorMeasurements())["answer"]


def test_the_printed_noise_has_its_true_epsilon():
    true = MECHANISMS["local_printed"].guarantee(
        DENSE.ground_truth.problem, replace(DENSE, epsilon=2.0).budget
    )
    said = page_content(replace(DENSE, epsilon=2.0), ErrorMeasurements())["under"]
    number = float(said.split("has ε\u00a0=\u00a0**")[1].split("**")[0])
    assert true.epsilon <= number <= true.epsilon * 1.01
    assert number > 2


def entries(chart):
    """Entries of the pictures, row by row, relative to the largest."""
    return [trace["y"] for trace in chart["figure"]["data"]]


def test_pictures_show_the_record_its_report_and_the_average():
    found = entries(record_pictures(DENSE))
    x = record_of(DENSE)
    own = np.outer(x, x) / np.abs(np.outer(x, x)).max()
    np.testing.assert_allclose(np.reshape(found[0], (20, 20)), own, atol=1e-6)
    report = np.reshape(found[1], (20, 20))
    assert np.abs(np.corrcoef(report.ravel(), own.ravel())[0, 1]) < 0.25
    many = entries(record_pictures(replace(DENSE, n=1e13)))
    np.testing.assert_allclose(many[2], many[3], atol=0.02)
    assert record_pictures(replace(DENSE, delta=0.0)) is None


def test_images_show_the_record_as_an_image():
    data = load_key("digits")
    asked = LocalModelQuery(RecordSource.DATA, data, 64, 4, 20, float(data.people), 1.0, 1e-4)
    chart = record_pictures(asked)
    assert [len(values) for values in entries(chart)[4:]] == [64] * 4
    for size in chart["figure"]["sizes"].values():
        assert len(size["layout"]["images"]) == len(size["annotations"]) == 8


def test_settings_stay_possible():
    small = replace(DENSE, p=20, k=15)
    assert all(a.k < a.p for a in small.axis_queries()["p"])
    sparse = LocalModelQuery(RecordSource.SPARSE, None, 100, 10, 15, 2000.0, 1.0, 1e-4)
    for along in sparse.axis_queries().values():
        assert all(a.k <= a.columns <= a.p <= a.n for a in along)
    assert min(a.n for a in sparse.axis_queries()["n"]) >= 100
    assert set(PEOPLE_AXIS) >= {1e4, 1e5}


def test_sparse_releases_know_their_columns():
    asked = LocalModelQuery(RecordSource.SPARSE, None, 40, 2, 15, 1e11, 1.0, 1e-4, repetitions=2)
    runs, cell = ErrorMeasurements(), MechanismPoint(asked, "local_sparse")
    while len(runs.results(cell)) < 2:
        runs.advance(asked, [cell])
    _, precision, recall = runs.results(cell).mean(axis=0)
    assert precision > 0.9
    assert recall > 0.9


def page(**query):
    return open_page("local", **query)


def test_the_page_opens_on_figure_3():
    opened = page()
    assert not opened.exception
    content = opened.session_state["local.drawn"]
    assert "n\u00a0=\u00a0100,000, k\u00a0=\u00a05, ε\u00a0=\u00a00.1" in content["footer"]
    next(b for b in opened.button if b.label == "Figure 3’s values").click().run()
    content = opened.session_state["local.drawn"]
    assert "n\u00a0=\u00a0100,000, k\u00a0=\u00a05, ε\u00a0=\u00a00.5" in content["footer"]
    assert opened.session_state["settings"].delta == 1e-4


def test_figure_4_and_data_are_a_click_away():
    opened = page(source="sparse", epsilon="1")
    footer = opened.session_state["local.drawn"]["footer"]
    assert "20 of 400 columns" in footer
    assert "n\u00a0=\u00a02,000, k\u00a0=\u00a010, ε\u00a0=\u00a01" in footer
    opened = page(source="data", data="wine", k="3", epsilon="nan", n="-4")
    assert not opened.exception
    assert "k\u00a0=\u00a03" in opened.session_state["local.drawn"]["footer"]


@pytest.mark.parametrize(("epsilon", "beyond"), [("0.05", True), ("0.1", False), ("20", True)])
def test_a_selected_epsilon_without_a_rule_is_named(epsilon, beyond):
    content = page(epsilon=epsilon).session_state["local.drawn"]
    assert ("is beyond this chart" in chart_of(content, "local-epsilon")["note"]) is beyond


def test_the_papers_n_is_a_number_and_the_datas_own_is_none():
    opened = page(source="dense", n="500")
    opened.select_slider(key="n").set_value(100_000.0).run()
    assert opened.session_state["settings"].n == 100_000.0
    opened = page(source="data", data="wine", n="500")
    opened.select_slider(key="n").set_value(178.0).run()
    assert opened.session_state["settings"].n == 0.0


@pytest.mark.parametrize("columns", [2, 3])
def test_narrow_tables_and_few_records_have_charts_for_what_can_vary(columns):
    rows = np.random.default_rng(0).normal(size=(40, columns)) / 9
    table = Dataset("mine", "Mine", "Mine", rows, ("a", "b", "c")[:columns])
    narrow = LocalModelQuery(RecordSource.DATA, table, columns, 1, columns, 40.0, 1.0, 1e-4)
    assert "k" not in narrow.axis_queries()
    few = replace(DENSE, n=30.0)
    assert "p" not in few.axis_queries()
    for asked in (narrow, few):
        charts = page_content(asked, ErrorMeasurements())["charts"]
        keys = [chart["key"] for chart in charts if chart["key"].startswith("local-")]
        assert keys == [f"local-{name}" for name in asked.axis_queries()]
