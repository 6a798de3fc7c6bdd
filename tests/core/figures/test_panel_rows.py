"""Rows of marks: the traces hold the numbers, and words touch neither one another nor the edge."""

from typing import Any

import pytest

from dpca_core.figures.axes import Axis
from dpca_core.figures.curve_panels import with_names
from dpca_core.figures.layout import Spec
from dpca_core.figures.panel_rows import Row, RowMark
from dpca_core.figures.panels import Rule
from dpca_core.figures.row_figure import rows_figure
from tests.chart_figures import assert_plotly_draws, assert_words_are_apart

PEOPLE = Axis(10.0, 1e9, log=True, title="people")
NOTE = "Theorem 8 holds for expected correlations of 0.9988 or more only"
ROWS = (
    Row("Gaussian", "gaussian", [RowMark("measured", 1234.5, "1,300", 1000.0, 1500.0)]),
    Row(
        "PPCA",
        "exponential",
        [RowMark("enough", 2e3, "Thm 7"), RowMark("measured", 1900.0, "1,900", None, 2500.0)],
    ),
    Row(
        "Any pure mechanism",
        "baseline",
        [RowMark("few", 700.0, "Thm 8, expected, worst data"), RowMark("few", 1e3, "as printed")],
    ),
    Row(
        "Power method, pure, printed",
        "power",
        [RowMark("order", 8e8, "an order, without its constant")],
        label="local model, weaker",
        alarming=True,
        apart=True,
    ),
    Row("Laplace", "laplace", [RowMark("measured", 3e9, "3,000,000,000")], note="about 3·10⁹"),
    Row("Smooth Gaussian, printed", "smooth", note=NOTE),
)
RULES = (Rule(480.0, "these data: 480"), Rule(5.0, "fewer than are drawn"))
FIGURE = rows_figure(PEOPLE, ROWS, RULES)


def traces(figure: Spec, name: str, kind: str = "markers") -> list[dict[str, Any]]:
    own = [trace for trace in figure["data"] if trace.get("meta") == name]
    return [trace for trace in own if trace.get("mode", trace["type"]) == kind]


def test_points_are_the_numbers_and_their_intervals() -> None:
    (gaussian,) = traces(FIGURE, "Gaussian")
    assert (gaussian["x"], gaussian["y"]) == ([1234.5], [0])
    assert gaussian["error_x"]["array"] == [1500.0 - 1234.5]
    assert gaussian["error_x"]["arrayminus"] == [1234.5 - 1000.0]
    measured = traces(FIGURE, "PPCA")[-1]
    assert measured["error_x"]["arrayminus"] == [1900.0 - PEOPLE.low]
    assert measured["error_x"]["array"] == [600.0]


def test_what_the_axis_does_not_reach_is_a_note_in_its_row() -> None:
    assert traces(FIGURE, "Laplace") == []
    for size in FIGURE["sizes"].values():
        said = [each["text"].replace("<br>", " ") for each in size["annotations"]]
        assert "about 3·10⁹" in said
        assert NOTE in said
        assert not any("fewer than are drawn" in text for text in said)


@pytest.mark.parametrize("width", [296, 328, 480, 640, 900, 1100, 1140, 1400])
def test_words_touch_neither_one_another_nor_the_edge(width: int) -> None:
    layout = with_names(FIGURE, width)["layout"]
    for text, start, end, *_ in assert_words_are_apart(layout, width):
        assert -layout["margin"]["l"] <= start, text
        assert end <= width + layout["margin"]["r"], text


def test_plotly_draws_rows() -> None:
    assert_plotly_draws({"charts": [{"key": "rows", "figure": FIGURE}]})


def test_the_table_holds_every_number_with_what_it_is() -> None:
    head, *lines = FIGURE["table"]
    assert head == ["name", "standing", "what", "people", "from", "to", "note"]
    assert lines[0] == ["Gaussian", "", "measured", 1234.5, 1000.0, 1500.0, ""]
    assert lines[1] == ["PPCA", "", "enough: Thm 7", 2e3, None, None, ""]
    assert [line[3] for line in lines if line[0] == "Laplace"] == [3e9]
    assert lines[-1] == ["Smooth Gaussian, printed", "", "", None, None, None, NOTE]
