"""Publishing again and again, and what it gives away in all."""

from math import ceil, sqrt
from typing import Any

import numpy as np

from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.privacy.budget import Budget
from dpca_core.privacy.gaussian import gaussian_epsilon, gaussian_sigma
from dpca_core.privacy.sensitivity import frobenius
from ui.learn.pictures import Fields, Picture, Say, bars, fan, picture
from ui.learn.releases import DELTA, EPSILON, ROLE, SHOWN, angles_degrees, rand_problem, releases

COMPARED = 1.0
"""ε of the one publication that the others are compared with."""


def measure(value: Any, seed: int) -> Fields:
    """Measure the average of so many publications, and account for all of them exactly."""
    times, by_adding = int(value), round(COMPARED / EPSILON)
    # A release at the joint ε has the law of an average.
    problem, budget = rand_problem(2), Budget(joint_epsilon(times), DELTA)
    averaged = angles_degrees(problem, releases(DEFAULT, problem, budget, seed))
    needed = ceil((_noise(EPSILON) / _noise(COMPARED)) ** 2)
    return {
        "key": DEFAULT.key,
        "epsilon": EPSILON,
        "delta": DELTA,
        "compared": COMPARED,
        "times": times,
        "joint": budget.epsilon,
        "added": times * EPSILON,
        "needed": needed,
        "by_adding": by_adding,
        "averaged": float(np.median(averaged)),
        "averaged_releases": averaged[:SHOWN],
        "shown": SHOWN,
        "choices": (float(by_adding**3), float("inf"), float(needed), float(by_adding)),
        "truth": float(needed),
    }


def joint_epsilon(times: int, each: float = EPSILON) -> float:
    """Return the exact ε of so many publications together, at the δ of one of them.

    Their average tells all that they tell, and its noise is τ/√m: the profile of docs/gaussian.md.
    """
    return gaussian_epsilon(_noise(each) / sqrt(times), DELTA, frobenius(Budget(each).adjacency))


def _noise(epsilon: float) -> float:
    return gaussian_sigma(epsilon, DELTA, frobenius(Budget(epsilon).adjacency))


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw the average of the publications so far; with the answer also the ledger."""
    name, own = "many" if fields["times"] > 1 else "one", {**fields, "angle": fields["averaged"]}
    needles = fan(fields["averaged_releases"], fields["averaged"], ROLE)
    found = [picture(say, name, own, needles)]
    if told:
        lengths = {"spent": (fields["joint"], ROLE), "added": (fields["added"], "faint")}
        lengths["budget"] = COMPARED, "ink"
        rows = [(say(words, own), *length) for words, length in lengths.items()]
        found.append(picture(say, "ledger", fields, bars(rows, 1.5 * COMPARED)))
    return found
