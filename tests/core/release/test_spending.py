"""The filter: budgets chosen on the way, within bounds that are not."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import norm

from dpca_core.privacy.gaussian import gaussian_delta
from dpca_core.release.cost import Cost, most_mu2, planned_mu2
from dpca_core.release.spending import Limit, Spending

LIMIT = Limit(Fraction(1), Fraction("1e-6"))
PURE = Cost(pure=Fraction("0.4"))


def gaussian(epsilon: str) -> Cost:
    return Cost(mu2=planned_mu2(Fraction(epsilon), LIMIT.delta))


def test_thirteen_quarters_fit_into_one():
    assert Spending().more_like(gaussian("0.25"), LIMIT) == 13


def test_pure_noise_may_come_first():
    spent = Spending.of([PURE, PURE])
    assert spent.fits(LIMIT)
    assert spent.pure_left(LIMIT) == Fraction("0.2")
    assert spent.after(gaussian("0.2")).fits(LIMIT)
    assert not spent.after(gaussian("0.21")).fits(LIMIT)


def test_pure_noise_after_gaussian_noise_takes_what_was_set_aside():
    spent = Spending.of([gaussian("0.1"), PURE])
    assert not spent.fits(LIMIT)
    aside = Limit(LIMIT.epsilon, LIMIT.delta, Fraction("0.4"))
    assert spent.fits(aside)
    assert not spent.after(Cost(pure=Fraction(1, 10**9))).fits(aside)
    # It is set aside whether or not it is used.
    assert not Spending.of([gaussian("0.61")]).fits(aside)
    assert Spending.of([gaussian("0.6")]).fits(aside)


@pytest.mark.parametrize("costs", [[], [PURE], [gaussian("0.3")], [PURE, gaussian("0.2")]])
def test_what_is_left_fits_and_more_does_not(costs):
    spent = Spending.of(costs)
    left = spent.mu2_left(LIMIT)
    assert left > 0
    assert spent.after(Cost(mu2=left)).fits(LIMIT)
    assert not spent.after(Cost(mu2=left * (1 + Fraction(1, 10**12)))).fits(LIMIT)
    pure = spent.pure_left(LIMIT)
    assert spent.after(Cost(pure=pure)).fits(LIMIT)
    assert not spent.after(Cost(pure=pure + Fraction(1, 10**12))).fits(LIMIT)


@pytest.mark.parametrize("cost", [gaussian("0.01"), Cost(pure=Fraction("0.03"))])
def test_so_many_more_fit(cost):
    spent = Spending.of([PURE])
    times = spent.more_like(cost, LIMIT)
    assert spent.after(cost * times).fits(LIMIT)
    assert not spent.after(cost * (times + 1)).fits(LIMIT)


def forked_delta(
    epsilon: float, first: float, pure: float, rest: float, *, together: bool = False
) -> float:
    """δ that a fork spends: a Gaussian step, then whichever last one spends more.

    Parameters
    ----------
    first
        μ² of the first step.
    pure
        ε of a randomised response, which spends all of it.
    rest
        μ² of a Gaussian step.
    together
        Whether both last steps may be taken.
    """
    grid = np.linspace(-12, 12, 40001)
    weights = norm.pdf(grid) * (grid[1] - grid[0])
    needed = epsilon - first / 2 - np.sqrt(first) * grid
    likely, step = 1 / (1 + np.exp(-pure)), np.sqrt(rest)

    def further(loss_needed: np.ndarray) -> np.ndarray:
        far = norm.cdf(-step / 2 - loss_needed / step)
        return norm.cdf(step / 2 - loss_needed / step) - np.exp(loss_needed) * far

    response = likely * np.maximum(0, -np.expm1(needed - pure))
    response += (1 - likely) * np.maximum(0, -np.expm1(needed + pure))
    ways = [response, further(needed)]
    if together:
        ways.append(likely * further(needed - pure) + (1 - likely) * further(needed + pure))
    return float(weights @ np.max(ways, axis=0))


def test_a_fork_between_pure_and_gaussian_noise_would_break_the_limit():
    """The rule that the ledger does not have: whatever fits at the end is admitted."""
    epsilon, delta = Fraction("0.5"), Fraction("1e-6")
    whole = float(most_mu2(epsilon, delta)) * (1 - 1e-9)
    first = whole / 1000

    def beyond(pure: float) -> float:
        return gaussian_delta(first**-0.5, 0.5 - pure, 1.0) - 1e-6

    pure = brentq(beyond, 0.0, 0.5 - 1e-9) - 1e-9
    ends = Cost(Fraction(first), Fraction(pure)), Cost(Fraction(whole))
    assert all(end.fits(epsilon, delta) for end in ends)
    assert forked_delta(0.5, first, pure, whole - first) / 1e-6 == pytest.approx(1.62, abs=0.01)


@pytest.mark.parametrize("aside", ["0", "0.1", "0.3", "0.49"])
@pytest.mark.parametrize("share", [0.001, 0.1, 0.5])
def test_no_fork_breaks_the_limit_as_it_is(aside, share):
    """At the first Gaussian step the pure part is fixed: both ends of the fork are within it."""
    epsilon, delta = Fraction("0.5"), Fraction("1e-6")
    whole = float(most_mu2(epsilon - Fraction(aside), delta))
    first = share * whole
    spent = forked_delta(0.5, first, float(aside), whole - first, together=True)
    assert spent <= 1e-6 * (1 + 1e-6)
