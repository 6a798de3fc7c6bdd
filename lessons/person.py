"""One person leaves, and ordinary PCA gives another answer."""

from functools import lru_cache

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import top_basis
from dpca_core.privacy.budget import Adjacency
from dpca_core.privacy.smooth_sensitivity import local_sensitivity
from ui.learn.pictures import Fields, Picture, Say, histogram, people
from ui.learn.releases import angles_degrees, rand_data, rand_problem

OTHER_K, EVERY, ODD = 3, 5, 0.01
"""k that is compared, one of so many columns named, and the share of "the few odd ones"."""
SEEN = 1e-9
"""Degrees from which on an angle is no rounding error."""
TICKS = [(10.0**e, f"{10.0**e:g}°") for e in range(-4, 2)]
"""The same for every k, so that turns can be compared."""


def measure(k: int, seed: int) -> Fields:
    """Turn the true directions by leaving each person out, one after the other."""
    angles, n = turns(k), len(turns(k))
    changed = (angles > SEEN).sum()
    return {
        "angles": angles,
        "changed": changed,
        "smallest": angles.min(),
        "median": np.median(angles),
        "largest": angles.max(),
        "bound": _bound(k),
        "such_as": ", ".join(rand_data().columns[::EVERY]),
        "other_k": OTHER_K,
        "other_largest": turns(OTHER_K).max(),
        "other_bound": _bound(OTHER_K),
        "choices": (n, n / 2, ODD * n, 0),
        "truth": changed,
    }


@lru_cache(maxsize=8)
def turns(k: int) -> Array:
    """Return the largest angle (n,) between all people's directions and those without each one."""
    problem, rows = rand_problem(k), rand_data().rows
    without = problem.moment - rows[:, :, None] * rows[:, None, :]
    return angles_degrees(problem, top_basis(without, k))


def _bound(k: int) -> float:
    """Return the angle by which no person can turn the directions, in degrees."""
    problem = rand_problem(k)
    most = local_sensitivity(problem.gap, problem.d, k, Adjacency.ADD_OR_REMOVE_ONE)
    return float(np.degrees(np.arcsin(min(1.0, most))))


def pictures(fields: Fields, told: bool, say: Say) -> list[Picture]:
    """Draw all people; with the answer how many turn the directions by which angle."""
    if told:
        return [say.picture("told", histogram(fields["angles"], TICKS, "accent"))]
    return [say.picture("asked", people(fields["n"], ()))]
