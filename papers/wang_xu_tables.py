"""Wang & Xu 2020, Tables 1 and 2: sparse directions of six real sets, two of them at hand.

Neither the penalty λ nor δ is printed. Here λ is what gives s columns on the records, and on the
reports a multiple of their noise that gives about twenty.
"""

from dataclasses import replace
from functools import cache, partial
from math import exp, log, sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import top_basis
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.problem import Problem
from dpca_core.simulation.trials import TrialDraws, trial_generator
from dpca_core.sparse.fantope import Solution, solve, support
from dpca_core.text.listed import listed
from papers.card import Card, Fields, Panel, Role, Series, declare, released, replaced
from papers.data import COLON, LEUKEMIA, expression_rows
from papers.store import printed_values
from papers.table import Table
from papers.wang_xu_errors import largest_distance, projector_distance, random_distance

K = 10
DELTA = 1e-4
"""Of all that is run: the paper prints it for Figure 3 only."""
COLON_CANCER, CURATOR = "Colon cancer", "curator"
SETS = ("cancer RNA-Seq", "Leukemia", COLON_CANCER, "isolet5", "lung", "NIPS")
AT_HAND = {COLON_CANCER: COLON, "Leukemia": LEUKEMIA}
SPARSITIES, EPSILONS = (10, 20, 40), (1.0, 0.5, 0.1)
"""s of Table 1, at ε = 2; ε of Table 2, at s = 20."""
TABLE_EPSILON, TABLE_SPARSITY = 2.0, 20
ROUNDED = 5e-4
"""Half of the last digit that the tables print."""
GROWS = 0.05
"""By how much errors of a row must differ to be told apart."""
PEOPLE = 62
"""Of Colon, as the file at hand has them."""
CURATOR_TRIALS, SOLVED = 3, 1
"""Releases with a curator, and where a program of 2,000 columns is solved."""
MULTIPLE = 3.4
"""λ over the noise of an entry off the diagonal of the reports' average."""
TOLERANCE, LIMIT = 1e-2, 100
"""Of the solver on reports: residuals and rounds."""
_COLUMNS_FIRST, _RECORDS_LIMIT, _STEPS, _RANGE = 4, 300, 25, 1e4


def axes(moment: Array, k: int) -> Array:
    """Return the solution (d, k) at the largest entry off the diagonal as λ: k columns alone.

    An X without its entries off the diagonal is in the Fantope too, and no worse: ⟨M, X⟩ − λ‖X‖₁₁
    loses nothing where |M_ij| ≤ λ. What is left is linear in the diagonal, of which the k largest
    entries are best.
    """
    return np.asarray(np.eye(len(moment))[:, _largest(np.diag(moment), k)])


def _largest(values: Array, k: int) -> np.ndarray:
    return np.argsort(-values, kind="stable")[:k]


def _off_diagonal(moment: Array) -> Array:
    """Largest size (d,) of an entry off the diagonal, by column."""
    return np.asarray(np.abs(moment - np.diag(np.diag(moment))).max(axis=0))


def _screened(moment: Array, k: int, most: int) -> tuple[np.ndarray, float]:
    """Return the columns that can be used at any λ from some λ₀ upwards, and that λ₀.

    A column without an entry above λ off the diagonal is cut off, by the argument of ``axes``; of
    those only the k with the largest diagonal entries can be used. About ``most`` + k columns.
    """
    off = _off_diagonal(moment)
    least = float(np.sort(off)[::-1][most]) if most < len(moment) else 0.0
    kept = off > least
    alone = np.flatnonzero(~kept)
    kept[alone[_largest(np.diag(moment)[alone], k)]] = True
    return np.flatnonzero(kept), least


def for_support(moment: Array, k: int, columns: int) -> tuple[float, Array]:
    """Return λ and a basis (d, k) that uses at most ``columns`` columns, and as many as can be.

    Bisection of ln λ below the largest off-diagonal entry, where k columns alone are used; it ends
    early once the number is met. The number falls with λ but for steps of more than one and, here
    and there, a column that comes back: then fewer are used.
    """
    penalty = float(_off_diagonal(moment).max())
    rho = np.abs(np.linalg.eigvalsh(moment)).max()
    high, low = log(penalty), log(penalty / _RANGE)
    at = solve(moment, k, penalty, limit=_RECORDS_LIMIT)
    best = penalty, top_basis(at.sparse, k)
    most = int(support(best[1]).sum())
    for _ in range(_STEPS):
        if most == columns:
            break
        middle = (low + high) / 2
        # Started from the last solution: ρU scaled as λ is, ρ as at first.
        dual = at.dual * at.rho / rho * exp(middle) / penalty
        start, penalty = replace(at, dual=dual, rho=np.asarray(rho)), exp(middle)
        at = solve(moment, k, penalty, limit=_RECORDS_LIMIT, start=start)
        basis = top_basis(at.sparse, k)
        used = int(support(basis).sum())
        if used > columns:
            low = middle
            continue
        high = middle
        if used >= most:
            best, most = (penalty, basis), used
    return best


def of_records(moment: Array, k: int, columns: int) -> Array:
    """Return directions (d, k) on ``columns`` columns, solved on no more than can matter."""
    if columns == k:
        return axes(moment, k)
    most = _COLUMNS_FIRST * columns
    while True:
        kept, least = _screened(moment, k, most)
        penalty, found = for_support(moment[np.ix_(kept, kept)], k, columns)
        if penalty >= least:
            basis = np.zeros((len(moment), k))
            basis[kept] = found
            return basis
        most *= 2


def _reports() -> NoiseOnS:
    """Return the mechanism of the reports: each person's own Gaussian noise, summed."""
    mechanism = MECHANISMS["local_gaussian"]
    assert isinstance(mechanism, NoiseOnS)
    return mechanism


@cache
def _colon() -> tuple[Array, Problem]:
    """XᵀX/n (p, p) of Colon's rows of norm 1, and S."""
    rows = expression_rows(COLON)
    moment = rows.T @ rows / len(rows)
    return moment, Problem.from_moment(len(rows) * moment, len(rows), K)


@cache
def _diagonal(name: str) -> tuple[Array, int]:
    """Diagonal (p,) of XᵀX/n, and n."""
    rows = expression_rows(AT_HAND[name])
    return np.square(rows).mean(axis=0), len(rows)


@cache
def _truth(s: int) -> Array:
    """Directions (2000, k) of Colon's records on s columns."""
    return of_records(_colon()[0], K, s)


def axes_error(name: str, epsilon: float, trial: int, seed: int) -> float:
    """Error at s = k, where the largest k entries of the diagonal are the directions.

    Only the diagonal of the reports' average is drawn.
    """
    diagonal, n = _diagonal(name)
    p, mechanism = len(diagonal), _reports()
    problem = Problem.from_spectrum(np.sort(diagonal)[::-1] * n, n, K)
    scale = mechanism.calibrate(problem, replaced(epsilon, DELTA)).scale / n
    noise = scale * mechanism.law.std(p)[0]
    rng = trial_generator(seed, f"diagonal of {name}", trial)
    noisy = diagonal + noise * rng.standard_normal(p)
    true, found = (set(_largest(values, K)) for values in (diagonal, noisy))
    return sqrt(2 * (K - len(true & found)))


@cache
def _solved(repetition: int) -> dict[float, float]:
    """Errors on Colon by ε, where λ gives about twenty columns, each ε from the one before.

    Every ε has the same unit noise, so that the average and λ scale with the noise. A column
    without an entry above λ off the diagonal is left out, as in ``_screened``.
    """
    moment, problem = _colon()
    mechanism, p = _reports(), len(moment)
    draws = TrialDraws(mechanism, 0, range(repetition, repetition + 1))
    unit = draws.unit(p, K)[0][0]
    averages, penalties = dict[float, Array](), dict[float, float]()
    kept = np.zeros(p, dtype=bool)
    for epsilon in (TABLE_EPSILON, *EPSILONS):
        scale = mechanism.calibrate(problem, replaced(epsilon, DELTA)).scale / problem.n
        average = averages[epsilon] = moment + scale * unit
        penalty = penalties[epsilon] = MULTIPLE * scale * mechanism.law.std(p)[1]
        kept |= _off_diagonal(average) > penalty
        kept[_largest(np.diag(average), K)] = True
    errors, basis, last = dict[float, float](), np.zeros((p, K)), 0.0
    start: Solution | None = None
    for epsilon, average in averages.items():
        penalty, some = penalties[epsilon], average[np.ix_(kept, kept)]
        if start is not None:
            start = replace(start, rho=start.rho * penalty / last)
        start = solve(some, K, penalty, tolerance=TOLERANCE, limit=LIMIT, start=start)
        last, basis[kept] = penalty, top_basis(start.sparse, K)
        errors[epsilon] = float(projector_distance(_truth(TABLE_SPARSITY), basis[None])[0])
    return errors


def _measure(
    cells: tuple[tuple[float, int], ...], series: Series, place: float, trials: range, seed: int
) -> Array | list[float]:
    """Errors (T,) at a cell of a table; the curator's are of the top k of S."""
    epsilon, s = cells[int(place)]
    if series.key == CURATOR:
        bases = released(series, _colon()[1], replaced(epsilon, DELTA), trials, seed)
        return projector_distance(_truth(s), bases)
    if s == K and series.key in AT_HAND:
        return [axes_error(series.key, epsilon, trial, seed) for trial in trials]
    solved = SOLVED if series.key == COLON_CANCER and s == TABLE_SPARSITY else 0
    return [_solved((seed << 16) + t)[epsilon] if t < solved else float("nan") for t in trials]


def _by_chance(place: float) -> float:
    return random_distance(len(_diagonal(COLON_CANCER)[0]), K)


def _set_series(name: str) -> Series:
    if name in AT_HAND:
        return Series(name, name, Role.PRINTED, "local_sparse")
    return Series(name, f"{name}, printed alone", Role.PRINTED, "local_sparse", trials=1)


SERIES = (
    *map(_set_series, SETS),
    Series(
        CURATOR,
        "Colon cancer, Gaussian of a curator",
        Role.REPAIRED,
        "gaussian",
        trials=CURATOR_TRIALS,
    ),
    Series("random", "Random directions", Role.REFERENCE, formula=_by_chance),
)


def printed_errors_of(number: int) -> Array:
    """All printed errors (6, 3): data sets by the table's columns."""
    known = printed_values(f"wang-xu-table-{number}")
    return np.array([[known[name, float(x)] for x in range(3)] for name in SETS])


def even_roots(errors: Array) -> np.ndarray:
    """Which errors are, as they are rounded, roots of even whole numbers."""
    nearest = np.sqrt(2 * np.rint(np.square(errors) / 2))
    return np.asarray(np.abs(errors - nearest) <= ROUNDED, dtype=np.bool_)


def _grow(t: Table) -> bool:
    """Whether errors on Colon grow from the first column that is run to the last."""
    means = t.means(COLON_CANCER)
    return bool(means[-1] - means[0] > GROWS)


def _fields(t: Table) -> Fields:
    of_axes, of_epsilons = printed_errors_of(1)[:, 0], printed_errors_of(2)
    roots = even_roots(of_axes)
    return {
        "least": min(float(t.values(COLON_CANCER, x).min()) for x in t.xs(COLON_CANCER)),
        "roots": roots.sum(),
        "sets": len(SETS),
        "others": listed([f"{value:.3f}" for value in of_axes[~roots]]),
        "whose": SETS[int(of_epsilons.max(axis=1).argmax())],
        "most": of_epsilons.max(),
        "k": K,
        "ceiling": largest_distance(K),
        "people": PEOPLE,
    }


def _card(number: int, *cells: tuple[float, int]) -> Card:
    """Return the card of a table whose columns are each at an ε and an s."""
    highest = largest_distance(K) + ROUNDED
    return declare(
        f"wang-xu-table-{number}",
        Panel(SERIES, partial(_measure, cells), largest_distance(K)),
        holds=[_grow],
        fields=_fields,
        impossible=lambda t: bool(printed_errors_of(number).max() > highest),
    )


def table_1() -> Card:
    """Table 1: three sparsities at ε = 2."""
    return _card(1, *((TABLE_EPSILON, s) for s in SPARSITIES))


def table_2() -> Card:
    """Table 2: three ε at s = 20."""
    return _card(2, *((epsilon, TABLE_SPARSITY) for epsilon in EPSILONS))
