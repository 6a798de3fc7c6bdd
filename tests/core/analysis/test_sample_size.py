"""People needed, measured: on tables whose answer is known, and against independent releases.

Seeds are fixed; each statistical test says how often it would fail by chance with a fresh one.
"""

import re
from dataclasses import replace
from functools import partial
from math import exp, inf, log, sqrt

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
    measure,
    noise_at,
    people_at,
    spiked,
)
from dpca_core.analysis.sample_size_theorems import (
    Case,
    cauchy_norm,
    local_order,
    ppca_enough,
    pure_needs_rho,
    pure_too_few,
    smooth_cauchy_enough,
    smooth_gaussian_enough,
    wishart_enough,
)
from dpca_core.metrics import quality
from dpca_core.simulation.draws import stream
from ui.text.documents import FOLDER

REPLACE = Adjacency.REPLACE_ONE
AIM = Aim.correlation(0.9, 0.9)


def table(people, losses, relative=None):
    """A table whose two losses are the same, (G,) for all trials or (G, T)."""
    losses = np.asarray(losses, dtype=float)
    losses = np.repeat(losses[:, None], 100, axis=1) if losses.ndim == 1 else losses
    return Table(np.array(people, dtype=float), losses, losses, relative)


def needed(people, losses, most=0.1):
    return table(people, losses).needed(Aim("sin", most, 0.9))


# --- Reading a table ---


@pytest.mark.parametrize("power", [0.25, 0.5, 1.0, 3.0])
@pytest.mark.parametrize("most", [0.02, 0.1, 0.7])
def test_a_power_law_is_read_exactly(power, most):
    """loss = (n/200)^{−p}: the aim is met from 200·most^{−1/p} on."""
    n = 200 * most ** (-1 / power)
    people = np.geomspace(n / 7, n * 11, 5)
    found = needed(people, (people / 200) ** -power, most)
    assert (found.n, found.low, found.high) == pytest.approx((n, n, n), rel=1e-12)


def test_an_aim_never_met():
    assert needed([10, 100, 1000], [0.9, 0.5, 0.2]) == Needed(None, None, None)
    assert needed([10, 100], [inf, inf]) == Needed(None, None, None)


def test_an_aim_always_met():
    assert needed([10, 100, 1000], [0.05, 0.01, 0.0]) == Needed(10, 10, 10)


def test_where_nothing_was_released_the_next_size_counts():
    assert needed([10, 100, 1000], [inf, 0.05, 0.01]) == Needed(100, 100, 100)


def test_a_miss_after_the_aim_was_met_counts():
    """0.1 is half way from 0.4 to 0.025 in logarithms: 10³·√10."""
    found = needed([10, 100, 1000, 10_000], [0.9, 0.05, 0.4, 0.025])
    assert found.n == pytest.approx(1000 * sqrt(10), rel=1e-12)


def test_no_loss_at_all_is_a_small_loss():
    found = needed([10, 100], [0.2, 0.0])
    assert 10 < found.n < 11


def test_a_refused_release_misses_the_aim():
    """9 of 10 releases are enough; 12 of 100 refused are too many, 10 are not."""
    for refused, n in ((10, 10.0), (12, 100.0)):
        losses = np.zeros((2, 100))
        losses[0, :refused] = inf
        assert table([10, 100], losses).needed(Aim("sin", 0.1, 0.9)).n == n


def test_each_loss_has_its_aim():
    """captured ≥ 0.95 is the loss 0.05; |⟨v̂, v⟩| ≥ 0.8 is sin Θ ≤ 0.6."""
    people = np.array([10.0, 1000.0])
    losses = np.repeat([[0.5], [0.005]], 100, axis=1)
    two = Table(people, losses, np.sqrt(losses), None)
    assert two.needed(Aim.captured(0.95, 0.9)).n == pytest.approx(100)
    assert two.needed(Aim("sin", sqrt(0.05), 0.9)).n == pytest.approx(100)
    assert Aim.correlation(0.8, 0.9) == Aim("sin", pytest.approx(0.6), 0.9)


def test_more_trials_on_the_same_sizes():
    first, second = table([10, 100], [0.4, 0.2]), table([10, 100], [0.3, 0.1])
    both = first.joined(second)
    assert both.trials == 200
    np.testing.assert_array_equal(both.sin, np.hstack([first.sin, second.sin]))
    np.testing.assert_array_equal(both.captured, both.sin)


def test_few_trials_leave_the_interval_open():
    """Of 8 releases none stands for the upper end of a 90 % point: 0.9⁸ > 0.025."""
    people, losses = [10.0, 1000.0], np.repeat([[0.5], [0.01]], 8, axis=1)
    found = table(people, losses).needed(Aim("sin", 0.1, 0.9))
    assert found.high is None
    assert found.low <= found.n
    assert table(people, np.repeat(losses, 5, axis=1)).needed(Aim("sin", 0.1, 0.9)).high is not None


def test_a_needed_number_moves_with_all_it_has():
    moved = Needed(10.0, None, 40.0).moved(lambda n: 2 * n if n < 30 else None)
    assert moved == Needed(20.0, None, None)


@pytest.mark.parametrize(("trials", "share"), [(20, 0.5), (100, 0.9), (100, 0.75), (200, 0.95)])
def test_the_interval_holds_the_truth_as_often_as_order_statistics_say(trials, share):
    """5000 tables of loss z/n with ln z standard normal: the truth is e^q/most, q the quantile.

    How often it is held is binomial with a known probability, at least 0.95: outside the limits
    with probability 10⁻⁶, all four tests together 4·10⁻⁶.
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
    low, high = binom.ppf([5e-7, 1 - 5e-7], tables, often)
    assert low <= held <= high


def test_noise_between_the_grids_points():
    noisy = table([10, 100, 1000], [1, 1, 1], np.array([np.nan, 4.0, 0.25]))
    assert noise_at(noisy, 100) == pytest.approx(4)
    assert noise_at(noisy, 100 * sqrt(10)) == pytest.approx(1)


# --- Measuring ---


def measured(key, budget, seed=0, trials=100, gap=0.3):
    problem = spiked(10, gap)
    steps = measure(MECHANISMS[key], lambda n: (problem.scaled(n), budget), seed, trials=trials)
    return list(steps)[-1]


def by_bisection(key, budget, most, share, releases=5000):
    """People from which this share of fresh, independent releases has sin Θ ≤ most."""
    problem = spiked(10, 0.3)
    low, high = log(30), log(1e4)
    while high - low > 1e-3:
        middle = (low + high) / 2
        scaled = problem.scaled(exp(middle))
        rng = np.random.default_rng([7, int(1e6 * middle)])
        bases = MECHANISMS[key].release(scaled, budget, rng, releases).bases
        met = (quality(scaled, bases).sin_theta <= most).mean() >= share
        low, high = (low, middle) if met else (middle, high)
    return exp(high)


@pytest.mark.parametrize("key", ["gaussian", "smooth_gaussian", "power_pure"])
def test_measured_as_bisection_of_independent_releases_finds(key):
    """The share that reaches the aim at the n measured has the law Beta(900, 101).

    n lies between the sizes for its 5·10⁻⁷ and 1 − 5·10⁻⁷ points, and 0.021 more for the share of
    5000 releases (five standard deviations): a false failure in about 10⁻⁶ of runs.
    """
    budget, trials = Budget(1.0, 1e-6), 1000
    found = measured(key, budget, trials=trials).needed(AIM).n
    low, high = beta.ppf([5e-7, 1 - 5e-7], 900, trials + 1 - 900)
    fewest = by_bisection(key, budget, AIM.most, low - 0.021)
    most = by_bisection(key, budget, AIM.most, high + 0.021)
    assert fewest <= found <= most
    assert most < 1.5 * fewest


def test_a_better_table_each_time():
    """First coarse with few trials, then the trials of one grid, which are those of the streams."""
    budget, problem = Budget(1.0, 1e-6), spiked(5, 0.3)
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
    own = MECHANISMS["gaussian"].release(scaled, budget, stream(3, "gaussian", 17), 1)
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
    problem, budget = spiked(10, 0.3), Budget(1.0, 1e-6)
    fewer = MECHANISMS["gap_release"].release(
        problem.scaled(0.5 * at.n), budget, np.random.default_rng(8), 400
    )
    assert fewer.refused.mean() > 0.1


def test_a_mechanism_that_learns_nothing_needs_more_than_all():
    assert measured("random_projection", Budget(1.0, 1e-6)).needed(AIM) == Needed(None, None, None)


def test_gaussian_noise_has_no_release_without_delta():
    problem, budget = spiked(10, 0.3), Budget(1.0)
    steps = measure(MECHANISMS["gaussian"], lambda n: (problem.scaled(n), budget))
    with pytest.raises(InfeasibleBudget, match="δ"):
        next(steps)


# --- The same table at other budgets ---

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
        lambda n: people_at(MECHANISMS[key], spiked(10, 0.3), there)(noise_at(first, n))
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
    problem, budget = spiked(6, 0.2), Budget(0.7, 1e-5, adjacency)
    mechanism = MECHANISMS[key]

    def noise_of(n):
        return mechanism.relative_noise(problem.scaled(n), budget)

    for n in (8e3, 1e5, 3e6):
        noise = noise_of(n)
        found = people_at(mechanism, problem, budget)(noise)
        assert noise_of(found) <= noise * (1 + 1e-9) < noise_of(0.997 * found)
        assert found <= n * (1 + 1e-3)
    assert people_at(mechanism, problem, budget)(1e-16) is None


@pytest.mark.parametrize("key", ["gaussian", "local_gaussian"])
def test_closed_forms_as_by_bisection(key):
    problem, budget, noise = spiked(6, 0.2), Budget(0.7, 1e-5), 0.003
    low, high = 0.0, log(1e12)
    while high - low > 1e-9:
        middle = (low + high) / 2
        found = MECHANISMS[key].relative_noise(problem.scaled(exp(middle)), budget)
        low, high = (low, middle) if found <= noise else (middle, high)
    assert people_at(MECHANISMS[key], problem, budget)(noise) == pytest.approx(exp(high), rel=1e-8)


def test_no_people_for_a_noise_that_is_not_one_number():
    problem = spiked(6, 0.2)
    assert people_at(MECHANISMS["gap_release"], problem, Budget(1.0, 1e-6))(0.1) is None
    assert people_at(MECHANISMS["gaussian"], problem, Budget(1.0))(0.1) is None


# --- One spike ---


@pytest.mark.parametrize(("d", "gap"), [(2, 0.01), (10, 0.3), (200, 0.9)])
def test_one_direction_above_a_flat_rest(d, gap):
    problem = spiked(d, gap, 5000)
    assert problem.k == 1
    assert problem.n == 5000
    assert problem.d == d
    assert problem.gap == pytest.approx(5000 * gap, rel=1e-9)
    assert np.trace(problem.moment) == pytest.approx(5000, rel=1e-12)
    assert np.ptp(problem.spectrum[1:]) == pytest.approx(0, abs=1e-9)


# --- The example of the document ---

TEXT = (FOLDER / "sample-size.md").read_text("utf-8")
EXAMPLE = {
    "ppca": ("| PPCA |", ppca_enough),
    "wishart_jiang": ("| Wishart, Jiang", wishart_enough),
    "smooth_gaussian_printed": (
        "| Smooth Gaussian, printed |", partial(smooth_gaussian_enough, printed=True),
    ),
    "smooth_cauchy_printed": (
        "| Smooth Cauchy, printed |", partial(smooth_cauchy_enough, printed=True),
    ),
}  # fmt: skip


def number(text):
    return float(text.replace(" ", ""))


@pytest.mark.parametrize("key", EXAMPLE)
def test_the_example_of_the_document(key):
    """Bound, measured number and its interval as this code finds them, to 1 %."""
    start, enough = EXAMPLE[key]
    row = next(line for line in TEXT.splitlines() if line.startswith(start))
    bound, measured_here, ratio = row.strip("| ").split(" | ")[2:]
    case = Case(50, 0.3, 0.314, 1.0, 1e-6, Adjacency.ADD_OR_REMOVE_ONE, 0.9, 0.1)
    assert number(bound) == pytest.approx(enough(case), rel=0.01)
    problem, budget = spiked(50, 0.3), Budget(1.0, 1e-6)
    steps = list(measure(MECHANISMS[key], lambda n: (problem.scaled(n), budget)))
    found = steps[-1].needed(AIM)
    stated = [number(part) for part in re.split(r"[(–)]", measured_here) if part]
    assert stated == pytest.approx([found.n, found.low, found.high], rel=0.01)
    assert number(ratio) == pytest.approx(enough(case) / found.n, rel=0.02)


@pytest.mark.parametrize(
    ("key", "stated"),
    [("gaussian", "186"), ("wishart_difference", "349"), ("smooth_gaussian", "4030"),
     ("local_printed", "100 000"), ("mod_sulq", "19 200")],
)  # fmt: skip
def test_the_comparison_of_the_document(key, stated):
    problem, budget = spiked(50, 0.3), Budget(1.0, 1e-6)
    steps = list(measure(MECHANISMS[key], lambda n: (problem.scaled(n), budget)))
    assert steps[-1].needed(AIM).n == pytest.approx(number(stated), rel=0.01)
    assert f" {stated}" in TEXT.partition("For comparison")[2]


def test_what_the_document_says_of_theorem_8_and_the_orders():
    case = Case(50, 0.3, 0.314, 1.0, 1e-6, Adjacency.ADD_OR_REMOVE_ONE, 0.9, 0.1)
    assert local_order(case) == pytest.approx(3980, rel=0.01)
    assert pure_needs_rho(50) == pytest.approx(0.9963, abs=5e-5)
    assert pure_needs_rho(100) == pytest.approx(0.9960, abs=5e-5)
    assert pure_needs_rho(100, printed=True) == pytest.approx(0.9922, abs=5e-5)
    assert pure_too_few(case) is None
    assert pure_too_few(replace(case, rho=0.999)) == pytest.approx(83, abs=0.5)
    assert cauchy_norm(50, 0.1) / 50 == pytest.approx(6.3, abs=0.06)
    solved = [smooth_gaussian_enough(case), smooth_cauchy_enough(case)]
    assert solved == pytest.approx([5630, 51_500], rel=0.01)
