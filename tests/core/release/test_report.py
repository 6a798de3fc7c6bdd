"""The report of a release: one inert file that needs no network and no script, and what it says."""

import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from math import ceil

import numpy as np
import pandas as pd
import pytest

from dpca_core.data.provenance import ONE_ROW, Unit
from dpca_core.data.recipe import (
    Category,
    Combine,
    Missing,
    Number,
    Recipe,
    RowLength,
    Scaling,
)
from dpca_core.figures.bundle import bundle_text
from dpca_core.mechanisms.noise_laws import ExactNoise
from dpca_core.release import report, report_charts_and_tables
from dpca_core.release.draw import draw
from dpca_core.release.drawn import from_bytes, to_bytes
from dpca_core.release.exact_sums import exact_sums
from dpca_core.release.grid import GRID
from dpca_core.release.plan import Plan
from dpca_core.release.program import VERSION, commit
from dpca_core.release.published_release import PublishedRelease
from dpca_core.release.read_for_report import reading_of
from dpca_core.release.report_preparation import column_rows, preparation_rows, protected
from dpca_core.release.report_sentences import what_the_trace_tells
from dpca_core.release.table_source import RowSource, TableSource
from dpca_core.text.glossary import TERMS
from tests.cases import sampled
from tests.core.release.cases import (
    HOSTILE,
    MARKUP,
    hostile_plan,
    key_of,
    practice_account,
    repeating_bits,
    some_plan,
)


class Elements(HTMLParser):
    """What a browser would make of a page: its elements with their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.text = self._inside = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self._inside = tag
        if tag == "script":
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            self.scripts[-1] += data
        elif self._inside != "style":
            self.text += data


def released_of(plan: Plan) -> PublishedRelease:
    sizes = [0.4, 0.3, *[0.05] * (plan.d - 2)]
    rows = np.random.default_rng(2).normal(size=(4000, plan.d)) * sizes
    return draw(
        practice_account(plan), plan, RowSource(rows, 1.0, plan.columns), repeating_bits(11)
    )


def page_of(plan: Plan, *, close: bool = False) -> str:
    """Return a report as text; ``close`` eigenvalues cannot be told apart."""
    found = released_of(plan)
    if close:
        matrix = np.diag(2**42 + 2**20 * np.arange(plan.d))
        found = PublishedRelease(found.row, replace(found.drawn, matrix=matrix))
    return found.files()["report.html"].decode()


@pytest.fixture(scope="module")
def released():
    return released_of(hostile_plan())


@pytest.fixture(scope="module")
def hostile(released):
    return Elements(released.files()["report.html"].decode())


@pytest.mark.parametrize("columns", sampled([5, 2000, 100], 3, "wide tables"))
def test_it_is_one_file_of_at_most_two_megabytes(columns):
    assert len(bundle_text()) < len(page_of(hostile_plan(columns)).encode()) < 2_000_000


def test_nothing_in_it_asks_for_anything(hostile):
    loading = {"src", "href", "action", "data", "poster", "srcset", "background", "formaction"}
    assert [(tag, attrs) for tag, attrs in hostile.found if loading & attrs.keys()] == []
    assert {"link", "iframe", "img", "object", "embed", "base", "form", "meta"} & {
        tag for tag, _ in hostile.found
    } == {"meta"}
    own = hostile.text + "".join(hostile.scripts[1:])
    assert "://" not in own
    assert not re.search(r"@import|url\(", page_of(hostile_plan()).partition("</style>")[0])


def test_its_only_scripts_are_the_bundle_and_its_figures(hostile):
    bundle, switch, *figures = hostile.scripts
    assert bundle == bundle_text().replace("</script", "<\\/script")
    assert "has-scripts" in switch
    assert all(script.startswith("Plotly.newPlot(document.currentScript") for script in figures)
    assert not any(name.startswith("on") for _, attrs in hostile.found for name in attrs)


def test_texts_of_strangers_are_texts(hostile):
    for text in (*MARKUP, HOSTILE, f"{HOSTILE}?", "<u>kg</u>", "<b>Clinic</b>"):
        assert text in hostile.text
    assert {"b", "i", "u", "img"} & {t for t, a in hostile.found if not a} == set()
    # Plotly reads some markup in texts: names of columns are escaped once more for it.
    drawn = "".join(hostile.scripts[2:])
    assert "<" not in drawn
    assert "\\u003cb" not in drawn
    assert "&lt;b&gt;age&lt;/b&gt;" in drawn


def test_without_scripts_each_chart_gives_way_to_its_table():
    page = page_of(hostile_plan())
    assert ".chart { display: none; }" in page
    assert ".has-scripts .chart { display: block; }" in page
    figures = re.findall(r"<figure.*?</figure>", page, re.DOTALL)
    assert len(figures) > 3
    for figure in figures:
        assert figure.count('<div class="chart">') == 1
        assert figure.partition('<div class="beside">')[2].count("<tr>") > 2


def test_a_table_says_what_its_chart_draws(released):
    plan = released.row.plan
    reading = reading_of(plan, released.drawn)
    chart = report_charts_and_tables.spectrum(plan, reading)
    assert chart.figure["data"][0]["y"].tolist() == reading.values.tolist()
    assert float(chart.rows[0][1].replace(",", "")) == pytest.approx(reading.values[0], rel=0.01)
    loadings = report_charts_and_tables.loadings(plan, reading, 1)
    bars = loadings.figure["data"][0]["x"]
    assert [f"{x:+.2f}".replace("-", "−") for x in bars] == [row[1] for row in loadings.rows]
    order = np.argsort(-np.abs(reading.loadings[:, 1]))
    assert [row[0] for row in loadings.rows] == [plan.columns[j] for j in order]
    # Bins below twice the noise are hollow.
    marks = report_charts_and_tables.scores(plan, reading).figure["data"][0]["marker"]["color"]
    hollow = [mark == "clear" for mark in marks]
    assert hollow == (reading.counts.ravel() < 2 * reading.bin_noise).tolist()
    assert 0 < sum(hollow) < len(hollow)


def test_odds_are_rounded_up_and_drawn_as_dots():
    plan = hostile_plan()
    page = page_of(plan)
    (said,) = re.findall(r"at most ([\d.]+) times in 100", page)
    assert 0 <= float(said) - 100 * plan.cost.guess_probability() < 0.1
    assert f"at most {said} with the release" in page
    assert page.count('<i class="coin"></i>') == 50
    assert page.count('<i class="gained"></i>') == ceil(float(said)) - 50


def test_a_release_is_reported_from_its_row_byte_by_byte(released, hostile):
    files = released.files()
    again = PublishedRelease(released.row, from_bytes(to_bytes(released.drawn))).files()
    assert again["report.html"] == files["report.html"]
    assert f"dpca {VERSION} (commit {commit()})" in hostile.text
    assert all(TERMS[word].sentence in hostile.text for word in report.WORDS)
    assert "PRACTICE on <b>made-up</b> people" in hostile.text
    assert all(name in hostile.text for name in files)


def test_the_script_in_it_finds_the_directions(released, hostile, tmp_path):
    (tmp_path / "matrix.csv").write_bytes(released.files()["matrix.csv"])
    script = report._SCRIPT.format(k=2)
    assert script.split("\n")[0] in hostile.text
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    numbers = re.findall(r"(?:np\.float64\(|, )(-?\d[\d.e-]*)\)", done.stdout)
    found = np.array([float(number) for number in numbers]).reshape(2, 5)
    assert np.abs(found - released.directions(2).T).max() < 1e-3


def test_close_eigenvalues_and_other_noise_leave_intervals_unsaid():
    page = page_of(hostile_plan(), close=True)
    assert "can’t be told from its neighbours" in page
    assert "not available for this noise" not in page
    for noise in (ExactNoise.WISHART_DIFFERENCE, ExactNoise.LAPLACE):
        plan = hostile_plan(mechanism=key_of(noise))
        page = page_of(plan, close=True)
        assert page.count("not available for this noise.") == plan.k + 1
        assert "can’t be told from its neighbours" not in page


def test_it_names_the_noisy_number_of_rows_and_what_tells_it():
    unit = replace(hostile_plan().recipe, row_length=RowLength.ONE)
    for changes, noisy, trace in (
        ({}, True, False),
        ({"means": Fraction(0)}, False, False),
        ({"recipe": unit}, True, True),
    ):
        page = page_of(hostile_plan(**changes))
        assert "the exact number of rows" in page
        assert ("A noisy number of rows is" in page) == noisy
        assert ("the trace of the matrix is, up to rounding, the number" in page) == trace


ENDS = (Number("a", 0, 10), Number("b", 0, 10))
RECIPE = Recipe(ENDS, (), bounds_are_public=True, row_length=RowLength.ONE)
OF_PEOPLE = replace(RECIPE, person=("who",))
AT_MOST = replace(OF_PEOPLE, combine=Combine.AT_MOST, most=2)
TABLE = pd.DataFrame(
    [
        ("typical", 5.0, 5.0),
        ("missing", None, None),
        ("both", 5.0, None),
        ("half", None, 7.0),
        ("full", 9.0, 2.0),
        ("cancels", 9.0, 5.0),
        ("cancels", 1.0, 5.0),
        ("twice", 9.0, 5.0),
        ("twice", 9.0, 9.0),
        (None, 1.0, 1.0),
    ],
    columns=["who", "a", "b"],
)
OF_WHOM, LEFT_OUT = "number of patients whose row is", "Rows that were left out do not count."


@pytest.mark.parametrize(
    ("recipe", "counted", "count", "left_out"),
    [
        # Rows that are not all zeros: half, full, 2 of cancels, 2 of twice, nobody's.
        (RECIPE, OF_WHOM, 7, False),
        (replace(RECIPE, missing=Missing.DROP), OF_WHOM, 6, True),
        # People: half, full, twice.
        (OF_PEOPLE, OF_WHOM, 3, True),
        (AT_MOST, "number of rows that were kept and are", 6, True),
    ],
)
def test_the_trace_is_the_number_that_the_report_names(recipe, counted, count, left_out):
    trace = np.trace(exact_sums(TableSource([TABLE], recipe), length_one=True).T) / GRID**2
    assert trace == pytest.approx(count, rel=1e-3)
    plan = hostile_plan(2, k=1)
    changed = replace(recipe, unit=plan.recipe.unit, numbers=plan.recipe.numbers)
    said = what_the_trace_tells(hostile_plan(2, k=1, recipe=changed))
    assert f"{counted} not all zeros, plus noise" in said
    assert (LEFT_OUT in said) == left_out
    assert ("typical or missing" in said) == (recipe.missing is not Missing.DROP)
    # About released means rows are zero only at these.
    about = replace(changed, scaling=Scaling.PRIVATE_MEAN)
    said = what_the_trace_tells(hostile_plan(2, k=1, recipe=about))
    assert "after the released means were subtracted" in said
    assert "typical" not in said


CLINIC = Recipe(
    (Number("pain", 0.0, 10.0, unit="points", missing=("98", "99"), seen=True),),
    (Category("sex", ("f", "m"), missing=("unknown",)),),
    person=("patient_id",),
    unit=Unit("patient", "patients"),
    bounds_are_public=True,
)


@pytest.mark.parametrize(
    ("changes", "protects", "words"),
    [
        ({}, "added or removed, all rows of one patient averaged into one", "rows without one are"),
        ({"combine": Combine.AT_MOST, "most": 3}, "at most 3 rows each", "S divided by 3"),
        ({"ids_ignore_case": True}, "into one", "of patient_id, without case and spaces"),
        ({"person": ()}, "one patient added or removed, one row each", "one patient is one row"),
        ({"person": (), "unit": ONE_ROW}, "one row added or removed", "one row is one row"),
    ],
)
def test_it_says_whose_rows_they_are_and_who_is_protected(changes, protects, words):
    plan = some_plan(d=3, recipe=replace(CLINIC, **changes))
    assert protected(plan).endswith(protects)
    assert words in dict(preparation_rows(plan))["Rows"]
    said = [row[1] for row in column_rows(CLINIC)]
    assert said == ["0 to 10 points; missing: 98, 99", "f, m; missing: unknown"]
    assert "after a look at its values" in column_rows(CLINIC)[0][3]
