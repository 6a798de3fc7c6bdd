"""The fan: its needles point where the angles say."""

import numpy as np
import plotly.graph_objects as go
import pytest

from dpca_core.figures.chart import with_names
from dpca_core.figures.colours import resolve
from dpca_core.figures.pictures import fan


def thick(figure):
    """Angles of the needles that stand for several."""
    lines = [trace for trace in figure["data"] if trace.get("line", {}).get("width") == 4.0]
    return [np.degrees(np.arctan2(needle["y"][1], needle["x"][1])) for needle in lines]


@pytest.mark.parametrize("angles", [[], [0.23], [10.0, 40.0, 90.0]])
def test_needles_of_a_fan_point_where_its_angles_say(angles):
    figure = fan({"Gaussian": (angles, "gaussian")})
    go.Figure(resolve(with_names(figure), "light"))
    (tips,) = [trace for trace in figure["data"] if "name" in trace]
    np.testing.assert_allclose(np.degrees(np.arctan2(tips["y"], tips["x"])), angles, atol=1e-9)
    several = len(angles) > 1
    assert thick(figure) == pytest.approx([40.0] if several else [])
    assert thick(fan({"": (angles, "ink")}, 70.0)) == pytest.approx([70.0] if several else [])
    assert [row[1] for row in figure["table"][1:]] == angles
