"""Wang & Xu's (2020) Tables 1 and 2 on the colon data: sparse PCA of local reports, p = 2000.

The penalty of the paper is not printed, nor is δ. Here λ is what gives s columns: on the records by
``for_support``, on the reports a multiple of their noise that gives about twenty.
"""

from dataclasses import replace
from math import exp, log
from typing import NamedTuple

import numpy as np

from dpca_core import MECHANISMS, Problem
from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import top_basis
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.simulation.trials import TrialDraws
from dpca_core.sparse.fantope import Solution, solve, support
from papers.wang_xu_runs import LOCAL, budget_of

K = 10
TOLERANCE, LIMIT = 1e-2, 100
"""Of the solver on reports: residuals and rounds. On records they are 10⁻³ and 300."""

MULTIPLE = 3.4
"""λ over the noise of an entry off the diagonal of M."""

_COLUMNS_FIRST, _LIMIT_OF_RECORDS = 4, 300
_STEPS, _RANGE = 25, 1e4


class Chosen(NamedTuple):
    """Directions (d, k) and how many columns they use."""

    basis: Array
    columns: int


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
    at = solve(moment, k, penalty, limit=_LIMIT_OF_RECORDS)
    best = _selected(k, penalty, at)
    for _ in range(_STEPS):
        if best.support.sum() == columns:
            break
        middle = (low + high) / 2
        start = _toward(moment, at, exp(middle) / penalty)
        penalty = exp(middle)
        at = solve(moment, k, penalty, limit=_LIMIT_OF_RECORDS, start=start)
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


def of_records(moment: Array, k: int, columns: int) -> Chosen:
    """Solve for ``columns`` columns without noise, on no more columns than can matter."""
    if columns == k:
        return Chosen(axes(moment, k), k)
    most = _COLUMNS_FIRST * columns
    while True:
        kept, least = screened(moment, k, most)
        part = moment[np.ix_(kept, kept)]
        found = for_support(part, k, columns)
        if found.penalty >= least:
            basis = np.zeros((len(moment), k))
            basis[kept] = found.basis
            return Chosen(basis, int(found.support.sum()))
        most *= 2


def chosen(solution: Solution, k: int) -> Chosen:
    """Return the directions of a solution on all columns."""
    basis = top_basis(solution.sparse, k)
    return Chosen(basis, int(support(basis).sum()))


class Reports:
    """The average of the reports of one repetition at any ε, from one draw of unit noise."""

    def __init__(self, moment: Array, n: int, k: int, repetition: int) -> None:
        mechanism = MECHANISMS[LOCAL]
        assert isinstance(mechanism, NoiseOnS)
        self.mechanism, self.problem = mechanism, Problem.from_moment(n * moment, n, k)
        draws = TrialDraws(mechanism, 0, range(repetition, repetition + 1))
        self.unit = draws.unit(len(moment), k)[0][0]

    def scale(self, epsilon: float) -> float:
        """Noise of a diagonal entry of the average."""
        return self.mechanism.calibrate(self.problem, budget_of(epsilon)).scale / self.problem.n

    def off_diagonal_noise(self, epsilon: float) -> float:
        """Noise of an entry off the diagonal."""
        return self.scale(epsilon) * self.mechanism.law.std(self.problem.d)[1]

    def average(self, epsilon: float) -> Array:
        """M (d, d)."""
        moment = self.problem.moment / self.problem.n
        return np.asarray(moment + self.scale(epsilon) * self.unit)


class Solved(NamedTuple):
    """A solution for reports, and the noise of an entry off their diagonal."""

    solution: Solution
    off_diagonal_noise: float


def cold_start(average: Array, off_diagonal_noise: float, k: int) -> Solved:
    """Solve for reports from a cold start."""
    penalty = MULTIPLE * off_diagonal_noise
    found = solve(average, k, penalty, tolerance=TOLERANCE, limit=LIMIT)
    return Solved(found, off_diagonal_noise)


def warm_start(solved: Solved, average: Array, off_diagonal_noise: float, k: int) -> Solved:
    """Solve from where other noise ended: M and λ scale with the noise."""
    rho = solved.solution.rho * off_diagonal_noise / solved.off_diagonal_noise
    start, penalty = replace(solved.solution, rho=rho), MULTIPLE * off_diagonal_noise
    found = solve(average, k, penalty, tolerance=TOLERANCE, limit=LIMIT, start=start)
    return Solved(found, off_diagonal_noise)
