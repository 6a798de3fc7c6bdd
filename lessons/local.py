"""What it costs to trust nobody."""

from math import sqrt

import numpy as np

from dpca_core.figures.colours import CHANCE, family_role
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import DEFAULT, LOCAL_DEFAULT, MECHANISMS
from dpca_core.privacy.budget import Budget
from dpca_core.privacy.gaussian import gaussian_epsilon
from ui.learn.pictures import Fields, Picture, Say, fan
from ui.learn.releases import (
    DELTA,
    EPSILON,
    angles_degrees,
    noise_scale,
    rand_problem,
    releases,
    summed_up,
)

STOPS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
GUESSED = (1, 5, 20)
"""Times the office's ε that the wrong choices take for enough."""


def measure(epsilon: float, seed: int) -> Fields:
    """Measure an office's releases, and those of reports with noise of their own at an ε."""
    problem, office = rand_problem(2), noise_scale(EPSILON)
    report = LOCAL_DEFAULT.calibrate(problem.scaled(1.0), Budget(EPSILON, DELTA)).scale
    exact = gaussian_epsilon(office / sqrt(problem.n), DELTA, sqrt(2))
    enough = min(stop for stop in STOPS if stop >= exact)
    guarantee = LOCAL_DEFAULT.guarantee(problem, Budget(enough, DELTA))
    chance = releases(problem, 1.0, 0, MECHANISMS["random_projection"])

    def published(mechanism: Mechanism, at: float) -> Fields:
        return {"epsilon": at, **summed_up(problem, releases(problem, at, seed, mechanism))}

    return {
        "office": published(DEFAULT, EPSILON),
        "home": published(LOCAL_DEFAULT, epsilon),
        "enough": published(LOCAL_DEFAULT, enough),
        "odds": guarantee.guess_probability(),
        "people": (report * problem.n / office) ** 2,
        "random": np.median(angles_degrees(problem, chance)),
        "choices": (*(times * EPSILON for times in GUESSED), enough),
        "truth": exact,
    }


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw the office's fan and an empty one; with the answer those of reports from home."""

    def needles(name: str, own: Fields, mechanism: Mechanism) -> Picture:
        drawn = fan(own["releases"], own["angle"], family_role(mechanism.family))
        return say.picture(name, drawn, below="below", **own)

    office = needles("office", fields["office"], DEFAULT)
    if not told:
        return [office, say.picture("asked", fan((), None, CHANCE))]
    home, enough = fields["home"], fields["enough"]
    known = [home] if home["epsilon"] == enough["epsilon"] else [home, enough]
    return [office, *(needles("home", own, LOCAL_DEFAULT) for own in known)]
