"""The columns that directions use: which they are, and λ for a number of them."""

from dataclasses import replace
from math import exp, log
from typing import NamedTuple

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import top_basis
from dpca_core.sparse.fantope import LIMIT, Solution, solve

ROW_TOLERANCE = 0.01
"""A column counts as used where its row of the basis is longer than this; rows are at most 1."""

_STEPS, _RANGE = 25, 1e4


class Recovery(NamedTuple):
    """How well a support was found: of what is named, what is right; of what is right, named."""

    precision: float
    recall: float


class Selected(NamedTuple):
    """A penalty λ, the basis (d, k) of its solution, and the columns (d,) that it uses."""

    penalty: float
    basis: Array
    support: np.ndarray


def support(bases: Array) -> np.ndarray:
    """Tell which columns (…, d) bases (…, d, k) use."""
    return np.asarray(np.linalg.norm(bases, axis=-1) > ROW_TOLERANCE)


def recovery(estimated: np.ndarray, true: np.ndarray) -> Recovery:
    """Compare two supports (d,), both as booleans.

    Where no column is named nothing is wrongly named: precision 1; likewise recall.
    """
    both, named, there = ((estimated & true).sum(), estimated.sum(), true.sum())
    return Recovery(float(both / named) if named else 1.0, float(both / there) if there else 1.0)


def for_support(moment: Array, k: int, columns: int, *, limit: int = LIMIT) -> Selected:
    """Choose λ so that the directions use at most ``columns`` columns, and as many as can be.

    Bisection of ln λ below the largest off-diagonal entry, where k columns alone are used; it ends
    early once the number is met. The number falls with λ but for steps of more than one and, here
    and there, a column that comes back: then fewer are used.

    Parameters
    ----------
    moment
        (d, d), symmetric.

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
        return _selected(k, 0.0, solve(moment, k, 0.0))
    high, low, penalty = log(largest), log(largest / _RANGE), largest
    at = solve(moment, k, penalty, limit=limit)
    best = _selected(k, penalty, at)
    for _ in range(_STEPS):
        if best.support.sum() == columns:
            break
        middle = (low + high) / 2
        start = _toward(moment, at, exp(middle) / penalty)
        penalty = exp(middle)
        at = solve(moment, k, penalty, limit=limit, start=start)
        found = _selected(k, penalty, at)
        if found.support.sum() <= columns:
            high = middle
            best = found if found.support.sum() >= best.support.sum() else best
        else:
            low = middle
    return best


def _toward(moment: Array, solution: Solution, ratio: float) -> Solution:
    """Start for another λ, ``ratio`` times this one: ρU scaled alike, ρ as at first."""
    rho = np.abs(np.linalg.eigvalsh(moment)).max(axis=-1)
    return replace(solution, dual=solution.dual * solution.rho / rho * ratio, rho=np.asarray(rho))


def _selected(k: int, penalty: float, solution: Solution) -> Selected:
    basis = top_basis(solution.sparse, k)
    return Selected(penalty, basis, support(basis))
