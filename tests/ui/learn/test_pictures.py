"""What a picture shows is read back from its markup: places, sizes, and how many of each kind."""

import re

import numpy as np
import pytest

from ui.learn.pictures.bars import bars
from ui.learn.pictures.cells import cells
from ui.learn.pictures.ellipses import ellipses
from ui.learn.pictures.fan import fan
from ui.learn.pictures.people import people, turned_people
from ui.learn.pictures.piles import piles

ANGLES = (0.0, 7.5, 45.0, 61.25, 90.0)
NEEDLE = re.compile(r"M16 258L([-\d.]+) ([-\d.]+)(?=[M\"])")


def needles(markup: str) -> list[float]:
    """Return the angles of all lines from the fan's corner, in degrees."""
    ends = [(float(x) - 16, 258 - float(y)) for x, y in NEEDLE.findall(markup)]
    return [float(np.degrees(np.arctan2(y, x))) for x, y in ends]


def dots(markup: str) -> dict[str, list[tuple[float, float]]]:
    """Return the places of all dots, by their colour."""
    found = {}
    for tag in re.findall(r"<path[^>]*stroke-linecap[^>]*>", markup):
        places = [(float(x), float(y)) for x, y in re.findall(r"M([\d.]+) ([\d.]+)h0", tag)]
        found[re.findall(r'stroke="([^"]*)"', tag)[0]] = places
    return found


def test_a_fan_has_a_needle_at_each_angle_a_thick_one_and_the_truth():
    found = needles(fan(ANGLES, 30.0, "five releases", family_role="gaussian"))
    assert sorted(found) == pytest.approx(sorted((*ANGLES, 30.0, 0.0)), abs=0.05)
    assert needles(fan([], None, "none yet", family_role="gaussian")) == [0.0]


def test_everybody_is_a_dot_and_the_marked_ones_are_in_another_colour():
    found = dots(people(23, [0, 11], "23 people", columns=10))
    side = 116.0
    assert found["var(--role)"] == [(side / 2, side / 2), (1.5 * side, 1.5 * side)]
    assert len(found["var(--faint)"]) == 21
    assert len({*found["var(--faint)"], *found["var(--role)"]}) == 23


@pytest.mark.parametrize(("wide", "width"), [(False, 580), (True, 1160)])
def test_everybody_stands_at_the_angle_that_they_turn_by(wide, width):
    angles = np.random.default_rng(0).gamma(3, 0.02, 500)
    markup = turned_people(angles, "500 people", wide=wide)
    (places,) = dots(markup).values()
    assert len(set(places)) == 500
    shown = angles.min() + np.array([x for x, _ in places]) / width * np.ptp(angles)
    bin_width = np.ptp(angles) / (110 if wide else 45)
    assert np.sort(shown) == pytest.approx(np.sort(angles), abs=bin_width)


@pytest.mark.parametrize("wide", [False, True])
def test_bars_are_as_long_as_their_values(wide):
    markup = bars([("**one**", 50.0, "ink"), ("two", 200.0, "gaussian")], "bars", wide=wide)
    width = 600 if wide else 300
    assert re.findall(r'width="([\d.]+)" fill', markup) == [f"{width / 4:.1f}", f"{width:.1f}"]
    longer = bars([("one", 50.0, "ink")], "bars", largest=200.0, wide=wide)
    assert re.findall(r'width="([\d.]+)" fill', longer) == [f"{width / 4:.1f}"]
    assert '<tspan font-weight="650">one</tspan>' in markup


def test_cells_have_the_sign_and_strength_of_their_entries():
    markup = cells([("first", np.array([[4.0, -1.0], [0.0, 0.0]])), ("second", None)], "tables")
    drawn = re.findall(r'd="M([\d.]+) [^"]*" fill="var\(--(\w+)\)" opacity="([\d.]+)"', markup)
    assert drawn == [("0.0", "gaussian", "1.00"), ("135.0", "laplace", "0.50")]
    # What is not known yet is a frame.
    assert markup.count("<rect") == 2


@pytest.mark.parametrize(("wide", "right"), [(False, 550.0), (True, 1130.0)])
def test_piles_stand_where_their_values_are_and_stay_within_the_axis(wide, right):
    values = (0.0, 0.5, 0.5, 1.0, 7.0)
    markup = piles([("a", values, "gaussian")], 0.0, 1.0, [(0.5, "half")], "piles", wide=wide)
    (places,) = dots(markup).values()
    shown = [(x - 24) / (right - 24) for x, _ in places]
    assert shown == pytest.approx([0, 0.5, 0.5, 1, 1], abs=0.015)
    assert len(set(places)) == len(values), "equal values lie on each other"


def test_an_ellipse_has_the_axes_of_its_matrix():
    matrices = np.array([np.diag([4.0, 1.0]), np.diag([1.0, 1.0])])
    markup = ellipses(matrices, np.array([True, False]), 1.0, "two")
    axes = [(float(a), float(b)) for a, b in re.findall(r'rx="([\d.]+)" ry="([\d.]+)"', markup)]
    assert axes[0][0] / axes[0][1] == pytest.approx(2, rel=0.05)
    assert axes[1][0] == pytest.approx(axes[1][1])
    assert markup.count('stroke="var(--role)"') == 1
    assert ellipses(None, np.array([True]), 1.0, "none").count("<ellipse") == 0
