"""A promise that fails: results that prove absence."""

import numpy as np
import pytest

from tests.ui.learn.lessons.predicted import (
    at_start,
    fills_at_every_stop,
    hidden,
    missed_seeds,
    typed_digits,
)
from ui.learn.lessons.failing_promise import LESSON


def test_the_numbers_of_the_lesson():
    """Counts at seed 0 do not depend on chance any more; expected ones are exact."""
    found = at_start(LESSON)
    assert (found["proofs"], found["proofs_present"]) == (68, 0)
    assert found["expected"] == pytest.approx(63.2, abs=0.05)
    assert found["expected_small"] == pytest.approx(9.5, abs=0.05)
    assert found["expected_other"] == pytest.approx(28.3, abs=0.05)
    assert (found["hints_absent"], found["hints_present"]) == (97, 86)
    assert found["wrong"] == pytest.approx(26.9, abs=0.05)


def test_nobody_who_is_there_is_ever_proved_absent():
    assert [LESSON.measure("in the data", seed)["shown"] for seed in range(20)] == [0] * 20


def test_the_right_choice_is_the_nearest_at_every_seed():
    assert missed_seeds(LESSON) == []


def test_every_text_fills_and_no_number_is_typed():
    assert all(fills_at_every_stop(LESSON))
    assert typed_digits(LESSON) == []


def test_before_the_answer_no_ellipse_is_drawn():
    everything = np.ones(100, dtype=bool)
    assert hidden(LESSON, matrices=np.zeros((100, 2, 2)), proved=everything, shown=9, proofs=9)
    (before,) = LESSON.pictures(at_start(LESSON), False)
    (after,) = LESSON.pictures(at_start(LESSON), True)
    assert before.markup.count("<ellipse") == 0
    assert after.markup.count("<ellipse") == 100
    assert after.markup.count('stroke="var(--role)"') == 68
