"""What lessons measure releases by: the RAND problem, releases, angles and shares kept."""

from functools import lru_cache

import numpy as np

from dpca_core.data.dataset import Dataset
from dpca_core.figures.colours import family_role
from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.mechanism import Mechanism
from dpca_core.mechanisms.registry import DEFAULT
from dpca_core.metrics import principal_angles, quality
from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem
from dpca_core.simulation.trials import TrialDraws, noise_norms
from sample_data import load_key
from ui.learn.pictures import Fields
from ui.state.settings import DEFAULT_DATA, Settings

EPSILON, DELTA = Settings().epsilon, Settings().delta
"""Of most lessons: what every page starts with."""
SHOWN = 25
"""Releases drawn one by one."""
TRIALS = 400
"""Releases that a lesson measures by."""
ROLE = family_role(DEFAULT.family)
"""Role of the colour of Gaussian noise."""


@lru_cache(maxsize=1)
def rand_data() -> Dataset:
    """Return the data of all lessons: public, and read once."""
    return load_key(DEFAULT_DATA)


def given() -> Fields:
    """Return the fields that every lesson has: its table, and how most of them publish."""
    data = rand_data()
    return {
        "data": data.name,
        "n": data.people,
        "d": data.d,
        "key": DEFAULT.key,
        "epsilon": EPSILON,
        "delta": DELTA,
        "shown": SHOWN,
    }


@lru_cache(maxsize=32)
def rand_problem(k: int) -> Problem:
    """Return RAND's problem with k directions."""
    return rand_data().problem(k)


def noise_scale(epsilon: float, mechanism: Mechanism = DEFAULT) -> float:
    """Return the scale of a mechanism's noise on RAND's table, in people."""
    return mechanism.calibrate(rand_problem(1), Budget(epsilon, DELTA)).scale


@lru_cache(maxsize=8)
def shared_draws(mechanism: Mechanism, seed: int, trials: int = TRIALS) -> TrialDraws:
    """Return the draws of a mechanism's trials, made once for all that is measured by them."""
    return TrialDraws(mechanism, seed, range(trials))


def releases(
    problem: Problem,
    epsilon: float,
    seed: int,
    mechanism: Mechanism = DEFAULT,
    trials: int = TRIALS,
) -> Array:
    """Simulate releases at ε and the usual δ, which pure mechanisms do not use.

    Return their bases (T, d, k); trial t is the same at every ε.
    """
    return shared_draws(mechanism, seed, trials).release(problem, Budget(epsilon, DELTA)).bases


def median_noise(epsilon: float, seed: int) -> float:
    """Return by how many people Gaussian noise moves any weight at most, in half the releases."""
    norms = noise_norms(shared_draws(DEFAULT, seed), rand_problem(1).d)
    assert norms is not None
    return noise_scale(epsilon) * float(np.median(norms))


def summed_up(problem: Problem, bases: Array) -> Fields:
    """Return how far releases are off, half and nine of ten of them, and what half keep at least.

    ``releases`` are some of their angles, ``gap`` is the one behind their ``k`` directions.
    """
    angles = angles_degrees(problem, bases)
    return {
        "k": problem.k,
        "gap": problem.gap,
        "releases": angles[:SHOWN],
        "angle": np.median(angles),
        "within": np.quantile(angles, 0.9),
        "kept": np.median(kept_shares(problem, bases)),
    }


def angles_degrees(problem: Problem, bases: Array) -> Array:
    """Return the largest principal angle (T,) to ordinary PCA of each of the bases, in degrees."""
    return np.asarray(np.degrees(principal_angles(problem.basis, bases)[..., -1]))


def kept_shares(problem: Problem, bases: Array) -> Array:
    """Return the share (T,) that each of the bases keeps of what ordinary PCA captures."""
    return quality(problem, bases).captured
