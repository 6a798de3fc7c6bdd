"""Metrics of S + σE along an axis for screens: single precision, with a bound for every number.

Where the noise is small against the gap one iteration serves all σ; else LAPACK finds the top in
single precision. Either way the error is bounded in double precision (``linalg.certificate``), and
what is not exact enough is solved again in double precision. Proofs: ``docs/sweep-precision.md``.
"""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain, pairwise, product
from typing import Any

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.certificate import (
    NEARLY_ORTHONORMAL,
    Certified,
    Frames,
    certified,
    certified_block,
    frames_along,
    nearer_frames,
)
from dpca_core.linalg.deflation import DeflatedStack, head_sizes
from dpca_core.linalg.noisy_stack import NoisyStack, Stack, edges_of
from dpca_core.linalg.riccati import nearly, noise_norm
from dpca_core.linalg.single_precision import SingleTop, Tops
from dpca_core.linalg.upper_bound import UpperBound
from dpca_core.runtime.threads import processors, thread_pool
from dpca_core.simulation.perturbation import (
    ENTRIES_IN_CACHE,
    SMALL_COLUMNS,
    Axis,
    solved_exactly,
    within_reach,
)
from dpca_core.simulation.screen_bounds import judged, parts_of
from dpca_core.simulation.screen_sizes import WIDE_COLUMNS, are_few, more_vectors, vectors

ENTRIES_AT_ONCE, ENTRIES_ITERATED = 600_000, 4 * ENTRIES_IN_CACHE
"""Entries that LAPACK and the iteration work on at a time: threads seldom wait for the interpreter
if it is asked for little, and single precision takes half the memory."""
SINGLE_THREAD_COST = 2e7
"""Cubes of d to solve from which on threads pay off: about ten milliseconds. Below, they wait for
each other in the many small steps between calls of LAPACK."""
SMALL_STACK_COST = 1.2e6
"""Cubes of d, up to SMALL_COLUMNS, for which double precision is faster: five milliseconds of it.
The steps between calls of LAPACK, and the proof, take as long for one matrix as for a hundred."""
ENTRIES_IN_STACK, ENTRIES_REDUCED = 10_000_000, 1_200_000
"""Entries of matrices whose tridiagonal forms are solved together, and where one thread reduces
for the others."""
ENTRIES_CERTIFIED = 150_000
"""Entries of vectors whose errors are bounded together: what that needs fits into a processor's
cache, and is small enough for memory that was used before."""


def screen_weights(axis: Axis, noises: Array, largest: Callable[[], Array]) -> tuple[Array, Array]:
    """Squared projections (T, G, d) as ``weights_of_turned``, and bounds (2, T, G) on errors.

    Parameters
    ----------
    noises, largest
        E (T, d, d) in the eigenbasis of S, centred; what finds numbers (T,) that no eigenvalue of
        theirs exceeds.

    The bounds are on the captured share and on ‖sin Θ‖_F; 0 where double precision was used.
    """
    run = _Run(axis, noises, largest)
    cost = run.errors[0].size * run.d**3
    if cost <= SINGLE_THREAD_COST:
        for work, at in ((run.iterate, run.near), (run.solve, run.far)):
            if len(at):
                work(range(len(noises)), at)
    else:
        with thread_pool() as pool:
            run.on(pool)
    return run.weights, run.errors


class _Run:
    """All points of some trials, solved one way after the other until they are exact enough."""

    def __init__(self, axis: Axis, noises: Array, largest: Callable[[], Array]) -> None:
        self.axis, self.noises, self.spectrum = axis, noises, axis.problem.spectrum
        self.d, self.k = len(self.spectrum), int(axis.ks[0])
        # A multiple of I turns nothing, and rounding is in proportion to what is left.
        self._centred = self.spectrum - self.spectrum.mean()
        shape = len(noises), len(axis.ks)
        self.weights, self.errors = np.empty((*shape, self.d)), np.full((2, *shape), np.inf)
        self.done = np.zeros(shape, dtype=bool)
        near = within_reach(axis, noises) & (self.spectrum[self.k - 1] > self.spectrum[self.k])
        self._count = vectors(self.d, self.k) if are_few(self.d, self.k) else 0
        self._heads = head_sizes(self.spectrum, axis.scales * noise_norm(noises), self.k)
        self.near, self.far = np.flatnonzero(near), np.flatnonzero(~near)
        self._largest = largest() if len(self.near) else np.empty(0)

    def on(self, pool: ThreadPoolExecutor) -> None:
        """Share the work among threads."""
        alone = len(self.far) > 0 and self.d < WIDE_COLUMNS and self._count > 0
        reducing = [pool.submit(self._reduce_all, pool)] if alone else []
        far = [] if alone else self._jobs(self.far, ENTRIES_AT_ONCE)
        jobs = [pool.submit(self.solve, *given) for given in far]
        jobs += [pool.submit(self.iterate, *g) for g in self._jobs(self.near, ENTRIES_ITERATED)]
        for job in chain(*(job.result() for job in reducing), jobs):
            job.result()

    def _jobs(self, at: np.ndarray, entries: int) -> list[tuple[range, np.ndarray]]:
        """Trials and points that one thread works on, at least one for each processor."""
        if not len(at):
            return []
        trials, each = len(self.noises), len(at) * self.k * self.d
        rounds = -(-trials * each // (entries * processors()))
        count = min(trials, rounds * processors())
        edges = [trials * i // count for i in range(count + 1)]
        parts = min(len(at), -(-rounds * processors() // count))
        return [
            (range(*pair), at[part::parts]) for pair in pairwise(edges) for part in range(parts)
        ]

    def _reduce_all(self, pool: ThreadPoolExecutor) -> list[Future[None]]:
        """Reduce all far points to tridiagonal form in this thread; return jobs that do the rest.

        Each of the many short products of a reduction asks BLAS for memory, under one lock: below
        WIDE_COLUMNS two threads that reduce are no faster than one, and both are busy.
        """
        trials = range(len(self.noises))
        # The first is small: the others wait for it.
        parts = (trials[:1], trials[1:]) if len(trials) > 1 else (trials,)
        jobs: list[Future[None]] = []
        for h, at in self._by_head(self.far):
            stacks = [
                stack
                for part in parts
                for stack in self._stacks(part, at, ENTRIES_REDUCED // self.d**2)
            ]
            solvers = [self._solver(h, stacks) for _ in range(processors() + 1)]

            def finish(solver: SingleTop, *given: Any, solvers: list[SingleTop] = solvers) -> None:
                self._finish(solver, *given)
                solvers.append(solver)

            for some, points in stacks:
                solver, stack = solvers.pop(), self._stack(some, points)
                stack.reduce(solver)
                if solvers:
                    jobs.append(pool.submit(finish, solver, stack, some, points))
                else:
                    # The others are behind.
                    finish(solver, stack, some, points)
        return jobs

    def _by_head(self, at: np.ndarray) -> list[tuple[int, np.ndarray]]:
        """Points by how many directions are taken out first."""
        heads = self._heads[at]
        return [(int(h), at[heads == h]) for h in np.unique(heads)]

    def _solver(self, h: int, stacks: list[tuple[range, np.ndarray]]) -> SingleTop:
        """Memory for the largest of some stacks without their heads."""
        size = max(len(trials) * len(at) for trials, at in stacks)
        return SingleTop(self.d - h, self._count - h, size)

    def iterate(self, trials: range, at: np.ndarray) -> None:
        """Solve near points of some trials by the iteration, and by LAPACK where that fails."""
        block, missing = slice(trials.start, trials.stop), at
        for refine in (False, True):
            if not len(missing):
                return
            noises, scales = self.noises[block], self.axis.scales[missing]
            largest = self._largest[block]
            found = nearly(self.spectrum, noises, scales, self.k, largest, refine=refine)
            rows = found.rows.reshape(-1, self.k, self.d)
            frames = frames_along(rows, self.spectrum, noises, scales)
            certain = certified_block(self.spectrum, frames, found.above.ravel())
            self._enter(trials, missing, certain)
            missing = missing[~self.done[block][:, missing].all(axis=0)]
        for trial in trials:
            left = missing[~self.done[trial, missing]]
            if len(left):
                self.solve(range(trial, trial + 1), left)

    def solve(self, trials: range, at: np.ndarray) -> None:
        """Solve points of some trials by LAPACK: single precision first, else double."""
        cost = len(trials) * len(at) * self.d**3
        if not self._count or (self.d <= SMALL_COLUMNS and cost <= SMALL_STACK_COST):
            self._solve_exactly(trials, at)
            return
        for h, members in self._by_head(at):
            stacks = self._stacks(trials, members, ENTRIES_IN_STACK // self.d**2)
            solver = self._solver(h, stacks)
            for some, points in stacks:
                stack = self._stack(some, points)
                stack.reduce(solver)
                self._finish(solver, stack, some, points)

    def _solve_exactly(self, trials: range, at: np.ndarray) -> None:
        part = Axis(self.axis.problem, self.axis.ks[at], self.axis.scales[at])
        place = np.ix_(np.array(trials), at)
        self.weights[place] = solved_exactly(self.noises[trials.start : trials.stop], part)
        self.errors[0][place] = self.errors[1][place] = 0.0
        self.done[place] = True

    def _stacks(self, trials: range, at: np.ndarray, most: int) -> list[tuple[range, np.ndarray]]:
        """Trials and points that are at most so many together, or single."""
        some, each = max(1, min(len(trials), most // len(at))), max(1, min(len(at), most))
        return [
            (trials[t : t + some], at[g : g + each])
            for t, g in product(range(0, len(trials), some), range(0, len(at), each))
        ]

    def _stack(self, trials: range, at: np.ndarray) -> Stack:
        """Λ + σE at points of some trials that have one head, without it."""
        noises, scales = self.noises[trials.start : trials.stop], self.axis.scales[at]
        h = int(self._heads[at[0]])
        if h:
            return DeflatedStack(self._centred, noises, scales, h)
        return NoisyStack(self._centred, noises, scales)

    def _finish(self, solver: SingleTop, stack: Stack, trials: range, at: np.ndarray) -> None:
        """Find the top of what was reduced, bound its error, and enter what is exact enough."""
        found, above = stack.finish(solver)
        most = ENTRIES_CERTIFIED // found.rows[0].size
        for some, points in self._stacks(range(len(trials)), np.arange(len(at)), most):
            which = np.add.outer(np.array(some) * len(at), points).ravel()
            part = trials[some.start : some.stop]
            self._bound(part, at[points], parts_of(found, which), above[which])

    def _bound(self, trials: range, at: np.ndarray, found: Tops, above: Array) -> None:
        """Bound the error of the tops at points of some trials, and enter what is exact enough."""
        noises, scales = self.noises[trials.start : trials.stop], self.axis.scales[at]
        defect = self._nearly_orthonormal(at)
        frames = frames_along(found.rows, self._centred, noises, scales, defect)
        self._enter(trials, at, self._certified(frames, above))
        for t, trial in enumerate(trials):
            missing = np.flatnonzero(~self.done[trial, at])
            if len(missing):
                some = t * len(at) + missing
                top = parts_of(found, some)
                self._refine(trial, at[missing], top, above[some], parts_of(frames, some))

    def _refine(
        self, trial: int, at: np.ndarray, found: Tops, above: Array, frames: Frames
    ) -> None:
        """Bound errors once more, with nearer or more vectors; where that fails, solve exactly."""
        one, noises, scales = range(trial, trial + 1), self.noises[[trial]], self.axis.scales[at]
        along, defect = (self._centred, noises, scales), self._nearly_orthonormal(at)
        if self.d >= WIDE_COLUMNS:
            middles = (edges_of(found) + self._centred[-1] - scales * noise_norm(noises)) / 2
            frames, above = nearer_frames(frames, *along, middles, above, defect)
        else:
            h = int(self._heads[at[0]])
            solver = SingleTop(self.d - h, more_vectors(self.d, self.k) - h, len(at))
            stack = self._stack(one, at)
            stack.reduce(solver)
            found, above = stack.finish(solver)
            frames = frames_along(found.rows, *along, defect)
        self._enter(one, at, self._certified(frames, above))
        missing = ~self.done[trial, at]
        at, scales = at[missing], scales[missing]
        if len(at):
            frames, found = parts_of(frames, missing), parts_of(found, missing)
            bound, edges = UpperBound(self._centred, noises[0]), edges_of(found)
            each = zip(scales, frames.rows, found.values, edges, strict=True)
            shown = np.array([bound.proved(*one_of_them) for one_of_them in each])
            self._enter(one, at, self._certified(frames, shown))
        missing = at[~self.done[trial, at]]
        if len(missing):
            self._solve_exactly(one, missing)

    def _nearly_orthonormal(self, at: np.ndarray) -> float:
        """How far from orthonormal rows may be: what is left of it counts as the head is large."""
        return 0.0 if self._heads[at[0]] else NEARLY_ORTHONORMAL

    def _certified(self, frames: Frames, above: Array) -> Certified:
        more = frames.rows.shape[1] > self.k
        return certified(self.spectrum, frames, self.k, above, ritz=more)

    def _enter(self, trials: range, at: np.ndarray, found: Certified) -> None:
        """Enter what is exact enough and not yet known, of some points of some trials."""
        shape = len(trials), len(at)
        errors, exact = judged(found, self.spectrum, self.k)
        place = np.ix_(np.array(trials), at)
        good = exact.reshape(shape) & ~self.done[place]
        trial, point = np.nonzero(good)
        trial, point = trial + trials.start, at[point]
        self.weights[trial, point] = found.weights.reshape(*shape, self.d)[good]
        self.errors[:, trial, point] = errors.reshape(2, *shape)[:, good]
        self.done[trial, point] = True
