"""What is not private: a known seed gives the table away, and a person's record."""

import numpy as np
import pytest

from sample_data import load_key
from tests.ui.learn.lessons.predicted import (
    at_start,
    fills_at_every_stop,
    hidden,
    missed_seeds,
    typed_digits,
)
from ui.learn.lessons.outside import LESSON, record_in_units


def test_a_known_seed_gives_everything_away():
    found, rows = at_start(LESSON), load_key("rand").rows
    np.testing.assert_allclose(found["table"], rows.T @ rows, atol=1e-10)
    np.testing.assert_allclose(found["record"], rows[-1], atol=1e-10)
    assert 0 < found["table_error"] < 1e-12
    assert 0 < found["record_error"] < 1e-12
    assert found["found_out"] == found["numbers"] == 19 * 20 // 2 + 19


def test_another_seed_gives_nothing_away():
    found, rows = LESSON.measure("not known", 0), load_key("rand").rows
    assert np.abs(found["table"] - rows.T @ rows).max() > 50
    assert np.abs(found["record"] - rows[-1]).max() > 1


def test_the_best_of_many_draws_keeps_more():
    """400 releases: the median has a standard error of 1 %, the other quantile of less."""
    found = at_start(LESSON)
    assert found["one_draw"] == pytest.approx(0.69, abs=0.04)
    assert found["best_draw"] == pytest.approx(0.83, abs=0.03)


def test_the_record_is_shown_in_the_units_of_the_questionnaire():
    """Nothing was clipped of the last person's record, so it is the last line of the file."""
    shown = dict(record_in_units(at_start(LESSON)))
    assert len(shown) == 10
    assert (shown["family income"], shown["education, head"]) == ("6,735", "12")
    assert (shown["female"], shown["chronic diseases"], shown["child"]) == ("1", "10.58", "1")


def test_the_right_choice_is_the_nearest_at_every_seed():
    assert missed_seeds(LESSON) == []


def test_every_text_fills_and_no_number_is_typed():
    assert all(fills_at_every_stop(LESSON))
    assert typed_digits(LESSON) == []


def test_before_the_answer_nothing_is_subtracted():
    nothing = np.zeros((19, 19))
    assert hidden(LESSON, table=nothing, noise=nothing, record=np.zeros(19), found_out=0)
