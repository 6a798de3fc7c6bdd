"""The numbers of the handout: measured by the lessons, or computed by the same functions."""

from functools import lru_cache
from math import floor, log10, sqrt

import numpy as np

from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.privacy.budget import Budget
from dpca_core.privacy.gaussian import gaussian_sigma
from dpca_core.privacy.inference_risk import gaussian_guess_probability, guess_probability
from dpca_core.privacy.sensitivity import frobenius
from lessons.again import joint_epsilon
from lessons.people import same_quality
from ui.learn.course import LESSONS, measured
from ui.learn.lesson import Fields
from ui.learn.releases import DELTA, EPSILON, TRIALS, rand_data, rand_problem
from ui.text.numbers import percent_floor

ODDS_EPSILON, EACH, TIMES, TOWN = 2.0, 0.5, 2, 1e6


@lru_cache(maxsize=4)
def numbers(seed: int) -> Fields:
    """Return every number of the exercises and of their answers."""
    of = {key: measured(key, one.control.first, seed) for key, one in LESSONS.items()
          if key in ("gap", "people", "mechanism", "delta")}  # fmt: skip
    gap, mechanism = of["gap"], of["mechanism"]
    worst = max(("few", "more", "most"), key=lambda name: gap[f"{name}_angle"])
    kept = {mechanism[name]: mechanism[share] for name, share in
            (("first", "shaped"), ("second", "plain"), ("third", "drawn"))}  # fmt: skip
    ordered = sorted(kept, key=lambda name: -kept[name])
    runs = of["delta"]["runs"]
    delta = 10.0 ** floor(log10(1 - (1 - 1 / runs) ** (1 / TOWN)))
    size = frobenius(Budget(EACH, DELTA).adjacency)
    return {
        **gap,
        "epsilon": EPSILON,
        "data": rand_data().name,
        "people": rand_data().people,
        "columns": rand_data().d,
        "seed": seed,
        "releases": TRIALS,
        "target": of["people"]["target"],
        "gaussian": of["people"]["gaussian"],
        "odds_lesson": LESSONS["epsilon"].number,
        "odds_epsilon": ODDS_EPSILON,
        "gaussian_odds": DEFAULT.guarantee(
            rand_problem(2), Budget(ODDS_EPSILON, DELTA)
        ).guess_probability(),
        "pure_odds": guess_probability(ODDS_EPSILON, 0.0),
        "delta_lesson": LESSONS["delta"].number,
        "town": TOWN,
        "runs": runs,
        "small_delta": delta,
        "named": -np.expm1(TOWN * np.log1p(-delta)),
        "worst_k": gap[worst],
        "worst_gap": gap[f"{worst}_gap"],
        "unordered": ", ".join(sorted(kept)),
        "ordered": ", ".join(f"{name} {percent_floor(kept[name])}" for name in ordered),
        "twice": same_quality(EPSILON, TIMES),
        "again_lesson": LESSONS["again"].number,
        "each": EACH,
        "added": TIMES * EACH,
        "joint": joint_epsilon(TIMES, EACH),
        "joint_odds": gaussian_guess_probability(
            gaussian_sigma(EACH, DELTA, size) / sqrt(TIMES) / size
        ),
    }
