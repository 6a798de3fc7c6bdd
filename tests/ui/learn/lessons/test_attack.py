"""Be the attacker: rounds that are won, and what an audit shows."""

import numpy as np
import pytest

from tests.ui.learn.lessons.predicted import (
    at_start,
    fills_at_every_stop,
    hidden,
    missed_seeds,
    typed_digits,
)
from ui.learn.lessons.attack import LESSON

ERROR = 4.9 * 0.79
"""Of a share of 4,000 rounds in per cent, at 4.9 standard errors: once in a million."""


@pytest.mark.parametrize(
    ("stop", "rate", "bound"),
    [("Gaussian", 54.9, 54.7), ("Wishart difference", 65, 73.1)],
)
def test_the_rates_of_the_lesson(stop, rate, bound):
    found = LESSON.measure(stop, 0)
    assert found["rate"] == pytest.approx(rate, abs=ERROR)
    assert found["bound"] == pytest.approx(bound, abs=0.05)


def test_against_the_refuted_mechanism_the_player_wins_as_often_as_absence_is_proved():
    found = LESSON.measure("Wishart SN", 0)
    assert found["rate"] == pytest.approx(81.6, abs=ERROR)
    assert round(found["right"]) == 16


def test_the_audits_of_the_lesson():
    """Bounds of audits with 4,000 releases move by .1 where they convict, by .2 where not."""
    found = at_start(LESSON)
    assert 0 <= found["acquitted"] < 0.6
    assert found["convicted"] == pytest.approx(5.83, abs=0.3)
    assert found["also_convicted"] == pytest.approx(4.94, abs=0.3)


def test_the_right_choice_is_the_nearest_at_every_seed():
    assert missed_seeds(LESSON) == []


def test_every_text_fills_and_no_number_is_typed():
    assert all(fills_at_every_stop(LESSON))
    assert typed_digits(LESSON) == []


def test_before_the_answer_nobody_is_told_apart():
    fields = at_start(LESSON)
    swapped = {"present": fields["absent"], "absent": fields["present"]}
    assert hidden(LESSON, rate=90.0, right=18.0, bound=90.0, threshold=np.inf, **swapped)


@pytest.mark.parametrize("stop", ["Gaussian", "Wishart difference", "Wishart SN"])
@pytest.mark.parametrize("seed", range(3))
def test_of_the_dots_that_are_drawn_as_many_are_right_as_is_said(stop, seed):
    """What is right on average stands in the answer, and is another number."""
    found = LESSON.measure(stop, seed)
    present, absent, mark = found["present"], found["absent"], found["threshold"]
    assert found["shown_right"] == (present >= mark).sum() + (absent < mark).sum()
    (picture,) = LESSON.pictures(found, True)
    assert picture.caption.endswith(f"is right in {found['shown_right']}")
