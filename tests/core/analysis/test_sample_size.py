"""People needed: read from tables whose answer is known, and measured."""

from functools import cache
from itertools import product
from math import exp, inf, sqrt

import numpy as np
import pytest
from scipy.stats import beta, binom, norm

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget
from dpca_core.analysis.sample_size import (
    COARSE,
    FEW,
    GRID,
    Aim,
    Needed,
    Table,
    invert_relative_noise,
    measure,
    relative_noise_at,
    single_spike,
)
from dpca_core.metrics import quality
from dpca_core.simulation.draws import trial_generator
from tests.cases import sampled

AIM = Aim.correlation(0.9, 0.9)
BUDGET = Budget(1.0, 1e-6)

# --- Tables whose answer is known ---


def table(people, losses, relative=None):
    """A table whose two losses are the same, (G,) for all trials or (G, T)."""
    losses = np.asarray(losses, dtype=float)
    losses = np.repeat(losses[:, None], 100, axis=1) if losses.ndim == 1 else losses
    return Table(np.array(people, dtype=float), losses, losses, relative)


def needed(people, losses, most=0.1):
    return table(people, losses).needed(Aim("sin", most, 0.9))


@pytest.mark.parametrize("power", [0.25, 3.0])
@pytest.mark.parametrize("most", [0.02, 0.7])
def test_a_power_law_is_read_exactly(power, most):
    """loss = (n/200)^{−p}: the aim is met from 200·most^{−1/p} on."""
    n = 200 * most ** (-1 / power)
    people = np.geomspace(n / 7, n * 11, 5)
    found = needed(people, (people / 200) ** -power, most)
    assert (found.n, found.low, found.high) == pytest.approx((n, n, n), rel=1e-12)


@pytest.mark.parametrize(
    ("losses", "n"),
    [
        ([0.9, 0.5, 0.2], None),
        ([inf, inf, inf], None),
        ([0.05, 0.01, 0.0], 10),
        ([inf, 0.05, 0.01], 100),
    ],
)
def test_an_aim_never_met_always_met_and_met_after_refusals(losses, n):
    assert needed([10, 100, 1000], losses) == Needed(n, n, n)


def test_a_miss_after_the_aim_was_met_counts_and_no_loss_is_a_small_one():
    """0.1 is half way from 0.4 to 0.025 in logarithms: 10³·√10."""
    found = needed([10, 100, 1000, 10_000], [0.9, 0.05, 0.4, 0.025])
    assert found.n == pytest.approx(1000 * sqrt(10), rel=1e-12)
    assert 10 < needed([10, 100], [0.2, 0.0]).n < 11


def test_a_refused_release_misses_the_aim():
    """9 of 10 releases are enough; 12 of 100 refused are too many, 10 are not."""
    for refused, n in ((10, 10.0), (12, 100.0)):
        losses = np.zeros((2, 100))
        losses[0, :refused] = inf
        assert needed([10, 100], losses).n == n


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize(
    ("trials", "share"),
    sampled([(100, 0.9), (20, 0.5), (100, 0.75), (200, 0.95)], 4, "the same law of order"),
)
def test_the_interval_holds_the_truth_as_often_as_order_statistics_say(trials, share):
    """5000 tables of loss z/n with ln z standard normal: the truth is e^q/most, q the quantile.

    How often it is held is binomial with a known probability, at least 0.95: its 10⁻⁷ limits.
    """
    rng, tables = np.random.default_rng(1), 5000
    truth = exp(norm.ppf(share)) / 0.1
    people = truth * np.geomspace(1e-3, 1e3, 4)
    held = 0
    for _ in range(tables):
        losses = np.exp(rng.standard_normal(trials)) / people[:, None]
        found = table(people, losses).needed(Aim("sin", 0.1, share))
        assert found.low <= found.n <= found.high
        held += found.low <= truth <= found.high
    first, last = binom.ppf([0.025, 0.975], trials, share)
    often = binom.cdf(last, trials, share) - binom.cdf(first - 1, trials, share)
    assert often >= 0.95
    low, high = binom.ppf([5e-8, 1 - 5e-8], tables, often)
    assert low <= held <= high


# --- Measured ---


@cache
def measured(key, budget, trials=100):
    problem = single_spike(10, 0.3)
    return list(measure(MECHANISMS[key], lambda n: (problem.scaled(n), budget), 0, trials=trials))[
        -1
    ]


def share_met(key, budget, n, releases=5000):
    """Share of fresh, independent releases with sin Θ as small as the aim."""
    scaled = single_spike(10, 0.3).scaled(n)
    rng = np.random.default_rng([7, int(n)])
    bases = MECHANISMS[key].release(scaled, budget, rng, releases).bases
    return (quality(scaled, bases).sin_theta <= AIM.most).mean()


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize(
    "key", sampled(["gaussian", "smooth_gaussian", "power_pure"], 3, "the same law again")
)
def test_independent_releases_reach_the_aim_at_the_size_measured(key):
    """The share that reaches the aim at the n measured has the law Beta(900, 101).

    It lies between the 2.5·10⁻⁸ and 1 − 2.5·10⁻⁸ points, give or take 0.024 for the share of 5000
    releases (5.6 standard deviations). A size 1.4 times too small or twice too large is told.
    """
    trials = 1000
    found = measured(key, BUDGET, trials).needed(AIM).n
    low, high = beta.ppf([2.5e-8, 1 - 2.5e-8], 900, trials + 1 - 900) + np.array([-0.024, 0.024])
    assert low <= share_met(key, BUDGET, found) <= high
    assert share_met(key, BUDGET, found / 1.4) < low
    assert share_met(key, BUDGET, found * 2) > high


def test_a_better_table_each_time():
    """First coarse with few trials, then the trials of one grid, which are those of the streams."""
    problem, gaussian = single_spike(5, 0.3), MECHANISMS["gaussian"]
    in_between = list(measure(gaussian, lambda n: (problem.scaled(n), BUDGET), 3, trials=25))
    steps = [step for step in in_between if step is not None]
    assert len(in_between) > 2 * len(steps)
    assert [step.trials for step in steps] == [FEW, 10, 20, 25]
    assert tuple(steps[0].people) == COARSE
    assert len(steps[1].people) == GRID
    for step in steps[1:]:
        np.testing.assert_array_equal(step.people, steps[1].people)
        np.testing.assert_array_equal(step.sin, steps[-1].sin[:, : step.trials])
    scaled = problem.scaled(steps[-1].people[12])
    own = gaussian.release(scaled, BUDGET, trial_generator(3, "gaussian", 17), 1)
    found = quality(scaled, own.bases)
    assert steps[-1].sin[12, 17] == pytest.approx(found.sin_theta[0], rel=1e-6)
    assert steps[-1].captured[12, 17] == pytest.approx(1 - found.captured[0], rel=1e-6)


def test_refusals_are_losses_and_what_learns_nothing_needs_more_than_all():
    found = measured("gap_release", BUDGET)
    assert np.isinf(found.sin).any()
    assert found.relative is None
    fewer = MECHANISMS["gap_release"].release(
        single_spike(10, 0.3).scaled(0.5 * found.needed(AIM).n),
        BUDGET,
        np.random.default_rng(8),
        400,
    )
    assert fewer.refused.mean() > 0.1
    assert measured("random_projection", BUDGET).needed(AIM) == Needed(None, None, None)
    with pytest.raises(InfeasibleBudget, match="δ"):
        measured("gaussian", Budget(1.0))


ONE_NUMBER = ["gaussian", "smooth_gaussian", "local_gaussian", "power", "laplace", "ppca"]


@pytest.mark.parametrize("key", sampled(ONE_NUMBER, 3, "the same rule for other noise"))
def test_a_table_answers_for_another_budget(key):
    """Within 3 % of measuring there: the same random numbers on another grid, no statistics."""
    there = Budget(0.3, 1e-5, Adjacency.REPLACE_ONE)
    first = measured(key, BUDGET)
    inverse = invert_relative_noise(MECHANISMS[key], single_spike(10, 0.3), there)
    carried = first.needed(AIM).moved(lambda n: inverse(relative_noise_at(first, n)))
    assert carried.n > 1.5 * first.needed(AIM).n
    assert carried.n == pytest.approx(measured(key, there).needed(AIM).n, rel=0.03)


@pytest.mark.parametrize(
    ("key", "adjacency"), sampled(product(ONE_NUMBER, Adjacency), 3, "the same rule again")
)
def test_people_at_a_noise_are_the_fewest(key, adjacency):
    """So much noise there, more at 0.3 % less: the bisection's 0.1 % and a step of smooth bounds.

    They are flat while the gap passes from one number of people to the next.
    """
    problem, budget = single_spike(6, 0.2), Budget(0.7, 1e-5, adjacency)
    mechanism = MECHANISMS[key]

    def noise_of(n):
        return mechanism.relative_noise(problem.scaled(n), budget)

    inverse = invert_relative_noise(mechanism, problem, budget)
    for n in (8e3, 1e5, 3e6):
        noise = noise_of(n)
        found = inverse(noise)
        assert noise_of(found) <= noise * (1 + 1e-9) < noise_of(0.997 * found)
        assert found <= n * (1 + 1e-3)
    assert inverse(1e-16) is None
    assert invert_relative_noise(MECHANISMS["gap_release"], problem, BUDGET)(0.1) is None
