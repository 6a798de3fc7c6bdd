"""One person leaves, and ordinary PCA gives another answer."""

from functools import lru_cache
from typing import Any

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import top_basis
from dpca_core.privacy.budget import Adjacency
from dpca_core.privacy.smooth_sensitivity import local_sensitivity
from ui.learn.pictures import Fields, Picture, Say, histogram, people, picture
from ui.learn.releases import angles_degrees, rand_data, rand_problem

OTHER_K, EVERY, ODD = 3, 5, 0.01
"""k that is compared, one of so many columns named, and the share of "the few odd ones"."""
SEEN = 1e-9
"""Degrees from which on an angle is no rounding error."""
TICKS = ((1e-4, "0.0001°"), (1e-3, "0.001°"), (0.01, "0.01°"), (0.1, "0.1°"), (1.0, "1°"),
         (10.0, "10°"))  # fmt: skip
"""The same for every k, so that turns can be compared."""


def measure(value: Any, seed: int) -> Fields:
    """Turn the true directions by leaving each person out, one after the other."""
    k = int(value)
    angles, n = _turns(k), len(_turns(k))
    changed = int((angles > SEEN).sum())
    return {
        "k": k,
        "n": n,
        "angles": angles,
        "changed": changed,
        "smallest": float(angles.min()),
        "median": float(np.median(angles)),
        "largest": float(angles.max()),
        "bound": _bound(k),
        "data": rand_data().name,
        "columns": rand_data().d,
        "such_as": ", ".join(rand_data().columns[::EVERY]),
        "other_k": OTHER_K,
        "other_largest": float(_turns(OTHER_K).max()),
        "other_bound": _bound(OTHER_K),
        "choices": (float(n), n / 2, ODD * n, 0.0),
        "truth": float(changed),
    }


@lru_cache(maxsize=8)
def _turns(k: int) -> Array:
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
        return [picture(say, "told", fields, histogram(fields["angles"], TICKS, "accent"))]
    return [picture(say, "asked", fields, people(fields["n"], ()))]
