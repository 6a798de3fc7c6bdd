"""Panels of curves: Plotly accepts them, their traces and names are what was measured."""

import json
from zlib import decompress

import numpy as np
import pytest

from dpca_core.figures.axes import Axis
from dpca_core.figures.curve_panels import curve_panels, with_names
from dpca_core.figures.panels import SIZES, Band, Curve, Mark, Panel, Reference
from tests.chart_figures import assert_plotly_draws
from ui.figures.packed_content import encode

X = np.geomspace(0.001, 100, 41)
KEPT = 1 / (1 + 1 / X)
BROKEN = np.where((X > 0.5) & (X < 2), np.nan, KEPT**2)
X_AXIS = Axis(0.001, 100, log=True, title="ε")


def made():
    """Three panels with everything a panel may have."""
    curves = [
        Curve("gaussian", "Gaussian", KEPT, "gaussian", chosen=True, width=2.75),
        Curve("laplace", "Laplace", BROKEN, "laplace", bridged=False, dash="9px,3px"),
        Curve("wishart", "Wishart, refuted", KEPT * 0.4, "wishart", struck=True),
        Curve("power", "not named", KEPT**4, "power", shown_name=False),
    ]
    band = Band(np.where(X < 0.01, np.nan, KEPT * 0.9), KEPT, "gaussian/band95")
    panels = [
        Panel("kept", Axis(0, 1.05), 200, curves, [band], [Reference(0.3, text="random: 30 %")]),
        Panel("sin", Axis(0, 1.5), 180, curves[:2], marks=[Mark(1.0, 0.5, "here")]),
        Panel("noise", Axis(1e-3, 1e3, log=True), 160, [Curve("gap", "noise", 1 / X, "accent")]),
    ]
    return curve_panels(X_AXIS, X, panels, "one view")


FIGURE = made()


def test_plotly_draws_it_at_each_width_and_theme():
    assert_plotly_draws({"charts": [{"key": "panels", "figure": FIGURE}]})
    assert len(FIGURE["data"]) == 4 + 1 + 2 + 1 + 1
    assert with_names(FIGURE, 900)["layout"] == with_names(FIGURE, 640)["layout"]
    assert FIGURE["layout"].get("annotations", []) == [], "the figure itself stays"
    layout = FIGURE["layout"]
    ends = [end for axis in ("yaxis3", "yaxis2", "yaxis") for end in layout[axis]["domain"]]
    assert ends == sorted(ends), "panels stand above each other"
    assert (ends[0], ends[-1]) == (0, 1)
    for width, size in SIZES.items():
        assert with_names(FIGURE, width)["layout"]["font"]["size"] == size.type_size


def test_traces_hold_the_medians_that_were_measured():
    traces = FIGURE["data"]
    for name, y in {"Gaussian": KEPT, "Laplace": BROKEN, "Wishart, refuted": KEPT * 0.4}.items():
        trace = next(t for t in traces if t.get("name") == name)
        np.testing.assert_array_equal(trace["x"], X.astype(np.float32))
        np.testing.assert_array_equal(trace["y"], y.astype(np.float32))
        assert trace["connectgaps"] == (name != "Laplace")
    band = next(t for t in traces if t.get("fill") == "toself")
    known = X >= 0.01
    np.testing.assert_allclose(band["x"], [*X[known], *X[known][::-1]], rtol=1e-6)
    np.testing.assert_allclose(band["y"], [*KEPT[known], *(KEPT * 0.9)[known][::-1]], rtol=1e-6)
    own = [t for t in traces if "yaxis" not in t and t.get("name")]
    assert own[-1]["name"] == "Gaussian", "the selected curve lies on top"


def test_nothing_but_gaps_in_arrays_is_not_a_number():
    """JSON has no NaN: it is sent inside packed arrays only."""
    sent = json.loads(decompress(encode({"figure": FIGURE})), parse_constant=pytest.fail)
    assert json.dumps(sent, allow_nan=False)
    packed = [t["y"] for t in sent["figure"]["data"] if isinstance(t["y"], dict)]
    assert len(packed) == 8
    assert all(array["dtype"] == "f4" for array in packed)


@pytest.mark.parametrize("width", SIZES)
def test_names_stand_at_data_coordinates_inside_their_panels(width):
    found = FIGURE["sizes"][str(width)]["annotations"]
    texts = [note["text"] for note in found]
    assert {"<b>Gaussian</b>", "Laplace", "here", "random: 30 %"} <= set(texts)
    assert width == 328 or "<s>Wishart, refuted</s>" in texts
    assert not any("not named" in text for text in texts)
    ends = {"y": (0, 1.05), "y2": (0, 1.5), "y3": (-3, 3)}
    for note in found:
        low, high = ends[note.get("yref", "y")]
        assert low <= note["y"] <= high, note
        if note.get("xref") != "paper":
            assert -3 <= note["x"] <= 2, "a logarithm"
    chosen = next(note for note in found if note["text"] == "<b>Gaussian</b>")
    assert (chosen["name"], chosen["captureevents"]) == ("gaussian", True)
