"""Lesson: what ε means, as odds of a guess about one person."""

from math import ceil
from typing import Any

from dpca_core.mechanisms.registry import DEFAULT, PURE_DEFAULT
from dpca_core.privacy.budget import Budget
from dpca_core.privacy.inference_risk import guess_probability
from dpca_core.text.privacy_numbers import (
    GUESSES,
    GUESSES_OF_A_COIN,
    whole_right_guesses,
)
from ui.learn.fields import Fields, fill
from ui.learn.lesson import Choice, Control, Lesson, Picture
from ui.learn.lessons.common import rand_problem
from ui.learn.pictures.people import hundred
from ui.state.settings import Settings

_SMALL, _ASKED, _LARGE = 1.0, 3.0, 5.0
_MANY = 1000
"""Guesses of which not all are right at the largest ε."""
_STOPS = (0.1, 0.5, 1.0, 2.0, 3.0, 5.0)


def measure(value: Any, seed: int) -> Fields:
    """Compute how often a guess is right at most, for pure mechanisms and for Gaussian noise."""
    shown, delta = float(value), Settings().delta
    return {
        "shown": shown,
        "small": _SMALL,
        "asked": _ASKED,
        "large": _LARGE,
        "delta": delta,
        "factor": guess_probability(_SMALL, 0.0) / (1 - guess_probability(_SMALL, 0.0)),
        "factor_asked": guess_probability(_ASKED, 0.0) / (1 - guess_probability(_ASKED, 0.0)),
        "odds_small": guess_probability(_SMALL, 0.0),
        "odds_asked": guess_probability(_ASKED, 0.0),
        "odds_large": guess_probability(_LARGE, 0.0),
        "odds_shown": guess_probability(shown, 0.0),
        "gaussian_small": _gaussian(_SMALL, delta),
        "gaussian_asked": _gaussian(_ASKED, delta),
        "gaussian_large": _gaussian(_LARGE, delta),
        "many": _MANY,
        "many_large": ceil(_MANY * guess_probability(_LARGE, 0.0)),
        "guesses": GUESSES,
        "coin": GUESSES_OF_A_COIN,
    }


def _gaussian(epsilon: float, delta: float) -> float:
    """Return the chance of a right guess with Gaussian noise at (ε, δ), one person more or less."""
    return DEFAULT.guarantee(rand_problem(2), Budget(epsilon, delta)).guess_probability()


def _hundred(name: str, fields: Fields, probability: str) -> Picture:
    known = {**fields, "probability": fields[probability]}
    gained = whole_right_guesses(fields[probability]) - GUESSES_OF_A_COIN
    title = fill(name + ": right at most {probability:odds} times in {guesses}", known)
    caption = "{probability:in_100}, rounded up; grey: right by a coin; red: gained at most"
    return Picture(title, fill(caption, known), hundred(GUESSES_OF_A_COIN, gained, title))


def pictures(fields: Fields, told: bool) -> tuple[Picture, ...]:
    """Draw a hundred guesses at ε = 1; with the answer also those at the ε of the control."""
    first = _hundred("ε = {small:epsilon}", fields, "odds_small")
    if not told:
        title = fill("ε = {asked:epsilon}: how many of {guesses}?", fields)
        return (
            first,
            Picture(title, "a coin alone is right half of the time", hundred(0, 0, title)),
        )
    return (first, _hundred("ε = {shown:epsilon}", fields, "odds_shown"))


LESSON = Lesson(
    key="epsilon",
    title="What ε means",
    minutes=5,
    question="With ε = {small:epsilon}, somebody who guesses whether you took part is right at "
    "most {odds_small:odds} times in {guesses} ({odds_small:in_100}, rounded up); a coin is right "
    "{coin} times. And with ε = {asked:epsilon}?",
    choices=(
        Choice(
            "{value:.0f}",
            lambda f: ceil(GUESSES * f["odds_small"]) + 1.0,
            "ε is a percentage: a little more of it, a little more risk",
        ),
        Choice(
            "{value:.0f}",
            lambda f: GUESSES * (1 - (1 - f["odds_small"]) * 2 / 3),
            "each step takes a part of what is left",
        ),
        Choice(
            "{value:.0f}", lambda f: float(ceil(GUESSES * f["odds_asked"])), "odds are multiplied"
        ),
        Choice(
            "{value:.0f}",
            lambda f: ceil(GUESSES * f["odds_small"]) * f["asked"] / f["small"],
            "three times the ε, three times the risk",
        ),
    ),
    right=2,
    truth=lambda fields: GUESSES * float(fields["odds_asked"]),
    control=Control("epsilon", "ε", _STOPS, _ASKED, "more private", "less private"),
    measure=measure,
    pictures=pictures,
    answer="At ε = {asked:epsilon} at most **{odds_asked:odds} times in {guesses}**: "
    "odds of e^ε to one are {odds_asked:in_100} in {guesses}, rounded up. At ε = {large:epsilon} "
    "it is {many_large:count} times in {many:count}.",
    explanation="ε multiplies odds: each added {small:epsilon} multiplies them by {factor:.1f}, so "
    "from {small:epsilon} to {asked:epsilon} they go from {factor:.1f} to one to "
    "{factor_asked:.0f} to one. At a small ε the guesser is close to a coin; beyond about "
    "{large:epsilon} a pure promise is nearly empty.",
    notes=(
        "Purpose: ε is a statement about odds, not about accuracy and not a percentage.",
        "Most will take ε for a percentage, or think that ten times the ε is ten times worse.",
        "Ask next: with Gaussian noise at δ = {delta:power} it is {gaussian_small:odds}, "
        "{gaussian_asked:odds} and {gaussian_large:odds} at ε = {small:epsilon}, {asked:epsilon} "
        "and {large:epsilon}. It gives less away at the same ε, because its worst outputs are "
        "rare: compare mechanisms by odds, not by ε. Open Claims from here, and follow “What it "
        "means”: it draws these odds for any mechanism.",
        "Not true in this picture: that the guesser knows little. The bound is for somebody who "
        "knows everybody else’s record, and it starts from even odds.",
    ),
    page="claims",
    settings=lambda fields: {
        **Settings(epsilon=fields["asked"], mechanism=PURE_DEFAULT.key).to_query(),
    },
    draws=False,
)
