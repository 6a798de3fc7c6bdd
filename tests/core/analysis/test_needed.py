"""How many people are needed, and which ε: against tables whose answer is known, and releases.

How often the ε needed is right is in test_order_statistics.py.
"""

from functools import cache
from itertools import product
from math import exp, inf, sqrt

import numpy as np
import pytest
from scipy.stats import beta, binom, norm

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget, Problem
from dpca_core.analysis.expected_spectrum import expected_spectrum
from dpca_core.analysis.needed import (
    FEW,
    MOST_NEEDED,
    ROUND_PEOPLE,
    Aim,
    EpsilonNeeded,
    Needed,
    NoiseTable,
    PeopleNeeded,
    measure,
    noise_over_people,
    people_at,
    people_needed,
    smallest_epsilon,
    steps_to_people,
)
from dpca_core.analysis.reliability import Goal, PlannedReleases
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.metrics import quality
from dpca_core.simulation.draws import trial_generator
from tests.cases import sampled

EPSILONS = (0.1, 1.0, 10.0)
BUDGET, AIM = Budget(1.0, 1e-6), Aim("sin", sqrt(1 - 0.9**2), 0.9)
SPIKED = Problem.from_moment(np.diag([900.0, 600.0, 300.0, 120.0, 60.0]), 2000, 2)
SPIKE = Problem.from_moment(np.diag([0.37] + [0.07] * 9) * 1e6, 1e6, 1)

# --- The ε needed ---


def captured(shares: list[float], trials: int) -> Array:
    return np.repeat(np.array(shares)[:, None], trials, axis=1)


@pytest.mark.parametrize(
    ("trials", "target", "epsilon", "certain"),
    [(28, 0.9, 3.2, False), (29, 0.9, 10.0, True)]
    + [(trials, 0.3, 0.1, trials > 28) for trials in (28, 29)]
    + [(trials, 1.01, None, trials > 28) for trials in (28, 29)],
)
def test_few_releases_give_an_estimate_and_29_a_stop_with_confidence(
    trials: int, target: float, epsilon: float | None, certain: bool
) -> None:
    """0.9 is half way from 0.8 to 1 between ε = 1 and 10: 10^0.5 = 3.162…"""
    found = smallest_epsilon(EPSILONS, captured([0.4, 0.8, 1.0], trials), target)
    assert (found.epsilon, found.certain, found.releases) == (epsilon, certain, trials)


@pytest.mark.parametrize(("trials", "missed"), [(29, 0), (60, 1), (200, 12)])
def test_so_many_releases_may_miss(trials: int, missed: int) -> None:
    """Of 200 not 20, which is 9 of 10 of the sample, but 12."""
    shares = captured([0.0, 0.95, 0.95], trials)
    shares[1, :missed] = 0.89
    assert smallest_epsilon(EPSILONS, shares, 0.9).epsilon == 1.0
    shares[1, missed] = np.nan
    assert smallest_epsilon(EPSILONS, shares, 0.9).epsilon == 10.0


def test_an_estimate_stands_beside_the_certain_answer() -> None:
    """13 of 200 miss at 1: the sample keeps it in 9 of 10 there, but that is not certain."""
    shares = captured([0.5, 1.0, 1.0], 200)
    shares[1, :13] = 0.5
    found = smallest_epsilon(EPSILONS, shares, 0.9)
    assert (found.epsilon, found.certain) == (10.0, True)
    assert found.estimate is not None
    assert 0.1 < found.estimate <= 1.0
    assert (found.is_sure_at(1.0), found.is_estimated_at(1.0)) == (False, True)
    assert (found.is_sure_at(10.0), found.is_estimated_at(10.0)) == (True, True)
    assert found.stated is found
    assert found.as_estimate.stated.epsilon == found.estimate
    assert not found.as_estimate.is_sure_at(10.0)


@pytest.mark.parametrize("trials", [20, 40])
def test_a_dip_after_the_target_and_refusals_count_as_misses(trials: int) -> None:
    refused = np.ones((3, trials))
    refused[:2, : trials * 3 // 20] = np.nan  # 15 % refused: not 9 of 10
    for shares in (captured([0.95, 0.5, 1.0], trials), refused):
        assert (smallest_epsilon(EPSILONS, shares, 0.9).epsilon or 0) > 1


# --- The people needed where an ε is ---


def needed(
    key: str, budget: Budget, epsilon: float | None, *, certain: bool = True, **more: int
) -> PeopleNeeded:
    known = EpsilonNeeded(epsilon, certain)
    return people_needed(MECHANISMS[key], SPIKED, budget, epsilon_needed=known, target=0.9, **more)


@pytest.mark.parametrize("key", ["gaussian", "laplace", "wishart_difference"])
def test_people_needed_by_rescaling_is_what_releases_say(key: str) -> None:
    """At the n found, noise over n equals that at the ε needed: same draws, same captured share."""
    budget, enough = Budget(0.02, 1e-6), Budget(0.5, 1e-6)
    found, guess = (needed(key, budget, 0.5, certain=certain) for certain in (True, False))
    assert (found.certain, guess.certain) == (True, False), "as the ε it follows from"
    assert found.n == guess.n
    assert found.n is not None
    assert found.n > SPIKED.n
    scaled = SPIKED.scaled(found.n)
    there = MECHANISMS[key].release(scaled, budget, np.random.default_rng(0), 200).bases
    here = MECHANISMS[key].release(SPIKED, enough, np.random.default_rng(0), 200).bases
    np.testing.assert_allclose(
        quality(scaled, there).captured, quality(SPIKED, here).captured, atol=1e-8
    )
    assert needed(key, enough, 0.5).n == SPIKED.n


@pytest.mark.chance(1e-7)
def test_people_needed_where_the_mechanism_may_refuse() -> None:
    """Gap release: nearly all releases keep the target at 1.3·n, hardly any at 0.7·n.

    n is read from 200 trials, at which 0.876 of all keep it; 0.02 do at 0.7·n.
    """
    budget = Budget(0.3, 1e-6)
    found = needed("gap_release", budget, 1.0, trials=200)
    assert not found.certain, "counted on scaled spectra: an estimate"
    assert found.n is not None
    kept = []
    for factor in (0.7, 1.3):
        scaled = SPIKED.scaled(found.n * factor)
        release = MECHANISMS["gap_release"].release(scaled, budget, np.random.default_rng(5), 400)
        kept.append(np.mean(np.nan_to_num(quality(scaled, release.bases).captured) >= 0.9))
    assert kept[0] < 0.5
    assert kept[1] > 0.9


def test_where_no_number_of_people_helps_there_is_none() -> None:
    """Neither for a random subspace nor without a feasible budget nor without an ε."""
    assert needed("random_projection", BUDGET, None).n is None
    assert needed("gaussian", Budget(1.0), 0.5) == PeopleNeeded(None, certain=False)
    assert needed("gaussian", Budget(0.02, 1e-6), None).n is None


# --- The people needed for an aim: tables whose answer is known ---


def read(people, losses, most=0.1, share=0.9) -> Needed:
    """People needed by losses (G,) of every release, or (G, T), where noise is one over people."""
    people, losses = np.array(people, dtype=float), np.asarray(losses, dtype=float)
    losses = np.repeat(losses[:, None], 100, axis=1) if losses.ndim == 1 else losses
    return NoiseTable(1 / people, losses, losses).needed(
        Aim("sin", most, share), lambda noise: 1 / noise
    )


@pytest.mark.parametrize("power", [0.25, 3.0])
@pytest.mark.parametrize("most", [0.02, 0.7])
def test_a_power_law_is_read_exactly(power, most):
    """loss = (n/200)^{−p}: the aim is met from 200·most^{−1/p} on."""
    n = 200 * most ** (-1 / power)
    people = np.geomspace(n / 7, n * 11, 5)
    found = read(people, (people / 200) ** -power, most)
    assert (found.n, found.low, found.high) == pytest.approx((n, n, n), rel=1e-12)


@pytest.mark.parametrize(
    ("losses", "n"),
    [
        ([0.9, 0.5, 0.2, 0.2], None),
        ([inf, inf, inf, inf], None),
        ([0.05, 0.01, 0.0, 0.0], 10),
        ([inf, 0.05, 0.01, 0.0], 100),
        ([0.9, 0.05, 0.4, 0.025], pytest.approx(1000 * sqrt(10), rel=1e-12)),
        ([0.2, 0.0, 0.0, 0.0], pytest.approx(10, rel=0.1)),
    ],
    ids=["never met", "refused", "always met", "after refusals", "after a dip", "no loss at all"],
)
def test_an_aim_is_met_from_the_last_miss_on(losses, n):
    """0.1 is half way from 0.4 to 0.025 in logarithms: 10³·√10."""
    found = read([10, 100, 1000, 10_000], losses)
    assert (found.n, found.low, found.high) == (n, n, n)


def test_a_refused_release_misses_the_aim():
    """9 of 10 releases are enough; 12 of 100 refused are too many, 10 are not."""
    for refused, n in ((10, 10.0), (12, 100.0)):
        losses = np.zeros((2, 100))
        losses[0, :refused] = inf
        assert read([10, 100], losses).n == n


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
        found = read(people, np.exp(rng.standard_normal(trials)) / people[:, None], 0.1, share)
        assert found.low <= found.n <= found.high
        held += found.low <= truth <= found.high
    first, last = binom.ppf([0.025, 0.975], trials, share)
    often = binom.cdf(last, trials, share) - binom.cdf(first - 1, trials, share)
    assert often >= 0.95
    low, high = binom.ppf([5e-8, 1 - 5e-8], tables, often)
    assert low <= held <= high


# --- Measured ---


@cache
def measured(key: str, budget: Budget, trials: int = 100) -> NoiseTable:
    *_, table = measure(MECHANISMS[key], SPIKE, budget, 0, trials)
    return table


def people(key: str, there: Budget, measured_at: Budget = BUDGET, trials: int = 100) -> Needed:
    at = people_at(MECHANISMS[key], SPIKE, there)
    return measured(key, measured_at, trials).needed(AIM, at)


def share_met(key: str, n: float, releases: int = 5000) -> float:
    """Share of fresh, independent releases with sin Θ as small as the aim."""
    scaled = SPIKE.scaled(n)
    rng = np.random.default_rng([7, int(n)])
    bases = MECHANISMS[key].release(scaled, BUDGET, rng, releases).bases
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
    found = people(key, BUDGET, trials=1000).n
    low, high = beta.ppf([2.5e-8, 1 - 2.5e-8], 900, 101) + np.array([-0.024, 0.024])
    assert low <= share_met(key, found) <= high
    assert share_met(key, found / 1.4) < low
    assert share_met(key, found * 2) > high


def test_a_better_table_each_time():
    """First coarse with few trials, then the trials of one grid, which are those of the streams."""
    gaussian = MECHANISMS["gaussian"]
    steps = list(measure(gaussian, SPIKE, BUDGET, 3, trials=25))
    tables = [step for step in steps if step is not None]
    assert steps[0] is None
    assert [table.trials for table in tables] == [FEW, 9, 12, 15, 18, 21, 24, 25]
    for table in tables[1:]:
        np.testing.assert_array_equal(table.noise, tables[1].noise)
        np.testing.assert_array_equal(table.sin, tables[-1].sin[:, : table.trials])
    scaled = SPIKE.scaled(gaussian.calibrate(SPIKE, BUDGET).scale / tables[-1].noise[12])
    own = gaussian.release(scaled, BUDGET, trial_generator(3, "gaussian", 17), 1)
    found = quality(scaled, own.bases)
    assert tables[-1].sin[12, 17] == pytest.approx(found.sin_theta[0], rel=1e-6)
    assert tables[-1].captured[12, 17] == pytest.approx(1 - found.captured[0], rel=1e-6)


def test_refusals_are_losses_and_what_learns_nothing_needs_more_than_all():
    assert np.isinf(measured("gap_release", BUDGET).sin).any()
    fewer = MECHANISMS["gap_release"].release(
        SPIKE.scaled(0.5 * people("gap_release", BUDGET).n), BUDGET, np.random.default_rng(8), 400
    )
    assert fewer.refused.mean() > 0.1
    assert people("random_projection", BUDGET) == Needed(None, None, None)
    with pytest.raises(InfeasibleBudget, match="δ"):
        measured("gaussian", Budget(1.0))


ONE_NUMBER = ["gaussian", "smooth_gaussian", "local_gaussian", "power", "laplace", "ppca"]


@pytest.mark.parametrize("key", sampled(ONE_NUMBER, 3, "the same rule for other noise"))
def test_a_table_answers_for_another_budget(key):
    """Within 3 % of measuring there: the same random numbers on another grid, no statistics."""
    there = Budget(0.3, 1e-5, Adjacency.REPLACE_ONE)
    assert people(key, there).n > 1.5 * people(key, BUDGET).n
    assert people(key, there).n == pytest.approx(people(key, there, there).n, rel=0.03)


@pytest.mark.parametrize(
    ("key", "adjacency"), sampled(product(ONE_NUMBER, Adjacency), 3, "the same rule again")
)
def test_people_at_a_noise_are_the_fewest(key, adjacency):
    """So much noise there, more at 0.3 % less: the bisection's 0.1 % and a step of smooth bounds.

    They are flat while the gap passes from one number of people to the next.
    """
    problem = Problem.from_moment(np.diag([1 / 3] + [2 / 15] * 5) * 1e6, 1e6, 1)
    budget = Budget(0.7, 1e-5, adjacency)

    def noise_of(n):
        return noise_over_people(MECHANISMS[key], problem.scaled(n), budget)

    at = people_at(MECHANISMS[key], problem, budget)
    for n in (8e3, 1e5, 3e6):
        noise = noise_of(n)
        found = at(noise)
        assert noise_of(found) <= noise * (1 + 1e-9) < noise_of(0.997 * found)
        assert found <= n * (1 + 1e-3)
    assert at(1e-16) is None
    assert at(1e6) == pytest.approx(1, rel=1e-3), "nobody is no answer"


def test_local_noise_grows_with_the_people():
    """√n reports of τ = 5.9746 (ε = 1, δ = 10⁻⁶, replace one: √2 of a person added)."""
    thousand = Problem.from_spectrum(np.full(20, 50.0), 1000, 1)
    found = noise_over_people(MECHANISMS["local_gaussian"], thousand, BUDGET)
    assert found == pytest.approx(5.9746 / 1000**0.5, rel=1e-4)


# --- The people that a plan needs ---

SHARES = expected_spectrum((0.5, 0.2), 5)


def planned(shares: Array, k: int, budget: Budget, goal: Goal) -> int | None:
    steps = steps_to_people(PlannedReleases(DEFAULT, shares, k), budget, goal)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


@pytest.mark.parametrize("goal", Goal)
def test_the_search_finds_what_a_scan_finds(goal: Goal) -> None:
    """And asks nothing that is known already."""
    releases = PlannedReleases(DEFAULT, SHARES, 2)
    for fewest in ROUND_PEOPLE:
        noise = releases.scale(BUDGET) / fewest
        assert list(releases.steps_at(noise))
        plan = releases.at(noise)
        assert plan is not None
        if goal in plan.reached:
            break
    assert planned(SHARES, 2, BUDGET, goal) == fewest
    assert list(steps_to_people(releases, BUDGET, goal)) == []


def test_people_are_round_numbers_up_to_ten_million() -> None:
    assert ROUND_PEOPLE[:9] == (1, 2, 3, 5, 7, 10, 15, 20, 30)
    assert ROUND_PEOPLE[-1] == MOST_NEEDED == 10_000_000
    assert (np.diff(ROUND_PEOPLE) > 0).all()
    close = expected_spectrum((0.3000001, 0.3), 4)
    assert planned(close, 1, Budget(0.01, 1e-6), Goal.ALL) is None
