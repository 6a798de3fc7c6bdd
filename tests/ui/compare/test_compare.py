"""The Compare page without a browser: numbers, ranking, what is recommended and taken away."""

import csv
import io
import subprocess
import sys
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget, Standing
from dpca_core.analysis.claims import example
from dpca_core.data.dataset import Dataset
from dpca_core.data.recipe import Category, Number, Recipe, Scaling
from dpca_core.mechanisms.equalise import equalised
from dpca_core.mechanisms.registry import LESS_NOISE, TWO_LOOKS, shown_by_default
from dpca_core.simulation.sweep import sweep
from dpca_core.tables.prepare import prepare
from sample_data import load_key
from tests.cases import sampled
from tests.opened_page import open_page
from tests.paths import ROOT
from tests.ui.compare.comparisons import SOME, asked, cells, content, finished, keys, traces
from ui.compare import measurements
from ui.compare.export import comparison_csv, comparison_script
from ui.compare.figures import page_content
from ui.compare.measurements import BAND_TRIALS, Comparison
from ui.compare.query import AXES, CompareSettings
from ui.compare.recommendation_text import (
    FROM_PUBLIC,
    MAY_DIFFER,
    measured_sentence,
    not_drawn,
    recommendation,
)
from ui.compare.release_cache import ReleaseCache
from ui.compare.text import CompareText
from ui.figures.packed_content import decode, encode
from ui.state.slider_stops import EPSILON_STOPS

MOST_BYTES = 60_000
EVERY_AXIS = pytest.mark.parametrize("axis", AXES)


@cache
def compared(axis, trials=5):
    keys = dict.fromkeys([*(m.key for m in shown_by_default()), "sulq", "mod_sulq", *SOME])
    mechanisms = tuple(MECHANISMS[key] for key in keys)
    return finished(load_key("wine"), asked(axis=axis, trials=trials, mechanisms=mechanisms))


@cache
def drawn(axis):
    return content(compared(axis))


def of_two(*keys, **changes):
    return asked(mechanisms=tuple(MECHANISMS[key] for key in keys), **changes)


@EVERY_AXIS
def test_the_numbers_are_a_sweeps(axis):
    data = load_key("wine")
    comparison = finished(data, asked(axis=axis, trials=7))
    settings = {"epsilon": 0.1, "delta": 1e-6, "n": 178.0, "k": 1, axis: comparison.values}
    table = sweep(SOME, data.problem(1), trials=7, **settings)
    for line in comparison.lines:
        rows = table[table.mechanism == line.mechanism.key]
        expected = rows.captured.to_numpy().reshape(line.captured.shape)
        np.testing.assert_allclose(line.captured, expected, atol=1e-5)
        refused = (rows.refused & (rows.note == "")).to_numpy().reshape(expected.shape)
        np.testing.assert_array_equal(line.refused, refused)


def test_a_moved_slider_computes_only_what_it_changes(monkeypatch):
    data, memory, measured = load_key("wine"), ReleaseCache(), set()
    finished(data, asked(), memory)
    usual = measurements.run_trials

    def counted(draws, points):
        measured.add(draws.mechanism.key)
        return usual(draws, points)

    monkeypatch.setattr(measurements, "run_trials", counted)
    more = (*asked().mechanisms, MECHANISMS["laplace"])
    for changes, expected in (
        ({}, set()),
        ({"delta": 1e-3}, {"gaussian", "analyze_gauss", "gap_release"}),
        ({"mechanisms": more}, {"laplace"}),
    ):
        measured.clear()
        finished(data, asked(**changes), memory)
        assert measured == expected


def test_only_what_is_proved_is_ranked():
    found = content(finished(load_key("wine"), asked(adjacency=Adjacency.REPLACE_ONE)))
    assert not any(at["ranked"] for at in cells(found, "wishart_sn"))
    assert {at["kind"] for at in cells(found, "wishart_sn")} == {"refuted"}
    assert all(at["ranked"] for at in cells(found, "gaussian"))
    # Printed for a change of 1, a replaced person moves S by √2: weaker than claimed from ε ≈ 0.1.
    assert not cells(found, "analyze_gauss")[-1]["ranked"]
    assert all("SN" not in answer for answer in found["answers"])


@pytest.mark.parametrize("adjacency", Adjacency)
@pytest.mark.parametrize("key", [m.key for m in MECHANISMS.values() if m.role == "printed"])
def test_equalised_mechanisms_spend_what_is_stated(key, adjacency):
    mechanism, problem = MECHANISMS[key], example(10, 2, 5000)
    for epsilon in (0.05, 0.5, 50.0):
        budget = Budget(epsilon, 1e-6, adjacency)
        try:
            true = mechanism.guarantee(problem, equalised(mechanism, problem, budget))
        except InfeasibleBudget:
            assert key == "wishart_sheffet"
            continue
        if true.standing in (Standing.REFUTED, Standing.UNCERTIFIED):
            assert equalised(mechanism, problem, budget) == budget
        else:
            served = key != "wishart_sheffet" or epsilon < 0.1  # its theorem ends at ε = 1
            assert not served or true.epsilon == pytest.approx(epsilon, rel=2e-4)
            assert true.epsilon <= epsilon * (1 + 1e-12)
            assert true.delta <= 1e-6


def uploaded(**choices):
    rng = np.random.default_rng(1)
    table = pd.DataFrame(rng.normal(size=(300, 2)), columns=["a", "b"])
    ranges = (Number("a", -3.0, 3.0), Number("b", -2.0, 2.0))
    return prepare(table, Recipe(ranges, **choices), "two.csv")


def test_a_private_mean_is_part_of_what_holds_and_what_was_read_is_not_private():
    data = uploaded(scaling=Scaling.PRIVATE_MEAN, bounds_are_public=True, mean_share=0.2)
    comparison = finished(data, of_two("laplace", n=300.0, delta=0.0))
    assert cells(content(comparison), "laplace")[12]["holds"] == "ε\u00a0=\u00a00.1, pure"
    assert comparison.lines[0].guarantees[12].epsilon == pytest.approx(0.08)
    data = uploaded(scaling=Scaling.BOUNDED, bounds_are_public=False)
    found = content(finished(data, of_two("gaussian", n=300.0)))
    assert cells(found, "gaussian")[12]["label"] == "NOT PRIVATE"


@EVERY_AXIS
def test_the_traces_are_the_medians(axis):
    for name, panel in (("captured", "y"), ("sin_theta", "y2")):
        curves = traces(drawn(axis), panel)
        for line in compared(axis).lines:
            trace = curves[line.mechanism.key]
            assert trace["x"] == pytest.approx(compared(axis).values, rel=1e-6)
            values = getattr(line, name)
            for i, found in enumerate(trace["y"]):
                if line.refused_share(i) > 0.1 or not np.isfinite(values[i]).any():
                    assert np.isnan(found)
                else:
                    assert found == pytest.approx(np.nanmedian(values[i]), abs=1e-6)


def test_bands_are_those_of_the_line_that_is_lit():
    assert not [t for t in drawn("k")["figure"]["data"] if "fill" in t], "of too few releases"
    comparison = compared("k", BAND_TRIALS)
    for lit, count in ((None, 0), ("laplace", 3)):
        found = page_content(comparison, 0.9, identity="x", axis_value=2.0, lit=lit)["figure"]
        bands = [t for t in found["data"] if t.get("fill") == "toself"]
        assert len(bands) == 2 * count
        assert all(t["fillcolor"].startswith("laplace/band") for t in bands)
    line = next(line for line in comparison.lines if line.mechanism.key == "laplace")
    low, high = np.quantile(line.captured, (0.025, 0.975), axis=1)
    expected = np.concatenate([high, low[::-1]])
    assert found["data"][0]["y"] == pytest.approx(expected, abs=1e-6)


@EVERY_AXIS
def test_the_ranking_is_in_the_order_of_medians(axis):
    found, lines = drawn(axis), compared(axis).lines
    assert keys(found) == [line.mechanism.key for line in lines]
    for i in range(len(found["axis"]["values"])):
        both = [found["ranking"][part][i] for part in ("ranked", "apart")]
        assert sorted(both[0] + both[1]) == list(range(len(lines)))
        for numbers in both:
            known = [lines[n].quantiles(lines[n].captured)["median"][i] for n in numbers]
            known = [-1.0 if np.isnan(value) else value for value in known]
            assert known == sorted(known, reverse=True)
            assert all(lines[n].ranked[i] == (numbers is both[0]) for n in numbers)


def test_a_row_says_the_numbers_of_its_line():
    line = next(x for x in compared("epsilon").lines if x.mechanism.key == "gaussian")
    for i, at in enumerate(cells(drawn("epsilon"), "gaussian")):
        kept, sine = np.median(line.captured[i]), np.median(line.sin_theta[i])
        assert at["kept"] == (">\u00a099\u00a0%" if kept >= 0.995 else f"{kept * 100:.0f}\u00a0%")
        assert at["sine"] == f"{sine:.2f}"
        assert at["spread"] == "", "of too few releases"


def test_an_answer_is_small():
    wanted = asked(mechanisms=shown_by_default(), trials=BAND_TRIALS)
    found = content(finished(load_key("wine"), wanted))
    assert len(encode(found)) <= MOST_BYTES
    assert decode(encode(found))["answers"] == found["answers"]


def table_of(text):
    first, _, rest = text.partition("\n")
    assert first == "# Not private: computed from the true data"
    head, *rows = csv.reader(io.StringIO(rest))
    return [head, *(row[:2] for row in rows)], [[float(v) for v in row[2:]] for row in rows]


def same_to_six_digits(first, second):
    (names, numbers), (again, others) = table_of(first), table_of(second)
    assert names == again
    np.testing.assert_allclose(numbers, others, rtol=1e-6, atol=1e-9)


def run_script(text, folder):
    path = folder / "again.py"
    path.write_text(text, "utf-8")
    environment = {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.check_output([sys.executable, path], cwd=folder, text=True, env=environment)


@pytest.mark.parametrize(
    "changes",
    sampled(
        [{"axis": "n", "equalise": True}, {}, {"axis": "k"}, {"axis": "delta"}],
        4,
        "a process for each axis",
    ),
)
def test_the_script_makes_the_same_numbers(changes, tmp_path):
    comparison = finished(load_key("wine"), asked(trials=5, **changes))
    script = comparison_script(comparison, content(comparison))
    assert script.name.endswith(".py")
    same_to_six_digits(comparison_csv(comparison, {}).text, run_script(script.text, tmp_path))


def test_the_script_carries_the_preprocessing_of_an_upload(tmp_path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(300, 2)), columns=["a", "b"])
    table["c"] = rng.choice(["x", "y"], 300)
    table.to_csv(tmp_path / "people.csv", index=False)
    recipe = Recipe(
        (Number("a", -3.0, 3.0), Number("b", -2.0, 2.0)),
        (Category("c", ("x", "y")),),
        scaling=Scaling.PRIVATE_MEAN,
        bounds_are_public=True,
    )
    data = prepare(table, recipe, "people.csv")
    comparison = finished(data, of_two("gaussian", "laplace", n=300.0, k=2))
    text = comparison_script(comparison, {}).text
    assert data.key not in text
    assert "people.csv" not in text
    path = str(tmp_path / "people.csv")
    again = run_script(text.replace("PATH_TO_YOUR_FILE", path), tmp_path)
    same_to_six_digits(comparison_csv(comparison, {}).text, again)


def drawn_by(opened):
    assert not opened.exception
    return opened.session_state["compare.drawn"][0]


def test_it_opens_with_lines_and_goes_on():
    assert CompareSettings().keys == tuple(m.key for m in shown_by_default())
    opened = open_page("compare", data="wine", k="1")
    assert keys(drawn_by(opened))
    assert "nothing is measured yet" not in drawn_by(opened)["answers"][12]
    comparison = opened.session_state["compare.drawn"][1]
    while not comparison.complete:
        comparison.advance(1)
    assert len(keys(drawn_by(opened.run()))) == len(shown_by_default())
    assert drawn_by(opened)["complete"]
    assert "keeps" in drawn_by(opened)["answers"][-1]


@EVERY_AXIS
def test_a_link_sets_the_page(axis):
    link = {"epsilon": "1", "delta": "0.001", "k": "3", "adjacency": "replace_one", "seed": "4"}
    link |= {"mechanisms": "laplace,gaussian", "trials": "20", "target": "0.8", "axis": axis}
    opened = open_page("compare", data="wine", **link)
    assert drawn_by(opened)["axis"]["name"] == axis
    assert set(keys(drawn_by(opened))) == {"gaussian", "laplace"}
    assert "target of 80\u00a0%" in drawn_by(opened)["subs"]["captured"]
    assert opened.query_params["axis"] in (axis, [axis])


GAUSSIAN = MECHANISMS["gaussian"]
DRAWN = (GAUSSIAN, TWO_LOOKS, LESS_NOISE)
AT = EPSILON_STOPS.index(0.1)
RULE = "Second look, which the rule of thumb names for 5,912 people"


def by_rule(mechanisms=DRAWN, trials=40):
    return asked(mechanisms=mechanisms, n=5912.0, k=8, trials=trials)


def test_two_data_sets_with_equal_settings_get_the_same_words():
    """Other rows, and another number of them, change no word."""
    query = replace(by_rule((), 20), epsilon=0.5, n=500.0)
    rng = np.random.default_rng(0)
    columns = tuple("abcdefghijkl")
    sets = [
        Dataset(f"k{n}", "Rows", "rows", scale * rng.random((n, 12)) / 12, columns)
        for n, scale in ((30, 1.0), (900, 0.1), (2000, 3.0))
    ]
    (words,) = {recommendation(data, query) for data in sets}
    assert words.startswith(FROM_PUBLIC.format(epsilon="0.5"))
    assert "As a rule of thumb, Second look keeps most for about" in words
    assert words.endswith(MAY_DIFFER)
    assert {not_drawn(data, query) for data in sets} == {(TWO_LOOKS, LESS_NOISE)}


def sentence_where(second_look, matrix_t, gaussian=0.5):
    """Return the sentence where the mechanisms keep these medians, each ± 0.01."""
    comparison = Comparison(load_key("rand"), by_rule(), ReleaseCache())
    comparison._tasks.clear()
    for line in comparison.lines:
        comparison._prepare(line)
        line.done[:] = True
        median = {TWO_LOOKS: second_look, LESS_NOISE: matrix_t, GAUSSIAN: gaussian}
        line.captured[:] = median[line.mechanism] + 0.01 * np.linspace(-1, 1, 40)
    return measured_sentence(CompareText(comparison, 0.9), AT)


@pytest.mark.parametrize(
    ("second_look", "matrix_t", "verdict"),
    [
        (0.9, 0.95, f"otherwise: Matrix t keeps about 5 percentage points more than {RULE}."),
        (0.95, 0.9, f"it is so: {RULE}, keeps the most of those ranked here."),
        (0.9, 0.9005, "the median of Matrix t is higher, but within sampling error."),
        (0.9005, 0.9, f"none of those ranked here is shown to keep more than {RULE}."),
        (0.28, 0.28, None),
    ],
)
def test_a_difference_is_said_only_beyond_sampling_error(second_look, matrix_t, verdict):
    found = sentence_where(second_look, matrix_t, gaussian=min(second_look, 0.5, matrix_t))
    if verdict is None:
        assert found == ""  # no better than directions drawn at random
    else:
        assert found.startswith("Measured here at ε\u00a0=\u00a00.1 (40 releases each), ")
        assert found.endswith(verdict)


def test_a_button_draws_what_is_recommended():
    opened = open_page("compare", data="rand", k="8", mechanisms="gaussian", trials="20")
    captions = [caption.value for caption in opened.caption]
    assert any("As a rule of thumb, Second look keeps most" in said for said in captions)
    (button,) = [b for b in opened.button if b.label == "Draw Second look and Matrix t"]
    button.click().run()
    assert not opened.exception
    drawn = opened.session_state["compare.drawn"][1]
    assert {line.mechanism for line in drawn.lines} == set(DRAWN)
    assert set(opened.multiselect[0].value) == {m.key for m in DRAWN}
    assert not [b for b in opened.button if b.label.startswith("Draw ")]
    assert not {TWO_LOOKS.key, LESS_NOISE.key} & set(CompareSettings().keys)
