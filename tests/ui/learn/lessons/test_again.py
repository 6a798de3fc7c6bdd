"""Publishing again and again: exact accounts, and what averaging undoes."""

import re

import numpy as np
import pytest

from dpca_core import MECHANISMS, Budget
from dpca_core.privacy.gaussian import gaussian_delta, gaussian_sigma
from tests.ui.learn.lessons.predicted import (
    at_start,
    fills_at_every_stop,
    hidden,
    missed_seeds,
    typed_digits,
)
from ui.learn.fields import fill
from ui.learn.lessons.again import LESSON, joint_epsilon
from ui.learn.lessons.common import angles_degrees, rand_problem


@pytest.mark.parametrize(("times", "joint"), [(2, 0.145), (10, 0.342), (74, 1.001), (100, 1.18)])
def test_the_accounts_of_the_lesson(times, joint):
    assert joint_epsilon(times) == pytest.approx(joint, abs=0.003)
    noise = gaussian_sigma(0.1, 1e-6, 1.0) / times**0.5
    assert gaussian_delta(noise, joint_epsilon(times), 1.0) == pytest.approx(1e-6, rel=1e-6)


def test_the_numbers_of_the_lesson():
    """Medians of 400 releases: standard errors of .4° and .05°."""
    found = at_start(LESSON)
    assert (found["needed"], found["by_adding"]) == (74, 10)
    assert joint_epsilon(found["needed"]) >= 1 > joint_epsilon(found["needed"] - 1)
    assert found["single"] == pytest.approx(18.5, abs=1.6)
    assert found["averaged"] == pytest.approx(1.8, abs=0.3)


def test_the_question_states_all_that_the_right_choice_follows_from():
    """Without the ε of one publication nobody could compute after how many it is used up."""
    found = at_start(LESSON)
    asked = fill(LESSON.question, found)
    stated = [f"{found[name]:g}" for name in ("epsilon", "compared")]
    assert re.findall(r"ε\s=\s([\d.]+)", asked) == stated
    assert found["by_adding"] == round(found["compared"] / found["epsilon"])


def test_an_average_has_the_law_that_is_drawn_for_it():
    """Medians over 300 averages of five releases, against the lesson's: four standard errors."""
    problem, rng = rand_problem(2), np.random.default_rng(5)
    release = MECHANISMS["gaussian"].release(problem, Budget(0.1, 1e-6), rng, 1500, keep="moment")
    means = release.moment.reshape(300, 5, problem.d, problem.d).mean(axis=1)
    bases = np.linalg.eigh(means)[1][..., ::-1][..., : problem.k]
    averaged = np.median(angles_degrees(problem, bases))
    assert averaged == pytest.approx(LESSON.measure(5, 0)["averaged"], abs=1.0)


def test_the_right_choice_is_the_nearest_at_every_seed():
    assert missed_seeds(LESSON) == []


def test_every_text_fills_and_no_number_is_typed():
    assert all(fills_at_every_stop(LESSON))
    assert typed_digits(LESSON) == []


def test_before_the_answer_there_is_one_publication():
    others = {"times": 50, "needed": 3, "joint": 2.0, "averaged": 4.0}
    assert hidden(LESSON, averaged_releases=np.full(25, 4.0), **others)
