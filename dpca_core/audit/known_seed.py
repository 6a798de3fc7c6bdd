"""What a reader works out who knows the seed of the noise: everything."""

from math import sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem


def published_table(mechanism: NoiseOnS, problem: Problem, budget: Budget, seed: int) -> Array:
    """Return the noisy S (d, d), in people, that the mechanism publishes with this seed."""
    rng = np.random.default_rng(seed)
    published = mechanism.release(problem, budget, rng, 1, keep="moment").moment
    assert published is not None
    return np.asarray(published[0])


def redrawn_noise(mechanism: NoiseOnS, problem: Problem, budget: Budget, seed: int) -> Array:
    """Return the noise (d, d) that a release with this seed adds to S, in people.

    It follows from d, the budget and the seed alone, which anybody may know.
    """
    rng = np.random.default_rng(seed)
    unit = mechanism.unit(problem.d, problem.k, rng, 1)[0][0]
    return np.asarray(mechanism.calibrate(problem, budget).scale * unit)


def remaining_record(table: Array, others: Array, towards: Array) -> Array:
    """Return the record x (d,) of the one person in a table (d, d) who is not among the others.

    Parameters
    ----------
    towards
        (d,) What decides between x and −x, as their tables are the same: one entry that is known.
    """
    values, vectors = np.linalg.eigh(table - others)
    record = sqrt(max(float(values[-1]), 0.0)) * vectors[:, -1]
    return np.asarray(record * np.sign(record @ towards))
