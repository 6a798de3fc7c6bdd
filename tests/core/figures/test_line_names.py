"""Names beside lines: inside, on no line and on no name, as a brute force over pixels finds it."""

import numpy as np
import pytest

from dpca_core.figures.line_names import Box, NamedLine, place_names, text_width
from tests.cases import sampled

WIDTH, HEIGHT = 640, 260
X = np.linspace(0, WIDTH, 41)
TEXT_MARGIN = 8
"""Pixels of a name's box at its far side that are no ink: at its anchor the letters begin."""


def level(name, y):
    return NamedLine(name, X, np.full(len(X), float(y)))


def faults(placed, lines, width, height, taken=()):
    """Return what is wrong with names, looked at column by column, a quarter of a pixel each."""
    found = []
    for i, spot in enumerate(placed):
        box = spot.box
        if box.left < 0 or box.right > width or box.top < 0 or box.bottom > height:
            found.append((spot.line, "outside"))
        columns = np.arange(box.left, box.right, 0.25)
        start, end = (0, TEXT_MARGIN) if spot.anchor == "left" else (TEXT_MARGIN, 0)
        ink = (columns >= box.left + start) & (columns <= box.right - end)
        for number, line in enumerate(lines):
            known = np.isfinite(line.y[:-1]) & np.isfinite(line.y[1:])
            near = known & (line.x[1:] >= box.left) & (line.x[:-1] <= box.right)
            for a in np.flatnonzero(near):
                there = (columns >= line.x[a]) & (columns <= line.x[a + 1])
                if number == spot.line:
                    there &= ink
                y = np.interp(columns[there], line.x[[a, a + 1]], line.y[[a, a + 1]])
                if ((y > box.top) & (y < box.bottom)).any():
                    found.append((spot.line, f"on line {number}"))
        for other in [*(p.box for p in placed[:i]), *taken]:
            across = min(box.right, other.right) - max(box.left, other.left)
            along = min(box.bottom, other.bottom) - max(box.top, other.top)
            if across > 0 and along > 0:
                found.append((spot.line, "on a name"))
    return found


def smooth_curves(rng, width, height):
    """Sigmoids and bumps, as medians along ε are; some with a gap, some beginning late."""
    lines = []
    x = np.linspace(0, width, 41)
    for i in range(rng.integers(1, 12)):
        middle, slope = rng.uniform(0, width), rng.uniform(20, 200)
        low, high = np.sort(rng.uniform(0, height, 2))
        y = low + (high - low) / (1 + np.exp((x - middle) / slope * rng.choice([-1, 1])))
        y += rng.uniform(0, 12) * np.sin(x / rng.uniform(60, 200))
        if rng.random() < 0.3:
            start = rng.integers(0, 35)
            y[start : start + rng.integers(1, 8)] = np.nan
        if rng.random() < 0.2:
            y[: rng.integers(0, 41)] = np.nan
        name = "Gaussian noise, calibrated"[: rng.integers(3, 26)]
        lines.append(NamedLine(name, x, y, bold=i == 0))
    return lines


@pytest.mark.parametrize("part", sampled(range(6), 6, "more random charts"))
def test_a_brute_force_finds_no_fault_in_random_charts(part):
    rng = np.random.default_rng(part)
    placed_names = 0
    for _ in range(50):
        width, size = [(328, 12.0), (640, 12.5), (1100, 15.0)][rng.integers(3)]
        height = float(rng.uniform(120, 400))
        lines = smooth_curves(rng, width, height)
        rule = NamedLine("", np.array([0.0, width]), np.full(2, rng.uniform(0, height)))
        taken = [Box(width - 90, width, 10, 26)]
        placed = place_names(lines, width, height, size=size, taken=taken, unnamed=[rule])
        assert faults(placed, [*lines, rule], width, height, taken) == []
        assert len({spot.line for spot in placed}) == len(placed)
        for spot in placed:
            line, box = lines[spot.line], spot.box
            assert box.right - box.left == pytest.approx(text_width(line.name, size, line.bold))
            assert spot.x == pytest.approx(box.left if spot.anchor == "left" else box.right)
            assert spot.y == pytest.approx((box.top + box.bottom) / 2)
        placed_names += len(placed)
    assert placed_names > 150, "most charts have room for names"


@pytest.mark.parametrize(
    "line",
    [
        level("", 100),
        level("nothing known", np.nan),
        NamedLine("no points", np.zeros(0), np.zeros(0)),
        level("wider than the plot " * 9, 100),
        level("outside", -300),
    ],
    ids=["unnamed", "unknown", "empty", "wide", "outside"],
)
def test_a_line_without_a_place_has_no_name(line):
    assert place_names([line], WIDTH, HEIGHT) == []
