"""A figure that cannot be: the printed setting against chance and the ceiling."""

import numpy as np
import pytest

from tests.ui.learn.lessons.predicted import (
    at_start,
    fills_at_every_stop,
    hidden,
    missed_seeds,
    typed_digits,
)
from ui.learn.lessons.figure import LESSON


def test_the_numbers_of_the_lesson():
    """Means of 20 runs with a standard deviation of at most .07: four standard errors."""
    found = at_start(LESSON)
    assert found["ceiling"] == pytest.approx(3.162, abs=0.0005)
    assert found["random"] == pytest.approx(2.958, abs=0.0005)
    assert found["error"] == pytest.approx(2.946, abs=0.06)
    assert found["error_larger_epsilon"] == pytest.approx(2.69, abs=0.06)
    assert found["error_most"] == pytest.approx(2.76, abs=0.06)
    assert found["strongest"] == pytest.approx(2.26, abs=0.06)
    assert found["gap"] == pytest.approx(236, abs=10)
    assert found["noise"] == pytest.approx(34_000, rel=0.06)
    assert found["table_error"] > found["table_ceiling"]


def test_the_curve_is_that_of_the_strength_on_the_slider():
    weak, strong = (LESSON.measure(stop, 0)["curve"] for stop in ("1", LESSON.control.stops[-1]))
    assert (strong[2:] < weak[2:]).all()
    assert weak[2] == at_start(LESSON)["error"]


def test_the_right_choice_is_the_nearest_at_every_seed():
    assert missed_seeds(LESSON) == []


def test_every_text_fills_and_no_number_is_typed():
    assert all(fills_at_every_stop(LESSON))
    assert typed_digits(LESSON) == []


def test_before_the_answer_there_is_no_curve():
    assert hidden(LESSON, curve=np.zeros(9), error=1.0, strongest=0.5, gap=3.0, noise=1.0)
