"""Answers on scales of five are one number each: directions survive that indicators lose."""

import numpy as np
import pytest

from dpca_core import Budget
from dpca_core.data.recipe import Category, Recipe, Scale
from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.tables.second_moment import second_moment
from tests.core.tables.text_tables import text_table, written

ANSWERS = ("strongly disagree", "disagree", "neither", "agree", "strongly agree")
QUESTIONS = ("informed", "listened", "pain")
SCALES = Recipe((), scales=tuple(Scale(name, ANSWERS) for name in QUESTIONS))
INDICATORS = Recipe((), tuple(Category(name, ANSWERS) for name in QUESTIONS))


def shares_within_18_degrees(content, recipe, seed):
    """Of 200 releases at ε = 1, how often each of the first two directions is near its own."""
    problem = second_moment(text_table(content, recipe), recipe).problem(2)
    found = DEFAULT.release(problem, Budget(1.0, 1e-6), rng=seed, trials=200).bases
    cosines = np.abs(np.einsum("tdk,dk->tk", found, problem.basis))
    return np.mean(cosines >= np.cos(np.radians(18)), axis=0)


@pytest.mark.chance(1e-9)
@pytest.mark.parametrize("seed", range(5))
def test_with_scales_both_first_directions_survive_and_with_indicators_one_is_lost(seed):
    """1,200 patients: how they were cared for is in two answers, how they are in one."""
    rng = np.random.default_rng(seed)
    care, health = rng.normal(size=(2, 1200))
    answers = [
        np.clip(np.rint(2 + factor + 0.8 * rng.normal(size=1200)), 0, 4).astype(int)
        for factor in (care, care, health)
    ]
    content = written([QUESTIONS, *np.array(ANSWERS)[answers].T])
    assert shares_within_18_degrees(content, SCALES, seed).min() >= 0.9
    assert shares_within_18_degrees(content, INDICATORS, seed)[1] < 0.9
