"""What ε means, as odds of a guess about one person."""

from math import ceil
from typing import Any

from dpca_core.mechanisms.registry import DEFAULT, PURE_DEFAULT
from dpca_core.privacy.budget import Budget
from dpca_core.privacy.inference_risk import guess_probability
from dpca_core.text.privacy_numbers import GUESSES, GUESSES_OF_A_COIN, whole_right_guesses
from ui.learn.pictures import Fields, Figure, Picture, Say, people, picture
from ui.learn.releases import DELTA, rand_problem

COMPARED = {"small": 1.0, "asked": 3.0, "large": 5.0}
MANY, A_ROW = 1000, 20
"""Guesses of which not all are right at the largest ε; those drawn in a row."""


def measure(value: Any, seed: int) -> Fields:
    """Compute how often a guess is right at most, for pure mechanisms and for Gaussian noise."""
    pure = {name: guess_probability(epsilon, 0.0) for name, epsilon in COMPARED.items()}
    small, asked = GUESSES * pure["small"], GUESSES * pure["asked"]
    return {
        **COMPARED,
        **{f"odds_{name}": odds for name, odds in pure.items()},
        **{f"gaussian_{name}": _gaussian(epsilon) for name, epsilon in COMPARED.items()},
        "shown": float(value),
        "odds_shown": guess_probability(float(value), 0.0),
        "delta": DELTA,
        "factor": pure["small"] / (1 - pure["small"]),
        "factor_asked": pure["asked"] / (1 - pure["asked"]),
        "many": MANY,
        "many_large": ceil(MANY * pure["large"]),
        "guesses": GUESSES,
        "coin": GUESSES_OF_A_COIN,
        "key": PURE_DEFAULT.key,
        "choices": (ceil(small) + 1.0, small + (GUESSES - small) / 3, float(ceil(asked)),
                    float(GUESSES)),
        "truth": asked,
    }  # fmt: skip


def _gaussian(epsilon: float) -> float:
    """Return the chance of a right guess with Gaussian noise, one person more or less."""
    return DEFAULT.guarantee(rand_problem(2), Budget(epsilon, DELTA)).guess_probability()


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw a hundred guesses at the first ε; with the answer also those at another."""

    def guesses(odds: float) -> Figure:
        right = whole_right_guesses(odds)
        gained = range(GUESSES_OF_A_COIN, right)
        return people(GUESSES, gained, A_ROW, range(right, GUESSES))

    first = picture(say, "first", fields, guesses(fields["odds_small"]))
    if told:
        return [first, picture(say, "told", fields, guesses(fields["odds_shown"]))]
    return [first, picture(say, "asked", fields, people(GUESSES, (), A_ROW, range(GUESSES)))]
