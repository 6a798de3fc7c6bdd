"""Errors of sparse directions as Tables 1 and 2 of Wang & Xu 2020 ask for them, on sets at hand."""

from collections.abc import Sequence
from functools import cache
from math import sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.problem import Problem
from dpca_core.simulation.trials import TrialDraws, trial_generator
from papers.experiment import Measure, Series
from papers.tables import COLON, LEUKEMIA, expression_rows
from papers.wang_xu_covertype import CURATOR, RANDOM
from papers.wang_xu_errors import projector_distance, random_distance
from papers.wang_xu_runs import CENTRAL, LOCAL, budget_of
from papers.wang_xu_sparse import (
    MULTIPLE,
    K,
    Reports,
    chosen,
    cold_start,
    of_records,
    warm_start,
)

SPARSITIES, TABLE_EPSILON = (10, 20, 40), 2.0
TABLE_EPSILONS, TABLE_SPARSITY = (1.0, 0.5, 0.1), 20
AT_HAND = {"Colon cancer": COLON, "Leukemia": LEUKEMIA}
TRIALS_OF_AXES, CURATOR_TRIALS, SOLVED = 20, 3, 1
"""Releases where only k columns are used, with a curator, and where a program of 2,000 columns is
solved."""


@cache
def _moment(name: str) -> tuple[Array, int]:
    """XᵀX/n (p, p) of rows of norm 1, and n."""
    rows = expression_rows(AT_HAND[name])
    return rows.T @ rows / len(rows), len(rows)


@cache
def _diagonal(name: str) -> tuple[Array, int]:
    rows = expression_rows(AT_HAND[name])
    return np.square(rows).mean(axis=0), len(rows)


def axes_error(name: str, epsilon: float, trial: int, seed: int) -> float:
    """Error at s = k, where the largest k entries of the diagonal are the directions.

    Only the diagonal of the reports' average is drawn.
    """
    diagonal, n = _diagonal(name)
    p = len(diagonal)
    mechanism = MECHANISMS[LOCAL]
    assert isinstance(mechanism, NoiseOnS)
    problem = Problem.from_spectrum(np.sort(diagonal)[::-1] * n, n, K)
    noise = mechanism.calibrate(problem, budget_of(epsilon)).scale / n * mechanism.law.std(p)[0]
    rng = trial_generator(seed, f"diagonal of {name}", trial)
    noisy = diagonal + noise * rng.standard_normal(p)
    true, found = (set(np.argsort(-values, kind="stable")[:K]) for values in (diagonal, noisy))
    return sqrt(2 * (K - len(true & found)))


@cache
def _truth(s: int) -> Array:
    """Directions (2000, k) of Colon's records on s columns."""
    return of_records(_moment("Colon cancer")[0], K, s).basis


@cache
def _solved(repetition: int) -> dict[float, float]:
    """Errors on Colon by ε, where λ gives about twenty columns, each ε from the one before.

    A column without an entry above λ off the diagonal is left out, as in ``screened``.
    """
    moment, n = _moment("Colon cancer")
    reports = Reports(moment, n, K, repetition)
    epsilons = (TABLE_EPSILON, *TABLE_EPSILONS)
    averages = {epsilon: reports.average(epsilon) for epsilon in epsilons}
    noises = {epsilon: reports.off_diagonal_noise(epsilon) for epsilon in epsilons}
    kept = np.zeros(len(moment), dtype=bool)
    for epsilon, average in averages.items():
        diagonal = np.diag(average)
        off = np.abs(average - np.diag(diagonal)).max(axis=0)
        kept |= off > MULTIPLE * noises[epsilon]
        kept[np.argsort(-diagonal, kind="stable")[:K]] = True
    errors, solved = dict[float, float](), None
    for epsilon, average in averages.items():
        part = average[np.ix_(kept, kept)]
        solved = (
            cold_start(part, noises[epsilon], K)
            if solved is None
            else warm_start(solved, part, noises[epsilon], K)
        )
        basis = np.zeros((len(moment), K))
        basis[kept] = chosen(solved.solution, K).basis
        errors[epsilon] = float(projector_distance(_truth(TABLE_SPARSITY), basis[None])[0])
    return errors


def _error(name: str, epsilon: float, s: int, trial: int, seed: int) -> float:
    """Error of one release; NaN where it is not run."""
    if s == K:
        return axes_error(name, epsilon, trial, seed)
    if name != "Colon cancer" or s != TABLE_SPARSITY or trial >= SOLVED:
        return float("nan")
    return _solved((seed << 16) + trial)[epsilon]


def _curator_errors(cells: Sequence[tuple[float, int]], trials: range, seed: int) -> Array:
    """Errors (G, T) of the top k of S with a curator's noise, against the sparse directions."""
    moment, n = _moment("Colon cancer")
    problem = Problem.from_moment(n * moment, n, K)
    draws = TrialDraws(MECHANISMS[CENTRAL], seed, trials)
    return np.array([
        projector_distance(
            _truth(s), draws.release(problem, budget_of(epsilon)).bases
        )
        for epsilon, s in cells
    ])  # fmt: skip


def measured_cells(cells: Sequence[tuple[float, int]]) -> Measure:
    """Errors (G, T) at the cells (ε, s) of a table."""

    def measure(series: Series, places: Sequence[float], trials: range, seed: int) -> Array:
        if series.key == RANDOM:
            return np.full((len(places), 1), random_distance(_diagonal("Colon cancer")[0].size, K))
        if series.key == CURATOR:
            return _curator_errors([cells[int(place)] for place in places], trials, seed)
        if series.key not in AT_HAND:
            return np.full((len(places), len(trials)), np.nan)
        at = [cells[int(place)] for place in places]
        return np.array([[_error(series.key, *cell, trial, seed) for trial in trials]
                         for cell in at])  # fmt: skip

    return measure
