"""The numbers of the handout: measured by the lessons, or computed by the same functions."""

from functools import lru_cache
from math import floor, log, log10, sqrt
from typing import Any

import numpy as np

from dpca_core.analysis.needed import EpsilonNeeded, smallest_epsilon
from dpca_core.mechanisms.registry import DEFAULT, PURE_DEFAULT, PURE_WIDE_DEFAULT
from dpca_core.privacy.budget import Budget
from dpca_core.privacy.gaussian import gaussian_epsilon, gaussian_sigma
from dpca_core.privacy.inference_risk import gaussian_guess_probability, guess_probability
from dpca_core.privacy.sensitivity import frobenius
from ui.learn.fields import Fields
from ui.learn.lessons.common import angles_degrees, kept_shares, rand_data, rand_problem, releases
from ui.learn.lessons.mechanism import DRAWN
from ui.learn.measurements import MEASURED
from ui.learn.query import start_of
from ui.learn.registry import LESSONS, number_of
from ui.state.settings import Settings
from ui.state.slider_stops import EPSILON_STOPS
from ui.text.numbers import percent_floor

LESSON = "gap"
"""The lesson whose picture is on the sheet."""
DIRECTIONS = tuple(range(1, 6))
"""k that are compared."""
_K = 2
_NEAR_TARGET = (0.04, 0.05, 0.06, 0.07, 0.08)
"""Values of ε around which 9 of 10 Gaussian releases keep the target."""
_STOPS = (0.02, 0.2)
"""Between these a page's stops are tried."""
_PART, _WHOLE, _SURE = 9, 10, 0.95
_DRAWS = 5
"""Seeds that say how much an answer depends on the draw."""
_ODDS_EPSILON, _EACH, _TIMES, _TWICE = 2.0, 0.5, 2, 2
_TIMES_WORDS = {2: "Twice", 3: "Three times"}
_TOWN, _NAMED = 1e6, 1


@lru_cache(maxsize=4)
def handout_numbers(seed: int) -> Fields:
    """Return every number of the exercises and of their answers."""
    settings = Settings()
    budget = Budget(settings.epsilon, settings.delta)
    data = rand_data()
    needed = [_needed(seed + more, settings, _NEAR_TARGET).estimate for more in range(_DRAWS)]
    stops = tuple(e for e in EPSILON_STOPS if _STOPS[0] <= e <= _STOPS[1])
    return {
        "epsilon": budget.epsilon,
        "data": data.name,
        "n": data.people,
        "columns": data.d,
        "seed": seed,
        "releases": len(releases(DEFAULT, rand_problem(_K), budget, seed)),
        "part": _PART,
        "whole": _WHOLE,
        "target": settings.target,
        "needed_low": min(epsilon for epsilon in needed if epsilon is not None),
        "needed_high": _needed(seed, settings, stops).epsilon,
        "confidence": _SURE,
        **_odds(settings.delta),
        **_named_by_chance(seed),
        **_turns(budget, seed),
        **_order(seed),
        **_more_people(budget.epsilon),
        **_twice(settings.delta),
    }


def _needed(seed: int, settings: Settings, stops: tuple[float, ...]) -> EpsilonNeeded:
    """Return the ε from which on 9 of 10 releases keep the target, by the pages' own rule."""
    problem = rand_problem(_K)
    kept = [
        kept_shares(problem, releases(DEFAULT, problem, Budget(e, settings.delta), seed))
        for e in stops
    ]
    return smallest_epsilon(stops, np.array(kept), settings.target)


def _odds(delta: float) -> dict[str, Any]:
    guarantee = DEFAULT.guarantee(rand_problem(_K), Budget(_ODDS_EPSILON, delta))
    return {
        "odds_epsilon": _ODDS_EPSILON,
        "gaussian_odds": guarantee.guess_probability(),
        "pure_odds": guess_probability(_ODDS_EPSILON, 0.0),
    }


def _named_by_chance(seed: int) -> dict[str, Any]:
    """Return the largest power of ten for δ at which anybody of a town is named seldom enough."""
    lesson = LESSONS["delta"]
    runs = MEASURED.at(lesson.key, start_of(lesson.control), seed)["runs"]
    largest = 1 - (1 - _NAMED / runs) ** (1 / _TOWN)
    delta = 10.0 ** floor(log10(largest))
    return {
        "town": _TOWN,
        "runs": runs,
        "runs_named": _NAMED,
        "small_delta": delta,
        "named": -np.expm1(_TOWN * np.log1p(-delta)),
        "odds_lesson": number_of("epsilon"),
        "delta_lesson": number_of(lesson.key),
        "again_lesson": number_of("again"),
    }


def _turns(budget: Budget, seed: int) -> dict[str, Any]:
    """Return which k turns most, and the gap behind it."""
    problems = [rand_problem(k) for k in DIRECTIONS]
    angles = [
        float(np.median(angles_degrees(one, releases(DEFAULT, one, budget, seed))))
        for one in problems
    ]
    worst = int(np.argmax(angles))
    return {
        "first_k": DIRECTIONS[0],
        "last_k": DIRECTIONS[-1],
        "worst_k": DIRECTIONS[worst],
        "worst_gap": problems[worst].gap,
        "noise": MEASURED.at(LESSON, start_of(LESSONS[LESSON].control), seed)["noise"],
    }


def _order(seed: int) -> dict[str, Any]:
    """Return the mechanisms of exercise 5 by what they keep, and in another order."""
    lesson = LESSONS["mechanism"]
    fields = MEASURED.at(lesson.key, start_of(lesson.control), seed)
    kept = {
        PURE_WIDE_DEFAULT.name: fields["plain"],
        DRAWN.name: fields["drawn"],
        PURE_DEFAULT.name: fields["shaped"],
    }
    ordered = sorted(kept, key=lambda name: -kept[name])
    return {
        "unordered": ", ".join(sorted(kept)),
        "ordered": ", ".join(f"{name} {percent_floor(kept[name])}" for name in ordered),
    }


def _more_people(epsilon: float) -> dict[str, Any]:
    """Return the ε at which the noise of a pure mechanism grows as the people do."""
    problem = rand_problem(_K)
    noise = PURE_DEFAULT.calibrate(problem, Budget(epsilon)).scale
    less = PURE_DEFAULT.calibrate(problem, Budget(epsilon / _TIMES)).scale
    exponent = log(less / noise) / log(_TIMES)
    return {"times_word": _TIMES_WORDS[_TIMES], "same_quality": epsilon * _TIMES ** (-1 / exponent)}


def _twice(delta: float) -> dict[str, Any]:
    """Return what two Gaussian releases give away together: as one with less noise."""
    sensitivity = frobenius(Budget(_EACH, delta).adjacency)
    joint = gaussian_sigma(_EACH, delta, sensitivity) / sqrt(_TWICE)
    return {
        "each": _EACH,
        "joint": gaussian_epsilon(joint, delta, sensitivity),
        "added": _TWICE * _EACH,
        "joint_odds": gaussian_guess_probability(joint / sensitivity),
    }
