"""How many people are needed, and which ε: against tables whose answer is known, and releases."""

from math import inf, nan

import numpy as np
import pytest
from scipy.stats import binom

from dpca_core import MECHANISMS, Budget, Problem
from dpca_core.analysis import needed as search
from dpca_core.analysis.expected_spectrum import expected_spectrum
from dpca_core.analysis.needed import Aim, EpsilonNeeded, PeopleNeeded, measure, smallest_epsilon
from dpca_core.analysis.reliability import Goal, PlannedReleases
from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.metrics import quality
from dpca_core.simulation.trials import trial_generator

BUDGET = Budget(1.0, 1e-6)
SPIKED = Problem.from_moment(np.diag([900.0, 600.0, 300.0, 120.0, 60.0]), 2000, 2)

STOPS = (0.2, 2.0, 20.0)


@pytest.mark.parametrize(
    ("shares", "few", "enough"),
    [
        ([0.4, 0.8, 1.0], 6.4, 20.0),
        ([0.95, 0.5, 1.0], 13.0, 20.0),
        ([0.4, nan, 0.95], 18.0, 20.0),
        ([0.4, 0.8, 0.89], None, None),
    ],
)
def test_few_releases_give_an_estimate_and_29_a_stop_with_confidence(shares, few, enough):
    """0.9 is half way from 0.8 to 1 between ε = 2 and 20: 2·10^0.5 = 6.32…, rounded up."""
    captured = np.tile(np.array(shares)[:, None], 29)
    found = [smallest_epsilon(STOPS, captured[:, :trials], 0.9) for trials in (28, 29)]
    assert found == [EpsilonNeeded(few, False, few, 28), EpsilonNeeded(enough, True, few, 29)]


@pytest.mark.chance(1e-9)
@pytest.mark.parametrize("trials", [29, 40, 60, 200])
@pytest.mark.parametrize(
    "truth", [[0.895] * 27 + [0.99] * 4, [0.97, 0.89] * 13 + [0.895, 0.98, 0.96, 1, 1]]
)
def test_at_most_5_percent_of_studies_name_an_epsilon_that_is_not_enough(truth, trials):
    """Of 1,500; one errs with .02 at most: P(Bin(200, .105) ≤ 12). No randomness is shared."""
    rng, wrong, answered, stops = np.random.default_rng(trials), 0, 0, range(1, 32)
    for _ in range(1500):
        kept = rng.random((31, trials)) < np.array(truth)[:, None]
        found = smallest_epsilon(stops, kept.astype(float), 0.9).epsilon
        answered += found is not None
        wrong += found is not None and truth[int(found) - 1] < 0.9
    assert wrong <= 75
    assert answered > 1425 or trials < 200


SCALED = [
    key for key, each in MECHANISMS.items() if each.relative_noise(SPIKED, BUDGET) is not None
]


def needed(key, budget, known):
    return search.people_needed(
        MECHANISMS[key], SPIKED, budget, epsilon_needed=known, target=0.9, trials=200
    )


@pytest.mark.parametrize("key", SCALED)
def test_where_one_number_fixes_the_law_people_make_up_for_epsilon(key):
    """The people found at ε = 0.02 make of each draw the release that it is at ε = 0.5.

    Those of a smooth bound are found by bisection, to 0.1 %.
    """
    budget, enough = Budget(0.02, 1e-6), Budget(0.5, 1e-6)
    found = needed(key, budget, EpsilonNeeded(0.5, True))
    assert found.certain
    assert needed(key, budget, EpsilonNeeded(0.5, False)) == PeopleNeeded(found.n, False)
    kept = []
    for problem, at in ((SPIKED.scaled(found.n), budget), (SPIKED, enough)):
        bases = MECHANISMS[key].release(problem, at, np.random.default_rng(0), 20).bases
        kept.append(quality(problem, bases).captured)
    np.testing.assert_allclose(*kept, atol=1e-3 if key.startswith("smooth") else 1e-8)


def read(people, losses, share=0.9):
    """People needed for a loss of at most .1, where noise is one over people; losses (G, T)."""
    return search.NoiseTable(1 / people, losses, losses).needed(
        Aim("sin", 0.1, share), lambda noise: 1 / noise
    )


@pytest.mark.parametrize(
    ("losses", "n"),
    [
        ([0.9, 0.5, 0.2, 0.2], None),
        ([inf, 0.1, 0.01, 0.0], 100),
        ([0.9, 0.05, 0.8, 0.05], pytest.approx(1000 * 10**0.75, rel=1e-12)),
    ],
)
def test_an_aim_is_met_from_the_last_miss_on(losses, n):
    """0.1 is three quarters of the way from 0.8 to 0.05 in logarithms."""
    found = read(np.array([10.0, 100, 1000, 10_000]), np.tile(np.array(losses)[:, None], 100))
    assert (found.n, found.low, found.high) == (n, n, n)


@pytest.mark.parametrize(("trials", "share"), [(100, 0.9), (20, 0.5)])
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


SPIKE = Problem.from_moment(np.diag([0.37] + [0.07] * 9) * 1e6, 1e6, 1)


def test_a_better_table_each_time():
    """First coarse with few trials, then the trials of one grid, which are those of the streams."""
    gaussian = MECHANISMS["gaussian"]
    tables = [table for table in measure(gaussian, SPIKE, BUDGET, 3, trials=25) if table]
    for table in tables[1:]:
        np.testing.assert_array_equal(table.noise, tables[1].noise)
        np.testing.assert_array_equal(table.sin, tables[-1].sin[:, : table.trials])
    scaled = SPIKE.scaled(gaussian.calibrate(SPIKE, BUDGET).scale / table.noise[12])
    own = gaussian.release(scaled, BUDGET, trial_generator(3, "gaussian", 17), 1)
    captured, _, sine = quality(scaled, own.bases)
    found = [table.sin[12, 17], table.captured[12, 17]]
    np.testing.assert_allclose(found, [sine[0], 1 - captured[0]], rtol=1e-6)


def planned(releases, budget, goal):
    """Count the steps of a search, and return them with its answer."""
    answers = []

    def steps():
        answers.append((yield from search.steps_to_people(releases, budget, goal)))

    return len(list(steps())), answers[0]


@pytest.mark.parametrize("goal", Goal)
def test_the_search_finds_what_a_scan_finds_and_asks_nothing_known(goal):
    releases, own = (
        PlannedReleases(DEFAULT, expected_spectrum((0.5, 0.2), 5), 2) for _ in range(2)
    )
    for fewest in search.ROUND_PEOPLE:
        noise = DEFAULT.calibrate(SPIKED, BUDGET).scale / fewest
        assert list(releases.steps_at(noise))
        if goal in releases.at(noise).reached:
            break
    assert planned(own, BUDGET, goal) == (pytest.approx(5, abs=2), fewest)
    assert planned(releases, BUDGET, goal) == (0, fewest)
