"""Sparse PCA over the Fantope: max ⟨M, X⟩ − λ‖X‖₁₁ subject to 0 ⪯ X ⪯ I, tr X = k, by ADMM.

Vu, Cho, Lei & Rohe 2013; Wang & Xu 2020, Algorithm 2. docs/local.md has the stopping rule.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import gram
from dpca_core.sparse.fantope_projection import (
    clipped_roots,
    partial_projection,
    project,
)

TOLERANCE, LIMIT = 1e-3, 1000
"""Relative residuals at which iterations stop, and how many there are at most."""

_RELAXED = 1.6
_BALANCED_EVERY, _BALANCED_UNTIL, _UNEQUAL, _MOST = 20, 400, 1.2, 2.0
_PARTIAL_FROM, _SOME, _ROOM, _SMALLEST = 100, 0.3, 16, 1e-300


@dataclass(frozen=True, eq=False)
class Solution:
    """Where the iteration stopped, for one matrix or a stack; also what another one can start from.

    Attributes
    ----------
    feasible
        X (…, d, d), in the Fantope to rounding.
    sparse
        Y (…, d, d), exactly 0 where the penalty makes it so; its top k are the directions.
    dual
        U (…, d, d); ρU has no entry above λ.
    rho
        ρ (…) at the end.
    primal, change
        (…) relative residuals ‖X − Y‖/max(‖X‖, ‖Y‖) and that of the dual over ‖U‖ (Frobenius).
    iterations, converged
        (…) how many, and whether both residuals are within the tolerance.
    """

    feasible: Array
    sparse: Array
    dual: Array
    rho: Array
    primal: Array
    change: Array
    iterations: np.ndarray
    converged: np.ndarray

    def at(self, index: int) -> "Solution":
        """Return that of one matrix of a stack."""
        return Solution(*(getattr(self, name)[index] for name in self.__dataclass_fields__))


def objective(moment: Array, feasible: Array, penalty: float) -> Array:
    """⟨M, X⟩ − λ‖X‖₁₁ of matrices (…, d, d)."""
    return np.asarray((moment * feasible - penalty * np.abs(feasible)).sum(axis=(-2, -1)))


def duality_gap(moment: Array, k: int, penalty: float, solution: Solution) -> Array:
    """Return how far at most the objective at X is below the best there is (…).

    For |W| ≤ λ entrywise no X of the Fantope has an objective above the k largest eigenvalues of
    M − W together; here W = ρU.
    """
    price = solution.rho[..., None, None] * solution.dual
    bound = np.linalg.eigvalsh(moment - price)[..., -k:].sum(axis=-1)
    return np.asarray(bound - objective(moment, solution.feasible, penalty))


def solve(
    moment: Array,
    k: int,
    penalty: float,
    *,
    tolerance: float = TOLERANCE,
    limit: int = LIMIT,
    adaptive: bool = True,
    start: Solution | None = None,
    on_progress: Callable[[float], bool | None] | None = None,
) -> Solution:
    """Solve for one symmetric matrix (d, d) or each of a stack (T, d, d).

    Memory: about ten matrices for each of the stack. But for rounding, what one of them gives does
    not depend on the others.

    Parameters
    ----------
    penalty
        λ ≥ 0, in the unit of ``moment``; at 0 the answer is PCA.
    limit
        Iterations at most; ``Solution.converged`` tells whether they were enough.
    adaptive
        Balance the two residuals by ρ; else ρ stays where it starts, at ‖M‖₂.
    start
        An earlier solution of matrices of this shape.
    on_progress
        Called after each iteration with the largest residual; returning False stops.

    Raises
    ------
    ValueError
        Unless 1 ≤ k < d, λ ≥ 0, the tolerance is positive and the limit at least 1.
    """
    _require(moment, k, penalty, tolerance, limit)
    if penalty == 0:
        found = _plain(moment, k)
    else:
        stack = moment if moment.ndim == 3 else moment[None]
        running = _Iteration(stack, k, penalty, adaptive, start)
        found = _run(running, len(stack), tolerance, limit, on_progress)
    return found if moment.ndim == 3 or penalty == 0 else found.at(0)


def _require(moment: Array, k: int, penalty: float, tolerance: float, limit: int) -> None:
    d = moment.shape[-1]
    if not 1 <= k < d:
        raise ValueError(f"k must be a whole number from 1 to {d - 1}, not {k}.")
    if not (penalty >= 0 and np.isfinite(penalty)):
        raise ValueError(f"λ must be a number of at least 0, not {penalty}.")
    if not (tolerance > 0 and limit >= 1):
        raise ValueError(
            f"The tolerance must be positive and the limit at least 1, not {tolerance} and {limit}."
        )


def _plain(moment: Array, k: int) -> Solution:
    """Without a penalty: the projector on the top k, no iteration."""
    projector = gram(np.linalg.eigh(moment)[1][..., -k:])
    none = np.zeros(moment.shape[:-2])
    return Solution(
        projector,
        projector,
        np.zeros_like(projector),
        none + 1,
        none,
        none,
        none.astype(int),
        none == 0,
    )


def _run(
    running: "_Iteration",
    size: int,
    tolerance: float,
    limit: int,
    on_progress: Callable[[float], bool | None] | None,
) -> Solution:
    """Iterate until all are done; those that are leave the stack."""
    left, parts, places = np.arange(size), list[Solution](), list[np.ndarray]()
    for count in range(1, limit + 1):
        running.step()
        worst = np.maximum(running.primal, running.change)
        stopped = on_progress is not None and on_progress(float(worst.max())) is False
        done = (worst <= tolerance) | stopped | (count == limit)
        if done.any():
            parts.append(running.solution(done, count, worst[done] <= tolerance))
            places.append(left[done])
            left = left[~done]
            if len(left) == 0:
                break
            running.keep(~done)
        running.balance(count)
    order = np.argsort(np.concatenate(places))
    return Solution(
        *(
            np.concatenate([getattr(part, name) for part in parts])[order]
            for name in Solution.__dataclass_fields__
        )
    )


class _Iteration:
    """State of ADMM on a stack of matrices: X in the Fantope, Y sparse, U scaled dual, a ρ each."""

    def __init__(
        self, moments: Array, k: int, penalty: float, adaptive: bool, start: Solution | None
    ) -> None:
        self.k, self.penalty, self.adaptive, self.moments = k, penalty, adaptive, moments
        shape = moments.shape
        if start is None:
            self.y, self.u = np.zeros(shape), np.zeros(shape)
            self.rho = np.maximum(np.abs(np.linalg.eigvalsh(moments)).max(axis=-1), penalty)
        else:
            self.y, self.u = start.sparse.reshape(shape).copy(), start.dual.reshape(shape).copy()
            self.rho = start.rho.reshape(shape[:1]).copy()
        self.x = self.y
        self.primal = self.change = np.full(len(moments), np.inf)
        self.ranks = np.full(len(moments), shape[-1])

    def step(self) -> None:
        """X ← P(Y − U + M/ρ); Y ← soft(αX + (1 − α)Y + U, λ/ρ); U takes up the rest; residuals.

        What is missing from a stationary point of the dual is ρ(Y − (2 − α)Y₋ + (1 − α)X).
        """
        before, rho = self.y, self.rho[:, None, None]
        self.x = self._projected(before - self.u + self.moments / rho)
        mixed = _RELAXED * self.x + (1 - _RELAXED) * before + self.u
        self.u = np.clip(mixed, -self.penalty / rho, self.penalty / rho)
        self.y = mixed - self.u
        missing = self.y - (2 - _RELAXED) * before + (1 - _RELAXED) * self.x
        size = np.maximum(_norm(self.x), _norm(self.y))
        self.primal = _norm(self.x - self.y) / size
        self.change = _norm(missing) / np.maximum(_norm(self.u), _SMALLEST)

    def balance(self, count: int) -> None:
        """Bring the residuals together by ρ, early on only: for a fixed ρ convergence is proved."""
        if not self.adaptive or count % _BALANCED_EVERY or count > _BALANCED_UNTIL:
            return
        ratio = self.primal / np.maximum(self.change, _SMALLEST)
        factor = np.sqrt(np.clip(ratio, _MOST**-2, _MOST**2))
        factor = np.where(np.abs(np.log(factor)) > np.log(_UNEQUAL), factor, 1.0)
        self.rho = self.rho * factor
        self.u = self.u / factor[:, None, None]

    def keep(self, some: np.ndarray) -> None:
        """Go on with some of the stack."""
        for name in ("moments", "x", "y", "u", "rho", "primal", "change", "ranks"):
            setattr(self, name, getattr(self, name)[some])

    def solution(self, some: np.ndarray, count: int, converged: np.ndarray) -> Solution:
        """Return where some of the stack are."""
        return Solution(
            self.x[some],
            self.y[some],
            self.u[some],
            self.rho[some],
            self.primal[some],
            self.change[some],
            np.full(int(some.sum()), count),
            converged,
        )

    def _projected(self, targets: Array) -> Array:
        d = targets.shape[-1]
        if d < _PARTIAL_FROM:
            return project(targets, self.k)
        out = np.empty_like(targets)
        for i, target in enumerate(targets):
            room = _ROOM * (int(self.ranks[i]) // _ROOM + 1)
            vectors = partial_projection(target, self.k, room) if room < _SOME * d else None
            if vectors is None:
                values, every = np.linalg.eigh(target)
                vectors = every * clipped_roots(values, self.k)
                vectors = vectors[:, vectors.any(axis=0)]
            self.ranks[i] = vectors.shape[1]
            out[i] = vectors @ vectors.T
        return out


def _norm(matrices: Array) -> Array:
    return np.asarray(np.sqrt(np.einsum("tij,tij->t", matrices, matrices)))
