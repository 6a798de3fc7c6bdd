"""Rows of marks: the traces hold the numbers, and words touch neither one another nor the edge."""

import plotly.graph_objects as go

from dpca_core.figures.chart import Axis, Line, with_names
from dpca_core.figures.colours import resolve
from dpca_core.figures.rows import Mark, Row, rows_chart
from tests.chart_figures import assert_words_are_apart

PEOPLE = Axis(10.0, 1e9, log=True, title="people")
NOTE = "Theorem 8 holds for expected correlations of 0.9988 or more only"
ROWS = (
    Row(
        "Gaussian",
        "gaussian",
        [Mark(1234.5, "1,300", what="measured", bold=True, trail="interval", low=1e3, high=1.5e3)],
    ),
    Row(
        "PPCA",
        "exponential",
        [
            Mark(2e3, "Thm 7", "stroke", "enough", trail="dashes", low=2e3),
            Mark(1900.0, "1,900", bold=True, trail="interval", high=2500.0),
        ],
    ),
    Row(
        "Any pure mechanism",
        "baseline",
        [
            Mark(700.0, "Thm 8, expected, worst data", "stroke", trail="few", high=700.0),
            Mark(1e3, "as printed", "stroke", trail="few", high=1e3),
        ],
    ),
    Row(
        "Power method, pure, printed",
        "power",
        [Mark(8e8, "an order, without its constant", "diamond")],
        label="local model, weaker",
        alarming=True,
        apart=True,
    ),
    Row("Laplace", "laplace", [Mark(3e9, "3,000,000,000")], note="about 3·10⁹"),
    Row("Smooth Gaussian, printed", "smooth", note=NOTE),
)
FIGURE = rows_chart(
    PEOPLE,
    ROWS,
    [Line(480.0, "these data: 480", "accent"), Line(5.0, "fewer than are drawn", "accent")],
)


def drawn(name, mode):
    return [t for t in FIGURE["data"] if t["meta"] == name and t.get("mode", t["type"]) == mode]


def test_marks_stand_at_their_numbers_and_trails_reach_to_theirs():
    (gaussian,) = drawn("Gaussian", "markers")
    assert (gaussian["x"], gaussian["y"]) == ([1234.5], [0])
    assert [t["x"] for t in drawn("Gaussian", "lines")] == [[1e3, 1.5e3]]
    assert [t["x"] for t in drawn("PPCA", "lines")] == [[2e3, PEOPLE.high], [PEOPLE.low, 2500.0]]
    few = drawn("Any pure mechanism", "lines")
    assert [(t["x"], t["y"]) for t in few] == [([10.0, n], [2, 2]) for n in (700.0, 1e3)]
    assert drawn("PPCA", "markers")[-1]["x"] == [1900.0], "what is measured lies on top"


def test_what_the_axis_does_not_reach_is_a_note_in_its_row():
    assert drawn("Laplace", "markers") == []
    for names in FIGURE["names"].values():
        said = {each["text"].replace("<br>", " "): each for each in names["annotations"]}
        assert "about 3·10⁹" in said
        assert not any("fewer than are drawn" in text for text in said)
        assert said[NOTE]["xanchor"] == "right", "at the left the line of these data would strike"


def test_words_touch_neither_one_another_nor_the_edge():
    for width in (290, 328, 480, 640, 900, 1100, 1400):
        drawn = with_names(FIGURE, width)
        layout = drawn["layout"]
        for text, start, end, *_ in assert_words_are_apart(layout, width):
            assert -layout["margin"]["l"] <= start, (width, text)
            assert end <= width + layout["margin"]["r"], (width, text)
        assert go.Figure(resolve(drawn, "dark")).layout.height == layout["height"]
