"""Errors of a linear classifier on projected data, and the directions it is given."""

from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.exponential import inverse_temperature
from dpca_core.mechanisms.ppca_gibbs import SWEEPS, PpcaGibbs
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem
from dpca_core.sampling.column_gibbs import sweeps_beside
from dpca_core.simulation.draws import TrialDraws, trial_generator


class Split(NamedTuple):
    """Rows (n, d) to train on and to test on, with labels (n,) of two classes."""

    train: Array
    train_labels: Any
    test: Array
    test_labels: Any


def error_of(split: Split, basis: Array, standardised: bool) -> float:
    """Percentage of test rows that a linear SVM with C = 1 gets wrong, on rows times a basis.

    Parameters
    ----------
    standardised
        Whether projected columns get mean 0 and deviation 1, by the rows that are trained on.
    """
    from sklearn.svm import LinearSVC

    train, test = split.train @ basis, split.test @ basis
    if standardised:
        middle, deviation = train.mean(axis=0), train.std(axis=0)
        deviation[deviation == 0] = 1
        train, test = (train - middle) / deviation, (test - middle) / deviation
    fitted = LinearSVC(C=1.0, dual=False, tol=1e-6).fit(train, split.train_labels)
    return 100 * float((fitted.predict(test) != split.test_labels).mean())


def directions(key: str, problem: Problem, budget: Budget, seed: int, trial: int) -> Array:
    """Return what one release of a mechanism gives, (d, k).

    PPCA by Gibbs sampling is drawn by ``column_gibbs``: the same sweeps from the same start as the
    registered mechanism's, whose steps take minutes where k = 50.
    """
    mechanism = MECHANISMS[key]
    if not isinstance(mechanism, PpcaGibbs):
        draws = TrialDraws(mechanism, seed, range(trial, trial + 1))
        return np.array(draws.release(problem, budget).bases[0])
    weights = inverse_temperature(budget) * problem.spectrum
    start = np.eye(problem.d)[:, : problem.k]
    chain = sweeps_beside(weights, start, trial_generator(seed, key, trial))
    frame = next(islice(chain, SWEEPS - 1, None))
    return np.asarray(problem.eigenvectors @ frame)
