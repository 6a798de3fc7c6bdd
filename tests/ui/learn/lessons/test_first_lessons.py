"""Lessons one to five at seed 0: the numbers that a teacher's plan states, within sampling error.

A median of 400 releases errs by about 1.25 standard deviations over 20; bands of four such errors
(p < 10⁻⁴ for a fresh seed) are given as plain numbers. Seeds are fixed.
"""

import numpy as np
import pytest

from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.privacy.budget import Budget
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


def test_runs_that_print_somebody():
    """Of 100 runs within four deviations of the mean, √(100·p·q) ≤ 5: p < 10⁻⁴."""
    assert rand_data().people == 5912
    found = fields_of(DELTA)
    assert found["chance_asked"] == pytest.approx(63.2, abs=0.05)
    assert abs(found["failed_count"] - found["chance_asked"]) < 20
    for delta, expected in ((1e-3, 99.7), (1e-4, 44.6), (1e-5, 5.7), (1e-6, 0.6)):
        assert 100 * chance(delta, 5912) == pytest.approx(expected, abs=0.05)


def test_noise_on_cells_and_on_directions():
    found = fields_of(NOISE)
    assert found["tau"] == pytest.approx(36.3, abs=0.05)
    assert found["norm"] == pytest.approx(213, abs=4)
    assert found["rule"] == pytest.approx(224, abs=0.5)
    assert [round(found[x]) for x in ("first", "second", "third")] == [909, 792, 663]
    assert found["angle"] == pytest.approx(15, abs=1.5)
    assert found["angle_most"] == pytest.approx(26, abs=3)


def test_three_directions_are_off_by_twice_as_much():
    found = fields_of(GAP)
    assert found["few_angle"] == pytest.approx(18, abs=1.5)
    assert found["few_within"] == pytest.approx(30, abs=3)
    assert found["more_angle"] == pytest.approx(38, abs=6)
    assert found["more_within"] == pytest.approx(76, abs=5)
    assert found["most_angle"] == pytest.approx(16, abs=1.5)
    assert [round(found[f"{x}_gap"]) for x in ("few", "more", "most")] == [129, 17, 173]
    assert min(found["few_kept"], found["more_kept"]) >= 0.965
    half, one = fields_of(GAP, 0.5), fields_of(GAP, 1.0)
    assert (half["few_angle"], half["more_angle"]) == pytest.approx((4, 14), abs=3)
    assert (one["few_angle"], one["more_angle"]) == pytest.approx((2, 7), abs=2)


@pytest.mark.parametrize("k", [2, 3])
def test_the_gap_may_read_fewer_directions_from_a_release_of_four(k):
    # As its lesson does: with noise that depended on k each would need releases of its own.
    budget = Budget(0.1, Settings().delta)
    more, few = (releases(DEFAULT, rand_problem(size), budget, 3) for size in (4, k))
    assert np.abs(np.sum(more[:, :, :k] * few, axis=1)) == pytest.approx(1, abs=1e-9)


@pytest.mark.parametrize(
    "lesson", [PERSON, EPSILON, DELTA, NOISE, GAP], ids=lambda lesson: lesson.key
)
def test_the_right_choice_is_the_nearest(lesson):
    for seed in range(20):
        assert lesson.nearest(fields_of(lesson, seed=seed)) == lesson.right


def test_nothing_gives_the_answer_away():
    found = fields_of(GAP)
    before, after = ("".join(p.title + p.caption + p.markup for p in GAP.pictures(found, told))
                     for told in (False, True))  # fmt: skip
    assert f"{found['more_angle']:.0f}°" in after
    assert f"{found['more_angle']:.0f}° off" not in before
    found = fields_of(NOISE)
    before = "".join(p.title + p.caption + p.markup for p in NOISE.pictures(found, False))
    assert f">{found['norm']:.0f}<" not in before
    found = fields_of(EPSILON)
    before = "".join(p.title + p.caption for p in EPSILON.pictures(found, False))
    assert "96" not in before
