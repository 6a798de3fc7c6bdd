"""What it costs to trust nobody."""

from math import sqrt
from typing import Any

import numpy as np

from dpca_core.figures.colours import CHANCE, family_role
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import DEFAULT, LOCAL_DEFAULT, MECHANISMS
from dpca_core.privacy.budget import Budget
from dpca_core.privacy.gaussian import gaussian_epsilon
from ui.learn.pictures import Fields, Picture, Say, fan, picture
from ui.learn.releases import DELTA, EPSILON, angles_degrees, rand_problem, releases, summed_up

STOPS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0)
GUESSED = (1, 5, 20)
"""Times the office's ε that the wrong choices take for enough."""


def measure(value: Any, seed: int) -> Fields:
    """Measure an office's releases, and those of reports with noise of their own at an ε."""
    problem, budget = rand_problem(2), Budget(EPSILON, DELTA)
    office = DEFAULT.calibrate(problem, budget).scale
    exact = gaussian_epsilon(office / sqrt(problem.n), DELTA, sqrt(2))
    enough = min(stop for stop in STOPS if stop >= exact)
    report = LOCAL_DEFAULT.calibrate(problem.scaled(1.0), budget).scale
    guarantee = LOCAL_DEFAULT.guarantee(problem, Budget(enough, DELTA))
    chance = releases(MECHANISMS["random_projection"], problem, Budget(1.0, DELTA), 0)
    found: dict[str, Any] = {
        "n": problem.n,
        "office_epsilon": EPSILON,
        "epsilon": float(value),
        "enough": enough,
        "odds": guarantee.guess_probability(),
        "people": (report * problem.n / office) ** 2,
        "random": float(np.median(angles_degrees(problem, chance))),
        "choices": (*(times * EPSILON for times in GUESSED), enough),
        "truth": exact,
    }
    for name, mechanism, epsilon in (
        ("office", DEFAULT, EPSILON),
        ("home", LOCAL_DEFAULT, float(value)),
        ("enough", LOCAL_DEFAULT, enough),
    ):
        bases = releases(mechanism, problem, Budget(epsilon, DELTA), seed)
        found |= summed_up(name, problem, bases)
    return found


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw the office's fan and an empty one; with the answer those of reports from home."""

    def needles(name: str, mechanism: Mechanism) -> Picture:
        own = {**fields, "angle": fields[f"{name}_angle"], "kept": fields[f"{name}_kept"]}
        drawn = fan(fields[f"{name}_releases"], own["angle"], family_role(mechanism.family))
        return Picture(say(name, own), say("below", own), (drawn,))

    found = [needles("office", DEFAULT)]
    if not told:
        return [*found, picture(say, "asked", fields, fan((), None, CHANCE))]
    found.append(needles("home", LOCAL_DEFAULT))
    if fields["epsilon"] != fields["enough"]:
        found.append(needles("enough", LOCAL_DEFAULT))
    return found
