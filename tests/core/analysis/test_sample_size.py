"""People needed, read from tables whose answer is known.

Seeds are fixed; each statistical test says how often it would fail by chance with a fresh one.
"""

from math import exp, inf, sqrt

import numpy as np
import pytest
from scipy.stats import binom, norm

from dpca_core.analysis.sample_size import (
    Aim,
    Needed,
    Table,
    relative_noise_at,
)


def table(people, losses, relative=None):
    """A table whose two losses are the same, (G,) for all trials or (G, T)."""
    losses = np.asarray(losses, dtype=float)
    losses = np.repeat(losses[:, None], 100, axis=1) if losses.ndim == 1 else losses
    return Table(np.array(people, dtype=float), losses, losses, relative)


def needed(people, losses, most=0.1):
    return table(people, losses).needed(Aim("sin", most, 0.9))


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
    assert relative_noise_at(noisy, 100) == pytest.approx(4)
    assert relative_noise_at(noisy, 100 * sqrt(10)) == pytest.approx(1)
