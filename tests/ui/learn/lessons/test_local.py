"""Nobody is trusted: what the local model costs."""

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget
from tests.ui.learn.lessons.predicted import (
    at_start,
    fills_at_every_stop,
    hidden,
    missed_seeds,
    typed_digits,
)
from ui.learn.lessons.common import angles_degrees, kept_shares, rand_problem, releases
from ui.learn.lessons.local import LESSON


def test_the_numbers_of_the_lesson():
    """Medians of 400 releases: standard errors of .4° at 17°, of .5° at 80°, of .1 %."""
    found = at_start(LESSON)
    assert found["office_angle"] == pytest.approx(18, abs=1.6)
    assert found["enough"] == 20.0
    assert found["enough_angle"] == pytest.approx(17, abs=1.6)
    assert found["enough_kept"] == pytest.approx(0.975, abs=0.006)
    assert found["odds"] == pytest.approx(0.947, abs=0.0005)
    assert found["home_angle"] == pytest.approx(79, abs=2)
    assert found["random"] == pytest.approx(84, abs=1.5)
    assert found["people"] == pytest.approx(2 * 5912**2, rel=1e-6)


def test_as_many_people_give_the_same_picture():
    problem = rand_problem(2).scaled(at_start(LESSON)["people"])
    bases = releases(MECHANISMS["local_gaussian"], problem, Budget(0.1, 1e-6), 0)
    assert np.median(kept_shares(problem, bases)) == pytest.approx(0.976, abs=0.006)
    assert np.median(angles_degrees(problem, bases)) == pytest.approx(17.5, abs=1.6)


def test_the_right_choice_is_the_nearest_at_every_seed():
    assert missed_seeds(LESSON) == []


def test_every_text_fills_and_no_number_is_typed():
    assert all(fills_at_every_stop(LESSON))
    assert typed_digits(LESSON) == []


def test_before_the_answer_the_second_fan_is_empty():
    home = {"home_angle": 1.0, "home_kept": 0.5, "home_releases": np.full(25, 1.0)}
    assert hidden(LESSON, enough=50.0, exact=40.0, odds=0.9, enough_angle=2.0, **home)
