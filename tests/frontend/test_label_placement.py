"""Names of lines: inside the frame, on no line and on no other name."""

import math
from typing import Any

import numpy as np

from tests.frontend.conftest import Call

WIDTH, HEIGHT = 640, 226
STOPS = range(31)


def curve(name: str, middle: float, chosen: bool = False) -> dict[str, Any]:
    """Return a line that rises from the foot to the top of the frame about a stop."""
    points = [
        {"x": i * WIDTH / 30, "y": HEIGHT * (0.95 - 0.93 / (1 + math.exp((middle - i) / 2)))}
        for i in STOPS
    ]
    return {"name": name, "chosen": chosen, "points": points}


def placed(in_module: Call, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the names that found a place, in their order: each with its line's name and box."""
    code = "return m.placeLabels(x, [], 640, 226, 0).map((s) => ({ ...s, line: s.line.name }))"
    found: list[dict[str, Any]] = in_module("charts/label_placement.js", code, lines)
    return found


def heights_below(line: dict[str, Any], left: float, right: float) -> np.ndarray:
    """Return where a line runs at every pixel between two places."""
    xs, ys = ([point[axis] for point in line["points"]] for axis in "xy")
    return np.interp(np.arange(left, right), xs, ys)


def test_lines_that_are_apart_all_carry_their_names(in_module: Call) -> None:
    lines = [curve("Gaussian", 5, True), curve("Wishart", 12), curve("Laplace", 20)]
    names = {spot["line"] for spot in placed(in_module, lines)}
    assert names == {"Gaussian", "Wishart", "Laplace"}


def test_names_are_inside_and_on_nothing(in_module: Call) -> None:
    lines = [curve(f"M {i}", 3 + 6 * i) for i in range(5)]
    spots = placed(in_module, lines)
    assert len(spots) >= 4
    for i, spot in enumerate(spots):
        box = spot["box"]
        assert 0 <= box["left"] < box["right"] <= WIDTH
        assert 0 <= box["top"] < box["bottom"] <= HEIGHT
        for other in (spot["box"] for spot in spots[:i]):
            beside = box["right"] <= other["left"] or other["right"] <= box["left"]
            assert beside or box["bottom"] <= other["top"] or other["bottom"] <= box["top"]
        for line in lines:
            # A name's own line may touch the edge of its box, where there is no ink.
            own = line["name"] == spot["line"]
            aside, edge = (8, 3) if own else (0, 0)
            heights = heights_below(line, box["left"] + aside, box["right"] - aside)
            assert np.all((heights <= box["top"] + edge) | (heights >= box["bottom"] - edge))


def test_two_lines_that_are_one_carry_no_name_on_each_other(in_module: Call) -> None:
    spots = placed(in_module, [curve("one", 10, True), curve("other", 10)])
    assert len(spots) <= 1


def test_the_first_line_keeps_its_place_whatever_comes_after(in_module: Call) -> None:
    first, second = curve("Gaussian", 10, True), curve("Wishart", 20)
    alone, with_another = (
        placed(in_module, lines)[0] for lines in ([first, second], [first, second, second])
    )
    assert alone["line"] == "Gaussian"
    assert alone["box"] == with_another["box"]
