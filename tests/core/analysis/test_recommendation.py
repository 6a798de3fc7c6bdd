"""How a release is best made, by public facts alone."""

from inspect import signature
from math import sqrt
from typing import Any

import numpy as np
import pytest

from dpca_core.analysis.recommendation import (
    default_delta,
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
DIAGONAL = Problem.from_moment(60 * np.diag([0.5, 0.25, 0.15, 0.07, 0.03]), 60, 2)


@pytest.mark.parametrize(
    ("d", "delta", "key"),
    [
        (19, 1e-6, "gaussian"),
        (5, 1e-6, "wishart_difference"),
        (1000, 1e-12, "gaussian"),
        (200, 0.0, "wishart_difference"),
        (201, 0.0, "laplace"),
    ],
)
def test_the_mechanism_follows_from_delta_and_columns(d: int, delta: float, key: str) -> None:
    assert recommended_mechanism(900, d, Budget(1.0, delta)).mechanism.key == key


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("adjacency", Adjacency)
def test_on_few_columns_noise_without_delta_is_smaller(adjacency: Adjacency) -> None:
    """Of what can be released nothing keeps more than what is recommended; δ is not needed there.

    Means of 300 releases from 60 people, apart by ten standard errors.
    """
    budget = Budget(1.0, 1e-9, adjacency)
    for rows_per_person in (4, 1):
        found = recommended_mechanism(60, 5, budget, k=2, rows_per_person=rows_per_person)
        assert found.mechanism.key == "wishart_difference"
        assert found.mechanism.guarantee(DIAGONAL, budget).delta == 0
        assert "needs no δ." in found.why
    kept = {
        key: run_trials(TrialDraws(MECHANISMS[key], 0, range(300)), [(DIAGONAL, budget)]).captured
        for key in (found.mechanism.key, "gaussian", "laplace")
    }
    assert max(kept, key=lambda key: float(kept[key].mean())) == found.mechanism.key


@pytest.mark.parametrize(
    ("k", "why"),
    [(4, "noise is drawn exactly for at most 200 columns"), (5, "cannot be drawn exactly yet")],
)
def test_why_other_noise_is_released_on_many_columns(k: int, why: str) -> None:
    """The difference of Wisharts is drawn exactly, though not for so many columns."""
    found = recommended_mechanism(100_000, 201, Budget(1.0, 0.0), k=k)
    assert found.mechanism.key == "laplace"
    assert why in found.keeps_more
    assert "Laplace noise is the smallest" in found.keeps_more


def test_nothing_but_public_facts_decides() -> None:
    """Neither data nor their number can be given, and no module on the way gets either."""
    asked = " ".join(signature(recommended_mechanism).parameters)
    assert asked == "people d budget k rows_per_person rows_read_again"
    assert " ".join(signature(released_noise).parameters) == "d budget"


@pytest.mark.parametrize("adjacency", Adjacency)
def test_people_for_a_private_mean_follow_its_own_noise(adjacency: Adjacency) -> None:
    """σ solves δ(σ) = 5·10⁻⁸ at ε = 0.05 and sensitivity √2, found by another program: 116.750."""
    enough = people_for_private_mean(19, Budget(1.0, 1e-6))
    assert enough == pytest.approx(116.750 * sqrt(38_000), rel=1e-4)
    pure = people_for_private_mean(19, Budget(1.0, 0.0))
    assert pure == pytest.approx(sqrt(2) * (sqrt(19) + 1) / 0.05 * sqrt(38_000))
    budget = Budget(1.0, 1e-6, adjacency)
    for people, fits in ((1.0, False), (1e12, True)):
        found = recommended_mechanism(people, 19, budget)
        assert found.mean_fits is fits
        assert found.people_for_mean == people_for_private_mean(19, budget)


@pytest.mark.parametrize(
    ("people", "delta"),
    [(None, 1e-6), (1, 1e-6), (10_000, 1e-6), (10_001, 1e-7), (10**12, 1e-14)],
)
def test_delta_is_far_below_one_in_the_number_of_people(people: float | None, delta: float) -> None:
    assert default_delta(people) == delta


def test_the_noise_of_a_release_is_that_of_the_mechanism() -> None:
    """19 columns at ε = 1, two directions: τ = 4.2247, off the diagonal τ/√2."""
    noise = released_noise(19, GAUSSIAN)
    assert noise == pytest.approx(2.98730, rel=1e-5)
    assert visible_gap(noise, 19, 2) == pytest.approx(58.06, rel=1e-3)


@pytest.mark.parametrize(
    ("people", "k", "more", "key", "said"),
    [
        (1000, 4, {}, "second_look", "With about 130 to 13,000 people"),
        (100, 4, {}, "matrix_t", "Matrix t noise is 15\u00a0% smaller than Gaussian"),
        (20_000, 4, {}, "matrix_t", "Matrix t noise is 15\u00a0% smaller than Gaussian"),
        (1000, 1, {}, "matrix_t", "For a single direction a second look gains nothing."),
        (1000, 4, {"rows_read_again": False}, "matrix_t", "only their sum is kept"),
        (100, 4, {"rows_per_person": 3}, "gaussian", "Gaussian noise is the smallest of one look"),
    ],
)
def test_what_keeps_most_and_why(
    people: float, k: int, more: dict[str, Any], key: str, said: str
) -> None:
    """19 columns, ε = 1, δ = 10⁻⁶: τ·√38 is 26 people, a fifth of 130 and 0.2 % of 13,000."""
    found = recommended_mechanism(people, 19, GAUSSIAN, k=k, **more)
    assert found.keeps_most.key == key
    assert said in found.why + found.for_any_number
    assert ("for about 130 to 13,000 people" in found.for_any_number) == (
        found.may_keep_most[0].key == "second_look"
    )
    assert found.mechanism.key == "gaussian"
    assert found.rows_of_length_one is (people < 13_000)
    pure = recommended_mechanism(1000, 19, Budget(1.0, 0.0), k=5).keeps_most.key
    assert pure == "second_look_pure"
    draws = "cannot be drawn exactly yet: of what can, Gaussian noise is the smallest."
    assert found.keeps_more.endswith(draws) == bool(found.keeps_more) == (key != "gaussian")
