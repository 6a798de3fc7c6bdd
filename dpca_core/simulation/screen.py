"""Metrics of S + σE along an axis for screens: single precision, with a bound for every number.

Where the noise is small against the gap one iteration serves all σ; else LAPACK finds the top in
single precision. Either way the error is bounded in double precision (``linalg.certificate``), and
what is not exact enough is solved again in double precision. Proofs: ``docs/sweep-precision.md``.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.certificate import (
    Certified,
    UpperBound,
    certified,
    frames_along,
    frames_of,
)
from dpca_core.linalg.riccati import nearly
from dpca_core.linalg.single_precision import SingleTop
from dpca_core.linalg.symmetric import top_basis
from dpca_core.problem import Problem
from dpca_core.runtime.threads import processors, thread_pool
from dpca_core.simulation.perturbation import (
    ENTRIES_IN_CACHE,
    SCALES_PER_JOB,
    SINGLE_THREAD_COST,
    Axis,
    solve_exactly,
    within_reach,
)
from dpca_core.simulation.precision import allowed_errors, expected_spreads

FEWEST_COLUMNS, LARGEST_SHARE = 16, 0.3
"""Below so many columns, or where k is a larger share of them, double precision is as fast."""
WIDE_COLUMNS, MORE_VECTORS, MORE_SHARE = 200, 6, 2
"""From so many columns on that many vectors more are found, or one for so many wanted: gaps are
small in relation to rounding, and more vectors cost little."""
_MARGIN = 0.05
"""Share of the gap below the top that is left to what a bound on the others may lose."""


def suits(axis: Axis) -> bool:
    """Tell whether single precision is faster at points of an axis."""
    k = int(axis.ks[0])
    return suits_size(axis.problem.d, k) and bool((axis.ks == k).all())


def suits_size(d: int, k: int) -> bool:
    """Tell the same of d and k."""
    return d >= FEWEST_COLUMNS and k <= d * LARGEST_SHARE


def screen_weights(axis: Axis, noises: Array, largest: Callable[[], Array]) -> tuple[Array, Array]:
    """Squared projections (T, G, d) as ``weights_of_turned``, and bounds (2, T, G) on errors.

    Parameters
    ----------
    noises, largest
        E (T, d, d) in the eigenbasis of S, centred; what finds their largest eigenvalues (T,).

    The bounds are on the captured share and on ‖sin Θ‖_F; 0 where double precision was used.
    """
    run = _Run(axis, noises, largest)
    cost = run.errors[0].size * run.d**3
    if cost <= SINGLE_THREAD_COST:
        run.iterate((slice(None), run.near))
        run.solve_all()
    else:
        with thread_pool() as pool:
            run.on(pool)
    return run.weights, run.errors


class _Run:
    """All points of some trials, solved one way after the other until they are exact enough."""

    def __init__(self, axis: Axis, noises: Array, largest: Callable[[], Array]) -> None:
        self.axis, self.noises, self.spectrum = axis, noises, axis.problem.spectrum
        self.d, self.k = len(self.spectrum), int(axis.ks[0])
        shape = len(noises), len(axis.ks)
        self.weights, self.errors = np.empty((*shape, self.d)), np.full((2, *shape), np.inf)
        self.done = np.zeros(shape, dtype=bool)
        near = within_reach(axis, noises) & (self.spectrum[self.k - 1] > self.spectrum[self.k])
        self.near, self.far = np.flatnonzero(near), np.flatnonzero(~near)
        self._largest = largest() if len(self.near) else np.empty(0)

    def on(self, pool: ThreadPoolExecutor) -> None:
        """Share the work among threads: LAPACK takes what is beyond the iteration meanwhile."""
        jobs: list[Future[None]] = []
        trials = range(len(self.noises))
        self._submit(pool, jobs, trials, self.far)
        list((map if len(self.far) else pool.map)(self.iterate, self._blocks()))
        for trial in trials:
            self._submit(pool, jobs, [trial], self.near[~self.done[trial, self.near]])
        for job in jobs:
            job.result()

    def _blocks(self) -> list[tuple[slice, np.ndarray]]:
        """Trials and near points that are iterated at a time, at least one for each processor."""
        if not len(self.near):
            return []
        size = max(1, int(ENTRIES_IN_CACHE / (len(self.near) * self.k * self.d)))
        blocks = [slice(s, s + size) for s in range(0, len(self.noises), size)]
        parts = min(len(self.near), -(-processors() // len(blocks)))
        return [(block, part) for block in blocks for part in np.array_split(self.near, parts)]

    def _submit(
        self,
        pool: ThreadPoolExecutor,
        jobs: list[Future[None]],
        trials: "range | list[int]",
        at: np.ndarray,
    ) -> None:
        if not len(at):
            return
        pieces = max(-(-len(at) // SCALES_PER_JOB), -(-processors() // len(trials)))
        parts = [at[i::pieces] for i in range(min(pieces, len(at)))]
        jobs += [pool.submit(self.solve, trial, part) for trial in trials for part in parts]

    def solve_all(self) -> None:
        """Solve all that is missing, in this thread."""
        for trial in range(len(self.noises)):
            missing = np.flatnonzero(~self.done[trial])
            if len(missing):
                self.solve(trial, missing)

    def iterate(self, given: tuple[slice, np.ndarray]) -> None:
        """Solve some near points of some trials by the iteration."""
        block, at = given
        for refine in (False, True):
            if not len(at):
                return
            noises, scales = self.noises[block], self.axis.scales[at]
            largest = self._largest[block]
            found = nearly(self.spectrum, noises, scales, self.k, largest, refine=refine)
            rows = found.rows.reshape(-1, self.k, self.d)
            frames = frames_along(rows, self.spectrum, noises, scales)
            self._enter(
                range(*block.indices(len(self.noises))),
                at,
                certified(self.spectrum, frames, self.k, found.above.ravel(), ritz=True),
            )
            at = at[~self.done[block][:, at].all(axis=0)]

    def solve(self, trial: int, at: np.ndarray) -> None:
        """Solve points of a trial by LAPACK: single precision first, double where that fails."""
        missing = at
        for count in _vectors(self.d, self.k):
            if len(missing):
                self._enter(range(trial, trial + 1), missing, self._found(trial, missing, count))
                missing = at[~self.done[trial, at]]
        if len(missing):
            unsolved = np.zeros(len(self.axis.ks), dtype=bool)
            unsolved[missing] = True
            solve_exactly(self.weights[trial], unsolved, self.noises[trial], self.axis)
            self.errors[:, trial, missing] = 0.0
            self.done[trial, missing] = True

    def _found(self, trial: int, at: np.ndarray, count: int) -> Certified:
        spectrum, noise, scales = self.spectrum, self.noises[trial], self.axis.scales[at]
        single, solver = noise.astype(np.float32), SingleTop(self.d, count)
        levels, bound = spectrum.astype(np.float32), UpperBound(spectrum, noise)
        rows, above = np.empty((len(at), count, self.d)), np.full(len(at), np.inf)
        for i, scale in enumerate(scales):
            np.multiply(single, np.float32(scale), out=solver.matrix)
            solver.matrix.reshape(-1)[:: self.d + 1] += levels
            top = solver.find()
            if top is None:
                rows[i] = np.eye(count, self.d)
                continue
            rows[i] = top.rows
            edge = top.next + _MARGIN * (top.values[-1] - top.next)
            above[i] = bound.proved(float(scale), rows[i], top.values.astype(float), edge)
        frames = frames_along(rows, spectrum, noise[None], scales)
        return certified(spectrum, frames, self.k, above, ritz=count > self.k)

    def _enter(self, trials: range, at: np.ndarray, found: Certified) -> None:
        """Enter what is exact enough and not yet known, of some points of some trials."""
        shape = len(trials), len(at)
        errors, exact = _judged(found, self.spectrum, self.k)
        place = np.ix_(np.array(trials), at)
        good = exact.reshape(shape) & ~self.done[place]
        trial, point = np.nonzero(good)
        trial, point = trial + trials.start, at[point]
        self.weights[trial, point] = found.weights.reshape(*shape, self.d)[good]
        self.errors[:, trial, point] = errors.reshape(2, *shape)[:, good]
        self.done[trial, point] = True


def published_weights(problem: Problem, matrices: Array) -> tuple[Array, Array]:
    """Squared projections (T, d) of the top k of noisy sums (T, d, d), and bounds (2, T) as above.

    For matrices that share no noise with others.
    """
    d, k = problem.d, problem.k
    count, weights, errors = (
        _vectors(d, k)[0],
        np.empty((len(matrices), d)),
        np.zeros((2, len(matrices))),
    )
    solver, flat = SingleTop(d, count), np.zeros(d)
    for t, matrix in enumerate(matrices):
        middle = np.trace(matrix) / d
        centred = matrix - middle * np.eye(d)
        np.copyto(solver.matrix, centred, casting="same_kind")
        top = solver.find()
        exact = np.zeros(1, dtype=bool)
        if top is not None:
            edge, rows = top.next + _MARGIN * (top.values[-1] - top.next), top.rows.astype(float)
            above = UpperBound(flat, centred).proved(1.0, rows, top.values.astype(float), edge)
            frames = frames_of(rows[None], centred, problem.eigenvectors)
            found = certified(problem.spectrum, frames, k, np.array([above]), ritz=count > k)
            bounds, exact = _judged(found, problem.spectrum, k)
            weights[t], errors[:, t] = found.weights[0], bounds[:, 0]
        if not exact[0]:
            squares = np.square(problem.eigenvectors.T @ top_basis(matrix, k))
            weights[t], errors[:, t] = squares.sum(axis=-1), 0.0
    return weights, errors


def _vectors(d: int, k: int) -> tuple[int, int]:
    """Vectors to find for k, and where that is not exact enough."""
    more = max(MORE_VECTORS, k // MORE_SHARE)
    return min(k + (more if d >= WIDE_COLUMNS else 0), d - 1), min(k + 3 * more, d - 1)


def _judged(found: Certified, spectrum: Array, k: int) -> tuple[Array, np.ndarray]:
    """Bounds (2, G) on captured share and ‖sin Θ‖_F, and where they are expected to be enough."""
    total = float(spectrum[:k].sum())
    outside = found.weights[:, k:].sum(axis=1)
    errors = np.stack([found.captured_error / total, found.sine_error])
    spreads = expected_spreads(found.weights @ spectrum / total, outside, len(spectrum), k)
    return errors, np.asarray((errors <= allowed_errors(spreads)).all(axis=0))
