"""Metrics of S + σE along an axis: the right solver by size and noise, exact to 10⁻⁶.

All points share each trial's E, turned once into the eigenbasis of S. Where the noise is small
against the gap, one Riccati iteration serves all σ, certified; else LAPACK finds the top k
eigenvectors.
"""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.riccati import LARGEST_NOISE, noise_norm, small_noise
from dpca_core.linalg.symmetric import symmetrized, top_basis
from dpca_core.linalg.top_eigenvectors import TopEigenvectors
from dpca_core.metrics import Quality
from dpca_core.problem import Problem
from dpca_core.runtime.threads import thread_pool

AT_ONCE, IN_CACHE = 16, 100_000
SMALL, SOME = 40, 0.3
"""Up to this d, and beyond this share of d, all eigenvectors are found quicker than some."""
QUICK = 1.5e6
"""Cubes of d to solve until starting threads is worth its while: about ten milliseconds."""


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
    """Metrics (…, G) of subspaces by their squared projections (…, G, d) on eigenvectors of S."""
    spectrum = axis.problem.spectrum
    inside = np.arange(len(spectrum)) < axis.ks[:, None]
    # Each by itself: a product of matrices rounds by how many points go at once.
    captured, top = np.vecdot(weights, spectrum), (inside * spectrum).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return Quality(
            captured / top, captured / spectrum.sum(), np.sqrt((weights * ~inside).sum(axis=-1))
        )


def weights_along(axis: Axis, noises: Array) -> Array:
    """Squared projections (T, G, d) of the released subspaces on the eigenvectors of S.

    For unit noise ``noises`` (T, d, d). LAPACK lets go of the interpreter lock: it works through
    what is surely beyond the iteration on all processors, while the iteration runs here.
    """
    vectors, spectrum = axis.problem.eigenvectors, axis.problem.spectrum
    turned = symmetrized(vectors.T @ noises @ vectors)
    out = np.empty((len(noises), len(axis.ks), len(spectrum)))
    if len(spectrum) <= SMALL and out.size * len(spectrum) ** 2 <= QUICK:
        _solve_small(out, turned, axis)
        return out
    with thread_pool() as pool:
        if len(spectrum) <= SMALL:
            jobs = [
                pool.submit(_solve_small, out[t : t + 1], turned[t : t + 1], axis)
                for t in range(len(out))
            ]
        else:
            jobs = _share_out(pool, out, turned, axis)
        for job in jobs:
            job.result()
    return out


def _share_out(
    pool: ThreadPoolExecutor, out: Array, noises: Array, axis: Axis
) -> list[Future[None]]:
    spectrum, jobs = axis.problem.spectrum, []

    def hand_over(trial: int, left: np.ndarray) -> None:
        scales = np.unique(axis.scales[left])
        for part in np.array_split(scales, max(1, len(scales) // AT_ONCE)):
            some = left & np.isin(axis.scales, part)
            if some.any():
                jobs.append(pool.submit(_solve, out[trial], some, spectrum, noises[trial], axis))

    near = _within_reach(axis, noises)
    for trial in range(len(noises)):
        hand_over(trial, ~near)
    size = int(np.clip(IN_CACHE / max(1, near.sum() * axis.ks.max() * len(spectrum)), 1, None))

    def iterate(start: int) -> None:
        block = slice(start, start + size)
        left = np.repeat(near[None], len(noises[block]), axis=0)
        for k in np.unique(axis.ks[near]):
            at = np.flatnonzero(near & (axis.ks == k))
            solved = small_noise(spectrum, noises[block], axis.scales[at], int(k))
            out[block, at], left[:, at] = solved.weights, ~solved.certain
        for place, missing in enumerate(left):
            hand_over(start + place, missing)

    # Alone, the iteration takes all processors; else it leaves them to LAPACK but for one.
    list(
        (pool.map if near.all() else map)(iterate, range(0, len(noises) if near.any() else 0, size))
    )
    return jobs


def _within_reach(axis: Axis, noises: Array) -> np.ndarray:
    """Tell at which points the noise is small against the gap."""
    spectrum, ks = axis.problem.spectrum, axis.ks
    return np.asarray(
        axis.scales * noise_norm(noises) <= LARGEST_NOISE * (spectrum[ks - 1] - spectrum[ks])
    )


def _solve(out: Array, left: np.ndarray, spectrum: Array, noise: Array, axis: Axis) -> None:
    """Fill in what is left, one eigenvalue problem for each scale, whatever k."""
    d, most = len(spectrum), int(axis.ks[left].max())
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


def _solve_small(out: Array, noises: Array, axis: Axis) -> None:
    """All points of some trials (t, G, d) in one stack, from their noise (t, d, d)."""
    spectrum = axis.problem.spectrum
    d, values = len(spectrum), np.arange(len(spectrum))
    matrices = axis.scales[:, None, None] * noises[:, None]
    matrices[..., values, values] += spectrum
    squares = np.square(np.linalg.eigh(matrices)[1][..., ::-1])
    kept = np.arange(d) < axis.ks[:, None]
    out[:] = (squares * kept[:, None, :]).sum(axis=-1)
