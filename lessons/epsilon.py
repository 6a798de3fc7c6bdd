"""What ε means, as odds of a guess about one person."""

from math import ceil

from dpca_core.mechanisms.registry import DEFAULT, PURE_DEFAULT
from dpca_core.privacy.budget import Budget
from dpca_core.privacy.inference_risk import guess_probability
from dpca_core.text.privacy_numbers import GUESSES, GUESSES_OF_A_COIN, whole_right_guesses
from ui.learn.pictures import Fields, Figure, Picture, Say, people
from ui.learn.releases import DELTA, rand_problem

COMPARED = {"small": 1.0, "asked": 3.0, "large": 5.0}
MANY, A_ROW = 1000, 20
"""Guesses of which not all are right at the largest ε; those drawn in a row."""


def measure(epsilon: float, seed: int) -> Fields:
    """Compute how often a guess is right at most, for pure mechanisms and for Gaussian noise."""
    pure = {name: guess_probability(each, 0.0) for name, each in COMPARED.items()}
    small, asked = GUESSES * pure["small"], GUESSES * pure["asked"]
    return {
        **COMPARED,
        **{f"odds_{name}": odds for name, odds in pure.items()},
        **{f"gaussian_{name}": gaussian_odds(each) for name, each in COMPARED.items()},
        "odds": guess_probability(epsilon, 0.0),
        "factor": pure["small"] / (1 - pure["small"]),
        "factor_asked": pure["asked"] / (1 - pure["asked"]),
        "many": MANY,
        "many_large": ceil(MANY * pure["large"]),
        "guesses": GUESSES,
        "coin": GUESSES_OF_A_COIN,
        "key": PURE_DEFAULT.key,
        "choices": (ceil(small) + 1, small + (GUESSES - small) / 3, ceil(asked), GUESSES),
        "truth": asked,
    }


def gaussian_odds(epsilon: float) -> float:
    """Return the chance of a right guess with Gaussian noise, one person more or less."""
    return DEFAULT.guarantee(rand_problem(2), Budget(epsilon, DELTA)).guess_probability()


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw a hundred guesses at the first ε; with the answer also those at another."""
    first = say.picture("first", _guesses(fields["odds_small"]))
    if told:
        return [first, say.picture("told", _guesses(fields["odds"]))]
    return [first, say.picture("asked", people(GUESSES, (), A_ROW, range(GUESSES)))]


def _guesses(odds: float) -> Figure:
    """Return those of a coin, those gained at most, and those that are wrong."""
    right = whole_right_guesses(odds)
    return people(GUESSES, range(GUESSES_OF_A_COIN, right), A_ROW, range(right, GUESSES))
