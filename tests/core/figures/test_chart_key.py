"""Names below a chart: each behind a piece of its own line, so that lines can be told apart."""

import numpy as np
import plotly.graph_objects as go
import pytest

from dpca_core.figures.axes import Axis
from dpca_core.figures.chart import chart
from dpca_core.figures.chart_key import SAMPLE_LENGTH
from dpca_core.figures.colours import resolve
from dpca_core.figures.curve_panels import with_names
from dpca_core.figures.line_styles import DASHES, PRINTED_DASHES
from dpca_core.figures.panels import Curve, Rule

X = np.linspace(0.0, 1.0, 30)
STYLES = [(dash, 1.0 + i / 10) for i, dash in enumerate((*DASHES, *PRINTED_DASHES))]


def crowded():
    """Lines so close to each other that no name finds a place; all but one have one colour."""
    curves = [
        Curve(f"c{i}", f"Line {i}", 0.5 + 0.01 * X * i, "gaussian" if i else "wishart", dash, width)
        for i, (dash, width) in enumerate(STYLES)
    ]
    axes = Axis(0, 1), Axis(0, 1)
    return chart(*axes, X, curves, rules=[Rule(0.5)]), {curve.key: curve for curve in curves}


def key_of(size, rules=1):
    """Return names in the key, by their key, and the pieces of lines in the same order."""
    names = [a for a in size["annotations"] if a.get("xref") == "paper"]
    return names, size["layout"]["shapes"][rules:]


@pytest.mark.parametrize("width", ["260", "500", "645"])
def test_before_each_name_is_a_piece_of_its_own_line(width):
    figure, curves = crowded()
    names, pieces = key_of(figure["sizes"][width])
    assert len(names) == len(pieces) >= len(curves) - 3
    for name, piece in zip(names, pieces, strict=True):
        curve = curves[name["name"]]
        assert piece["line"]["dash"] == curve.dash
        assert piece["line"]["color"] == curve.color
        assert piece["x1"] - piece["x0"] == SAMPLE_LENGTH
        # The piece ends before the name, and stands beside it.
        assert piece["x1"] < name["xshift"]
        assert -piece["y0"] > -name["yshift"]
        assert -piece["y0"] < -name["yshift"] + 20
        assert name["captureevents"]
    looks = [(p["line"]["color"], p["line"]["dash"]) for p in pieces]
    assert len(set(looks)) == len(looks), "two samples look the same"


def test_names_stand_in_the_order_of_the_lines_at_the_right_end():
    figure, curves = crowded()
    names, _ = key_of(figure["sizes"]["500"])
    ends = [curves[name["name"]].y[-1] for name in names]
    assert ends == sorted(ends, reverse=True)


def test_the_figure_s_own_shapes_stay_and_plotly_takes_all():
    figure, _ = crowded()
    for width in (260, 500, 645):
        drawn = with_names(figure, width)
        own = figure["layout"]["shapes"]
        assert drawn["layout"]["shapes"][: len(own)] == own
        assert len(drawn["layout"]["shapes"]) > len(own)
        assert go.Figure(resolve(drawn, "light")).layout.shapes


def test_a_chart_whose_names_all_stand_beside_their_lines_has_no_key():
    curves = [Curve("a", "A", X, "gaussian"), Curve("b", "B", 1 - X, "wishart")]
    figure = chart(Axis(0, 1), Axis(0, 1), X, curves)
    assert all("shapes" not in size["layout"] for size in figure["sizes"].values())
