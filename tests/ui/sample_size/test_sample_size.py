"""The Sample size page: its marks against the theorems, its lines against fresh measurements."""

from dataclasses import replace

import pytest

from dpca_core import MECHANISMS, Budget
from dpca_core.analysis.needed import measure, people_at
from dpca_core.theorems import ppca_enough
from tests.built_in_sets import EVERY_SET_AND_K, loaded
from tests.page_charts import assert_charts, chart_of
from ui.sample_size.figures import page_content
from ui.sample_size.measurements import SampleSizeMeasurements
from ui.sample_size.query import SampleSizeQuery

KEYS = ("gaussian", "ppca", "wishart_jiang", "smooth_gaussian_printed", "mod_sulq", "gap_release")
USUAL = Budget(1.0, 1e-6)
START = SampleSizeQuery(None, 10, 0.3, 1, "correlation", 0.9, 0.9, USUAL, KEYS)
REFUTED = MECHANISMS["wishart_jiang"].name
MODES = ("markers", "lines")


@pytest.fixture(scope="module")
def known():
    needs = SampleSizeMeasurements()
    for _ in needs.steps(START):
        pass
    return needs


@pytest.fixture(scope="module")
def content(known):
    return page_content(START, known)


def unmeasured(**changes):
    return page_content(replace(START, **changes), SampleSizeMeasurements())


def row(content, name="", kind=""):
    """Lines of a row's numbers: name, standing, what, people, from, to, note."""
    _, *lines = chart_of(content, "people").figure["table"]
    return [line for line in lines if line[0].startswith(name) and line[2].startswith(kind)]


def people_drawn(content, name, symbol):
    """Where points of a row lie on the axis of people, and to where their trails reach."""
    data = chart_of(content, "people").figure["data"]
    own = {mode: [t for t in data if (t["meta"], t.get("mode")) == (name, mode)] for mode in MODES}
    points, trails = own.values()
    return [t["x"][0] for t in points if t["marker"]["symbol"] == symbol], [t["x"] for t in trails]


def test_the_first_picture_has_the_theorems_and_a_number_that_still_moves_says_so():
    content = unmeasured()
    assert not content.complete
    assert "nothing is measured yet" in content.says["answer"]
    assert not row(content, kind="measured")
    enough = ppca_enough(START.case)
    assert people_drawn(content, "PPCA", "line-ns") == ([enough], [[enough, 1e9]])
    begun = SampleSizeMeasurements()
    steps = begun.steps(START)
    while not any(result.trials for result in begun.results(START) if result.ranked):
        next(steps)
    assert "so far" in page_content(START, begun).says["answer"]


def test_a_measured_row_is_what_the_core_measures(content):
    assert content.complete
    assert "so far" not in content.says["answer"]
    assert_charts(content)
    for key in ("gaussian", "gap_release"):
        name, (*_, table) = MECHANISMS[key].name, measure(MECHANISMS[key], *START.point)
        needed = table.needed(START.aim, people_at(MECHANISMS[key], *START.point))
        (own,) = row(content, name, "measured")
        assert own[3:6] == pytest.approx([needed.n, needed.low, needed.high], rel=1e-6)
        points, (*_, trail) = people_drawn(content, name, "circle")
        assert [*points, *trail] == pytest.approx([needed.n, needed.low, needed.high], rel=1e-6)


def test_what_does_not_hold_is_not_ranked(content):
    notes = chart_of(content, "people").figure["names"]["480"]["annotations"]
    words = {note["name"]: note["font"]["color"] for note in notes if "name" in note}
    for mechanism in map(MECHANISMS.get, KEYS):
        holds = mechanism.guarantee(*START.point).meets(START.budget)
        assert (words[mechanism.name] == "grey") == (not holds)
    assert {line[1] for line in row(content, REFUTED)} == {"refuted"}
    assert list(words)[-1] == REFUTED
    assert REFUTED not in content.says["answer"]


@EVERY_SET_AND_K
def test_nothing_lies_on_a_name_for_a_built_in_set(key, k):
    data = loaded(key)
    assert_charts(unmeasured(data=data, k=min(k, data.d - 1), kind="captured"))
