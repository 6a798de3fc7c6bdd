"""How a release is best made, by public facts alone: guessed people, columns and budget.

Never by results, and never by the data's own number of rows: a choice that followed them would
itself have to be paid for.
"""

from dataclasses import dataclass
from math import floor, log10, sqrt

from dpca_core.data.private_mean import mean_sensitivity, mean_sensitivity_l1
from dpca_core.mechanisms.matrix_noise import MatrixNoise
from dpca_core.mechanisms.registry import DEFAULT, PURE_DEFAULT, PURE_WIDE_DEFAULT
from dpca_core.privacy.budget import LEAST_DELTA, Budget
from dpca_core.privacy.gaussian import gaussian_sigma

MOST_DELTA = 1e-6
"""δ that is proposed, unless the people are so many that it must be smaller."""

MOST_WISHART_COLUMNS = 200
"""Columns up to which exact Wishart noise is drawn."""

MEAN_SHARE = 0.05
"""Share of the budget that a private mean is planned with."""

_MEAN_FACTOR = 2000.0


@dataclass(frozen=True)
class Recommendation:
    """How a release is best made.

    Attributes
    ----------
    mechanism
        Whose noise is added to S.
    people_for_mean
        People from which on a private mean could take the place of typical values.
    mean_fits
        Whether the guessed number reaches that.
    """

    mechanism: MatrixNoise
    people_for_mean: float
    mean_fits: bool


def recommended_mechanism(people: float, d: int, budget: Budget) -> Recommendation:
    """Return how to release the second-moment sum of d columns of about so many people.

    Gaussian noise where δ > 0; else the difference of Wishart matrices, or above
    ``MOST_WISHART_COLUMNS`` Laplace noise, which is larger.

    Parameters
    ----------
    people
        A public guess.
    """
    mechanism = DEFAULT
    if budget.delta == 0:
        mechanism = PURE_DEFAULT if d <= MOST_WISHART_COLUMNS else PURE_WIDE_DEFAULT
    assert isinstance(mechanism, MatrixNoise)
    needed = people_for_private_mean(d, budget)
    return Recommendation(mechanism, needed, people >= needed)


def people_for_private_mean(d: int, budget: Budget, share: float = MEAN_SHARE) -> float:
    """Return the people from which a private mean's error is no direction of its own.

    n ≥ σ_m·√(2000·d): an error of σ_m/n in each of d columns then makes at most n/2000 of the n
    people that S sums to. With fewer, the error of the mean becomes the first direction.

    Parameters
    ----------
    budget
        Of mean and mechanism together.
    share
        The mean's.
    """
    return _mean_noise(d, budget.split(share)[0]) * sqrt(_MEAN_FACTOR * d)


def _mean_noise(d: int, budget: Budget) -> float:
    """Standard deviation of the noise on a sum of rows, of which each person owns one."""
    if budget.delta > 0:
        return gaussian_sigma(budget.epsilon, budget.delta, mean_sensitivity(1, budget.adjacency))
    return sqrt(2) * mean_sensitivity_l1(d, 1, budget.adjacency) / budget.epsilon


def default_delta(people: float | None) -> float:
    """Return the δ to start from: 10⁻⁶, or a hundredth of one in the number of people.

    The hundredth is rounded down to a power of ten.

    Parameters
    ----------
    people
        A public guess; None where there is none.
    """
    if people is None:
        return MOST_DELTA
    exponent = floor(log10(1 / (100 * people)) + 1e-9)
    return max(LEAST_DELTA, min(MOST_DELTA, float(f"1e{exponent}")))
