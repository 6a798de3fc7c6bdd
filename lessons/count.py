"""The definition of privacy on one count: two curves, and the ratio that they never pass."""

from math import exp, log

import numpy as np

from dpca_core.figures.chart import Axis
from dpca_core.linalg.arrays import Array
from ui.learn.pictures import Fields, Picture, Say, curves

TICKS = (0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20)
WITHOUT, ASKED, WIDEST = 120, 1.0, 12.0
"""Ill people without you, ε of the question, and how far the axis reaches on both sides."""


def measure(epsilon: float, seed: int) -> Fields:
    """Compute both curves of what is published, and their ratio."""
    with_you = WITHOUT + 1
    x = np.linspace(WITHOUT - WIDEST, with_you + WIDEST, 401)
    without, there = (density(x, count, epsilon) for count in (WITHOUT, with_you))
    return {
        "without": WITHOUT,
        "with_you": with_you,
        "asked": ASKED,
        "half": ASKED / 2,
        "factor": exp(epsilon),
        "factor_asked": exp(ASKED),
        # Half of all Laplace noise of scale 1/ε lies within log 2 of it.
        "off": log(2) / ASKED,
        "off_half": 2 * log(2) / ASKED,
        "x": x,
        "curve_without": without,
        "curve_with": there,
        "ratio": there / without,
        "choices": (1.0, exp(ASKED), 10.0, 100.0),
        "truth": (density(x, with_you, ASKED) / density(x, WITHOUT, ASKED)).max(),
    }


def density(x: Array, count: float, epsilon: float) -> Array:
    """Return the density of a count with Laplace noise of scale 1/ε, as one person adds 1."""
    return np.asarray(epsilon / 2 * np.exp(-epsilon * np.abs(x - count)))


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw both curves; with the answer also their ratio."""
    x, without = fields["x"], fields["curve_without"]
    there = ("with you", fields["curve_with"], "accent", "dash")
    across = Axis(x[0], x[-1], title="published number")
    up = Axis(0, 1.1 * without.max())
    both = curves(across, up, x, [("without you", without, "ink", "solid"), there])
    if not told:
        return [say.picture("curves", both)]
    most = np.full(len(x), fields["factor"])
    drawn = [
        ("ratio", fields["ratio"], "accent", "solid"),
        ("e<sup>ε</sup>", most, "ink", "dot"),
        ("1 / e<sup>ε</sup>", 1 / most, "grey", "dot"),
    ]
    ratio = curves(across, Axis(0.03, 30, log=True, ticks=TICKS), x, drawn)
    return [say.picture("curves", both), say.picture("ratio", ratio)]
