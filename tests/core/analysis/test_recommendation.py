"""How a release is best made, by public facts alone."""

from inspect import signature
from math import sqrt

import numpy as np
import pytest

from dpca_core.analysis.recommendation import (
    people_for_private_mean,
    recommended_mechanism,
    released_noise,
    visible_gap,
)
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.problem import Problem
from dpca_core.simulation.draws import TrialDraws
from dpca_core.simulation.trials import run_trials

GAUSSIAN = Budget(1.0, 1e-6)
WISHART = "wishart_difference"
MATRIX_T = "Matrix t noise is 15\u00a0% smaller than Gaussian"
TOO_WIDE = "noise is drawn exactly for at most 200 columns"
LAPLACE_INSTEAD = "cannot be drawn exactly yet: of what can, Laplace noise is the smallest."


def test_nothing_but_public_facts_decides():
    """Neither data nor their number can be given, and no module on the way gets either."""
    asked = " ".join(signature(recommended_mechanism).parameters)
    assert asked == "people d budget k rows_per_person rows_read_again"
    assert " ".join(signature(released_noise).parameters) == "d budget"


@pytest.mark.parametrize(
    ("people", "d", "delta", "more", "released", "keeps_most", "said"),
    [
        (1000, 19, 1e-6, {}, "gaussian", "second_look", "With about 130 to 13,000 people"),
        (100, 19, 1e-6, {}, "gaussian", "matrix_t", MATRIX_T),
        (20_000, 19, 1e-6, {}, "gaussian", "matrix_t", MATRIX_T),
        (1000, 19, 1e-6, {"k": 1}, "gaussian", "matrix_t", "fewer than 2 directions"),
        (1000, 19, 1e-6, {"rows_read_again": False}, "gaussian", "matrix_t", "only their sum"),
        (100, 19, 1e-6, {"rows_per_person": 3}, "gaussian", "gaussian", "smallest of one look"),
        (900, 1000, 1e-12, {}, "gaussian", "gaussian", "smallest of one look"),
        (60, 5, 1e-9, {"rows_per_person": 4}, WISHART, WISHART, "and needs no δ."),
        (60, 5, 1e-9, {}, WISHART, WISHART, "On so few columns a second look"),
        (900, 200, 0.0, {}, WISHART, WISHART, "fewer than 5 directions"),
        (900, 201, 0.0, {}, "laplace", WISHART, TOO_WIDE),
        (10_000, 201, 0.0, {"k": 5}, "laplace", "second_look_pure", LAPLACE_INSTEAD),
    ],
)
def test_what_is_released_and_what_keeps_most_and_why(
    people, d, delta, more, released, keeps_most, said
):
    """19 columns, ε = 1, δ = 10⁻⁶: τ·√38 is 26 people, a fifth of 130 and 0.2 % of 13,000."""
    found = recommended_mechanism(people, d, Budget(1.0, delta), **({"k": 4} | more))
    assert (found.mechanism.key, found.keeps_most.key) == (released, keeps_most)
    assert said in found.why + found.for_any_number + found.keeps_more
    assert (" keeps most for about " in found.for_any_number) == (len(found.may_keep_most) == 2)
    assert bool(found.keeps_more) == (released != keeps_most)
    assert found.rows_of_length_one is (people < 13_000)


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("adjacency", Adjacency)
def test_on_few_columns_nothing_keeps_more_than_what_is_recommended(adjacency):
    """Means of 300 releases from 60 people, apart by ten standard errors."""
    budget = Budget(1.0, 1e-9, adjacency)
    problem = Problem.from_moment(60 * np.diag([0.5, 0.25, 0.15, 0.07, 0.03]), 60, 2)
    found = recommended_mechanism(60, 5, budget, k=2).mechanism
    assert found.guarantee(problem, budget).delta == 0
    kept = {
        key: run_trials(TrialDraws(MECHANISMS[key], 0, range(300)), [(problem, budget)]).captured
        for key in (found.key, "gaussian", "laplace")
    }
    assert max(kept, key=lambda key: float(kept[key].mean())) == found.key


@pytest.mark.parametrize("adjacency", Adjacency)
def test_people_for_a_private_mean_follow_its_own_noise(adjacency):
    """σ solves δ(σ) = 5·10⁻⁸ at ε = 0.05 and sensitivity √2, found by another program: 116.750."""
    enough = people_for_private_mean(19, GAUSSIAN)
    assert enough == pytest.approx(116.750 * sqrt(38_000), rel=1e-4)
    pure = people_for_private_mean(19, Budget(1.0, 0.0))
    assert pure == pytest.approx(sqrt(2) * (sqrt(19) + 1) / 0.05 * sqrt(38_000))
    budget = Budget(1.0, 1e-6, adjacency)
    found = recommended_mechanism(900, 19, budget)
    assert found.people_for_mean == people_for_private_mean(19, budget)


def test_the_noise_of_a_release_is_that_of_the_mechanism():
    """19 columns at ε = 1, two directions: τ = 4.2247, off the diagonal τ/√2."""
    noise = released_noise(19, GAUSSIAN)
    assert noise == pytest.approx(2.98730, rel=1e-5)
    assert visible_gap(noise, 19, 2) == pytest.approx(58.06, rel=1e-3)
