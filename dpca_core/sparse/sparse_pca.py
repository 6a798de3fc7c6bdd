"""Which penalty, which columns: sparse PCA along λ, for a number of columns, and its support."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import exp, log
from typing import NamedTuple

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import top_basis
from dpca_core.sparse.fantope import LIMIT, TOLERANCE, Solution, solve

ROW_TOLERANCE = 0.01
"""A column counts as used where its row of the basis is longer than this; rows are at most 1."""

_STEPS, _RANGE = 25, 1e4

Progress = Callable[[float], bool | None]


class Recovery(NamedTuple):
    """How well a support was found: of what is named, what is right; of what is right, named."""

    precision: float
    recall: float


class Selected(NamedTuple):
    """A penalty λ, its solution, the basis (d, k) and the columns (d,) that it uses."""

    penalty: float
    solution: Solution
    basis: Array
    support: np.ndarray


def support(bases: Array, tolerance: float = ROW_TOLERANCE) -> np.ndarray:
    """Tell which columns (…, d) bases (…, d, k) use: rows longer than the tolerance."""
    return np.asarray(np.linalg.norm(bases, axis=-1) > tolerance)


def recovery(estimated: np.ndarray, true: np.ndarray) -> Recovery:
    """Compare two supports (d,), both as booleans.

    Where no column is named nothing is wrongly named: precision 1; likewise recall.
    """
    both, named, there = ((estimated & true).sum(), estimated.sum(), true.sum())
    return Recovery(float(both / named) if named else 1.0, float(both / there) if there else 1.0)


def sparse_path(
    moment: Array,
    k: int,
    penalties: Sequence[float],
    *,
    tolerance: float = TOLERANCE,
    limit: int = LIMIT,
    on_progress: Progress | None = None,
) -> list[Solution]:
    """Solve for one penalty after another, each from where the one before ended.

    Parameters
    ----------
    moment
        (d, d), symmetric.
    penalties
        λ, in the unit of ``moment``; neighbours in a sorted order need the fewest iterations.
    on_progress
        Called with the share done after each; returning False stops, and what is done is kept.
    """
    found: list[Solution] = []
    for penalty, before in zip(penalties, [0.0, *penalties[:-1]], strict=True):
        start = _toward(moment, found[-1], penalty / before) if before > 0 else None
        found.append(
            solve(moment, k, float(penalty), tolerance=tolerance, limit=limit, start=start)
        )
        if on_progress is not None and on_progress(len(found) / len(penalties)) is False:
            break
    return found


def for_support(
    moment: Array,
    k: int,
    columns: int,
    *,
    tolerance: float = TOLERANCE,
    limit: int = LIMIT,
    on_progress: Progress | None = None,
) -> Selected:
    """Choose λ so that the directions use at most ``columns`` columns, and as many as can be.

    Bisection of ln λ below the largest off-diagonal entry, where k columns alone are used; it ends
    early once the number is met. The number falls with λ but for steps of more than one and, here
    and there, a column that comes back: then fewer are used.

    Parameters
    ----------
    moment
        (d, d), symmetric.
    on_progress
        Called with the share done after each step; returning False stops at the best so far.

    Raises
    ------
    ValueError
        Unless k ≤ columns ≤ d, and 1 ≤ k < d.
    """
    d = len(moment)
    if not k <= columns <= d:
        raise ValueError(f"The columns used must be {k} to {d}, not {columns}.")
    largest = float(np.abs(moment - np.diag(np.diag(moment))).max())
    if columns == d or largest == 0:
        return _selected(moment, k, 0.0, solve(moment, k, 0.0))
    high, low = log(largest), log(largest / _RANGE)
    penalty = largest
    at = solve(moment, k, penalty, tolerance=tolerance, limit=limit)
    best = _selected(moment, k, penalty, at)
    for step in range(1, _STEPS + 1):
        if best.support.sum() == columns:
            break
        middle = (low + high) / 2
        start = _toward(moment, at, exp(middle) / penalty)
        penalty = exp(middle)
        at = solve(moment, k, penalty, tolerance=tolerance, limit=limit, start=start)
        found = _selected(moment, k, penalty, at)
        if found.support.sum() <= columns:
            high = middle
            best = found if found.support.sum() >= best.support.sum() else best
        else:
            low = middle
        if on_progress is not None and on_progress(step / _STEPS) is False:
            break
    return best


def _toward(moment: Array, solution: Solution, ratio: float) -> Solution:
    """Start for another λ, ``ratio`` times this one: ρU scaled alike, ρ as at first."""
    rho = np.abs(np.linalg.eigvalsh(moment)).max(axis=-1)
    return replace(solution, dual=solution.dual * solution.rho / rho * ratio, rho=np.asarray(rho))


def _selected(moment: Array, k: int, penalty: float, solution: Solution) -> Selected:
    basis = top_basis(solution.sparse, k)
    return Selected(penalty, solution, basis, support(basis))
