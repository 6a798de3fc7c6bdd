"""Where the dots of releases lie beside Explore's curves: each has a place of its own."""

import re
from functools import cache

import numpy as np
import pytest

from tests.ui.explore.answers import at, begun
from ui.explore.curve_figures import kept_axis, sin_axis
from ui.explore.measurements import FIRST_TRIALS
from ui.explore.moving_markup import moving_markup
from ui.explore.noise_band import noise_bands
from ui.explore.release_dots_figures import beside_figure, release_dots
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


@pytest.mark.parametrize("epsilon", [0.001, 0.1, 10.0])
def test_dots_stand_in_their_panels_where_a_saved_figure_has_them(epsilon: float) -> None:
    summary = measured("rand", 2)
    dots = release_dots(summary, 0.9)
    beside = beside_figure(summary, 0.9, "gap")
    markup = moving_markup(beside, dots, None)[at(epsilon)]
    for name, pile, end in zip(("kept", "sin"), dots["piles"], ("", "2"), strict=True):
        found = re.findall(
            r'<([bi]) style="left:([\d.]+)%;top:([\d.]+)%" title="(?:[^"]*= )?([\d.]+)%?">',
            markup[f"{name}_places"],
        )
        assert len(found) == DOTS
        for share, letter, place in ((1, "x", pile["x"]), (2, "y", pile["y"])):
            low, high = beside["layout"][f"{letter}axis{end}"]["range"]
            shown = np.array([float(each[share]) for each in found]) / 100
            shown = 1 - shown if letter == "y" else shown
            np.testing.assert_allclose(low + shown * (high - low), place[at(epsilon)], atol=0.01)
        full = [each[0] == "b" for each in found]
        np.testing.assert_array_equal(full, pile["y"][at(epsilon)] >= pile["filled_from"])
        said = np.array([float(each[3]) for each in found]) / (100 if name == "kept" else 1)
        np.testing.assert_allclose(said, dots[name][at(epsilon)], atol=6e-4)


def test_a_refused_release_has_no_dot_and_no_noise_no_band() -> None:
    summary = measured("rand", 2)
    dots = release_dots(summary, 0.9)
    dots["kept"][at(0.1), 1:] = np.nan
    beside = beside_figure(summary, 0.9, "gap")
    bands = noise_bands(summary, beside["layout"])
    assert bands is not None
    here, without = (moving_markup(beside, dots, each)[at(0.1)] for each in (bands, None))
    assert here["kept_places"].count("title=") == 1
    assert here["noise_place"].count("dpca-band") == 1
    assert without["noise_place"] == ""
    assert here["kept_places"] == without["kept_places"]


def test_the_first_answer_has_dots_only_where_it_has_sentences() -> None:
    summary = measured("rand", 2)
    dots, near = release_dots(summary, 0.9), range(at(0.1) - 2, at(0.1) + 3)
    beside = beside_figure(summary, 0.9, "gap")
    whole = moving_markup(beside, dots, None)
    some = moving_markup(beside, dots, None, near)
    assert None not in whole
    assert [each for i, each in enumerate(some) if i in near] == [whole[i] for i in near]
    assert all(each is None for i, each in enumerate(some) if i not in near)
