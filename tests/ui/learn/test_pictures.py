"""What a picture shows is read back from its figure: places, sizes, and how many of each kind."""

import numpy as np
import plotly.graph_objects as go
import pytest

from dpca_core.figures.colours import resolve
from ui.learn import pictures
from ui.learn.lesson import LESSONS

approx = pytest.approx


@pytest.mark.parametrize("lesson", LESSONS.values(), ids=LESSONS)
def test_plotly_takes_every_picture_in_both_themes(lesson):
    found = lesson.measure(lesson.control.start, 0)
    drawn = [f for told in (False, True) for p in lesson.pictures(found, told) for f in p.figures]
    for theme in ("light", "dark"):
        assert all(len(go.Figure(resolve(figure, theme)).data) for figure in drawn)


def test_everybody_is_a_square_and_the_marked_ones_are_in_another_colour():
    (grid,) = pictures.people(23, [0, 11], columns=10)["data"]
    assert np.isnan(grid["z"]).sum() == 7
    assert np.argwhere(grid["z"] == 1).tolist() == [[0, 0], [1, 1]]


def test_a_histogram_counts_everybody_at_the_angle_that_they_turn_by():
    angles = np.geomspace(0.002, 0.9, 500)
    (drawn,) = pictures.histogram(angles, ((0.001, ""), (1.0, "")), "accent", bins=30)["data"]
    assert drawn["y"].sum() == 500
    at = np.repeat(10 ** drawn["x"], drawn["y"])
    assert np.sort(at) == approx(angles, rel=0.13)


def test_bars_are_as_long_as_their_values_on_one_scale():
    drawn = pictures.bars([("**one**", 50.0, "ink"), ("two", 200.0, "gaussian")], largest=400.0)
    assert (drawn["data"][0]["x"], drawn["layout"]["xaxis"]["range"]) == ((50.0, 200.0), [0, 400.0])
    assert drawn["layout"]["annotations"][0]["text"] == "<b>one</b>"


def test_cells_have_the_sign_and_strength_of_their_entries():
    table = np.array([[4.0, -1.0], [0.0, 0.0]])
    drawn = pictures.cells([("first", table), ("second", None)])
    (shown,) = drawn["data"]
    assert shown["z"].tolist() == [[1.0, -0.5], [0.0, 0.0]]
    assert len(drawn["layout"]["shapes"]) == 2, "what is not known yet is a frame"
    assert (shown["zmin"], shown["zmax"], shown["colorscale"]) == (-1, 1, pictures.SIGNED)


def test_piles_stand_where_their_values_are_and_stay_within_the_axis():
    values = (0.0, 0.5, 0.5, 1.0, 7.0)
    (pile,) = pictures.piles([("a", values, "gaussian")], 0.0, 1.0, [(0.5, "half")])["data"]
    assert pile["x"].tolist() == [0.0, 0.5, 0.5, 1.0, 1.0]
    assert len({*zip(pile["x"], pile["y"], strict=True)}) == 5, "equal values lie on each other"
