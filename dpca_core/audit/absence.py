"""Releases in which an absent record gives itself away: noise that only ever adds proves absence.

An observer who knows every other record subtracts them from the published matrix. What remains is
noise, or noise and the record in question (docs/wishart-refutation.md).
"""

from math import cos, pi, sin

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem

RECORD = np.array([cos(pi / 3), sin(pi / 3)])
"""The record in question (2,)."""
OTHER_RECORDS = np.diag([30.0, 12.0])
"""S (2, 2) of all other records."""
RELEASES_SHOWN = 100
"""Releases drawn one by one."""
_PEOPLE = 60


def proves_absence(mechanism: Mechanism) -> bool:
    """Tell whether an output can prove that a record is absent: the noise only raises S."""
    return isinstance(mechanism, NoiseOnS) and mechanism.law.one_sided


def released_remainders(
    mechanism: Mechanism, budget: Budget, present: bool, trials: int, seed: int
) -> Array:
    """Return published matrices (trials, 2, 2), with the record or without, minus all others."""
    moment = OTHER_RECORDS + np.outer(RECORD, RECORD) if present else OTHER_RECORDS
    problem = Problem.from_moment((moment + moment.T) / 2, _PEOPLE, 1)
    rng = np.random.default_rng([seed, present])
    release = mechanism.release(problem, budget, rng, trials, keep="moment")
    return np.asarray(release.moment) - OTHER_RECORDS


def sticks_out(matrices: Array, x: Array) -> np.ndarray:
    """Which matrices (trials, d, d) do not dominate xxᵀ: where noise only adds, x is absent."""
    lowest = np.linalg.eigvalsh(matrices - np.outer(x, x))[..., 0]
    return np.asarray(lowest < -1e-9)
