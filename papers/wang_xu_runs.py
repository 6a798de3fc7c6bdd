"""What the experiments of Wang & Xu (2020) measure, repetition by repetition: no printing here.

δ = 10⁻⁴ throughout: the paper prints it for Figure 3 only. Data, directions and noise are new in
each repetition; every mechanism of a repetition sees the same data, every ε the same unit noise.
"""

from collections.abc import Callable, Iterator, Sequence
from math import log, sqrt
from typing import NamedTuple

import numpy as np

from dpca_core import MECHANISMS, Adjacency, Budget, Problem
from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import top_basis
from dpca_core.privacy.gaussian import classic_gaussian_sigma
from dpca_core.simulation.trials import TrialDraws
from dpca_core.sparse.fantope import recovery, solve, support
from papers.wang_xu_errors import projector_distance
from sample_data.wang_xu import sample_moment, spiked_eigenvalues

DELTA = 1e-4
PRINTED, LOCAL, SPARSE, CENTRAL, SAMPLE = (
    "local_printed", "local_gaussian", "local_sparse", "gaussian", "none",
)  # fmt: skip
SPARSE_SAMPLE = "sparse_none"

Found = dict[str, Array]
"""By mechanism: error, precision and recall (T, 3) of T repetitions."""


class Setting(NamedTuple):
    """n people, p columns of which V uses some, k directions, ε."""

    n: float
    p: int
    k: int
    columns: int
    epsilon: float


class Reading(NamedTuple):
    """Another way to read Algorithm 1 or its data.

    Attributes
    ----------
    words
        What is read.
    noise
        From σ₁ and n, the standard deviation of an entry of the noise on the sum of the records.
    larger
        From p and k, by what Σ is multiplied.
    """

    words: str
    noise: Callable[[float, float], float]
    larger: Callable[[int, int], float]


def _printed(sigma: float, n: float) -> float:
    return sqrt(n) * sigma


def _as_drawn(p: int, k: int) -> float:
    return 1.0


def _to_trace_one(p: int, k: int) -> float:
    return 1 / float(spiked_eigenvalues(p, k).sum())


READINGS = (
    Reading("as printed", _printed, _as_drawn),
    Reading("variance σ₁ in place of σ₁²", lambda sigma, n: sqrt(n * sigma), _as_drawn),
    Reading("deviation σ₁² in place of σ₁", lambda sigma, n: sqrt(n) * sigma**2, _as_drawn),
    Reading("Σ scaled to trace 1: rows of norm about 1", _printed, _to_trace_one),
    Reading("Σ without 1/5p: rows longer than 1", _printed, lambda p, k: 5 * p),
    Reading("one Z on the sum: a curator's noise", lambda sigma, n: sigma, _as_drawn),
)
"""The first is what the paper says; the rest are guesses."""


def budget_of(epsilon: float) -> Budget:
    """(ε, δ) between any two records of one person."""
    return Budget(epsilon, DELTA, Adjacency.REPLACE_ONE)


def bases_of(key: str, problem: Problem, epsilon: float, repetition: int) -> Array:
    """Return the directions (1, d, k) that one repetition releases."""
    if key == SAMPLE:
        return problem.basis[None]
    if key == SPARSE_SAMPLE:
        penalty = spiked_eigenvalues(problem.d, problem.k)[0] * sqrt(log(problem.d) / problem.n)
        found = solve(problem.moment / problem.n, problem.k, float(penalty))
        return top_basis(found.sparse, problem.k)[None]
    one = range(repetition, repetition + 1)
    return TrialDraws(MECHANISMS[key], 0, one).release(problem, budget_of(epsilon)).bases


def judged(truth: Array, used: np.ndarray, bases: Array) -> tuple[float, float, float]:
    """Error ‖V̂V̂ᵀ − VVᵀ‖_F, precision and recall of bases (1, d, k)."""
    right = recovery(support(bases)[0], used)
    return float(projector_distance(truth, bases)[0]), right.precision, right.recall


def measured(setting: Setting, keys: Sequence[str], repetitions: int) -> Found:
    """Run mechanisms on the synthetic design."""
    rows: dict[str, list[tuple[float, float, float]]] = {key: [] for key in keys}
    for repetition in range(repetitions):
        drawn = sample_moment(setting.n, setting.p, setting.k, setting.columns, seed=repetition)
        problem = Problem(drawn.moment, setting.n, setting.k)
        for key in keys:
            bases = bases_of(key, problem, setting.epsilon, repetition)
            rows[key].append(judged(drawn.directions, drawn.support, bases))
    return {key: np.array(values) for key, values in rows.items()}


def reading_errors(reading: Reading, setting: Setting, repetitions: int) -> Array:
    """Errors (T,) of Algorithm 1 on the dense design, read in another way."""
    sigma = classic_gaussian_sigma(setting.epsilon, DELTA)
    scale, larger = reading.noise(sigma, setting.n), reading.larger(setting.p, setting.k)
    errors = []
    for repetition in range(repetitions):
        drawn = sample_moment(setting.n, setting.p, setting.k, setting.p, seed=repetition)
        draws = TrialDraws(MECHANISMS[PRINTED], 0, range(repetition, repetition + 1))
        noisy = larger * drawn.moment + scale * draws.unit(setting.p, setting.k)[0]
        errors.append(projector_distance(drawn.directions, top_basis(noisy, setting.k))[0])
    return np.array(errors)


def slope(people: Sequence[float], errors: Sequence[float], random: float) -> float:
    """Least-squares slope of log error against log n where the error is below half of ``random``.

    NaN where fewer than two are.
    """
    n, error = np.array(people), np.array(errors)
    below = error < random / 2
    if below.sum() < 2:
        return float("nan")
    return float(np.polyfit(np.log(n[below]), np.log(error[below]), 1)[0])


def growing_moments(rows: Array, sizes: Sequence[int], seed: int) -> Iterator[Array]:
    """Yield S (d, d) of the first so many rows in a random order, for each of rising sizes."""
    order = np.random.default_rng(seed).permutation(len(rows))
    moment = np.zeros((rows.shape[1],) * 2)
    for start, end in zip([0, *sizes[:-1]], sizes, strict=True):
        part = rows[order[start:end]]
        moment = moment + part.T @ part
        yield moment


def table_errors(
    moments: Sequence[tuple[int, Array]],
    truth: Array,
    keys: Sequence[str],
    epsilon: float,
    first: int = 0,
) -> Found:
    """Run mechanisms once on each (n, S), repetitions numbered from ``first``."""
    used, k = np.ones(len(truth), dtype=bool), truth.shape[1]
    problems = [Problem.from_moment(moment, n, k) for n, moment in moments]
    return {
        key: np.array(
            [
                judged(truth, used, bases_of(key, problem, epsilon, first + i))
                for i, problem in enumerate(problems)
            ]
        )
        for key in keys
    }
