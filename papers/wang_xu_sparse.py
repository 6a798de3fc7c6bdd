"""Sparse directions of a moment whose penalty is found by the number of columns that are used."""

from dataclasses import replace
from math import exp, log
from typing import NamedTuple

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import top_basis
from dpca_core.sparse.fantope import Solution, solve, support

_COLUMNS_FIRST, _LIMIT = 4, 300
_STEPS, _RANGE = 25, 1e4


class Selected(NamedTuple):
    """A penalty λ, the basis (d, k) of its solution, and the columns (d,) that it uses."""

    penalty: float
    basis: Array
    support: np.ndarray


def axes(moment: Array, k: int) -> Array:
    """Return the solution (d, k) at the largest entry off the diagonal as λ: k columns alone.

    An X without its entries off the diagonal is in the Fantope too, and no worse: ⟨M, X⟩ − λ‖X‖₁₁
    loses nothing where |M_ij| ≤ λ. What is left is linear in the diagonal, of which the k largest
    entries are best.
    """
    return np.asarray(np.eye(len(moment))[:, np.argsort(-np.diag(moment), kind="stable")[:k]])


def screened(moment: Array, k: int, most: int) -> tuple[np.ndarray, float]:
    """Return the columns that can be used at any λ from some λ₀ upwards, and that λ₀.

    A column without an entry above λ off the diagonal is cut off, by the argument of ``axes``; of
    those only the k with the largest diagonal entries can be used. About ``most`` + k columns.
    """
    off = np.abs(moment - np.diag(np.diag(moment))).max(axis=0)
    least = float(np.sort(off)[::-1][most]) if most < len(moment) else 0.0
    kept = off > least
    alone = np.flatnonzero(~kept)
    kept[alone[np.argsort(-np.diag(moment)[alone], kind="stable")[:k]]] = True
    return np.flatnonzero(kept), least


def for_support(moment: Array, k: int, columns: int) -> Selected:
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
    at = solve(moment, k, penalty, limit=_LIMIT)
    best = _selected(k, penalty, at)
    for _ in range(_STEPS):
        if best.support.sum() == columns:
            break
        middle = (low + high) / 2
        start = _toward(moment, at, exp(middle) / penalty)
        penalty = exp(middle)
        at = solve(moment, k, penalty, limit=_LIMIT, start=start)
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


def of_records(moment: Array, k: int, columns: int) -> Array:
    """Return directions (d, k) on ``columns`` columns, solved on no more than can matter."""
    if columns == k:
        return axes(moment, k)
    most = _COLUMNS_FIRST * columns
    while True:
        kept, least = screened(moment, k, most)
        found = for_support(moment[np.ix_(kept, kept)], k, columns)
        if found.penalty >= least:
            basis = np.zeros((len(moment), k))
            basis[kept] = found.basis
            return basis
        most *= 2
