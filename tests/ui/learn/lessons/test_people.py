"""More people at the same quality: ε falls as they grow."""

import numpy as np
import pytest

from tests.ui.learn.lessons.predicted import (
    at_start,
    fills_at_every_stop,
    hidden,
    typed_digits,
)
from ui.learn.lessons.people import LESSON


def test_the_numbers_of_the_lesson():
    """An ε found by 160 releases has a standard error of 2.8 %: three and a half of them.

    With 4,000 releases it is .0826 and .0612.
    """
    found = at_start(LESSON)
    assert found["needed"] == pytest.approx(0.0826, rel=0.1)
    assert found["gaussian"] == pytest.approx(0.0612, rel=0.1)
    assert found["gaussian_more"] == pytest.approx(0.0050, rel=0.1)
    assert found["gaussian_fewer"] == pytest.approx(0.71, rel=0.1)


def test_a_pure_mechanism_scales_exactly():
    found = at_start(LESSON)
    assert found["same"] == pytest.approx(0.01, rel=1e-12)
    assert found["needed_more"] == pytest.approx(found["needed"] / 10, rel=1e-12)
    assert found["gaussian_more"] < found["gaussian"] / 10


def test_the_curve_is_that_of_the_people_on_the_slider():
    here, more = LESSON.measure(5912.0, 0), LESSON.measure(59_120.0, 0)
    np.testing.assert_allclose(more["curve_epsilons"], here["curve_epsilons"] / 10, rtol=1e-12)
    assert more["needed"] == pytest.approx(here["needed_more"])


def test_the_right_choice_is_the_nearest_at_every_seed():
    """What decides is computed and not drawn: two seeds stand for all."""
    assert LESSON.nearest(at_start(LESSON)) == LESSON.right
    assert LESSON.truth(at_start(LESSON, 1)) == LESSON.truth(at_start(LESSON))


def test_every_text_fills_and_no_number_is_typed():
    assert all(fills_at_every_stop(LESSON))
    assert typed_digits(LESSON) == []


def test_before_the_answer_the_larger_table_is_not_drawn():
    assert hidden(LESSON, same=0.5, needed_more=0.2, more=3.0)
    (before,) = LESSON.pictures(at_start(LESSON), False)
    (after,) = LESSON.pictures(at_start(LESSON), True)
    assert [trace["name"] for trace in before.figure["data"] if trace.get("name")] != [
        trace["name"] for trace in after.figure["data"] if trace.get("name")
    ]


def test_an_estimate_is_called_one_and_says_on_what_it_rests():
    (picture,) = LESSON.pictures(at_start(LESSON), True)
    assert "by estimate (160 releases per point)" in picture.caption
    assert "all by estimate; Explore and Compare also name an ε that is surely enough" in " ".join(
        LESSON.notes
    )
