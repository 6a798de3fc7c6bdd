"""The report of a release: one inert file that needs no network and no script."""

import hashlib
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from math import ceil
from pathlib import Path

import numpy as np
import pytest

from dpca_core.data.recipe import RowLength
from dpca_core.figures.bundle import bundle_text
from dpca_core.mechanisms.exact_noise import ExactNoise
from dpca_core.release import report, report_charts_and_tables
from dpca_core.release.draw import draw
from dpca_core.release.drawn import from_bytes, to_bytes
from dpca_core.release.ledger import Ledger
from dpca_core.release.plan import Plan
from dpca_core.release.program import VERSION, commit
from dpca_core.release.published_release import PublishedRelease
from dpca_core.release.random_bits import Bits
from dpca_core.release.report_sentences import more
from dpca_core.release.report_spending import spending_bar
from dpca_core.release.table_source import RowSource
from dpca_core.text.glossary import TERMS
from tests.core.release.draw_cases import key_of, repeating_bytes
from tests.core.release.report_cases import (
    HOSTILE,
    NAMES,
    hostile_plan,
    made_up_reading,
    stored_row,
)

MOST_BYTES = 2_000_000
FILES = {"matrix.csv": b"1,2\n", "directions.csv": b"3\n"}


class Elements(HTMLParser):
    """What a browser would make of a page: its elements with their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.text = ""
        self._inside = ""
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


def page_of(plan: Plan, **changes: object) -> str:
    """Return a report as text."""
    reading = replace(made_up_reading(plan), **changes)  # type: ignore[arg-type]
    return report.render(stored_row(plan), reading, FILES).decode()


@pytest.fixture(scope="module")
def hostile() -> Elements:
    return Elements(page_of(hostile_plan()))


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> PublishedRelease:
    """A practice release of rows that lie along two directions, drawn with bits that repeat."""
    rng = np.random.default_rng(2)
    rows = rng.normal(size=(4000, 5)) * [0.4, 0.3, 0.05, 0.05, 0.05]
    plan = hostile_plan()
    account = Ledger.in_memory().open_account(
        "Practice", "people", plan.adjacency, Fraction(1), Fraction(1, 10**5)
    )
    return draw(account, plan, RowSource(rows, 1.0, NAMES), Bits(repeating_bytes(11)))


@pytest.mark.parametrize("columns", [5, 100, 2000])
def test_it_is_one_file_of_at_most_two_megabytes(columns: int) -> None:
    content = report.render(stored_row(plan := hostile_plan(columns)), made_up_reading(plan), FILES)
    assert len(bundle_text()) < len(content) < MOST_BYTES


def test_nothing_in_it_asks_for_anything(hostile: Elements) -> None:
    loading = {"src", "href", "action", "data", "poster", "srcset", "background", "formaction"}
    assert [(tag, attrs) for tag, attrs in hostile.found if loading & attrs.keys()] == []
    assert {"link", "iframe", "img", "object", "embed", "base", "form", "meta"} & {
        tag for tag, _ in hostile.found
    } == {"meta"}
    own = hostile.text + "".join(hostile.scripts[1:])
    assert "://" not in own
    assert not re.search(r"@import|url\(", page_of(hostile_plan()).partition("</style>")[0])


def test_its_only_scripts_are_the_bundle_and_its_figures(hostile: Elements) -> None:
    bundle, switch, *figures = hostile.scripts
    assert bundle == bundle_text().replace("</script", "<\\/script")
    assert switch == 'if (window.Plotly) document.documentElement.classList.add("has-scripts");'
    # Spectrum, two directions, scores, other ε.
    assert len(figures) == 5
    assert all(script.startswith("Plotly.newPlot(document.currentScript") for script in figures)
    assert not any(name.startswith("on") for _, attrs in hostile.found for name in attrs)


def test_texts_of_strangers_are_texts(hostile: Elements) -> None:
    for text in (*NAMES, HOSTILE, f"{HOSTILE}?", "<u>kg</u>", "<b>Clinic</b>"):
        assert text in hostile.text
    assert {"b", "i", "u", "img"} & {t for t, a in hostile.found if not a} == set()
    # Plotly reads some markup in texts: names of columns are escaped once more for it.
    drawn = "".join(hostile.scripts[2:])
    assert "<" not in drawn
    assert "\\u003cb" not in drawn
    assert "&lt;b&gt;age&lt;/b&gt;" in drawn


def test_without_scripts_each_chart_gives_way_to_its_table() -> None:
    page = page_of(hostile_plan())
    assert ".chart { display: none; }" in page
    assert ".has-scripts .chart { display: block; }" in page
    figures = re.findall(r"<figure.*?</figure>", page, re.DOTALL)
    assert len(figures) == 5
    for figure in figures:
        assert figure.count('<div class="chart">') == 1
        table = figure.partition('<div class="beside">')[2]
        assert table.count("<tr>") > 2


def test_a_table_says_what_its_chart_draws() -> None:
    plan = hostile_plan()
    reading = made_up_reading(plan)
    chart = report_charts_and_tables.spectrum(plan, reading)
    assert [row[1] for row in chart.rows] == ["900", "540", "324", "194", "117"]
    assert chart.figure["data"][0]["y"].tolist() == reading.values.tolist()
    loadings = report_charts_and_tables.loadings(plan, reading, 1)
    bars = loadings.figure["data"][0]
    assert [f"{x:+.2f}".replace("-", "−") for x in bars["x"]] == [row[1] for row in loadings.rows]
    assert [row[0] for row in loadings.rows] == [
        plan.columns[j] for j in np.argsort(-np.abs(reading.loadings[:, 1]))
    ]


def test_bins_below_twice_the_noise_are_hollow() -> None:
    plan = hostile_plan()
    reading = made_up_reading(plan)
    assert reading.counts is not None
    colours = report_charts_and_tables.scores(plan, reading).figure["data"][0]["marker"]["color"]
    hollow = [colour == "clear" for colour in colours]
    assert hollow == (reading.counts.ravel() < 24).tolist()
    assert 0 < sum(hollow) < len(hollow)


def test_close_eigenvalues_leave_the_other_epsilons_unsaid() -> None:
    plan = hostile_plan()
    close = made_up_reading(plan, close=True)
    assert report_charts_and_tables.other(plan, close) is None
    page = report.render(stored_row(plan), close, FILES).decode()
    assert "Nothing can be said about other ε" in page
    assert "can’t be told from its neighbours" in page


def test_other_epsilons_are_the_released_error_scaled_by_the_noise() -> None:
    """At twice the pure ε the expected angle is half of that at the ε spent."""
    plan = hostile_plan(mechanism=key_of(ExactNoise.WISHART_DIFFERENCE), delta=Fraction(0))
    chart = report_charts_and_tables.other(plan, made_up_reading(plan))
    assert chart is not None
    rows = dict(chart.rows)
    spent, double = (float(rows[e].rstrip("°")) for e in ("0.5 (spent)", "1"))
    assert spent / double == pytest.approx(2, rel=0.03)


def test_odds_are_rounded_up_and_drawn_as_dots() -> None:
    plan = hostile_plan()
    page = page_of(plan)
    (said,) = re.findall(r"at most ([\d.]+) times in 100", page)
    assert 0 <= float(said) - 100 * plan.cost.guess_probability() < 0.1
    assert f"at most {said} with the release" in page
    right = ceil(float(said))
    assert page.count('<i class="coin"></i>') == 50
    assert page.count('<i class="gained"></i>') == right - 50
    assert page.count('<i class=""></i>') == 100 - right


def test_what_was_spent_is_of_the_row_alone() -> None:
    plan = hostile_plan()
    first, second = stored_row(plan), stored_row(plan, 2)
    assert spending_bar(first).earlier == 0
    assert spending_bar(second).earlier == pytest.approx(spending_bar(second).this)
    assert spending_bar(second).more == spending_bar(first).more - 1
    assert more(0) == "Another release like this one does not fit."
    assert more(1).endswith("fits once more.")


def test_sections_and_glossary() -> None:
    page = Elements(page_of(hostile_plan()))
    heads = [
        "What was asked", "What it promises", "What the release looks like",
        "What other ε would have meant", "What was spent", "What is not promised",
        "Check it yourself", "Glossary",
    ]  # fmt: skip
    places = [page.text.index(head) for head in heads]
    assert places == sorted(places)
    assert f"dpca {VERSION} (commit {commit()})" in page.text
    for word in report.WORDS:
        assert TERMS[word].sentence in page.text
    for content in FILES.values():
        assert hashlib.sha256(content).hexdigest() in page.text
    assert "PRACTICE on <b>made-up</b> people" in page.text


def test_a_release_is_reported_from_its_row_byte_by_byte(released: PublishedRelease) -> None:
    files = released.files()
    again = PublishedRelease(released.row, from_bytes(to_bytes(released.drawn))).files()
    assert again["report.html"] == files["report.html"]
    page = Elements(files["report.html"].decode())
    assert len(page.scripts) == 7
    for name in files:
        assert name in page.text


def test_the_script_in_it_finds_the_directions(released: PublishedRelease, tmp_path: Path) -> None:
    files = released.files()
    (tmp_path / "matrix.csv").write_bytes(files["matrix.csv"])
    script = report._SCRIPT.format(k=2)
    assert script.split("\n")[0] in Elements(files["report.html"].decode()).text
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    numbers = re.findall(r"np\.float64\((-?[\d.]+)\)", done.stdout)
    if not numbers:
        numbers = re.findall(r", (-?[\d.]+)\)", done.stdout)
    found = np.array([float(number) for number in numbers]).reshape(2, 5)
    assert np.abs(found - released.directions(2).T).max() < 1e-3


def test_the_report_knows_no_rows() -> None:
    """Neither a data set nor a problem is imported by what makes a report."""
    folder = Path(report.__file__).parent
    for path in (*folder.glob("report*.py"), folder / "read_for_report.py"):
        assert not re.search(r"^(from|import) .*(dataset|problem)\b", path.read_text(), re.M), path


@pytest.mark.parametrize("noise", [ExactNoise.WISHART_DIFFERENCE, ExactNoise.LAPLACE])
def test_other_noise_has_no_intervals_and_no_blame_of_the_budget(noise: ExactNoise) -> None:
    plan = hostile_plan(mechanism=key_of(noise), delta=Fraction(0))
    page = report.render(stored_row(plan), made_up_reading(plan, close=True), FILES).decode()
    assert page.count("Intervals of single loadings are not available for this noise.") == plan.k
    assert page.count("Intervals of single eigenvalues are not available for this noise.") == 1
    assert "can’t be told from its neighbours" not in page
    assert "not available for this noise" not in page_of(hostile_plan())


def test_it_names_the_noisy_number_of_rows_and_what_tells_it() -> None:
    noisy, trace = "A noisy number of rows is: it stands with the means.", "the trace of the matrix"
    page = page_of(hostile_plan())
    assert "the exact number of rows" in page
    assert noisy in page
    assert trace not in page
    alone = page_of(hostile_plan(means=Fraction(0)))
    assert "the exact number of rows" in alone
    assert noisy not in alone
    unit = hostile_plan(recipe=replace(hostile_plan().recipe, row_length=RowLength.ONE))
    assert page_of(unit).count(f"{trace} is, up to rounding, the number of patients") == 1
