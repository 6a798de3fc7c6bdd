"""Metrics of S + σE along an axis: the right solver by size and noise, exact to 10⁻⁶.

All points share each trial's E, turned once into the eigenbasis of S. Where the noise is small
against the gap, one Riccati iteration serves all σ, certified; else LAPACK finds the top k
eigenvectors.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpca_core.lapack import top_eigenvectors
from dpca_core.linalg import Array
from dpca_core.metrics import Quality
from dpca_core.problem import Problem
from dpca_core.riccati import small_noise

WHOLE = 24
"""Up to this d all eigenvectors are found quicker than a few."""


@dataclass(frozen=True)
class Axis:
    """Points that differ from one problem by scale, k and noise only.

    Attributes
    ----------
    problem
        The one.
    ks, scales
        k (G,), and the noise (G,) in units of the problem's people: σ·n/n' at n' people.
    """

    problem: Problem
    ks: Array
    scales: Array


def along(problems: Sequence[Problem], scales: Array) -> list[tuple[Axis, Array]]:
    """Put points on as few axes as possible: those that share eigenvectors; with their indices."""
    shared: dict[int, list[int]] = {}
    for i, problem in enumerate(problems):
        shared.setdefault(id(problem.eigenvectors), []).append(i)
    axes = []
    for members in shared.values():
        first, at = problems[members[0]], np.array(members)
        people = np.array([problems[i].n for i in members])
        ks = np.array([problems[i].k for i in members])
        axes.append((Axis(first, ks, scales[at] * first.n / people), at))
    return axes


def quality_of(axis: Axis, weights: Array) -> Quality:
    """Metrics (G,) of subspaces by their squared projections (G, d) on the eigenvectors of S."""
    spectrum = axis.problem.spectrum
    inside = np.arange(len(spectrum)) < axis.ks[:, None]
    captured, top = weights @ spectrum, (inside * spectrum).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return Quality(
            captured / top, captured / spectrum.sum(), np.sqrt((weights * ~inside).sum(axis=1))
        )


def weights_along(axis: Axis, noise: Array) -> Array:
    """Squared projections (G, d) of the released subspaces on the eigenvectors of S, for one E."""
    vectors, spectrum = axis.problem.eigenvectors, axis.problem.spectrum
    turned = vectors.T @ noise @ vectors
    turned = (turned + turned.T) / 2
    ks, scales = axis.ks, axis.scales
    out, left = np.empty((len(ks), len(spectrum))), np.ones(len(ks), dtype=bool)
    for k in np.unique(ks):
        at = np.flatnonzero(ks == k)
        solved = small_noise(spectrum, turned, scales[at], int(k))
        out[at], left[at] = solved.weights, ~solved.certain
    for scale in np.unique(scales[left]):
        at = np.flatnonzero(left & (scales == scale))
        squares = np.square(_top(np.diag(spectrum) + scale * turned, int(ks[at].max())))
        out[at] = np.cumsum(squares, axis=1)[:, ks[at] - 1].T
    return out


def _top(symmetric: Array, k: int) -> Array:
    if len(symmetric) <= WHOLE:
        return np.asarray(np.linalg.eigh(symmetric)[1][:, : -k - 1 : -1])
    return top_eigenvectors(symmetric, k)
