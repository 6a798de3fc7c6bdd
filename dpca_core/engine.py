"""Metrics of S + σE along an axis: the right solver by size and noise, exact to 10⁻⁶.

All points share each trial's E, turned once into the eigenbasis of S. Where the noise is small
against the gap, one Riccati iteration serves all σ, certified; else LAPACK finds the top k
eigenvectors.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpca_core.lapack import TopEigenvectors
from dpca_core.linalg import Array, top_basis
from dpca_core.metrics import Quality
from dpca_core.problem import Problem
from dpca_core.riccati import small_noise

SMALL, SOME = 40, 0.3
"""Up to this d, and beyond this share of d, all eigenvectors are found quicker than some."""


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
    for k in np.unique(ks) if len(spectrum) > SMALL else ():
        at = np.flatnonzero(ks == k)
        solved = small_noise(spectrum, turned, scales[at], int(k))
        out[at], left[at] = solved.weights, ~solved.certain
    if left.any():
        _solve(out, left, spectrum, turned, axis)
    return out


def _solve(out: Array, left: np.ndarray, spectrum: Array, noise: Array, axis: Axis) -> None:
    """Fill in what is left, one eigenvalue problem for each scale, whatever k."""
    d, most = len(spectrum), int(axis.ks[left].max())
    if d <= SMALL:
        _solve_small(out, spectrum, noise, axis)
        return
    solver = TopEigenvectors(d, most) if most < d * SOME else None
    matrix = np.empty((d, d)) if solver is None else solver.matrix
    for scale in np.unique(axis.scales[left]):
        at = np.flatnonzero(left & (axis.scales == scale))
        np.multiply(noise, scale, out=matrix)
        matrix.flat[:: d + 1] += spectrum
        try:
            vectors = solver.find() if solver else top_basis(matrix, most)
        except np.linalg.LinAlgError:
            vectors = top_basis(scale * noise + np.diag(spectrum), most)
        squares = np.square(vectors)
        out[at] = np.cumsum(squares, axis=1)[:, axis.ks[at] - 1].T


def _solve_small(out: Array, spectrum: Array, noise: Array, axis: Axis) -> None:
    """All points in one stack."""
    d, values = len(spectrum), np.arange(len(spectrum))
    matrices = axis.scales[:, None, None] * noise
    matrices[:, values, values] += spectrum
    squares = np.square(np.linalg.eigh(matrices)[1][:, :, ::-1])
    kept = np.arange(d) < axis.ks[:, None]
    out[:] = (squares * kept[:, None, :]).sum(axis=2)
