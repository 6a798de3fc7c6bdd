"""How good released bases (…, d, k) are, against PCA without privacy."""

from math import sqrt
from typing import NamedTuple

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.problem import Problem

LEAVES_ALL = 0.9999
"""Captured share from which on PCA without noise cannot be told from all that there is."""


class Quality(NamedTuple):
    """Metrics of a stack of bases, each of the stack's shape."""

    captured: Array
    captured_of_all: Array
    sin_theta: Array


def quality(problem: Problem, bases: Array) -> Quality:
    """Captured second moment as a share of PCA's, as a share of all, and ‖sin Θ‖_F.

    ‖sin Θ‖_F = ‖V_⊥ᵀV‖_F keeps its precision where √(k − ‖V_kᵀV‖_F²) loses half the digits. NaN
    bases give NaN, and so does the share of S = 0. S is that of the reference, V_⊥ of the truth.
    """
    truth, reference = problem.true_problem, problem.reference_problem
    weights = np.square(truth.eigenvectors.T @ bases).sum(axis=-1)
    kept = weights
    if reference is not truth:
        kept = np.square(reference.eigenvectors.T @ bases).sum(axis=-1)
    captured = kept @ reference.spectrum
    top, total = reference.spectrum[: problem.k].sum(), reference.spectrum.sum()
    outside = np.where(np.isnan(captured), np.nan, weights[..., problem.k :].sum(axis=-1))
    with np.errstate(invalid="ignore", divide="ignore"):
        return Quality(captured / top, captured / total, np.sqrt(outside))


def without_noise(problem: Problem) -> Quality:
    """Return what PCA without privacy reaches on the rows as they are prepared: the ceiling."""
    return quality(problem, problem.true_problem.basis)


def principal_angles(first: Array, second: Array) -> Array:
    """Principal angles (…, k) between the spans of two bases, ascending, in radians."""
    cosines = np.linalg.svd(first.swapaxes(-1, -2) @ second, compute_uv=False)
    sines = np.linalg.svd(_outside(first, second), compute_uv=False)[..., ::-1]
    near, far = np.arcsin(np.clip(sines, 0, 1)), np.arccos(np.clip(cosines, 0, 1))
    return np.asarray(np.where(cosines > 0.7, near, far))


def sin_theta(first: Array, second: Array) -> Array:
    """‖sin Θ‖_F between the spans of two bases."""
    return np.asarray(np.linalg.norm(_outside(first, second), axis=(-2, -1)))


def _outside(first: Array, second: Array) -> Array:
    """Return the part of ``second`` outside ``first``: small sines keep their digits."""
    return np.asarray(second - first @ (first.swapaxes(-1, -2) @ second))


class RandomBaseline(NamedTuple):
    """What a uniformly random subspace gives."""

    captured: float
    captured_of_all: float
    sin_theta: float


def random_baseline(problem: Problem) -> RandomBaseline:
    """Expected captured shares k·tr S/d, and √E‖sin Θ‖_F² = √(k(d − k)/d), of a Haar subspace."""
    d, k, spectrum = problem.d, problem.k, problem.reference_problem.spectrum
    top, total = float(spectrum[:k].sum()), float(spectrum.sum())
    ratio = k * total / d / top if top > 0 else float("nan")
    return RandomBaseline(ratio, k / d, sqrt(k * (d - k) / d))
