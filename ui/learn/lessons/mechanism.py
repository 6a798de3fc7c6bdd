"""Lesson: two mechanisms with the same promise, and what each of them keeps."""

from functools import lru_cache
from typing import Any

import numpy as np

from dpca_core.figures.colours import family_role
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import DEFAULT, MECHANISMS, PURE_DEFAULT, PURE_WIDE_DEFAULT
from dpca_core.metrics import random_baseline
from dpca_core.privacy.budget import Budget
from dpca_core.runtime.threads import thread_pool
from dpca_core.simulation.trials import median_norm
from ui.learn.fields import Fields, fill
from ui.learn.lesson import Choice, Control, Guess, Lesson, Picture
from ui.learn.lessons.common import (
    LESSON_EPSILONS,
    LESSON_RELEASES,
    kept_shares,
    rand_problem,
    releases,
    sample_of,
)
from ui.learn.pictures.piles import piles
from ui.state.settings import Settings

_SHAPED, _PLAIN, DRAWN = PURE_DEFAULT, PURE_WIDE_DEFAULT, MECHANISMS["ppca"]
_FEW = 25
"""Releases of the mechanisms that only the notes mention."""
_TICKS = tuple((share / 4, f"{share * 25} %") for share in range(5))


def measure(value: Any, seed: int) -> Fields:
    """Measure what releases keep at an ε, with two pure mechanisms and, for the notes, two more."""
    epsilon = float(value)
    with thread_pool() as pool:
        shaped, plain = pool.map(lambda m: _kept(m, epsilon, 0.0, seed), (_SHAPED, _PLAIN))
    delta = Settings().delta
    problem = rand_problem(2)
    return {
        "epsilon": epsilon,
        "delta": delta,
        "shaped": float(np.median(shaped)),
        "plain": float(np.median(plain)),
        "shaped_releases": sample_of(shaped),
        "plain_releases": sample_of(plain),
        "shown": len(sample_of(shaped)),
        "shaped_noise": median_norm(_SHAPED, problem.d, Budget(epsilon)),
        "plain_noise": median_norm(_PLAIN, problem.d, Budget(epsilon)),
        "random": random_baseline(problem).captured,
        "gaussian": float(np.median(_kept(DEFAULT, epsilon, delta, seed, _FEW))),
        "drawn": float(np.median(_kept(DRAWN, epsilon, 0.0, seed, _FEW))),
    }


@lru_cache(maxsize=64)
def _kept(
    mechanism: Mechanism, epsilon: float, delta: float, seed: int, trials: int = LESSON_RELEASES
) -> np.ndarray:
    problem = rand_problem(2)
    bases = releases(mechanism, problem, Budget(epsilon, delta), seed, trials)
    return kept_shares(problem, bases)


def pictures(fields: Fields, told: bool) -> tuple[Picture, ...]:
    """Draw what releases of one mechanism keep, and with the answer those of both."""
    shaped = (_SHAPED.name, fields["shaped_releases"], family_role(_SHAPED.family))
    plain = (_PLAIN.name, fields["plain_releases"], family_role(_PLAIN.family))
    groups = [shaped, plain] if told else [shaped]
    label = fill(
        "Variation kept in {shown:count} releases at ε = {epsilon:epsilon}: half of those of "
        "{first} keep {shaped:share} or more"
        + (", half of those of {second} {plain:share} or more" if told else ""),
        {**fields, "first": _SHAPED.name, "second": _PLAIN.name},
    )
    title = (
        "Same promise: one keeps {shaped:share}, the other {plain:share}"
        if told
        else "Half of the releases of one mechanism keep {shaped:share} or more"
    )
    caption = "each dot one of {shown:count} releases; share of the variation kept"
    caption += "; directions drawn at random: {random:share}" if told else ""
    return (
        Picture(
            fill(title, fields),
            fill(caption, fields),
            piles(groups, 0.0, 1.0, _TICKS, label, wide=True),
            narrow=piles(groups, 0.0, 1.0, _TICKS, label),
            guess=Guess("dot", 0.0, 100.0, 50.0, " %"),
        ),
    )


def settings(fields: Fields) -> dict[str, str]:
    """Open Compare with both mechanisms."""
    keys = {"mechanisms": f"{_SHAPED.key},{_PLAIN.key}", "axis": "epsilon"}
    return Settings(epsilon=fields["epsilon"]).to_query() | keys


def _between(fields: Fields) -> float:
    return float((fields["shaped"] + fields["plain"]) / 2)


LESSON = Lesson(
    key="mechanism",
    title="Same ε, other noise",
    minutes=4,
    question="Both promise exactly ε = {epsilon:epsilon}. One keeps {shaped:share} of the "
    "variation. The other?",
    choices=(
        Choice("{value:share}", lambda f: float(f["shaped"]), "same promise, same price"),
        Choice("{value:share}", _between, "a little is lost, as always"),
        Choice("{value:share}", lambda f: float(f["plain"]), "its noise is larger in every cell"),
        Choice("{value:share}", lambda f: float(f["random"]), "like chance: privacy costs it all"),
    ),
    right=2,
    truth=lambda fields: float(fields["plain"]),
    control=Control(
        "epsilon",
        "ε",
        LESSON_EPSILONS,
        Settings().epsilon,
        "more private",
        "more exact",
    ),
    measure=measure,
    pictures=pictures,
    answer="The other keeps **{plain:share}**: its noise is **{plain_noise:people} people**, not "
    "**{shaped_noise:people}**.",
    explanation="The promise says what may leak, not how clumsily it is kept. Laplace noise treats "
    "every cell as a question of its own; the other is shaped for what one person can change in "
    "the whole table.",
    notes=(
        "Purpose: accuracy does not follow from ε alone; who designs the noise decides how much "
        "is left.",
        "Most will say that the same promise has the same price: they take ε for a measure of "
        "accuracy.",
        "Ask next: what would a third mechanism have to be shaped for? Gaussian noise keeps "
        "{gaussian:share}, but leaves δ = {delta:power} open; directions drawn by their fit keep "
        "{drawn:share}.",
        "Not true in this picture: that the better mechanism is better everywhere. Move ε: where "
        "both keep nearly all, or nearly nothing, nothing tells them apart.",
    ),
    page="compare",
    settings=settings,
)
