"""A figure as a file: its marks, the numbers of its study, and that requests may be anything."""

import csv
import io
import json
import re
from collections.abc import Mapping
from html import escape
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from dpca_core.analysis.order_statistics import quantiles
from dpca_core.figures.figure_table import figure_table
from dpca_core.figures.layout import Spec
from dpca_core.text.spreadsheets import csv_text
from sample_data import load_key
from tests.frontend.example_figure import ESCAPED, GAPS, KEPT, X, example_figure
from tests.ui.compare import comparisons
from tests.ui.figures.asked import SUB, TITLE, asked, message
from tests.ui.figures.test_component_messages import HOSTILE
from ui.compare.text import RANDOM, CompareText
from ui.figures import component
from ui.figures.downloads import NOT_PRIVATE, SENT_TIMES, Format
from ui.figures.saved_figure import MOST_LETTERS, chart_figure, figure_file, figure_requests
from ui.text.noise import MOST_REFUSED

ODD = ["=1+1", "a;=cmd|' /C calc'!A0", "a,=1", "x #1", 'say "no"', "@b", "plain", "two\nlines"]
CONTENT = {
    "id": "content",
    "settings": "",
    "charts": [{"key": "sheet", "figure": example_figure()}],
}


def table_of(figure, axis="y"):
    file = figure_file(figure, asked(axis=axis), "")
    assert (file.name, file.format) == ("dpca-variation-kept.csv", "text/csv")
    first, *lines = file.text.splitlines()
    assert first == f"# {NOT_PRIVATE}"
    return list(csv.reader(io.StringIO("\n".join(lines))))


def test_a_table_holds_no_formula_and_numbers_as_they_are():
    rows = [ODD, [1, 0.123456789, None, -3, 1e-9, "-2", "b", "c"]]
    text = csv_text(rows)
    for splits in ",;\t|":
        for row in csv.reader(io.StringIO(text), delimiter=splits):
            for cell in row:
                bare = cell.strip().lstrip("\"' ")
                formula = bare.startswith(("=", "+", "-", "@")) and "'" not in cell
                assert not formula or re.match(r"-?[\d.e-]+(,|$)", bare), (splits, cell)
    table = pd.read_csv(io.StringIO(text), comment="#")
    assert len(table) == 1
    assert table.iloc[0, 1] == pytest.approx(0.1234568)
    assert np.isnan(table.iloc[0, 2])
    assert "x #1" in table.columns


def test_whole_numbers_are_whole_and_what_is_not_finite_is_empty():
    numbers = [5.0, 12345678, 1e300, np.nan, -np.inf, np.float32(0.1), True, np.int64(3)]
    assert csv_text([numbers]) == "5,12345678,1e+300,,,0.1,1,3\n"


def test_the_numbers_of_a_panel_are_a_table_with_one_column_of_x():
    head, *rows = table_of(example_figure())
    assert head == ["ε", "Laplace", ESCAPED]
    numbers = np.array([[float(cell or "nan") for cell in row] for row in rows])
    np.testing.assert_allclose(numbers, np.stack([X, GAPS, KEPT], axis=1), rtol=1e-6)


def test_series_with_places_of_their_own_are_rows():
    """A column's name that would be a formula is none in a spreadsheet."""
    data = [
        {"type": "scatter", "name": "=1+1", "x": [1, 2], "y": [3, 4]},
        {"type": "bar", "orientation": "h", "name": "b", "y": ["one", "two"], "x": [5, None]},
        {"type": "scatter", "x": [9], "y": [9]},
    ]
    assert table_of({"data": data, "layout": {}}, axis=None) == [
        ["series", "x", "y"],
        ["'=1+1", "1", "3"],
        ["'=1+1", "2", "4"],
        ["b", "one", "5"],
        ["b", "two", ""],
    ]


@pytest.mark.parametrize(
    ("form", "axis", "dark"), [("SVG", "y", False), ("PNG", "y2", True), ("PNG", None, False)]
)
def test_plotly_accepts_a_picture_and_its_heading_is_plain(form, axis, dark):
    file = figure_file(example_figure(), asked(format=form, axis=axis, dark=dark), "RAND")
    found = json.loads(file.text)
    drawn = go.Figure(found)
    *_, title, sub, mark = drawn.layout.annotations
    assert title.text.replace("<br>", " ") == escape(TITLE)
    assert "<script" not in sub.text
    assert sub.text.endswith(". RAND")
    assert mark.text == NOT_PRIVATE
    assert drawn.layout.width == 720
    assert len({trace.yaxis for trace in drawn.data}) == (1 if axis else 2)
    assert file.format is Format[form]


def test_a_page_names_settings_and_where_it_was_read():
    settings = "RAND: 5,912 people, k = 2, seed 1."
    figure = example_figure() | {"at": "ε = 1"}
    text = figure_file(figure, asked(format="HTML"), settings).text
    assert f"<p>ε = 1: {escape(SUB)}. {settings}</p>" in text
    assert text.startswith(f"<!-- {NOT_PRIVATE} -->\n<!doctype html>")


def test_whatever_a_browser_asks_for_is_a_request_or_none():
    for odd in HOSTILE:
        assert figure_requests(odd) == []
        assert figure_requests([odd]) == []
        for name in message():
            for found in figure_requests([message(**{name: odd})]):
                assert re.fullmatch(r"dpca-[\w-]{1,80}\.csv", found.file_name)
                assert max(map(len, (found.id, found.chart, *found.said))) <= MOST_LETTERS
                figure_file(example_figure(), found, "")
    for name in ("../a", "a/b", "", "a.b", "a" * 81, "a\n"):
        assert figure_requests([message(name=name)]) == [], "a file's name leads nowhere"


@pytest.fixture
def session(monkeypatch):
    found: dict[str, Any] = {}
    monkeypatch.setattr(component.st, "session_state", found)
    monkeypatch.setattr(
        component, "last_message", lambda key, name: {"value": found.get("asked", [])}
    )
    return found


def sent(content):
    """Names of the files that go with a content."""
    component._answer_requests("sheet", content, chart_figure)
    return [file["name"] for file in component.outbox("sheet").take()]


def test_two_files_that_are_asked_for_at_once_both_come_and_each_once(session):
    """An answer may be overtaken by the next: a file comes with several, under one number."""
    session["asked"] = [message(number=1, name="one"), message(number=2, name="two", format="PNG")]
    numbers = []
    for _ in range(SENT_TIMES):
        component._answer_requests("sheet", CONTENT, chart_figure)
        files = component.outbox("sheet").take()
        numbers.append([(file["name"], file["number"]) for file in files])
    assert numbers == [[("dpca-one.csv", 1), ("dpca-two.png", 2)]] * SENT_TIMES
    assert sent(CONTENT) == []
    session["asked"] = [*session["asked"], message(number=3, name="three")]
    assert sent(CONTENT) == ["dpca-three.csv"]


def test_a_figure_is_that_of_the_content_which_was_shown(session):
    """Also where a setting was changed in the moment after; what is older still is not saved."""
    sent(CONTENT)
    session["asked"] = [message(number=1), message(number=2, id="older still")]
    other = CONTENT | {"id": "other", "charts": [{"key": "sheet", "figure": {}}]}
    assert sent(other) == ["dpca-variation-kept.csv"]
    assert session["sheet.answered"] == {1, 2}


def test_what_is_not_measured_yet_is_saved_when_it_is(session):
    session["asked"] = [message(number=1)]
    assert sent(CONTENT | {"charts": []}) == []
    assert sent(CONTENT) == ["dpca-variation-kept.csv"]


SHARES = {95: (0.025, 0.975), 80: (0.1, 0.9), 50: (0.25, 0.75)}
Saved = tuple[Spec, str | None, Mapping[str, Any]]
"""A figure, the y axis of the panel that is saved, and the columns that it must give."""


def bands(name, values):
    """Columns of the bands of one mechanism's releases, (G, T)."""
    found = {}
    for share, limits in SHARES.items():
        low, high = quantiles(values, limits)
        column = f"{name}, {share} % of releases"
        found |= {f"{column} high": high, f"{column} low": low}
    return found


def compare():
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


def check(rows, expected):
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


@pytest.mark.parametrize("case", [compare])
def test_a_table_is_what_the_study_measured(case):
    figure, axis, columns = case()
    rows = figure_table(figure, axis)
    check(rows, columns)
    assert set(rows[0]) == set(columns), "a column of something else"
