"""What single releases keep, along ε or n: the measure of all figures of captured variance."""

from collections.abc import Callable, Sequence
from enum import Enum
from functools import lru_cache

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.metrics import quality
from dpca_core.privacy.budget import Adjacency, Budget, InfeasibleBudget
from dpca_core.problem import Problem
from dpca_core.simulation.trials import TrialDraws, run_trials
from papers.experiment import Measure, Series


class Along(Enum):
    """What the horizontal axis moves."""

    EPSILON = "epsilon"
    PEOPLE = "n"


class Share(Enum):
    """What captured second moment is stated as."""

    OF_PCA = "of what PCA captures"
    OF_N = "q: tr(VᵀSV)/n"


_draws = lru_cache(maxsize=1)(TrialDraws)
"""Keeps the randomness of one series while its places are measured one by one."""


def captured_measure(
    problem: Callable[[Series], Problem],
    *,
    along: Along,
    delta: float,
    epsilon: float = float("nan"),
    adjacency: Adjacency = Adjacency.REPLACE_ONE,
    share: Share = Share.OF_PCA,
) -> Measure:
    """Return the measure of a figure: captured share of releases from one S.

    Parameters
    ----------
    problem
        Makes S with its n and k, as a series has it.
    along
        What the places are: ε, or the n that S is scaled to. The other one is ``epsilon``, or n.

    Notes
    -----
    A series may ask for its own δ and ε, and with ``absolute`` for the top k by absolute value,
    which is what an SVD of the noisy matrix returns.
    """

    def measure(series: Series, places: Sequence[float], trials: range, seed: int) -> Array:
        data = problem(series)
        points = []
        for place in places:
            own = place if along is Along.EPSILON else series.asked.get("epsilon", epsilon)
            budget = Budget(own, series.asked.get("delta", delta), adjacency)
            points.append((data.scaled(place) if along is Along.PEOPLE else data, budget))
        draws = _draws(MECHANISMS[series.mechanism or ""], seed, trials)
        if series.asked.get("absolute"):
            values = np.stack([_by_size(draws, *point) for point in points])
        else:
            values = run_trials(draws, points, exact=True).captured
        if share is Share.OF_N:
            values = values * float(data.spectrum[: data.k].sum() / data.n)
        return values

    return measure


def _by_size(draws: TrialDraws, problem: Problem, budget: Budget) -> Array:
    """Captured share (T,) of the k eigenvectors whose noisy eigenvalues are largest in size."""
    mechanism = draws.mechanism
    assert isinstance(mechanism, NoiseOnS)
    try:
        scale = mechanism.calibrate(problem, budget).scale
    except InfeasibleBudget:
        return np.full(len(draws.trials), np.nan)
    values, vectors = np.linalg.eigh(problem.moment + scale * draws.unit(problem.d, problem.k)[0])
    order = np.argsort(-np.abs(values), axis=1, kind="stable")[:, None, : problem.k]
    return quality(problem, np.take_along_axis(vectors, order, axis=2)).captured
