"""The fan: its needles point where the angles say."""

import numpy as np
import plotly.graph_objects as go
import pytest

from dpca_core.figures.chart import with_names
from dpca_core.figures.colours import resolve
from dpca_core.figures.pictures import fan


@pytest.mark.parametrize("angles", [[], [0.23], [10.0, 40.0, 90.0]])
def test_needles_of_a_fan_point_where_its_angles_say(angles):
    figure = fan({"Gaussian": (angles, "gaussian")})
    go.Figure(resolve(with_names(figure), "light"))
    (tips,) = [trace for trace in figure["data"] if "name" in trace]
    np.testing.assert_allclose(np.degrees(np.arctan2(tips["y"], tips["x"])), angles, atol=1e-9)
    thick = [t for t in figure["data"] if t.get("line", {}).get("width") == 4.0]
    assert len(thick) == (len(angles) > 1), "the median of several"
    for needle in thick:
        at = np.degrees(np.arctan2(needle["y"][1], needle["x"][1]))
        assert at == pytest.approx(np.median(angles))
    assert [row[1] for row in figure["table"][1:]] == angles
