"""How a release is best made, by public facts alone: guessed people, columns and budget.

Never by results, and never by the data's own number of rows: a choice that followed them would
itself have to be paid for.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

from dpca_core.data.private_mean import mean_sensitivity, mean_sensitivity_l1
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.registry import (
    DEFAULT,
    DRAWN_EXACTLY,
    LESS_NOISE,
    PURE_DEFAULT,
    PURE_LESS_NOISE,
    PURE_WIDE_DEFAULT,
    TWO_LOOKS,
    TWO_LOOKS_PURE,
)
from dpca_core.privacy.budget import Budget, InfeasibleBudget
from dpca_core.privacy.gaussian import gaussian_sigma

MOST_WISHART_COLUMNS = 200
"""Columns up to which exact Wishart noise is drawn."""
MEAN_SHARE = 0.05
"""Share of the budget that a private mean is planned with."""

# Measured: docs/second-look.md, section "For whom"; python -m benchmarks.frontier.
_NARROW = 20
"""Columns below which matrix-t noise keeps most of what a second look would."""
_PURE, _BESIDE_SMALLER, _USUAL = (5, 0.03), (8, 0.065), (2, 0.2)
"""Fewest directions, and largest norm of the usual noise over the people, for which a second look
keeps more: without δ, beside smaller noise of one look on so few columns, and elsewhere."""
_SMALL_NOISE = 0.002
"""The norm below which one look sees enough."""
_NOTABLE = 0.99
"""Ratio of noise from which on the smaller one is worth a change."""
_MEAN_FACTOR = 2000.0

_SEEN = (
    "the first directions usually stand out of a first look, and a second one then sees the others "
    "with less noise"
)


@dataclass(frozen=True)
class Recommendation:
    """How a release is best made."""

    mechanism: NoiseOnS
    """Whose noise a release adds to S: the smallest of what is drawn exactly."""
    keeps_most: Mechanism
    """What keeps most in a simulation, drawn exactly or not."""
    may_keep_most: tuple[Mechanism, ...]
    """What may keep most for some number of people."""
    rows_of_length_one: bool
    """Whether rows far shorter than R are better made equally long."""
    why: Callable[[str], str]
    for_any_number: Callable[[str], str]
    """Sentences, by what people are called: on why it keeps most, and a rule of thumb for any
    number of them. They say by how much noise is smaller, which takes long to find."""

    def keeps_more(self, many: str) -> str:
        """Say what would keep more than what is released, and why; "" where nothing would.

        ``many``: what people are called, such as "patients".
        """
        kept = self.keeps_most
        if kept is self.mechanism:
            return ""
        limit = f"noise is drawn exactly for at most {MOST_WISHART_COLUMNS} columns"
        if kept.key not in DRAWN_EXACTLY:
            limit = "cannot be drawn exactly yet"
        return (
            f"{kept.name} would usually keep more. {self.why(many)} {kept.name} {limit}: of what "
            f"can, {self.mechanism.name} noise is the smallest."
        )


def recommended_mechanism(
    people: float,
    d: int,
    budget: Budget,
    *,
    k: int = 1,
    rows_per_person: int = 1,
    rows_read_again: bool = True,
    pairs: bool = False,
) -> Recommendation:
    """Return how to release k directions of d columns of about so many people, a public guess.

    Of people in ``pairs`` there are half as many rows, with the noise of one person each.
    """
    kinds = (PURE_DEFAULT,) if budget.delta == 0 else (DEFAULT, PURE_DEFAULT)
    usual = kinds[0]
    if _noise(kinds[-1], d, budget) < _NOTABLE * _noise(usual, d, budget):
        usual = kinds[-1]
    one_look = _one_look(usual, d, budget, rows_per_person)
    directions, largest = _bounds_of_two_looks(d, budget, one_look)
    norm = (4 if pairs else 2) * sqrt(d) * _noise(kinds[0], d, budget)
    fewest, most = norm / largest, norm / _SMALL_NOISE
    wide = budget.delta == 0 and d > MOST_WISHART_COLUMNS
    released, short_rows = PURE_WIDE_DEFAULT if wide else usual, people <= most
    if against := _against_two_looks(budget, k, directions, usual, one_look, rows_read_again):
        return Recommendation(
            released,
            one_look,
            (one_look,),
            short_rows,
            why=lambda many: _why(one_look, usual, d, budget),
            for_any_number=lambda many: (
                f"{_why(one_look, usual, d, budget)} {against.format(many=many)}"
            ),
        )
    two_looks = TWO_LOOKS if budget.delta > 0 else TWO_LOOKS_PURE
    between = f"about {_about(fewest)} to {_about(most)}"
    twice = fewest <= people <= most
    return Recommendation(
        released,
        two_looks if twice else one_look,
        (two_looks, one_look),
        short_rows,
        why=lambda many: (
            f"With {between} {many} {_SEEN}." if twice else _why(one_look, usual, d, budget)
        ),
        for_any_number=lambda many: (
            f"As a rule of thumb, {two_looks.name} keeps most for {between} {many}: {_SEEN}. "
            f"With fewer or more, {one_look.name} does."
        ),
    )


def _one_look(usual: NoiseOnS, d: int, budget: Budget, rows_per_person: int) -> NoiseOnS:
    """Return the noise on S that is smallest off the diagonal, where that is notable."""
    found, least = usual, _NOTABLE * _noise(usual, d, budget)
    with suppress(InfeasibleBudget):
        if (pure := _noise(PURE_LESS_NOISE, d, budget)) < least:
            found, least = PURE_LESS_NOISE, pure
    law = LESS_NOISE.law
    with suppress(InfeasibleBudget):
        # Whether so much is enough is asked once; how little is enough, a dozen times.
        if rows_per_person == 1 and law.keeps(d, least / law.std(d)[1], budget):
            found = LESS_NOISE
    return found


def _why(found: NoiseOnS, usual: NoiseOnS, d: int, budget: Budget) -> str:
    """Say why one look with the noise found is best."""
    only = ""
    if found is LESS_NOISE:
        only = ", for one row each"
    elif budget.delta > 0 and found is not DEFAULT:
        only = ", and needs no δ"
    if found is usual:
        return f"{usual.name} noise is the smallest of one look at this budget{only}."
    less = 100 * (1 - _noise(found, d, budget) / _noise(usual, d, budget))
    at = "this ε and δ" if budget.delta > 0 else "this ε"
    return (
        f"{found.name} noise is {less:.0f}\u00a0% smaller than {usual.name} noise on {d} columns "
        f"at {at}{only}."
    )


def _against_two_looks(
    budget: Budget, k: int, least: int, usual: NoiseOnS, one_look: NoiseOnS, rows_read_again: bool
) -> str:
    """Say why a second look keeps no more for any number of {many}; "" where it may."""
    if budget.delta > 0 and usual is PURE_DEFAULT and one_look is not LESS_NOISE:
        return (
            "On so few columns a second look, whose noise is Gaussian, keeps less with few {many} "
            "and about as much with many."
        )
    if k < least:
        return f"For fewer than {least} directions a second look usually gains nothing here."
    if not rows_read_again:
        return "A second look would read the rows again, and only their sum is kept."
    return ""


def _bounds_of_two_looks(d: int, budget: Budget, one_look: NoiseOnS) -> tuple[int, float]:
    if budget.delta == 0:
        return _PURE
    smaller = one_look in (LESS_NOISE, PURE_LESS_NOISE)
    return _BESIDE_SMALLER if smaller and d < _NARROW else _USUAL


@lru_cache(maxsize=4096)
def _noise(mechanism: NoiseOnS, d: int, budget: Budget) -> float:
    """Standard deviation of an off-diagonal entry of the noise on S, in people.

    To first order it decides what directions keep. Public, and asked several times for each answer
    of a page: a tenth of its time otherwise.
    """
    return mechanism.law.scale(d, budget) * mechanism.law.std(d)[1]


def _about(people: float) -> str:
    """Write a number of people with two digits."""
    return f"{float(f'{max(people, 1.0):.2g}'):,.0f}"


def people_for_private_mean(d: int, budget: Budget) -> float:
    """Return the people from which a private mean's error is no direction of its own.

    n ≥ σ_m·√(2000·d), with ``MEAN_SHARE`` of the budget: an error of σ_m/n in each of d columns
    then makes at most n/2000 of the n people that S sums to.
    """
    part, adjacency = budget.split(MEAN_SHARE)[0], budget.adjacency
    if part.delta > 0:
        noise = gaussian_sigma(part.epsilon, part.delta, mean_sensitivity(1, adjacency))
    else:
        noise = sqrt(2) * mean_sensitivity_l1(d, 1, adjacency) / part.epsilon
    return noise * sqrt(_MEAN_FACTOR * d)
