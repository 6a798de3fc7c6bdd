"""Publishing again and again, and what it gives away in all."""

from math import ceil, inf, sqrt

import numpy as np

from dpca_core.privacy.budget import Budget
from dpca_core.privacy.gaussian import gaussian_epsilon, gaussian_sigma
from dpca_core.privacy.sensitivity import frobenius
from ui.learn.pictures import Fields, Picture, Say, bars, fan
from ui.learn.releases import DELTA, EPSILON, ROLE, SHOWN, angles_degrees, rand_problem, releases

COMPARED = 1.0
"""ε of the one publication that the others are compared with."""


def measure(times: int, seed: int) -> Fields:
    """Measure the average of so many publications, and account for all of them exactly."""
    # A release at the joint ε has the law of an average.
    problem, joint = rand_problem(2), joint_epsilon(times)
    averaged = angles_degrees(problem, releases(problem, joint, seed))
    needed = ceil((_noise(EPSILON) / _noise(COMPARED)) ** 2)
    by_adding = round(COMPARED / EPSILON)
    return {
        "compared": COMPARED,
        "joint": joint,
        "added": times * EPSILON,
        "needed": needed,
        "by_adding": by_adding,
        "averaged": float(np.median(averaged)),
        "averaged_releases": averaged[:SHOWN],
        "choices": (by_adding**3, inf, needed, by_adding),
        "truth": needed,
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
    needles = fan(fields["averaged_releases"], fields["averaged"], ROLE)
    average = say.picture("many" if fields["times"] > 1 else "one", needles)
    if not told:
        return [average]
    spent = (say("spent"), fields["joint"], ROLE)
    added, budget = (say("added"), fields["added"], "faint"), (say("budget"), COMPARED, "ink")
    return [average, say.picture("ledger", bars([spent, added, budget], 1.5 * COMPARED))]
