"""Two mechanisms with the same promise: what each keeps."""

import numpy as np
import pytest

from tests.ui.learn.lessons.predicted import (
    at_start,
    fills_at_every_stop,
    hidden,
    missed_seeds,
    typed_digits,
)
from ui.learn.lessons.mechanism import LESSON


def test_the_numbers_of_the_lesson():
    """Medians of 400 releases, s.e. .002 (shaped) and .007 (plain): at least four of them."""
    found = at_start(LESSON)
    assert found["shaped"] == pytest.approx(0.962, abs=0.008)
    assert found["plain"] == pytest.approx(0.609, abs=0.028)
    assert found["random"] == pytest.approx(0.282, abs=0.0005)
    assert found["gaussian"] == pytest.approx(0.975, abs=0.01)
    assert found["drawn"] == pytest.approx(0.90, abs=0.03)
    assert found["shaped_noise"] == pytest.approx(294, rel=0.06)
    assert found["plain_noise"] == pytest.approx(1160, rel=0.06)


def test_the_right_choice_is_the_nearest_at_every_seed():
    assert missed_seeds(LESSON) == []


def test_every_text_fills_and_no_number_is_typed():
    assert all(fills_at_every_stop(LESSON))
    assert typed_digits(LESSON) == []


def test_before_the_answer_the_other_mechanism_is_not_drawn():
    assert hidden(LESSON, plain=0.5, plain_releases=np.full(25, 0.5), plain_noise=1.0, random=0.1)


def test_the_link_opens_compare_with_both():
    query = LESSON.settings(at_start(LESSON))
    assert (query["mechanisms"], query["epsilon"]) == ("wishart_difference,laplace", "0.1")
