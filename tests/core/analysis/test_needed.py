"""How many people are needed, and which ε: against tables whose answer is known, and releases."""

from math import inf, nan

import numpy as np
import pytest
from scipy.stats import beta, binom

from dpca_core import MECHANISMS, Adjacency, Budget, InfeasibleBudget, Problem
from dpca_core.analysis.expected_spectrum import expected_spectrum
from dpca_core.analysis.needed import (
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

BUDGET = Budget(1.0, 1e-6)
SPIKED = Problem.from_moment(np.diag([900.0, 600.0, 300.0, 120.0, 60.0]), 2000, 2)

# --- The ε needed ---


def smallest(shares: list[float], trials: int) -> EpsilonNeeded:
    """The ε needed for a captured share of .9; all releases at an ε capture the same."""
    captured = np.repeat(np.array(shares)[:, None], trials, axis=1)
    return smallest_epsilon((0.1, 1.0, 10.0), captured, 0.9)


@pytest.mark.parametrize(
    ("shares", "few", "enough"),
    [
        ([0.4, 0.8, 1.0], 3.2, 10.0),
        ([0.9, 0.9, 0.9], 0.1, 0.1),
        ([0.95, 0.5, 1.0], 6.4, 10.0),
        ([0.4, nan, 0.95], 8.9, 10.0),
        ([0.4, 0.8, 0.89], None, None),
    ],
)
def test_few_releases_give_an_estimate_and_29_a_stop_with_confidence(shares, few, enough):
    """0.9 is half way from 0.8 to 1 between ε = 1 and 10: 10^0.5 = 3.162…, rounded up."""
    assert smallest(shares, 28) == EpsilonNeeded(few, False, few, 28)
    assert smallest(shares, 29) == EpsilonNeeded(enough, True, few, 29)


def test_an_estimate_stands_beside_the_certain_answer():
    found = smallest([0.4, 0.8, 1.0], 29)
    assert (found.is_sure_at(3.2), found.is_estimated_at(3.2)) == (False, True)
    assert (found.is_sure_at(10.0), found.is_estimated_at(3.1)) == (True, False)
    assert found.stated is found
    assert found.as_estimate.stated.epsilon == 3.2
    assert not found.as_estimate.is_sure_at(10.0)


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize("trials", [200, 29])
@pytest.mark.parametrize(
    "truth", [[0.895] * 27 + [0.99] * 4, [0.97, 0.89] * 13 + [0.895, 0.98, 0.96, 1, 1]]
)
def test_nine_of_ten_releases_keep_the_target_at_the_answer(truth, trials):
    """In 95 % of 1500 studies, the whole search included; refusals miss.

    A study is wrong where it accepts the first stop below .9, which is .895: at 200 trials with
    probability P(Bin(200, .105) ≤ 12) = .019, at fewer with less, since the stops above it must be
    passed as well. More than 75 of 1500 are wrong in 10⁻¹³ of runs with a fresh seed.
    """
    rng, share, found = np.random.default_rng([21, trials]), np.array(truth), []
    for _ in range(1500):
        kept = rng.random((len(share), trials)) < share[:, None]
        missed = rng.choice([0.5, nan], size=kept.shape)
        captured = np.where(kept, 0.95, missed)
        found.append(smallest_epsilon(range(1, 32), captured, 0.9).epsilon)
    answers = [int(epsilon) for epsilon in found if epsilon is not None]
    assert (share[np.array(answers) - 1] < 0.9).sum() <= 75
    if trials == 200:
        assert len(answers) >= 1425


# --- The people needed where an ε is ---


def needed(key: str, budget: Budget, known: EpsilonNeeded | None) -> PeopleNeeded:
    return people_needed(
        MECHANISMS[key], SPIKED, budget, epsilon_needed=known, target=0.9, trials=200
    )


@pytest.mark.parametrize("key", ["gaussian", "laplace", "wishart_difference"])
def test_people_needed_by_rescaling_is_what_releases_say(key):
    """At the n found, noise over n equals that at the ε needed: same draws, same captured share."""
    budget, enough = Budget(0.02, 1e-6), Budget(0.5, 1e-6)
    found = needed(key, budget, EpsilonNeeded(0.5, True))
    assert found.certain
    assert needed(key, budget, EpsilonNeeded(0.5, False)) == PeopleNeeded(found.n, False)
    assert needed(key, enough, EpsilonNeeded(0.5, True)).n == SPIKED.n
    kept = []
    for problem, at in ((SPIKED.scaled(found.n), budget), (SPIKED, enough)):
        bases = MECHANISMS[key].release(problem, at, np.random.default_rng(0), 200).bases
        kept.append(quality(problem, bases).captured)
    np.testing.assert_allclose(*kept, atol=1e-8)


@pytest.mark.chance(1e-7)
def test_people_needed_where_the_mechanism_may_refuse():
    """Gap release: nearly all releases keep the target at 1.3·n, hardly any at 0.7·n.

    n is read from 200 trials, at which 0.876 of all keep it; 0.02 do at 0.7·n.
    """
    budget = Budget(0.3, 1e-6)
    found = needed("gap_release", budget, None)
    assert not found.certain, "counted on scaled spectra: an estimate"

    def kept(n):
        scaled = SPIKED.scaled(n)
        release = MECHANISMS["gap_release"].release(scaled, budget, np.random.default_rng(5), 400)
        return np.mean(np.nan_to_num(quality(scaled, release.bases).captured) >= 0.9)

    assert kept(0.7 * found.n) < 0.5
    assert kept(1.3 * found.n) > 0.9


def test_where_no_number_of_people_helps_there_is_none():
    """Neither for a random subspace nor without a feasible budget nor without an ε."""
    for key, budget, known in (
        ("random_projection", BUDGET, None),
        ("gaussian", Budget(1.0), EpsilonNeeded(0.5, True)),
        ("gaussian", BUDGET, EpsilonNeeded(None, True)),
    ):
        assert needed(key, budget, known) == PeopleNeeded(None, certain=False)


# --- The people needed for an aim: tables whose answer is known ---


def read(people: Array, losses: Array, share: float = 0.9) -> Needed:
    """People needed for a loss of at most .1, where noise is one over people; losses (G, T)."""
    return NoiseTable(1 / people, losses, losses).needed(
        Aim("sin", 0.1, share), lambda noise: 1 / noise
    )


@pytest.mark.parametrize(
    ("losses", "n"),
    [
        ([0.9, 0.5, 0.2, 0.2], None),
        ([inf, inf, inf, inf], None),
        ([0.05, 0.01, 0.0, 0.0], 10),
        ([inf, 0.1, 0.01, 0.0], 100),
        ([0.9, 0.05, 0.8, 0.05], pytest.approx(1000 * 10**0.75, rel=1e-12)),
        ([0.2, 0.0, 0.0, 0.0], pytest.approx(10, rel=0.1)),
    ],
)
def test_an_aim_is_met_from_the_last_miss_on(losses, n):
    """0.1 is three quarters of the way from 0.8 to 0.05 in logarithms."""
    found = read(np.array([10.0, 100, 1000, 10_000]), np.tile(np.array(losses)[:, None], 100))
    assert (found.n, found.low, found.high) == (n, n, n)


@pytest.mark.parametrize(("trials", "share"), [(100, 0.9), (20, 0.5), (100, 0.75), (200, 0.95)])
def test_the_interval_holds_the_truth_in_95_percent_of_samples(trials, share):
    """Release r of T, in order, needs r people: at most 2.5 % of samples fall short on each side.

    So it is where the r-th is above the quantile of all, or fewer than r are below it.
    """
    people = np.geomspace(0.1, 1e4, 4)
    losses = np.random.default_rng(1).permutation(np.arange(1, trials + 1)) / 10
    found = read(people, losses / people[:, None], share)
    low, n, high = (round(number) for number in (found.low, found.n, found.high))
    assert n == pytest.approx(share * trials)
    assert binom.cdf(low - 1, trials, share) <= 0.025 < binom.cdf(low, trials, share)
    assert binom.sf(high - 1, trials, share) <= 0.025 < binom.sf(high - 2, trials, share)


# --- Measured ---

SPIKE = Problem.from_moment(np.diag([0.37] + [0.07] * 9) * 1e6, 1e6, 1)
AIM = Aim("sin", (1 - 0.9**2) ** 0.5, 0.9)


def measured(key: str, budget: Budget, trials: int = 100) -> tuple[NoiseTable, Needed]:
    """A table, and the people needed to come within 26° of a direction in 9 of 10 releases."""
    *_, table = measure(MECHANISMS[key], SPIKE, budget, 0, trials)
    return table, table.needed(AIM, people_at(MECHANISMS[key], SPIKE, budget))


@pytest.mark.chance(1e-7)
@pytest.mark.parametrize(
    "key", sampled(["gaussian", "smooth_gaussian", "power_pure"], 3, "the same law again")
)
def test_independent_releases_reach_the_aim_at_the_size_measured(key):
    """The share that reaches the aim at the n measured has the law Beta(900, 101).

    It lies between the 2.5·10⁻⁸ and 1 − 2.5·10⁻⁸ points, give or take 0.024 for the share of 5000
    releases (5.6 standard deviations). A size 1.4 times too small or twice too large is told.
    """

    def share_met(n):
        scaled, rng = SPIKE.scaled(n), np.random.default_rng([7, int(n)])
        bases = MECHANISMS[key].release(scaled, BUDGET, rng, 5000).bases
        return (quality(scaled, bases).sin_theta <= AIM.most).mean()

    found = measured(key, BUDGET, 1000)[1].n
    low, high = beta.ppf([2.5e-8, 1 - 2.5e-8], 900, 101) + np.array([-0.024, 0.024])
    assert share_met(found / 1.4) < low <= share_met(found) <= high < share_met(found * 2)


def test_a_better_table_each_time():
    """First coarse with few trials, then the trials of one grid, which are those of the streams."""
    gaussian = MECHANISMS["gaussian"]
    first, *tables = measure(gaussian, SPIKE, BUDGET, 3, trials=25)
    tables = [table for table in tables if table is not None]
    assert first is None
    assert [table.trials for table in tables] == [8, 9, 12, 15, 18, 21, 24, 25]
    for table in tables[1:]:
        np.testing.assert_array_equal(table.noise, tables[1].noise)
        np.testing.assert_array_equal(table.sin, tables[-1].sin[:, : table.trials])
    scaled = SPIKE.scaled(gaussian.calibrate(SPIKE, BUDGET).scale / table.noise[12])
    own = gaussian.release(scaled, BUDGET, trial_generator(3, "gaussian", 17), 1)
    captured, _, sine = quality(scaled, own.bases)
    found = [table.sin[12, 17], table.captured[12, 17]]
    np.testing.assert_allclose(found, [sine[0], 1 - captured[0]], rtol=1e-6)


def test_refusals_are_losses_and_what_learns_nothing_needs_more_than_all():
    table, found = measured("gap_release", BUDGET)
    assert np.isinf(table.sin).any()
    half = SPIKE.scaled(found.n / 2)
    fewer = MECHANISMS["gap_release"].release(half, BUDGET, np.random.default_rng(8), 400)
    assert fewer.refused.mean() > 0.1
    assert measured("random_projection", BUDGET)[1] == Needed(None, None, None)
    with pytest.raises(InfeasibleBudget, match="δ"):
        measured("gaussian", Budget(1.0))


@pytest.mark.parametrize("adjacency", Adjacency)
@pytest.mark.parametrize(
    "key", ["gaussian", "smooth_gaussian", "local_gaussian", "power", "laplace", "ppca"]
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
        found = at(noise_of(n))
        assert noise_of(found) <= noise_of(n) * (1 + 1e-9) < noise_of(0.997 * found)
        assert found <= n * (1 + 1e-3)
    assert at(1e-16) is None
    assert at(1e6) == pytest.approx(1, rel=1e-3), "nobody is no answer"


# --- The people that a plan needs ---


def planned(releases: PlannedReleases, budget: Budget, goal: Goal) -> tuple[int, int | None]:
    """Count the steps of a search, and return them with its answer."""
    answers = []

    def search():
        answers.append((yield from steps_to_people(releases, budget, goal)))

    return len(list(search())), answers[0]


@pytest.mark.parametrize("goal", Goal)
def test_the_search_finds_what_a_scan_finds(goal):
    """And asks nothing that is known already."""
    releases, own = (
        PlannedReleases(DEFAULT, expected_spectrum((0.5, 0.2), 5), 2) for _ in range(2)
    )
    for fewest in ROUND_PEOPLE:
        noise = releases.scale(BUDGET) / fewest
        assert list(releases.steps_at(noise))
        if goal in releases.at(noise).reached:
            break
    assert planned(own, BUDGET, goal) == (pytest.approx(5, abs=2), fewest)
    assert planned(releases, BUDGET, goal) == (0, fewest)


def test_people_are_round_numbers_up_to_ten_million():
    assert ROUND_PEOPLE[:9] == (1, 2, 3, 5, 7, 10, 15, 20, 30)
    assert ROUND_PEOPLE[-1] == 10_000_000
    assert (np.diff(ROUND_PEOPLE) > 0).all()
    close = PlannedReleases(DEFAULT, expected_spectrum((0.3000001, 0.3), 4), 1)
    assert planned(close, Budget(0.01, 1e-6), Goal.ALL)[1] is None
