"""Where the dots of releases lie beside Explore's curves: each has a place of its own."""

from functools import cache

import numpy as np
import pytest

from tests.ui.explore.answers import at, begun
from ui.explore.curve_figures import kept_axis, sin_axis
from ui.explore.measurements import FIRST_TRIALS
from ui.explore.release_dots_figures import release_dots
from ui.explore.summary import DOTS, Summary, summarize

AXES = (kept_axis, sin_axis)


@cache
def measured(data: str, k: int) -> Summary:
    """The chosen mechanism with as many releases as are drawn one by one."""
    study = begun(data, k=k)
    while study.chosen.trials() < max(DOTS, FIRST_TRIALS):
        study.advance(0.2)
    return summarize(study, 0.9)


@pytest.mark.parametrize("epsilon", [0.001, 0.1])
@pytest.mark.parametrize("k", [1, 2])
@pytest.mark.parametrize("data", ["wine", "rand"])
def test_no_dot_lies_on_another(data: str, k: int, epsilon: float) -> None:
    found = release_dots(measured(data, k), 0.9)
    for name, pile, axis in zip(("kept", "sin"), found["piles"], AXES, strict=True):
        known = np.isfinite(found[name][at(epsilon)])
        assert known.sum() == DOTS
        x, y = (pile[side][at(epsilon)][known] for side in ("x", "y"))
        assert len({*zip(x.tolist(), y.tolist(), strict=True)}) == DOTS, name
        low, high = axis(measured(data, k)).ends
        assert low < y.min() <= y.max() < high


@pytest.mark.parametrize("target", [0.5, 0.8, 0.9, 0.95, 0.99])
def test_filled_dots_are_those_that_keep_the_target(target: float) -> None:
    found = release_dots(measured("rand", 2), target)
    pile = found["piles"][0]
    known = np.isfinite(found["kept"])
    filled = pile["y"] >= pile["filled_from"]
    np.testing.assert_array_equal(filled[known], (found["kept"] >= target)[known])
