"""What each lesson measures at seed 0, and what its pictures and answers make of it.

Drawn numbers have limits of six and a half standard deviations about the mean of 40 seeds, so that
each fails for a fresh stream once in 10¹⁰ by the normal law, and surely less than once in 10⁷.
"""

import re

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget
from dpca_core.privacy.gaussian import gaussian_delta, gaussian_sigma
from lessons.again import joint_epsilon
from lessons.outside import record_in_units
from tests.ui.learn.test_lessons import at_start
from ui.learn.lesson import LESSONS
from ui.learn.releases import angles_degrees, rand_data, rand_problem, releases
from ui.page.words import fill

approx = pytest.approx
EXPECTED = {
    "cloud": {"best": (35, 4.4), "best_share": (0.891, 0.042), "centred": (38.1, 0.05)},
    "count": {"truth": (np.e, 1e-9), "factor": (np.e, 1e-9), "off_half": (2 * np.log(2), 1e-9)},
    "person": {"changed": (5912, 0), "largest": (0.144, 0.002), "bound": (0.223, 0.002),
               "other_largest": (0.84, 0.01), "other_bound": (1.65, 0.05)},
    "epsilon": {"gaussian_asked": (0.627, 0.0005), "factor_asked": (np.exp(3), 1e-9)},
    "delta": {"truth": (63.2, 0.05), "failed_count": (63.2, 31)},
    "noise": {"tau": (36.3, 0.05), "cell": (25.7, 0.05), "norm": (212, 7.3), "angle": (14.7, 2.3)},
    "gap": {"more.gap": (17, 0.5), "few.angle": (17.5, 2.6), "few.within": (29, 6.8),
            "more.angle": (37.5, 11), "most.angle": (15.5, 1.8), "few.kept": (0.976, 0.0035)},
    "mechanism": {"shaped": (0.962, 0.0045), "plain": (0.611, 0.042), "gaussian": (0.976, 0.012),
                  "drawn": (0.90, 0.038), "random": (0.28227, 1e-5)},
    "people": {"same": (0.01, 1e-14), "needed": (0.081, 0.0113), "needed_more": (0.0081, 0.00113),
               "needed_fewer": (0.81, 0.113)},
    "again": {"needed": (74, 0), "by_adding": (10, 0)},
    "again 100": {"averaged": (1.71, 0.22)},
    "attack": {"bound": (54.7, 0.05), "rate": (54.7, 5.1)},
    "attack Wishart difference": {"bound": (73.1, 0.05), "rate": (65, 5)},
    "attack Wishart SN": {"bound": (81.6, 0.05), "rate": (81.6, 5)},
    "local": {"enough.epsilon": (20, 0), "odds": (0.947, 0.0005), "people": (2 * 5912**2, 69),
              "enough.angle": (16.0, 2.6), "home.angle": (80.1, 3.4), "random": (84, 2)},
    "outside": {"truth": (19 * 20 // 2 + 19, 0)},
}  # fmt: skip
"""Of a lesson, where it begins or at a stop: the mean of numbers, and how far one may be off."""


def number(fields, name):
    for part in name.split("."):
        fields = fields[part]
    return fields


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("name", EXPECTED)
def test_its_numbers_are_those_of_the_lesson_plan(name):
    key, _, stop = name.partition(" ")
    control, expected = LESSONS[key].control, EXPECTED[name]
    found = LESSONS[key].measure(control.stops[control.index(stop)] if stop else control.start, 0)
    assert {each: number(found, each) for each in expected} == {
        each: approx(mean, abs=within) for each, (mean, within) in expected.items()
    }


def test_what_is_rounded_up_stands_beside_what_a_board_has():
    """e^ε/(1 + e^ε) by hand, to the digits of the question, the answer and the picture."""
    lesson, found = LESSONS["epsilon"], at_start(LESSONS["epsilon"])
    asked, answer = (fill(text, found) for text in (lesson.question, lesson.answer))
    assert "at most 74 times in 100 (73.11, rounded up)" in asked
    assert "**96 times in 100**: odds of eᵋ to one are 95.26 in 100, rounded up" in answer
    for picture, right, exact in zip(lesson.pictures(found, True), (74, 96), (1, 3), strict=True):
        assert picture.title.endswith(f"right at most {right} times in 100")
        assert picture.caption.startswith(f"{100 / (1 + np.exp(-exact)):.2f}, rounded up")
        shades = picture.figures[0]["data"][0]["z"]
        assert [(shades == one).sum() for one in (0, 1, 0.5)] == [50, right - 50, 100 - right]


def test_numbers_are_rounded_to_the_unfavourable_side():
    """ε and odds up, what is kept down; people whole from ten on."""
    fields = {"e": 0.6411, "kept": 0.9799, "few": 9.96, "more": 10.44}
    written = "{e:two_up} {e:odds} {kept:share} {e:downward} {e:degrees_ceil} {e:thousandths_up}"
    assert fill(written, fields).split() == ["0.65", "65", "97", "%", "0.64", "0.7°", "0.642"]
    assert fill("{few:people} {more:people}", fields) == "9.96 10"


@pytest.mark.parametrize("k", [2, 3])
def test_the_gap_may_read_fewer_directions_from_a_release_of_four(k):
    # As its lesson does: with noise that depended on k each would need releases of its own.
    more, few = (releases(rand_problem(size), 0.1, 3) for size in (4, k))
    assert np.abs(np.sum(more[:, :, :k] * few, axis=1)) == approx(1, abs=1e-9)


def test_many_publications_are_accounted_for_as_one():
    """Without the ε of one publication nobody could compute after how many it is used up."""
    for times, joint in ((2, 0.145), (10, 0.342), (74, 1.001), (100, 1.18)):
        assert joint_epsilon(times) == approx(joint, abs=0.003)
        noise = gaussian_sigma(0.1, 1e-6, 1.0) / times**0.5
        assert gaussian_delta(noise, joint_epsilon(times), 1.0) == approx(1e-6, rel=1e-6)
    found = at_start(LESSONS["again"])
    assert joint_epsilon(found["needed"]) >= 1 > joint_epsilon(found["needed"] - 1)
    stated = re.findall(r"ε\s=\s([\d.]*\d)", fill(LESSONS["again"].question, found))
    assert {*map(float, stated)} == {found["epsilon"], found["compared"]}


@pytest.mark.chance(1e-7)
def test_an_average_has_the_law_that_is_drawn_for_it():
    """Of five releases: medians of 300 averages and of 400 differ by .27°, six times at most."""
    problem, rng = rand_problem(2), np.random.default_rng(5)
    release = MECHANISMS["gaussian"].release(problem, Budget(0.1, 1e-6), rng, 1500, keep="moment")
    means = release.moment.reshape(300, 5, problem.d, problem.d).mean(axis=1)
    bases = np.linalg.eigh(means)[1][..., ::-1][..., : problem.k]
    averaged = np.median(angles_degrees(problem, bases))
    assert averaged == approx(LESSONS["again"].measure(5, 0)["averaged"], abs=1.65)


def test_a_known_seed_gives_everything_away_and_another_nothing():
    rows = rand_data().rows
    known, unknown = (LESSONS["outside"].measure(stop, 0) for stop in ("known", "not known"))
    np.testing.assert_allclose(known["table"], rows.T @ rows, atol=1e-10)
    np.testing.assert_allclose(known["record"], rows[-1], atol=1e-10)
    assert 0 < max(known["table_error"], known["record_error"]) < 1e-12
    assert unknown["tried_error"] == approx(np.abs(unknown["table"] - rows.T @ rows).max())
    assert min(unknown["tried_error"] / 50, np.abs(unknown["record"] - rows[-1]).max()) > 1
    # Nothing was clipped of the last person's record: it is the last line of the file.
    shown = record_in_units(known["record"])
    assert len(shown) == 10
    assert (shown["family income"], shown["education, head"]) == ("6,735", "12")
    assert (shown["female"], shown["chronic diseases"], shown["child"]) == ("1", "10.58", "1")
