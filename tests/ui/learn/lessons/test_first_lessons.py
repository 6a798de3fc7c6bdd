"""Lessons one to five at seed 0: the numbers that a teacher's plan states, within sampling error.

Bands of quantiles are those of 4,000 other releases at the ranks that are four standard errors of
400 releases away (p < 10⁻⁴ for a fresh seed). Seeds are fixed.
"""

import numpy as np
import pytest

from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.privacy.budget import Budget
from tests.ui.learn.lessons.predicted import hidden
from ui.learn.fields import fill
from ui.learn.lessons.common import rand_data, rand_problem, releases
from ui.learn.lessons.delta import LESSON as DELTA
from ui.learn.lessons.delta import chance
from ui.learn.lessons.epsilon import LESSON as EPSILON
from ui.learn.lessons.gap import LESSON as GAP
from ui.learn.lessons.noise import LESSON as NOISE
from ui.learn.lessons.person import LESSON as PERSON
from ui.state.settings import Settings


def fields_of(lesson, value=None, seed=0):
    return lesson.measure(lesson.control.start if value is None else value, seed)


def test_every_person_turns_the_directions():
    found = fields_of(PERSON)
    assert found["changed"] == found["n"] == 5912
    assert found["smallest"] == pytest.approx(0.0012, abs=5e-5)
    assert found["median"] == pytest.approx(0.075, abs=0.002)
    assert found["largest"] == pytest.approx(0.144, abs=0.002)
    assert found["largest"] <= found["bound"] == pytest.approx(0.223, abs=0.002)
    assert found["other_largest"] == pytest.approx(0.84, abs=0.01)
    assert found["other_largest"] <= found["other_bound"] == pytest.approx(1.65, abs=0.05)


def test_odds_are_exact_and_rounded_up():
    found = fields_of(EPSILON)
    assert [round(100 * found[f"odds_{x}"], 1) for x in ("small", "asked", "large")] == [
        73.1,
        95.3,
        99.3,
    ]
    gaussian = [-(-100 * found[f"gaussian_{x}"] // 1) for x in ("small", "asked", "large")]
    assert gaussian == [55, 63, 70]


def test_what_is_rounded_up_stands_beside_what_a_board_has():
    """e^ε/(1 + e^ε) by hand, to the digits of the question, the answer and the picture."""
    found = fields_of(EPSILON)
    exact = {e: 100 * np.exp(e) / (1 + np.exp(e)) for e in (1, 3)}
    assert (f"{exact[1]:.2f}", f"{exact[3]:.2f}") == ("73.11", "95.26")
    question, answer = fill(EPSILON.question, found), fill(EPSILON.answer, found)
    assert f"at most 74 times in 100 ({exact[1]:.2f}, rounded up)" in question
    assert f"**96 times in 100**: odds of e^ε to one are {exact[3]:.2f} in 100, rounded" in answer
    for picture, epsilon, dots in zip(EPSILON.pictures(found, True), exact, (74, 96), strict=True):
        assert picture.title.endswith(f"right at most {dots} times in 100")
        assert picture.caption.startswith(f"{exact[epsilon]:.2f}, rounded up")
        assert picture.markup.count('fill="none"') == 100 - dots


def test_runs_that_print_somebody():
    """Of 100 runs within four deviations of the mean, √(100·p·q) ≤ 5: p < 10⁻⁴."""
    found = fields_of(DELTA)
    assert found["n"] == rand_data().people == 5912
    # The control stands before the data are read: its stop is one in the number of people.
    assert DELTA.control.start * found["n"] == pytest.approx(1, abs=1e-12)
    assert fill("{at:delta}", {"at": DELTA.control.start}) == "1/5,912"
    assert found["chance_asked"] == pytest.approx(63.2, abs=0.05)
    assert abs(found["failed_count"] - found["chance_asked"]) < 20
    for delta, expected in ((1e-3, 99.7), (1e-4, 44.6), (1e-5, 5.7), (1e-6, 0.6)):
        assert 100 * chance(delta, 5912) == pytest.approx(expected, abs=0.05)


def test_noise_on_cells_and_on_directions():
    found = fields_of(NOISE)
    assert found["tau"] == pytest.approx(36.3, abs=0.05)
    assert 208 < found["norm"] < 217
    assert found["rule"] == pytest.approx(224, abs=0.5)
    assert [round(found[x]) for x in ("first", "second", "third")] == [909, 792, 663]
    assert 13.3 < found["angle"] < 16.3
    assert 22.9 < found["angle_most"] < 34.4


def test_three_directions_are_off_by_twice_as_much():
    found = fields_of(GAP)
    assert 15.8 < found["few_angle"] < 19.1
    assert 25.9 < found["few_within"] < 36.7
    assert 31 < found["more_angle"] < 45.9
    assert 69.7 < found["more_within"] < 85.1
    assert 14.5 < found["most_angle"] < 16.7
    assert [round(found[f"{x}_gap"]) for x in ("few", "more", "most")] == [129, 17, 173]
    assert 0.97 < min(found["few_kept"], found["more_kept"], found["most_kept"]) < 0.98
    half, one = fields_of(GAP, 0.5), fields_of(GAP, 1.0)
    assert 3.4 < half["few_angle"] < 4.1 < 10.4 < half["more_angle"] < 16.8
    assert 1.8 < one["few_angle"] < 2.2 < 5.4 < one["more_angle"] < 8.6


@pytest.mark.parametrize("k", [2, 3])
def test_the_gap_may_read_fewer_directions_from_a_release_of_four(k):
    # As its lesson does: with noise that depended on k each would need releases of its own.
    budget = Budget(0.1, Settings().delta)
    more, few = (releases(DEFAULT, rand_problem(size), budget, 3) for size in (4, k))
    assert np.abs(np.sum(more[:, :, :k] * few, axis=1)) == pytest.approx(1, abs=1e-9)


def test_before_the_answer_nobody_turns_anything():
    assert hidden(PERSON, angles=np.ones(5912), changed=1, largest=9.0, median=9.0)


def test_before_the_answer_the_second_hundred_is_empty():
    assert hidden(EPSILON, odds_asked=0.8, odds_shown=0.8, odds_large=0.8, many_large=800)


def test_before_the_answer_no_run_has_printed_anything():
    some = np.arange(7)
    assert hidden(DELTA, failed=some, one_run=some, failed_count=7, chance=7.0, chance_asked=7.0)


def test_before_the_answer_there_is_no_noise_but_on_one_cell():
    """The question itself states τ."""
    assert hidden(NOISE, norm=1.0, rule=1.0, noise=np.ones((19, 19)), angle=1.0, angle_most=1.0)


def test_before_the_answer_the_second_fan_is_empty():
    others = {"more_angles": np.zeros(25), "more_angle": 1.0, "more_within": 1.0}
    assert hidden(GAP, **others, more_kept=0.1, most_angle=1.0, most_kept=0.1)
