"""How a release is best made, by public facts alone."""

from inspect import signature
from math import sqrt

import numpy as np
import pytest

from dpca_core.analysis.recommendation import people_for_private_mean, recommended_mechanism
from dpca_core.mechanisms.registry import DEFAULT, LESS_NOISE, PURE_DEFAULT, PURE_LESS_NOISE
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.privacy.gaussian import gaussian_sigma
from dpca_core.problem import Problem

GAUSSIAN = Budget(1.0, 1e-6)
WISHART, NUCLEAR = "wishart_difference", "nuclear_norm"
SMALLER = "is 8\u00a0% smaller than Wishart difference noise on 5 columns at this ε"
MATRIX_T = "Matrix t noise is 15\u00a0% smaller than Gaussian"
TOO_WIDE = "noise is drawn exactly for at most 200 columns"
LAPLACE_INSTEAD = "cannot be drawn exactly yet: of what can, Laplace noise is the smallest."


def test_nothing_but_public_facts_decides():
    """Neither data nor their number can be given, and no module on the way gets either."""
    asked = " ".join(signature(recommended_mechanism).parameters)
    assert asked == "people d budget k rows_per_person rows_read_again pairs"


@pytest.mark.parametrize(
    ("people", "d", "delta", "more", "released", "keeps_most", "said"),
    [
        (1000, 19, 1e-6, {"k": 8}, "gaussian", "second_look", "With about 400 to 13,000 patients"),
        (300, 19, 1e-6, {"k": 8}, "gaussian", "matrix_t", MATRIX_T),
        (20_000, 19, 1e-6, {"k": 8}, "gaussian", "matrix_t", MATRIX_T),
        (1000, 19, 1e-6, {"k": 7}, "gaussian", "matrix_t", "fewer than 8 directions"),
        (1000, 20, 1e-6, {"k": 2, "pairs": True}, "gaussian", "second_look", "With about 270 to"),
        (1000, 20, 1e-6, {"rows_read_again": False}, "gaussian", "matrix_t", "only their sum"),
        (300, 19, 1e-6, {"rows_per_person": 3}, "gaussian", NUCLEAR, "fewer than 8 directions"),
        (100, 30, 1e-6, {"rows_per_person": 3}, "gaussian", "gaussian", "smallest of one look"),
        (60, 5, 1e-9, {}, WISHART, NUCLEAR, "On so few columns a second look"),
        (900, 5, 0.0, {}, WISHART, NUCLEAR, SMALLER),
        (900, 201, 0.0, {}, "laplace", WISHART, TOO_WIDE),
        (10_000, 201, 0.0, {"k": 5}, "laplace", "second_look_pure", LAPLACE_INSTEAD),
    ],
)
def test_what_is_released_and_what_keeps_most_and_why(
    people, d, delta, more, released, keeps_most, said
):
    """19 columns, ε = 1, δ = 10⁻⁶: τ·√38 is 26 people, .065 of 400 and 0.2 % of 13,000."""
    found = recommended_mechanism(people, d, Budget(1.0, delta), **({"k": 4} | more))
    assert (found.mechanism.key, found.keeps_most.key) == (released, keeps_most)
    rule, more = found.for_any_number("patients"), found.keeps_more("patients")
    assert said in found.why("patients") + rule + more
    assert "people" not in rule + more
    assert (" keeps most for about " in rule) == (len(found.may_keep_most) == 2)
    assert bool(more) == (released != keeps_most)
    assert found.rows_of_length_one is (people < 13_000)


@pytest.mark.parametrize(("d", "epsilon"), [(6, 0.1), (8, 3.0), (13, 10.0)])
def test_one_look_has_the_least_noise_off_the_diagonal_where_one_is_replaced(d, epsilon):
    """There its norm is larger than the Gaussian's, and it keeps more all the same."""
    budget, problem = (
        Budget(epsilon, 1e-6, Adjacency.REPLACE_ONE),
        Problem.from_spectrum(np.ones(d), d, 1),
    )
    noise = {}
    for one in (DEFAULT, PURE_DEFAULT, LESS_NOISE, PURE_LESS_NOISE):
        noise[one] = one.calibrate(problem, budget).scale * one.law.std(d)[1]
    found = recommended_mechanism(1e9, d, budget).keeps_most
    assert found is min(noise, key=noise.get) is PURE_LESS_NOISE


def test_people_for_a_private_mean_follow_its_own_noise():
    """With a twentieth of the budget: its deviation is at most n/√38,000 in each of 19 columns."""
    enough = people_for_private_mean(19, GAUSSIAN)
    assert enough == pytest.approx(gaussian_sigma(0.05, 5e-8, sqrt(2)) * sqrt(38_000))
    pure = people_for_private_mean(19, Budget(1.0, 0.0))
    assert pure == pytest.approx(sqrt(2) * (sqrt(19) + 1) / 0.05 * sqrt(38_000))
