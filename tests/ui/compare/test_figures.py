"""Compare's figure: the numbers in it, names beside its lines, and how large an answer is."""

import re
from functools import cache

import numpy as np
import plotly.graph_objects as go
import pytest

from dpca_core import MECHANISMS
from dpca_core.figures.colours import resolve
from dpca_core.figures.curve_panels import with_names
from dpca_core.figures.line_names import LINE_HEIGHT, Box, text_width
from dpca_core.mechanisms.registry import shown_by_default
from sample_data import load_key
from tests.ui.compare.comparisons import asked, cells, content, finished, keys, traces
from ui.compare.figures import page_content
from ui.compare.measurements import BAND_TRIALS
from ui.compare.query import AXES
from ui.figures.packed_content import decode, encode

MANY = (
    "gaussian", "analyze_gauss", "wishart", "wishart_difference", "laplace", "laplace_printed",
    "power", "power_pure", "gap_release", "smooth_gaussian", "smooth_cauchy", "sulq", "mod_sulq",
)  # fmt: skip
MOST_BYTES = 60_000


@cache
def compared(axis, trials=5):
    mechanisms = tuple(MECHANISMS[key] for key in MANY)
    return finished(load_key("wine"), asked(axis=axis, trials=trials, mechanisms=mechanisms))


@cache
def drawn(axis):
    return content(compared(axis))


@pytest.mark.parametrize("axis", AXES)
def test_the_traces_are_the_medians(axis):
    for name, panel in (("captured", "y"), ("sin_theta", "y2")):
        curves = traces(drawn(axis), panel)
        for line in compared(axis).lines:
            trace = curves[line.mechanism.key]
            assert trace["x"] == pytest.approx(compared(axis).values, rel=1e-6)
            values = getattr(line, name)
            for i, found in enumerate(trace["y"]):
                if line.refused_share(i) > 0.1 or not np.isfinite(values[i]).any():
                    assert np.isnan(found)
                else:
                    assert found == pytest.approx(np.nanmedian(values[i]), abs=1e-6)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_plotly_accepts_it(axis, theme):
    for width in (328, 640, 1100):
        whole = resolve(with_names(drawn(axis)["figure"], width), theme)
        figure = go.Figure(whole)
        assert len(figure.data) == len(whole["data"])
        assert not re.search(r"color=?['\"]?: ?['\"](?:ink|grey|hair|\w+/)", str(whole))


def named_boxes(figure, width, panel):
    """What each name of a panel covers, in pixels of the plot, by its text."""
    layout, size = figure["layout"], figure["sizes"][str(width)]
    axis = layout["yaxis" if panel == "y" else "yaxis2"]
    height = panel_height(figure, width, panel)
    (left, right), (low, high) = layout["xaxis"]["range"], axis["range"]
    half = LINE_HEIGHT * size["type"] / 2
    for words in size["annotations"]:
        if "name" in words and words.get("yref", "y") == panel:
            text = re.sub(r"<[^>]*>", "", words["text"])
            span = text_width(text, size["type"], "<b>" in words["text"])
            x = (words["x"] - left) / (right - left) * width
            y = (high - words["y"]) / (high - low) * height
            start = x - span if words["xanchor"] == "right" else x
            yield text, Box(start, start + span, y - half, y + half)


def panel_height(figure, width, panel):
    layout = figure["layout"]
    inside = layout["height"] - layout["margin"]["t"] - layout["margin"]["b"]
    low, high = layout["yaxis" if panel == "y" else "yaxis2"]["domain"]
    return inside * (high - low) * figure["sizes"][str(width)]["scale"]


def pixels(figure, trace, width, panel):
    """A curve at every pixel of the plot's width."""
    layout = figure["layout"]
    left, right = layout["xaxis"]["range"]
    low, high = layout["yaxis" if panel == "y" else "yaxis2"]["range"]
    x = np.asarray(trace["x"], float)
    x = np.log10(x) if layout["xaxis"]["type"] == "log" else x
    down = (high - np.asarray(trace["y"], float)) / (high - low)
    known = np.isfinite(down) if trace["connectgaps"] else np.full(len(down), True)
    across = (x - left) / (right - left) * width
    columns = np.arange(width + 1.0)
    y = np.interp(columns, across[known], down[known], left=np.nan, right=np.nan)
    return columns, y * panel_height(figure, width, panel)


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("width", [328, 640, 1100])
@pytest.mark.parametrize("panel", ["y", "y2"])
def test_no_name_covers_a_name_or_a_line(axis, width, panel):
    figure = drawn(axis)["figure"]
    boxes = list(named_boxes(figure, width, panel))
    assert boxes
    for i, (name, box) in enumerate(boxes):
        assert box.left >= 0
        assert box.right <= width
        assert not [other for other, there in boxes[:i] if box.overlaps(there)]
        for trace in traces(drawn(axis), panel).values():
            if trace["name"] != name:
                columns, y = pixels(figure, trace, width, panel)
                inside = (columns >= box.left) & (columns <= box.right)
                covered = inside & (y > box.top) & (y < box.bottom)
                assert not covered.any(), (name, trace["name"])


def test_a_line_is_told_from_every_other_of_its_colour():
    looks = [
        (t["line"]["color"], t["line"]["dash"], t["line"]["width"])
        for t in traces(drawn("epsilon")).values()
    ]
    assert len(set(looks)) == len(looks)


def test_bands_are_those_of_the_line_that_is_lit():
    comparison = compared("k", BAND_TRIALS)
    for lit, count in (("laplace", 3), (None, 0)):
        found = page_content(comparison, 0.9, identity="x", axis_value=2.0, lit=lit)["figure"]
        bands = [t for t in found["data"] if t.get("fill") == "toself"]
        assert len(bands) == 2 * count
        assert all(t["fillcolor"].startswith("laplace/band") for t in bands)
    widest = page_content(comparison, 0.9, identity="x", axis_value=2.0, lit="laplace")["figure"]
    line = next(line for line in comparison.lines if line.mechanism.key == "laplace")
    low, high = np.quantile(line.captured, (0.025, 0.975), axis=1)
    expected = np.concatenate([high, low[::-1]])
    assert widest["data"][0]["y"] == pytest.approx(expected, abs=1e-6)


def test_too_few_releases_have_no_bands():
    assert not [t for t in drawn("k")["figure"]["data"] if "fill" in t]
    assert {at["spread"] for at in cells(drawn("k"), "gaussian")} == {""}


def test_the_target_has_a_line_and_a_tick():
    figure = content(compared("epsilon"), target=0.8)["figure"]
    assert 0.8 in [shape["y0"] for shape in figure["layout"]["shapes"]]
    axis = figure["layout"]["yaxis"]
    assert axis["ticktext"][axis["tickvals"].index(0.8)].startswith("<b>80")


@pytest.mark.parametrize("axis", AXES)
def test_the_ranking_is_in_the_order_of_medians(axis):
    found = drawn(axis)
    lines = compared(axis).lines
    assert keys(found) == [line.mechanism.key for line in lines]
    for i in range(len(found["axis"]["values"])):
        both = [found["ranking"][part][i] for part in ("ranked", "apart")]
        assert sorted(both[0] + both[1]) == list(range(len(lines)))
        for numbers in both:
            known = [lines[n].quantiles(lines[n].captured)["median"][i] for n in numbers]
            known = [-1.0 if np.isnan(value) else value for value in known]
            assert known == sorted(known, reverse=True)
            assert all(lines[n].ranked[i] == (numbers is both[0]) for n in numbers)


def test_a_row_says_the_numbers_of_its_line():
    line = next(x for x in compared("epsilon").lines if x.mechanism.key == "gaussian")
    for i, at in enumerate(cells(drawn("epsilon"), "gaussian")):
        kept, sine = np.median(line.captured[i]), np.median(line.sin_theta[i])
        assert at["kept"] == (">\u00a099\u00a0%" if kept >= 0.995 else f"{kept * 100:.0f}\u00a0%")
        assert at["sine"] == f"{sine:.2f}"


def test_an_answer_is_small():
    mechanisms = tuple(shown_by_default())
    comparison = finished(load_key("wine"), asked(mechanisms=mechanisms, trials=BAND_TRIALS))
    sent = encode(content(comparison))
    assert len(sent) <= MOST_BYTES
    assert decode(sent)["answers"] == content(comparison)["answers"]
