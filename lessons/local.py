"""What it costs to trust nobody."""

from functools import lru_cache
from math import sqrt
from typing import Any

import numpy as np

from dpca_core.figures.colours import CHANCE, family_role
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import DEFAULT, LOCAL_DEFAULT, MECHANISMS
from dpca_core.privacy.budget import Budget
from dpca_core.privacy.gaussian import gaussian_epsilon
from ui.learn.fields import Fields
from ui.learn.lesson import Picture, Say
from ui.learn.pictures import fan
from ui.learn.releases import (
    DELTA,
    EPSILON,
    SHOWN,
    angles_degrees,
    kept_shares,
    rand_problem,
    releases,
)

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
    found: dict[str, Any] = {
        "n": problem.n,
        "office_epsilon": EPSILON,
        "epsilon": float(value),
        "enough": enough,
        "odds": guarantee.guess_probability(),
        "people": (report * problem.n / office) ** 2,
        "random": float(np.median(_measured(MECHANISMS["random_projection"], 1.0, 0)[0])),
        "choices": (*(times * EPSILON for times in GUESSED), enough),
        "truth": exact,
    }
    for name, mechanism, epsilon in (
        ("office", DEFAULT, EPSILON),
        ("home", LOCAL_DEFAULT, float(value)),
        ("enough", LOCAL_DEFAULT, enough),
    ):
        angles, kept = _measured(mechanism, epsilon, seed)
        found |= {
            f"{name}_angle": float(np.median(angles)),
            f"{name}_kept": float(np.median(kept)),
            f"{name}_releases": angles[:SHOWN],
        }
    return found


@lru_cache(maxsize=64)
def _measured(mechanism: Mechanism, epsilon: float, seed: int) -> tuple[Array, Array]:
    problem = rand_problem(2)
    bases = releases(mechanism, problem, Budget(epsilon, DELTA), seed)
    return angles_degrees(problem, bases), kept_shares(problem, bases)


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw the office's fan and an empty one; with the answer those of reports from home."""

    def picture(name: str, mechanism: Mechanism) -> Picture:
        own = {**fields, "angle": fields[f"{name}_angle"], "kept": fields[f"{name}_kept"]}
        needles = fan(fields[f"{name}_releases"], own["angle"], family_role(mechanism.family))
        return Picture(say(name, own), say("below", own), (needles,))

    found = [picture("office", DEFAULT)]
    if not told:
        empty = fan((), None, CHANCE)
        return [*found, Picture(say("asked", fields), say("asked, below", fields), (empty,))]
    found.append(picture("home", LOCAL_DEFAULT))
    if fields["epsilon"] != fields["enough"]:
        found.append(picture("enough", LOCAL_DEFAULT))
    return found
