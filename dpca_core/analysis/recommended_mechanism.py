"""How a release is best made, by public facts alone: guessed people, columns and budget.

Never by results, and never by the data's own number of rows: a choice that followed them would
itself have to be paid for.
"""

from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from math import floor, log10, sqrt

import numpy as np

from dpca_core.analysis import recommendation_words as words
from dpca_core.data.private_mean import mean_sensitivity, mean_sensitivity_l1
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.registry import (
    DEFAULT,
    LESS_NOISE,
    PURE_DEFAULT,
    PURE_WIDE_DEFAULT,
    TWO_LOOKS,
    TWO_LOOKS_PURE,
)
from dpca_core.privacy.budget import LEAST_DELTA, Budget, InfeasibleBudget
from dpca_core.privacy.gaussian import gaussian_sigma
from dpca_core.problem import Problem

MOST_DELTA = 1e-6
"""δ that is proposed, unless the people are so many that it must be smaller."""

MOST_WISHART_COLUMNS = 200
"""Columns up to which exact Wishart noise is drawn."""

MEAN_SHARE = 0.05
"""Share of the budget that a private mean is planned with."""

_MEAN_FACTOR = 2000.0


FEWEST_DIRECTIONS, FEWEST_DIRECTIONS_PURE = 2, 5
"""Directions from which on a second look keeps more."""

SMALL_NOISE, LARGE_NOISE, LARGE_PURE_NOISE = 0.002, 0.2, 0.042
"""Spectral norm of one look's noise, over the people, between which a second look keeps more.

Above the upper bounds its first look sees too little; below the lower one noise is negligible, and
rows of one length keep less than rows at most R. Measured (docs/second-look.md, section "For whom";
``python -m benchmarks.frontier``)."""

_NOTABLE = 0.99
"""Ratio of noise from which on the smaller one is worth a change."""


class RowLengths(StrEnum):
    """What is publicly known of the rows' lengths."""

    ONE = "all of length 1"
    TIGHT = "most reach a public bound R"
    LOOSE = "most are far shorter than R"


@dataclass(frozen=True)
class Recommendation:
    """How a release is best made.

    Attributes
    ----------
    mechanism
        Whose noise is added to S by a release: one of those that are drawn exactly.
    people_for_mean
        People from which on a private mean could take the place of typical values.
    mean_fits
        Whether the guessed number reaches that.
    keeps_most
        What keeps most in a simulation; it may not be drawn exactly yet.
    for_any_number
        Sentences that say what keeps most without a guess of the people: a rule of thumb.
    may_keep_most
        The mechanisms that these name, each for some number of people.
    rows_of_length_one
        Whether rows are best made equally long.
    reasons
        Sentences.
    """

    mechanism: NoiseOnS
    people_for_mean: float
    mean_fits: bool
    keeps_most: Mechanism
    rows_of_length_one: bool
    reasons: tuple[str, ...]
    for_any_number: tuple[str, ...]
    may_keep_most: tuple[Mechanism, ...]

    @property
    def keeps_more(self) -> str:
        """Say what would keep more than what is released, and why; "" where nothing would."""
        if self.keeps_most is self.mechanism:
            return ""
        return (
            f"{self.keeps_most.name} would usually keep more. {self.reasons[0]} {self.reasons[-1]}"
        )


def recommended_mechanism(
    people: float,
    d: int,
    budget: Budget,
    *,
    k: int = 1,
    row_lengths: RowLengths = RowLengths.ONE,
    rows_per_person: int = 1,
    rows_read_again: bool = True,
) -> Recommendation:
    """Return how to release the second-moment sum of d columns of about so many people.

    A release adds Gaussian noise where δ > 0, unless the columns are so few that the difference of
    Wishart matrices is smaller. That is also what it adds at δ = 0, or above
    ``MOST_WISHART_COLUMNS`` Laplace noise, which is larger.

    Parameters
    ----------
    people
        A public guess.
    k
        Directions wanted.
    row_lengths, rows_per_person
        What the recipe says of the rows.
    rows_read_again
        Whether rows are kept, not only their sum.
    """
    usual = _usual(d, budget)
    safe: Mechanism = usual
    if budget.delta == 0 and d > MOST_WISHART_COLUMNS:
        safe = PURE_WIDE_DEFAULT
    assert isinstance(safe, NoiseOnS)
    one_look, why = _one_look(usual, d, budget, rows_per_person)
    twice, least = TWO_LOOKS, FEWEST_DIRECTIONS
    if budget.delta == 0:
        twice, least = TWO_LOOKS_PURE, FEWEST_DIRECTIONS_PURE
    fewest, most = _people_of_two_looks(d, budget)
    kept: Mechanism = one_look
    reasons: tuple[str, ...]
    for_any: tuple[str, ...]
    one_length = row_lengths is RowLengths.ONE or people <= most
    length = words.ONE_LENGTH if one_length else words.KEEP_R
    if row_lengths is RowLengths.TIGHT:
        one_length, length = False, words.TIGHT
    needs_no_delta = budget.delta > 0 and usual is PURE_DEFAULT
    if k < least or needs_no_delta or not rows_read_again:
        because = words.few_directions(least) if k < least else words.ONLY_SUMS
        if needs_no_delta:
            because = words.FEW_COLUMNS
        reasons = for_any = (why, because)
        may_keep_most: tuple[Mechanism, ...] = (one_look,)
    else:
        for_any = (words.between(twice, (fewest, most), one_look),)
        may_keep_most = (twice, one_look)
        if people < fewest:
            reasons = (why, words.too_few(fewest))
        elif people > most:
            reasons = (why, words.too_many(most))
        else:
            kept, reasons = twice, (words.two_looks(fewest, most),)
    reasons = (*reasons, length)
    if kept is not safe:
        reasons = (*reasons, words.not_released(kept, safe, MOST_WISHART_COLUMNS))
    needed = people_for_private_mean(d, budget)
    return Recommendation(
        safe,
        needed,
        people >= needed,
        kept,
        one_length,
        reasons,
        for_any,
        may_keep_most,
    )


def _usual(d: int, budget: Budget) -> NoiseOnS:
    """Return the noise of one look that is drawn exactly and whose spectral norm is smallest.

    On few columns that of a difference of Wisharts is smaller than Gaussian noise at a small δ,
    for whatever number of rows a person.
    """
    assert isinstance(DEFAULT, NoiseOnS)
    assert isinstance(PURE_DEFAULT, NoiseOnS)
    if budget.delta == 0:
        return PURE_DEFAULT
    return min(DEFAULT, PURE_DEFAULT, key=lambda m: _scale(m, d, budget) * m.law.edge(d))


def _one_look(
    usual: NoiseOnS, d: int, budget: Budget, rows_per_person: int
) -> tuple[NoiseOnS, str]:
    """Return the smallest noise on S, and why it is."""
    assert isinstance(LESS_NOISE, NoiseOnS)
    if rows_per_person == 1:
        with suppress(InfeasibleBudget):
            ratio = _entry_noise(LESS_NOISE, d, budget) / _entry_noise(usual, d, budget)
            if ratio < _NOTABLE:
                return LESS_NOISE, words.smaller_noise(LESS_NOISE, usual, ratio, d)
    return usual, words.smallest_noise(
        usual, pure=budget.delta == 0, needs_no_delta=usual is PURE_DEFAULT
    )


def _people_of_two_looks(d: int, budget: Budget) -> tuple[float, float]:
    """Return between which numbers of people a second look keeps more."""
    pure = budget.delta == 0
    usual = PURE_DEFAULT if pure else DEFAULT
    assert isinstance(usual, NoiseOnS)
    # By the semicircle law.
    norm = 2 * sqrt(d) * _entry_noise(usual, d, budget)
    return norm / (LARGE_PURE_NOISE if pure else LARGE_NOISE), norm / SMALL_NOISE


def _entry_noise(mechanism: NoiseOnS, d: int, budget: Budget) -> float:
    """Standard deviation of an off-diagonal entry of the noise on S, in people."""
    return _scale(mechanism, d, budget) * mechanism.law.std(d)[1]


def _scale(mechanism: NoiseOnS, d: int, budget: Budget) -> float:
    """What the unit noise is multiplied by, in people."""
    return mechanism.calibrate(Problem.from_spectrum(np.ones(d), d, 1), budget).scale


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
    return max(float(LEAST_DELTA), min(MOST_DELTA, float(f"1e{exponent}")))
