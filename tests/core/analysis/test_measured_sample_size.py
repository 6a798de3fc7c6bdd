"""People needed, measured, against bisection of independent releases and closed forms.

Seeds are fixed; each statistical test says how often it would fail by chance with a fresh one.
"""

from functools import cache
from math import exp, log

import numpy as np
import pytest
from scipy.stats import beta

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget
from dpca_core.analysis.sample_size import (
    COARSE,
    FEW,
    GRID,
    Aim,
    Needed,
    invert_relative_noise,
    measure,
    relative_noise_at,
    single_spike,
)
from dpca_core.metrics import quality
from dpca_core.simulation.draws import trial_generator
from tests.core.analysis.sample_size_cases import AIM

REPLACE = Adjacency.REPLACE_ONE


@cache
def measured(key, budget, seed=0, trials=100, gap=0.3):
    problem = single_spike(10, gap)
    steps = measure(MECHANISMS[key], lambda n: (problem.scaled(n), budget), seed, trials=trials)
    return list(steps)[-1]


def share_met(key, budget, n, releases=5000):
    """Share of fresh, independent releases with sin Θ as small as the aim."""
    scaled = single_spike(10, 0.3).scaled(n)
    rng = np.random.default_rng([7, int(n)])
    bases = MECHANISMS[key].release(scaled, budget, rng, releases).bases
    return (quality(scaled, bases).sin_theta <= AIM.most).mean()


@pytest.mark.parametrize("key", ["gaussian", "smooth_gaussian", "power_pure"])
def test_independent_releases_reach_the_aim_at_the_size_measured(key):
    """The share that reaches the aim at the n measured has the law Beta(900, 101).

    It lies between the 5·10⁻⁷ and 1 − 5·10⁻⁷ points, give or take 0.021 for the share of 5000
    releases (five standard deviations): a false failure in about 10⁻⁶ of runs. Sizes
    1.5 times apart are told from each other.
    """
    budget, trials = Budget(1.0, 1e-6), 1000
    found = measured(key, budget, trials=trials).needed(AIM).n
    low, high = beta.ppf([5e-7, 1 - 5e-7], 900, trials + 1 - 900) + np.array([-0.021, 0.021])
    assert low <= share_met(key, budget, found) <= high
    assert share_met(key, budget, found / 1.2) < low
    assert share_met(key, budget, found * 1.25) > high


def test_a_better_table_each_time():
    """First coarse with few trials, then the trials of one grid, which are those of the streams."""
    budget, problem = Budget(1.0, 1e-6), single_spike(5, 0.3)
    in_between = list(
        measure(MECHANISMS["gaussian"], lambda n: (problem.scaled(n), budget), 3, trials=25)
    )
    steps = [step for step in in_between if step is not None]
    assert len(in_between) > 2 * len(steps)
    assert [step.trials for step in steps] == [FEW, 10, 20, 25]
    assert tuple(steps[0].people) == COARSE
    assert len(steps[1].people) == GRID
    for step in steps[1:]:
        np.testing.assert_array_equal(step.people, steps[1].people)
        np.testing.assert_array_equal(step.sin, steps[-1].sin[:, : step.trials])
    scaled = problem.scaled(steps[-1].people[12])
    own = MECHANISMS["gaussian"].release(scaled, budget, trial_generator(3, "gaussian", 17), 1)
    found = quality(scaled, own.bases)
    assert steps[-1].sin[12, 17] == pytest.approx(found.sin_theta[0], rel=1e-6)
    assert steps[-1].captured[12, 17] == pytest.approx(1 - found.captured[0], rel=1e-6)


def test_captured_and_correlation_agree_on_one_spike():
    """On a flat rest 1 − captured = (gap/λ₁)·sin²θ, so that the two aims need the same people."""
    found = measured("gaussian", Budget(1.0, 1e-6))
    rho = 0.95
    kept = 1 - 0.3 / 0.37 * (1 - rho**2)
    same = found.needed(Aim.captured(kept, 0.9))
    assert same.n == pytest.approx(found.needed(Aim.correlation(rho, 0.9)).n, rel=1e-6)


@pytest.mark.parametrize("key", ["gaussian", "laplace", "ppca", "power", "smooth_cauchy"])
def test_the_grid_reaches_from_useless_to_as_good_as_it_gets(key):
    """Even of a power method, whose rounds leave an error at any n: no point of it is far off."""
    found = measured(key, Budget(1.0, 1e-6))
    assert np.median(found.sin[0]) > 0.85
    assert np.median(found.sin[-1]) < 0.05
    assert found.people[-1] / found.people[0] <= 10**4.5


def test_refusals_are_losses():
    found = measured("gap_release", Budget(1.0, 1e-6))
    assert np.isinf(found.sin).any()
    assert found.relative is None
    at = found.needed(AIM)
    problem, budget = single_spike(10, 0.3), Budget(1.0, 1e-6)
    fewer = MECHANISMS["gap_release"].release(
        problem.scaled(0.5 * at.n), budget, np.random.default_rng(8), 400
    )
    assert fewer.refused.mean() > 0.1


def test_a_mechanism_that_learns_nothing_needs_more_than_all():
    assert measured("random_projection", Budget(1.0, 1e-6)).needed(AIM) == Needed(None, None, None)


def test_gaussian_noise_has_no_release_without_delta():
    problem, budget = single_spike(10, 0.3), Budget(1.0)
    steps = measure(MECHANISMS["gaussian"], lambda n: (problem.scaled(n), budget))
    with pytest.raises(InfeasibleBudget, match="δ"):
        next(steps)


ONE_NUMBER = [
    "gaussian", "laplace", "wishart_difference", "ppca", "power", "power_pure", "smooth_gaussian",
    "smooth_cauchy_printed", "local_gaussian", "local_printed",
]  # fmt: skip


@pytest.mark.parametrize("key", ONE_NUMBER)
def test_a_table_answers_for_another_budget(key):
    """Within 3 % of measuring there: the same random numbers on another grid, no statistics."""
    here, there = Budget(1.0, 1e-6), Budget(0.3, 1e-5, REPLACE)
    first = measured(key, here)
    carried = first.needed(AIM).moved(
        lambda n: invert_relative_noise(MECHANISMS[key], single_spike(10, 0.3), there)(
            relative_noise_at(first, n)
        )
    )
    again = measured(key, there).needed(AIM)
    assert carried.n > 1.5 * first.needed(AIM).n
    assert carried.n == pytest.approx(again.n, rel=0.03)


@pytest.mark.parametrize("key", ONE_NUMBER)
@pytest.mark.parametrize("adjacency", Adjacency)
def test_people_at_a_noise_are_the_fewest(key, adjacency):
    """So much noise there, more at 0.3 % less: the bisection's 0.1 % and a step of smooth bounds.

    They are flat while the gap passes from one number of people to the next.
    """
    problem, budget = single_spike(6, 0.2), Budget(0.7, 1e-5, adjacency)
    mechanism = MECHANISMS[key]

    def noise_of(n):
        return mechanism.relative_noise(problem.scaled(n), budget)

    for n in (8e3, 1e5, 3e6):
        noise = noise_of(n)
        found = invert_relative_noise(mechanism, problem, budget)(noise)
        assert noise_of(found) <= noise * (1 + 1e-9) < noise_of(0.997 * found)
        assert found <= n * (1 + 1e-3)
    assert invert_relative_noise(mechanism, problem, budget)(1e-16) is None


@pytest.mark.parametrize("key", ["gaussian", "local_gaussian"])
def test_closed_forms_as_by_bisection(key):
    problem, budget, noise = single_spike(6, 0.2), Budget(0.7, 1e-5), 0.003
    low, high = 0.0, log(1e12)
    while high - low > 1e-9:
        middle = (low + high) / 2
        found = MECHANISMS[key].relative_noise(problem.scaled(exp(middle)), budget)
        low, high = (low, middle) if found <= noise else (middle, high)
    assert invert_relative_noise(MECHANISMS[key], problem, budget)(noise) == pytest.approx(
        exp(high), rel=1e-8
    )


def test_no_people_for_a_noise_that_is_not_one_number():
    problem = single_spike(6, 0.2)
    assert invert_relative_noise(MECHANISMS["gap_release"], problem, Budget(1.0, 1e-6))(0.1) is None
    assert invert_relative_noise(MECHANISMS["gaussian"], problem, Budget(1.0))(0.1) is None
