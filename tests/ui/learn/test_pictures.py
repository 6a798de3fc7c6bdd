"""What a picture shows is read back from its markup: angles, and dots of each kind."""

import re

import numpy as np
import pytest

from ui.learn.pictures.fan import fan
from ui.learn.pictures.people import hundred

ANGLES = (0.0, 7.5, 45.0, 61.25, 90.0)
NEEDLE = re.compile(r"M16 258L([-\d.]+) ([-\d.]+)(?=[M\"])")


def needles(markup: str) -> list[float]:
    """Return the angles of all lines from the fan's corner, in degrees."""
    ends = [(float(x) - 16, 258 - float(y)) for x, y in NEEDLE.findall(markup)]
    return [float(np.degrees(np.arctan2(y, x))) for x, y in ends]


def test_a_fan_has_a_needle_at_each_angle_a_thick_one_and_the_truth():
    found = needles(fan(ANGLES, 30.0, "five releases", family_role="gaussian"))
    assert sorted(found) == pytest.approx(sorted((*ANGLES, 30.0, 0.0)), abs=0.05)


def test_an_empty_fan_shows_only_the_truth():
    assert needles(fan([], None, "none yet", family_role="gaussian")) == [0.0]


@pytest.mark.parametrize(("grey", "gained"), [(50, 0), (50, 39), (0, 100), (50, 50)])
def test_a_hundred_dots_are_split_as_told(grey, gained):
    markup = hundred(grey, gained, "guesses")
    assert markup.count("<circle") == 100 - grey - gained
    paths = {
        re.findall(r'fill="([^"]*)"', tag)[0]: tag.count("M")
        for tag in re.findall(r"<path[^>]*>", markup)
    }
    kinds = {"var(--faint)": grey, "var(--role)": gained}
    assert paths == {fill: count for fill, count in kinds.items() if count}
