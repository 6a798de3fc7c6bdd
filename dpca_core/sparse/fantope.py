"""Sparse PCA over the Fantope: max ⟨M, X⟩ − λ‖X‖₁₁ subject to 0 ⪯ X ⪯ I, tr X = k, by ADMM.

Vu, Cho, Lei & Rohe 2013; Wang & Xu 2020, Algorithm 2. docs/local.md has the stopping rule.
"""

from dataclasses import dataclass, fields

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.eigh_top import eigh_top
from dpca_core.linalg.symmetric import gram, top_basis

TOLERANCE, LIMIT = 1e-3, 1000
"""Relative residuals at which iterations stop, and how many there are at most."""
ROW_TOLERANCE = 0.01
"""A column counts as used where its row of the basis is longer than this; rows are at most 1."""

_RELAXED = 1.6
_BALANCED_EVERY, _BALANCED_UNTIL, _UNEQUAL, _MOST = 20, 400, 1.2, 2.0
_PARTIAL_FROM, _SOME, _ROOM, _SMALLEST = 100, 0.3, 16, 1e-300


@dataclass(frozen=True, eq=False)
class Solution:
    """Where the iteration stopped, for one matrix or a stack: also a start for another."""

    feasible: Array
    """X (…, d, d), in the Fantope to rounding."""
    sparse: Array
    """Y (…, d, d), exactly 0 where the penalty makes it so; its top k are the directions."""
    dual: Array
    """U (…, d, d); ρU has no entry above λ."""
    rho: Array
    primal: Array
    change: Array
    """(…) relative residuals ‖X − Y‖/max(‖X‖, ‖Y‖) and that of the dual over ‖U‖ (Frobenius)."""
    iterations: np.ndarray
    converged: np.ndarray
    """(…) how many, and whether both residuals are within the tolerance."""

    def at(self, some: int | np.ndarray) -> "Solution":
        """Return that of one matrix of a stack, or of some."""
        return Solution(*(getattr(self, field.name)[some] for field in fields(self)))


def solve(
    moment: Array,
    k: int,
    penalty: float,
    *,
    tolerance: float = TOLERANCE,
    limit: int = LIMIT,
    start: Solution | None = None,
) -> Solution:
    """Solve for one symmetric matrix (d, d) or each of a stack (T, d, d): ten times their memory.

    1 ≤ k < d; λ ≥ 0 is in the unit of ``moment``, at 0 the answer is PCA. After ``limit``
    iterations it ends, converged or not. It may start from a solution of matrices of this shape.
    """
    if penalty == 0:
        return _plain(moment, k)
    stack = moment if moment.ndim == 3 else moment[None]
    found = _run(_Iteration(stack, k, penalty, start), tolerance, limit)
    return found if moment.ndim == 3 else found.at(0)


def _plain(moment: Array, k: int) -> Solution:
    projector = gram(top_basis(moment, k))
    none = np.zeros(moment.shape[:-2])
    return Solution(
        projector, projector, 0 * projector, none + 1, none, none, none.astype(int), none == 0
    )


def _run(running: "_Iteration", tolerance: float, limit: int) -> Solution:
    """Iterate until all are done; those that are leave the stack."""
    left, parts, places = np.arange(len(running.moments)), list[Solution](), list[np.ndarray]()
    for count in range(1, limit + 1):
        running.step()
        worst = np.maximum(running.primal, running.change)
        done = (worst <= tolerance) | (count == limit)
        if done.any():
            parts.append(running.solution(count, worst <= tolerance).at(done))
            places.append(left[done])
            left = left[~done]
            if len(left) == 0:
                break
            running.keep(~done)
        running.balance(count)
    names = [field.name for field in fields(Solution)]
    joined = Solution(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))
    return joined.at(np.argsort(np.concatenate(places)))


class _Iteration:
    """State of ADMM on a stack of matrices: X in the Fantope, Y sparse, U scaled dual, a ρ each."""

    def __init__(self, moments: Array, k: int, penalty: float, start: Solution | None) -> None:
        self.k, self.penalty, self.moments = k, penalty, moments
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
        if count % _BALANCED_EVERY or count > _BALANCED_UNTIL:
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

    def solution(self, count: int, converged: np.ndarray) -> Solution:
        """Return where the stack is."""
        state = self.x, self.y, self.u, self.rho, self.primal, self.change
        return Solution(*state, np.full(len(converged), count), converged)

    def _projected(self, targets: Array) -> Array:
        """Project; of wide matrices find only the eigenvectors that count, if they are few."""
        d = targets.shape[-1]
        if d < _PARTIAL_FROM:
            return project(targets, self.k)
        out = np.empty_like(targets)
        for i, target in enumerate(targets):
            room = _ROOM * (int(self.ranks[i]) // _ROOM + 1)
            vectors = _partial_projection(target, self.k, room) if room < _SOME * d else None
            if vectors is None:
                values, every = np.linalg.eigh(target)
                vectors = every * _clipped_roots(values, self.k)
            vectors = vectors[:, vectors.any(axis=0)]
            self.ranks[i] = vectors.shape[1]
            out[i] = vectors @ vectors.T
        return out


def _norm(matrices: Array) -> Array:
    return np.asarray(np.sqrt(np.einsum("tij,tij->t", matrices, matrices)))


def project(symmetric: Array, k: int) -> Array:
    """Nearest matrix of the Fantope in Frobenius norm to matrices (…, d, d); 1 ≤ k < d."""
    values, vectors = np.linalg.eigh(symmetric)
    return gram(vectors * _clipped_roots(values, k)[..., None, :])


def _partial_projection(target: Array, k: int, room: int) -> Array | None:
    """Eigenvectors times the roots of clipped eigenvalues; None if ``room`` or more count."""
    values, rows = eigh_top(target[None].copy(), room)
    # Where the least of them is not clipped to 0, those below may count too.
    roots = _clipped_roots(values[0], k)
    return np.asarray(rows[0].T * roots) if roots[-1] == 0 else None


def _clipped_roots(values: Array, k: int) -> Array:
    """Square roots (…, d) of the eigenvalues of the projection: γ_i − θ clipped, with sum k."""
    return np.sqrt(np.clip(values - _shift(values, k)[..., None], 0, 1))


def _shift(values: Array, k: int) -> Array:
    """Return the θ (…) with Σ_i clip(γ_i − θ, 0, 1) = k, exactly, for eigenvalues (…, d); k < d.

    The sum is piecewise linear in θ and falls from d to 0; its corners are γ_i − 1 and γ_i.
    """
    corners = np.concatenate([values - 1, values], axis=-1)
    order = np.argsort(corners, axis=-1, kind="stable")
    corners = np.take_along_axis(corners, order, axis=-1)
    d = values.shape[-1]
    slopes = np.cumsum(np.where(order < d, 1, -1), axis=-1)[..., :-1]
    falls = np.cumsum(slopes * np.diff(corners, axis=-1), axis=-1)
    piece = np.minimum((d - falls > k).sum(axis=-1), 2 * d - 2)[..., None]
    low, high = (np.take_along_axis(corners, piece + i, axis=-1) for i in (0, 1))
    middle = (low + high) / 2
    active = (values > middle) & (values - 1 < middle)
    whole, count = (values - 1 >= middle).sum(axis=-1), active.sum(axis=-1)
    inside = (np.where(active, values, 0).sum(axis=-1) + whole - k) / np.maximum(count, 1)
    return np.asarray(np.where(count > 0, inside, middle[..., 0]))


def support(bases: Array) -> np.ndarray:
    """Tell which columns (…, d) bases (…, d, k) use."""
    return np.asarray(np.linalg.norm(bases, axis=-1) > ROW_TOLERANCE)
