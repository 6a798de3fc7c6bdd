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
from dpca_core.runtime.threads import in_parts, thread_pool

SCALES_PER_JOB, JOB_COST = 16, 1.6e7
"""Scales that one job solves, and no more cubes of d in all: about ten milliseconds."""
ENTRIES_IN_CACHE = 100_000
"""Entries of iterates, of about as many as fit into a processor's cache, that one job works on."""
SMALL_COLUMNS, SMALL_SHARE = 40, 0.3
"""Up to so many columns, or above this share of them, all eigenvectors are faster than the top."""
SINGLE_THREAD_COST = 1.5e6
"""Cubes of d to solve from which on starting threads pays off: about ten milliseconds."""
PARALLEL_TURN_COST = 5e6
"""Trials times cubes of d that are turned into another basis by one thread: about a millisecond."""


@dataclass(frozen=True)
class Axis:
    """Points that differ from one problem by scale, k and noise only.

    Attributes
    ----------
    problem
        The problem whose eigenvectors all points share.
    ks, scales
        k (G,), and the noise (G,) in units of the problem's people: σ·n/n' at n' people.
    """

    problem: Problem
    ks: Array
    scales: Array


def shared_axes(problems: Sequence[Problem], scales: Array) -> list[tuple[Axis, Array]]:
    """Group points that share eigenvectors into axes; return them with their points' indices."""
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
    # One point at a time: a matrix product's rounding depends on how many points it has.
    captured, top = np.vecdot(weights, spectrum), (inside * spectrum).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return Quality(
            captured / top, captured / spectrum.sum(), np.sqrt((weights * ~inside).sum(axis=-1))
        )


def in_eigenbasis(problem: Problem, noises: Array) -> Array:
    """Noise on S (T, d, d) in the eigenbasis of S."""
    vectors = problem.eigenvectors

    def turned(some: Array) -> Array:
        return symmetrized(vectors.T @ some @ vectors)

    alone = noises.size * problem.d <= PARALLEL_TURN_COST
    return turned(noises) if alone else np.asarray(in_parts(turned, noises))


def weights_along(axis: Axis, noises: Array) -> Array:
    """Squared projections (T, G, d) of the released subspaces on the eigenvectors of S.

    For unit noise ``noises`` (T, d, d).
    """
    return weights_of_turned(axis, in_eigenbasis(axis.problem, noises))


def weights_of_turned(axis: Axis, turned: Array) -> Array:
    """Squared projections as ``weights_along``, for noise that is in the eigenbasis of S already.

    LAPACK releases the interpreter lock: threads solve what is certainly beyond the iteration,
    while this one iterates.
    """
    spectrum = axis.problem.spectrum
    out = np.empty((len(turned), len(axis.ks), len(spectrum)))
    if len(spectrum) <= SMALL_COLUMNS and out.size * len(spectrum) ** 2 <= SINGLE_THREAD_COST:
        _solve_small(out, turned, axis)
        return out
    with thread_pool() as pool:
        if len(spectrum) <= SMALL_COLUMNS:
            jobs = [
                pool.submit(_solve_small, out[t : t + 1], turned[t : t + 1], axis)
                for t in range(len(out))
            ]
        else:
            jobs = _submit_jobs(pool, out, turned, axis)
        for job in jobs:
            job.result()
    return out


def _submit_jobs(
    pool: ThreadPoolExecutor, out: Array, noises: Array, axis: Axis
) -> list[Future[None]]:
    spectrum, jobs = axis.problem.spectrum, []
    per_job = int(np.clip(JOB_COST / len(spectrum) ** 3, 1, SCALES_PER_JOB))

    def submit(trial: int, unsolved: np.ndarray) -> None:
        scales = np.unique(axis.scales[unsolved])
        for part in np.array_split(scales, max(1, len(scales) // per_job)):
            some = unsolved & np.isin(axis.scales, part)
            if some.any():
                jobs.append(pool.submit(_solve_exactly, out[trial], some, noises[trial], axis))

    near = within_reach(axis, noises)
    for trial in range(len(noises)):
        submit(trial, ~near)
    size = int(
        np.clip(ENTRIES_IN_CACHE / max(1, near.sum() * axis.ks.max() * len(spectrum)), 1, None)
    )

    def iterate(start: int) -> None:
        block = slice(start, start + size)
        unsolved = np.repeat(near[None], len(noises[block]), axis=0)
        for k in np.unique(axis.ks[near]):
            at = np.flatnonzero(near & (axis.ks == k))
            solved = small_noise(spectrum, noises[block], axis.scales[at], int(k))
            out[block, at], unsolved[:, at] = solved.weights, ~solved.certain
        for offset, missing in enumerate(unsolved):
            submit(start + offset, missing)

    # The iteration takes all threads if nothing else is to do; else one, and LAPACK the others.
    list(
        (pool.map if near.all() else map)(iterate, range(0, len(noises) if near.any() else 0, size))
    )
    return jobs


def within_reach(axis: Axis, noises: Array) -> np.ndarray:
    """Return at which points the noise is small against the gap."""
    spectrum, ks = axis.problem.spectrum, axis.ks
    return np.asarray(
        axis.scales * noise_norm(noises) <= LARGEST_NOISE * (spectrum[ks - 1] - spectrum[ks])
    )


def _solve_exactly(out: Array, unsolved: np.ndarray, noise: Array, axis: Axis) -> None:
    """Fill in the unsolved points: one eigenvalue problem for each scale serves all k."""
    spectrum = axis.problem.spectrum
    d, most = len(spectrum), int(axis.ks[unsolved].max())
    solver = TopEigenvectors(d, most) if most < d * SMALL_SHARE else None
    matrix = np.empty((d, d)) if solver is None else solver.matrix
    for scale in np.unique(axis.scales[unsolved]):
        at = np.flatnonzero(unsolved & (axis.scales == scale))
        np.multiply(noise, scale, out=matrix)
        matrix.flat[:: d + 1] += spectrum
        try:
            vectors = solver.find() if solver else top_basis(matrix, most)
        except np.linalg.LinAlgError:
            vectors = top_basis(scale * noise + np.diag(spectrum), most)
        squares = np.square(vectors)
        out[at] = np.cumsum(squares, axis=1)[:, axis.ks[at] - 1].T


def solved_exactly(noises: Array, axis: Axis) -> Array:
    """Squared projections (T, G, d) as ``weights_of_turned``, by LAPACK in this thread."""
    out = np.empty((len(noises), len(axis.ks), len(axis.problem.spectrum)))
    if len(axis.problem.spectrum) <= SMALL_COLUMNS:
        _solve_small(out, noises, axis)
        return out
    everywhere = np.ones(len(axis.ks), dtype=bool)
    for trial, noise in enumerate(noises):
        _solve_exactly(out[trial], everywhere, noise, axis)
    return out


def _solve_small(out: Array, noises: Array, axis: Axis) -> None:
    """All points of some trials (t, G, d) in one stack, from their noise (t, d, d)."""
    spectrum = axis.problem.spectrum
    d, values = len(spectrum), np.arange(len(spectrum))
    matrices = axis.scales[:, None, None] * noises[:, None]
    matrices[..., values, values] += spectrum
    squares = np.square(np.linalg.eigh(matrices)[1][..., ::-1])
    kept = np.arange(d) < axis.ks[:, None]
    out[:] = (squares * kept[:, None, :]).sum(axis=-1)
