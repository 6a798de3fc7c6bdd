"""Lesson: guess whether a person is in the data, as well as anybody can."""

from functools import lru_cache
from math import ceil, floor
from typing import Any, NamedTuple

import numpy as np

from dpca_core.audit.absence import proves_absence
from dpca_core.audit.audit import audit
from dpca_core.figures.colours import family_role
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.neighbouring_pairs import Pair, worst_pair
from dpca_core.mechanisms.registry import DEFAULT, MECHANISMS, PURE_DEFAULT, REFUTED_DEFAULT
from dpca_core.privacy.budget import Budget
from dpca_core.text.privacy_numbers import GUESSES
from ui.learn.fields import Fields, fill
from ui.learn.lesson import Choice, Control, Guess, Lesson, Picture
from ui.learn.lessons.common import rand_problem
from ui.learn.pictures.piles import piles
from ui.state.settings import Settings

_BUDGET = Budget(1.0, Settings().delta)
_COLUMNS, _ROUNDS, _MACHINE = 2, 20, 4000
_PLAYED = {
    mechanism.name.removesuffix(", printed"): mechanism
    for mechanism in (DEFAULT, PURE_DEFAULT, REFUTED_DEFAULT)
}
_AUDITED = {
    "acquitted": DEFAULT,
    "convicted": REFUTED_DEFAULT,
    "also_convicted": MECHANISMS["wishart_jiang"],
}


class Rounds(NamedTuple):
    """What a player sees and says.

    Attributes
    ----------
    present, absent
        A number (T,) of each release with the person, and of as many without.
    threshold
        The player says "in" where the number is at least this.
    """

    present: Array
    absent: Array
    threshold: float

    @property
    def right(self) -> float:
        """Share of the rounds in which the player is right."""
        found = (self.present >= self.threshold).mean() + (self.absent < self.threshold).mean()
        return float(found / 2)


def measure(value: Any, seed: int) -> Fields:
    """Play 20 rounds and 4,000 more against a mechanism; audit three of them for the notes."""
    mechanism = _PLAYED[value]
    played = _played(mechanism, seed)
    low, high = np.quantile(np.concatenate([played.present, played.absent]), [0.01, 0.99])
    guarantee = mechanism.guarantee(_pair(mechanism).with_person, _BUDGET)
    found: dict[str, Any] = {
        "mechanism": value,
        "key": mechanism.key,
        "role": family_role(mechanism.family),
        "epsilon": _BUDGET.epsilon,
        "columns": _COLUMNS,
        "rounds": _ROUNDS,
        "coin": _ROUNDS / 2,
        "machine": 2 * len(played.present),
        "rate": GUESSES * played.right,
        "right": _ROUNDS * played.right,
        "shown_right": int(
            (played.present[: _ROUNDS // 2] >= played.threshold).sum()
            + (played.absent[: _ROUNDS // 2] < played.threshold).sum()
        ),
        "bound": GUESSES * guarantee.guess_probability(),
        "at_most": ceil(10 * GUESSES * guarantee.guess_probability()) / 10,
        "threshold": played.threshold,
        "low": float(low),
        "high": float(high),
        "present": np.clip(played.present[: _ROUNDS // 2], low, high),
        "absent": np.clip(played.absent[: _ROUNDS // 2], low, high),
    }
    for verdict, audited in _AUDITED.items():
        found[verdict] = floor(100 * _audited(audited, seed)) / 100
        found[f"{verdict}_name"] = audited.name.removesuffix(", printed")
    return found


def _pair(mechanism: Mechanism) -> Pair:
    return worst_pair(mechanism, _COLUMNS, 1, int(rand_problem(1).n), _BUDGET)


@lru_cache(maxsize=64)
def _played(mechanism: Mechanism, seed: int) -> Rounds:
    return play_rounds(mechanism, _pair(mechanism), _BUDGET, _MACHINE // 2, seed)


def play_rounds(mechanism: Mechanism, pair: Pair, budget: Budget, each: int, seed: int) -> Rounds:
    """Play as many rounds with the person as without, by a rule that is fixed beforehand.

    What is left along the person once everybody else is subtracted: 1 with the person, 0 without,
    on average. That is the likelihood ratio of Gaussian noise. Where noise only adds, the smallest
    eigenvalue of what is left without the person: below 0 the person cannot be in.

    Parameters
    ----------
    mechanism
        One that publishes a matrix.
    pair
        A person who is added or removed.
    each
        Rounds of each kind.
    """
    rng, values = np.random.default_rng(seed), []
    for problem in (pair.with_person, pair.without_person):
        release = mechanism.simulate(problem, budget, rng, each, keep="moment")
        left = np.asarray(release.moment) - pair.without_person.moment
        if proves_absence(mechanism):
            person = np.outer(pair.person, pair.person)
            values.append(np.asarray(np.linalg.eigvalsh(left - person)[:, 0]))
        else:
            values.append(left @ pair.person @ pair.person)
    return Rounds(values[0], values[1], 0.0 if proves_absence(mechanism) else 0.5)


@lru_cache(maxsize=64)
def _audited(mechanism: Mechanism, seed: int) -> float:
    """Return the ε that an audit proves spent, at 95 % confidence: a lower bound."""
    return audit(mechanism, _pair(mechanism), _BUDGET, releases=_MACHINE, seed=seed).epsilon_lower


def pictures(fields: Fields, told: bool) -> tuple[Picture, ...]:
    """Draw 20 results on one line; with the answer, which of them had the person in."""
    low, high, threshold = fields["low"], fields["high"], fields["threshold"]
    guess = Guess("dot", low, high, (low + high) / 2)
    ticks = ((threshold, "in from here on"),) if told else ()
    if told:
        title = fill("{mechanism}: {rate:.1f} % right in {machine:count} rounds", fields)
        caption = fill(
            "{rounds:count} of them; the machine says “in” from the mark on, and is right in "
            "{shown_right:count}",
            fields,
        )
        groups = [
            ("person in", fields["present"], fields["role"]),
            ("person out", fields["absent"], "faint"),
        ]
    else:
        title = fill("{rounds:count} results: in or out?", fields)
        caption = "where would you draw the line? To its right you say “in”"
        both = np.sort(np.concatenate([fields["present"], fields["absent"]]))
        groups = [("in or out", both, "ink")]
    wide, narrow = (piles(groups, low, high, ticks, title, wide=wide) for wide in (True, False))
    return (Picture(title, caption, wide, narrow, guess=guess),)


LESSON = Lesson(
    key="attack",
    title="Be the attacker",
    minutes=6,
    question="The best possible player, {rounds:count} rounds, {mechanism} noise at "
    "ε = {epsilon:epsilon}: how many right?",
    choices=(
        Choice("{value:.0f}", lambda f: float(f["coin"]), "private: nobody can ever be right"),
        Choice(
            "{value:.0f}",
            lambda f: f["rounds"] * f["bound"] / GUESSES,
            "a little better than a coin",
        ),
        Choice("{value:.0f}", lambda f: 0.75 * f["rounds"], "a good player wins most rounds"),
        Choice("{value:.0f}", lambda f: float(f["rounds"]), "who knows all others knows it all"),
    ),
    right=1,
    truth=lambda fields: float(fields["right"]),
    control=Control("mechanism", "noise", tuple(_PLAYED), DEFAULT.name, spec="{}"),
    measure=measure,
    pictures=pictures,
    answer="**{right:.0f}** of {rounds:count} on average: the machine is right in "
    "**{rate:.1f} %** of {machine:count} rounds; on average nobody can pass {at_most:.1f} %.",
    explanation="Nobody stops you from guessing; the promise limits how much better than a coin "
    "you get. A short game can’t tell a good player from a coin, so the machine plays thousands of "
    "rounds.",
    notes=(
        "Purpose: what ε bounds is a game, and the game can be played.",
        "Most will say {coin:.0f}: they take “private” to mean that nobody can ever be right.",
        "Ask next: can playing prove a promise? It can only break one. After {machine:count} "
        "results on each side the audit finds ε ≥ {acquitted:.2f} for {acquitted_name}, which "
        "convicts nobody; ε ≥ {convicted:.2f} for {convicted_name} and ε ≥ {also_convicted:.2f} "
        "for {also_convicted_name}, which both claim ε = {epsilon:epsilon}.",
        "Not true in this picture: that the bound is always reached. These are people of "
        "{columns:word} columns, the easiest case; with more columns the same player does worse "
        "against the difference of Wisharts.",
    ),
    page="claims",
    settings=lambda fields: {
        **Settings(epsilon=fields["epsilon"], k=1).to_query(),
        "mechanism": fields["key"],
        "d": str(fields["columns"]),
    },
)
