"""The CSV of each page's charts holds the numbers of its study, not places in the picture."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from dpca_core import MECHANISMS
from dpca_core.analysis.order_statistics import quantiles
from dpca_core.figures.figure_table import figure_table
from dpca_core.figures.layout import Spec
from dpca_core.mechanisms.base import Mechanism
from dpca_core.theorems.sample_size_theorems import ppca_enough
from sample_data import load_key
from tests.chart_figures import chart_of
from tests.ui.compare import comparisons
from tests.ui.eigengap.test_eigengap import query_of
from tests.ui.explore.answers import GAUSSIAN, at, drawn, finished
from tests.ui.sample_size.test_sample_size import START
from ui.compare.text import RANDOM, CompareText
from ui.eigengap.figures import sensitivity_by_gap
from ui.eigengap.noise_figures import GAP_VALUES
from ui.explore.chart_words import PANEL_AXES
from ui.explore.measurements import Study
from ui.explore.saved_figures import beside_at
from ui.explore.summary import DOTS
from ui.sample_size.figures import page_content as sample_size_content
from ui.sample_size.measurements import SampleSizeMeasurements
from ui.state.slider_stops import EPSILON_STOPS
from ui.text.noise import MOST_REFUSED

LAPLACE = MECHANISMS["laplace"]
SHARES = {95: (0.025, 0.975), 80: (0.1, 0.9), 50: (0.25, 0.75)}
EPSILON = 0.1
Saved = tuple[Spec, str | None, Mapping[str, Any]]
"""A figure, the y axis of the panel that is saved, and the columns that it must give."""


@cache
def study() -> Study:
    """Two directions of the wine data with all releases of two mechanisms."""
    return finished("wine", "gaussian", 2, (GAUSSIAN, LAPLACE))


@cache
def explore() -> dict[str, Any]:
    return drawn(study(), EPSILON)


def bands(name: str, values: Any) -> dict[str, Any]:
    """Columns of the bands of one mechanism's releases, (G, T)."""
    found = {}
    for share, limits in SHARES.items():
        low, high = quantiles(values, limits)
        column = f"{name}, {share} % of releases"
        found |= {f"{column} high": high, f"{column} low": low}
    return found


def along_epsilon(axis: str, values: Callable[[Mechanism], Any]) -> Saved:
    """Medians of both mechanisms, and bands of the one that is chosen; values are (G, T)."""
    columns: dict[str, Any] = {PANEL_AXES["epsilon"]: EPSILON_STOPS}
    for m in (GAUSSIAN, LAPLACE):
        columns[f"{m.name} (median)"] = np.median(values(m), axis=1)
    return explore()["curves"], axis, columns | bands(GAUSSIAN.name, values(GAUSSIAN))


def kept() -> Saved:
    return along_epsilon("y", lambda m: study().measured[m.key].captured)


def noise() -> Saved:
    return along_epsilon("y3", study().noise_norms_in_people)


def spectrum() -> Saved:
    values, kept = study().problem.spectrum, ["yes"] * 2 + ["no"] * 11
    columns = {"direction": np.arange(1, 14), "eigenvalue of S (wines)": values, "kept": kept}
    return explore()["beside"], "y3", columns


def compare() -> Saved:
    found = comparisons.finished(load_key("wine"), comparisons.asked(trials=60))
    content = comparisons.content(found)
    text = CompareText(found, 0.9)
    columns = {text.axis_title: found.values, RANDOM: [c.sin_theta for c in text.chances]}
    for line in found.lines:
        answered = [line.refused_share(i) <= MOST_REFUSED for i in range(len(found.values))]
        values = np.where(np.array(answered)[:, None], line.sin_theta, np.nan)
        columns[f"{line.mechanism.name} (median)"] = quantiles(values, (0.5,))[0]
        if line.mechanism.key == content["lit"]:
            columns |= bands(line.mechanism.name, values)
    return content["figure"], "y2", columns


def turn() -> Saved:
    exact = [query_of().local_sensitivity(gap) for gap in GAP_VALUES]
    figure = sensitivity_by_gap(query_of())["figure"]
    title = figure["layout"]["xaxis"]["title"]["text"]
    return figure, None, {title: GAP_VALUES, "one person, exact": exact}


def check(rows: list[list[Any]], expected: Mapping[str, Any]) -> None:
    head, *lines = rows
    assert len(set(head)) == len(head)
    assert set(expected) <= set(head)
    for name, values in expected.items():
        column = [line[head.index(name)] for line in lines]
        if isinstance(values[0], str):
            assert column == list(values)
        else:
            found, wanted = (np.array(each, dtype=float) for each in (column, values))
            np.testing.assert_allclose(found, wanted, rtol=2e-6, atol=1e-7, err_msg=name)


@pytest.mark.parametrize("case", [kept, noise, spectrum, compare, turn])
def test_a_table_is_what_the_study_measured(case: Callable[[], Saved]) -> None:
    figure, axis, columns = case()
    rows = figure_table(figure, axis)
    check(rows, columns)
    assert case is turn or set(rows[0]) == set(columns), "a column of something else"


@pytest.mark.parametrize("axis", ["y", "y2"])
@pytest.mark.parametrize("epsilon", [0.001, EPSILON, 10.0])
def test_the_dots_are_saved_as_the_releases_at_the_rule(axis: str, epsilon: float) -> None:
    measured = study().chosen
    columns = {
        "epsilon": [epsilon] * DOTS,
        "release": np.arange(1, DOTS + 1),
        "captured": measured.captured[at(epsilon), :DOTS],
        "sin_theta_frobenius": measured.sin_theta[at(epsilon), :DOTS],
    }
    rows = figure_table(beside_at(explore(), at(epsilon)), axis)
    assert rows[0] == list(columns)
    check(rows, columns)


def test_a_release_that_was_refused_is_in_no_table() -> None:
    """Nor the place outside the chart at which its dot lies."""
    kept = np.array([[0.5] * 3, [0.5, np.nan, 0.75]], dtype=np.float32)
    pile = {"x": kept, "y": kept, "filled_from": 0.9}
    beside = {
        "data": [{"marker": {"line": {"color": "ink"}}}] * 2,
        "layout": {"shapes": []},
        "table": {"y": [["head"]], "y2": [["head"]]},
    }
    content = {
        "beside": beside,
        "dots": {"kept": kept, "sin": 2 * kept, "piles": [pile, pile]},
        "axis": {"values": [0.1, 0.2], "texts": ["ε = 0.1", "ε = 0.2"]},
        "noise_bands": None,
    }
    rows = figure_table(beside_at(content, 1), "y")
    assert rows == [["head"], [0.2, 1, 0.5, 1], [0.2, 3, 0.75, 1.5]]


def test_rows_of_people_are_saved_as_measured_and_proved() -> None:
    asked = replace(START, keys=("gaussian", "ppca"))
    known = SampleSizeMeasurements()
    known.advance(asked)
    figure = chart_of(sample_size_content(asked, known), "people")["figure"]
    head, *lines = figure_table(figure)
    assert head[0] == "name"
    found = {(line[0], line[2].split(":")[0]): line[3:6] for line in lines}
    needed = known.at_budget(asked, GAUSSIAN)
    assert found["Gaussian", "measured"] == [needed.n, needed.low, needed.high]
    assert found["PPCA", "enough"][0] == ppca_enough(asked.case)


def test_a_saved_spectrum_has_its_epsilon_and_the_band_of_noise() -> None:
    """The band lies over the figure on the page: Plotly does not draw it there."""
    content = explore()
    saved = beside_at(content, 30)
    assert saved["at"] == content["axis"]["texts"][30]
    layout = content["beside"]["layout"]
    *shapes, band = saved["layout"]["shapes"]
    assert shapes == layout["shapes"]
    foot = study().problem.spectrum[2]
    assert band["y0"] == pytest.approx(foot)
    norm = np.median(study().noise_norms_in_people(GAUSSIAN)[30])
    assert band["y1"] == pytest.approx(min(foot + norm, layout["yaxis3"]["range"][1]))
    assert band["label"]["text"] == content["noise_bands"][30]["words"]
