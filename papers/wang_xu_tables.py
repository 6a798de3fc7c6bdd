"""Wang & Xu 2020, Tables 1 and 2: sparse directions of six real sets, two of them at hand.

Neither the penalty λ nor δ is printed. Here λ is what gives s columns on the records, and on the
reports a multiple of their noise that gives about twenty.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache, partial
from math import sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import top_basis
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.problem import Problem
from dpca_core.simulation.trials import TrialDraws, trial_generator
from dpca_core.sparse.fantope import Solution, solve
from dpca_core.text.listed import listed
from papers.card import (
    Axis,
    Card,
    Link,
    Panel,
    Role,
    Series,
    Setting,
    Statement,
    Verdict,
    named,
    released,
)
from papers.data import COLON, LEUKEMIA, expression_rows
from papers.store import printed_values
from papers.table import Table
from papers.wang_xu_errors import (
    DELTA,
    bounded,
    budget_of,
    largest_distance,
    projector_distance,
    random_distance,
)
from papers.wang_xu_sparse import of_records

K = 10
SETS = ("cancer RNA-Seq", "Leukemia", "Colon cancer", "isolet5", "lung", "NIPS")
AT_HAND = {"Colon cancer": COLON, "Leukemia": LEUKEMIA}
SPARSITIES, TABLE_EPSILON = (10, 20, 40), 2.0
TABLE_EPSILONS, TABLE_SPARSITY = (1.0, 0.5, 0.1), 20
ROUNDED = 5e-4
"""Half of the last digit that the tables print."""
GROWS = 0.05
"""By how much errors of a row must differ to be told apart."""
PEOPLE = 62
"""Of Colon, as the file at hand has them."""
TRIALS_OF_AXES, CURATOR_TRIALS, SOLVED = 20, 3, 1
"""Releases where only k columns are used, with a curator, and where a program of 2,000 columns is
solved."""
MULTIPLE = 3.4
"""λ over the noise of an entry off the diagonal of the reports' average."""
TOLERANCE, LIMIT = 1e-2, 100
"""Of the solver on reports: residuals and rounds."""


def _reports() -> NoiseOnS:
    """Return the mechanism of the reports: each person's own Gaussian noise, summed."""
    mechanism = MECHANISMS["local_gaussian"]
    assert isinstance(mechanism, NoiseOnS)
    return mechanism


@cache
def _moment(name: str) -> tuple[Array, int]:
    """XᵀX/n (p, p) of rows of norm 1, and n."""
    rows = expression_rows(AT_HAND[name])
    return rows.T @ rows / len(rows), len(rows)


@cache
def _diagonal(name: str) -> tuple[Array, int]:
    rows = expression_rows(AT_HAND[name])
    return np.square(rows).mean(axis=0), len(rows)


@cache
def _truth(s: int) -> Array:
    """Directions (2000, k) of Colon's records on s columns."""
    return of_records(_moment("Colon cancer")[0], K, s)


def axes_error(name: str, epsilon: float, trial: int, seed: int) -> float:
    """Error at s = k, where the largest k entries of the diagonal are the directions.

    Only the diagonal of the reports' average is drawn.
    """
    diagonal, n = _diagonal(name)
    p, mechanism = len(diagonal), _reports()
    problem = Problem.from_spectrum(np.sort(diagonal)[::-1] * n, n, K)
    noise = mechanism.calibrate(problem, budget_of(epsilon)).scale / n * mechanism.law.std(p)[0]
    rng = trial_generator(seed, f"diagonal of {name}", trial)
    noisy = diagonal + noise * rng.standard_normal(p)
    true, found = (set(np.argsort(-values, kind="stable")[:K]) for values in (diagonal, noisy))
    return sqrt(2 * (K - len(true & found)))


@cache
def _solved(repetition: int) -> dict[float, float]:
    """Errors on Colon by ε, where λ gives about twenty columns, each ε from the one before.

    Every ε has the same unit noise, so that the average and λ scale with the noise. A column
    without an entry above λ off the diagonal is left out, as in ``screened``.
    """
    moment, n = _moment("Colon cancer")
    mechanism, problem = _reports(), Problem.from_moment(n * moment, n, K)
    draws = TrialDraws(mechanism, 0, range(repetition, repetition + 1))
    unit = draws.unit(len(moment), K)[0][0]
    averages, penalties = dict[float, Array](), dict[float, float]()
    for epsilon in (TABLE_EPSILON, *TABLE_EPSILONS):
        scale = mechanism.calibrate(problem, budget_of(epsilon)).scale / n
        averages[epsilon] = moment + scale * unit
        penalties[epsilon] = MULTIPLE * scale * mechanism.law.std(len(moment))[1]
    kept = np.zeros(len(moment), dtype=bool)
    for epsilon, average in averages.items():
        diagonal = np.diag(average)
        kept |= np.abs(average - np.diag(diagonal)).max(axis=0) > penalties[epsilon]
        kept[np.argsort(-diagonal, kind="stable")[:K]] = True
    errors, start, last = dict[float, float](), None, 0.0
    for epsilon, average in averages.items():
        penalty = penalties[epsilon]
        if start is not None:
            start = replace(start, rho=start.rho * penalty / last)
        start, last = _solution(average[np.ix_(kept, kept)], penalty, start), penalty
        basis = np.zeros((len(moment), K))
        basis[kept] = top_basis(start.sparse, K)
        errors[epsilon] = float(projector_distance(_truth(TABLE_SPARSITY), basis[None])[0])
    return errors


def _solution(average: Array, penalty: float, start: Solution | None) -> Solution:
    return solve(average, K, penalty, tolerance=TOLERANCE, limit=LIMIT, start=start)


Cell = tuple[float, int]
"""ε and s of a column."""


def _error(name: str, cell: Cell, trial: int, seed: int) -> float:
    """Error of one release; NaN where it is not run."""
    epsilon, s = cell
    if s == K:
        return axes_error(name, epsilon, trial, seed)
    if name != "Colon cancer" or s != TABLE_SPARSITY or trial >= SOLVED:
        return float("nan")
    return _solved((seed << 16) + trial)[epsilon]


def _measure(
    cells: Sequence[Cell], series: Series, place: float, trials: range, seed: int
) -> Array | list[float]:
    """Errors (T,) at a cell of a table; the curator's are of the top k of S."""
    epsilon, s = cell = cells[int(place)]
    if series.key == "curator":
        moment, n = _moment("Colon cancer")
        problem = Problem.from_moment(n * moment, n, K)
        bases = released(series, problem, budget_of(epsilon), trials, seed)
        return projector_distance(_truth(s), bases)
    if series.key not in AT_HAND:
        return [float("nan")] * len(trials)
    return [_error(series.key, cell, trial, seed) for trial in trials]


def _by_chance(place: float) -> float:
    return random_distance(len(_diagonal("Colon cancer")[0]), K)


def _set_series(name: str) -> Series:
    at_hand = name in AT_HAND
    label = name if at_hand else f"{name}, printed alone"
    return Series(name, label, Role.PRINTED, "local_sparse", trials=None if at_hand else 1)


SERIES = (
    *map(_set_series, SETS),
    Series(
        "curator",
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


def _consistent(t: Table) -> bool:
    """Whether errors on Colon grow from the first column that is run to the last."""
    means = t.means("Colon cancer")
    return bool(means[-1] - means[0] > GROWS)


def _least(t: Table) -> float:
    return min(float(t.values("Colon cancer", x).min()) for x in t.xs("Colon cancer"))


def _tell_sparsities(t: Table) -> tuple[str, str]:
    printed = printed_errors_of(1)[:, 0]
    roots = even_roots(printed)
    return (
        f"Our errors on Colon are at least {_least(t):.3f} wherever it is run, as of two choices "
        f"without a column in common; random directions have {t.mean('random', 0):.3f}. "
        f"{printed[SETS.index('Colon cancer')]:.3f} and the like do not come from this noise on "
        "rows of length 1.",
        "Where s = k both sides are spans of axes, so a squared error is an even whole number. "
        f"{roots.sum()} of the {len(SETS)} printed there are roots of such numbers, as single runs "
        "would be and means of twenty would not; "
        f"{listed([f'{value:.3f}' for value in printed[~roots]])} are not, as means could be: no "
        "one reading fits the column.",
    )


def _tell_epsilons(t: Table) -> tuple[str, str]:
    printed = printed_errors_of(2)
    whose = SETS[int(printed.max(axis=1).argmax())]
    return (
        f"{whose}’s {printed.max():.3f} cannot be: two subspaces of {K} directions are never more "
        f"than {largest_distance(K):.3f} apart, the root of twice {K}, and a mean of errors is not "
        "either.",
        f"Our errors on Colon are at least {_least(t):.3f} at every ε, random directions have "
        f"{t.mean('random', 0):.3f}: next to this noise the records do not count. With {PEOPLE} "
        f"people a curator’s noise is too large as well ({t.mean('curator', 0):.3f}).",
    )


def _card(
    number: int,
    title: str,
    asks: str,
    over: Axis,
    cells: Sequence[Cell],
    own: tuple[Setting, Setting],
    tell: Callable[[Table], tuple[str, str]],
) -> Card:
    local = {"source": "sparse", "k": f"{K}", "p": "400", "columns": "20", "n": "2000"}
    return Card(
        key=f"wang-xu-table-{number}",
        paper="wang-xu",
        number=f"Table {number}",
        title=title,
        asks=asks,
        panels=(Panel(over, bounded(K), SERIES, measure=partial(_measure, cells)),),
        settings=(
            Setting("k", f"{K}"),
            *own,
            Setting("δ", f"{DELTA:g}", "printed for Figure 3 only"),
            Setting("rows", "of length 1"),
            Setting("noise", "calibrated to (ε, δ)", "printed: larger off the diagonal"),
            Setting(
                "λ",
                f"{MULTIPLE:g} times the noise of an entry",
                "not printed; gives about 20 columns",
            ),
            Setting("Colon", f"{PEOPLE} rows, 3 levels a gene", "the paper has 60 rows"),
            Setting("Leukemia", "7,070 genes, s = 10 alone", "the paper has 7,128"),
            Setting("s = 40 and the other sets", "not run", "minutes a round, or no file at hand"),
            Setting("releases", f"{TRIALS_OF_AXES} at s = 10, else {SOLVED}", "the paper: 20"),
        ),
        statements=(
            Statement(
                "We can see that these results are consistent with our theoretical analysis",
                "section 6.2",
                _consistent,
            ),
        ),
        tell=tell,
        verdict=Verdict.ONE_FAILS,
        links=(Link("local", {**local, "epsilon": "1", "delta": f"{DELTA:g}"}),),
        trials=TRIALS_OF_AXES,
        seconds=100.0,
        needs=(COLON,),
    )


def table_1() -> Card:
    """Table 1: three sparsities at ε = 2."""
    return _card(
        1,
        "Sparse directions of real data, by sparsity",
        "Does an error grow with the columns that are used?",
        named("columns used", *(f"s = {s}" for s in SPARSITIES)),
        [(TABLE_EPSILON, s) for s in SPARSITIES],
        (Setting("ε", f"{TABLE_EPSILON:g}"), Setting("s", "10, 20, 40")),
        _tell_sparsities,
    )


def table_2() -> Card:
    """Table 2: three ε at s = 20."""
    card = _card(
        2,
        "Sparse directions of real data, by ε",
        "Does an error grow with privacy?",
        named("ε", *(f"ε = {epsilon:g}" for epsilon in TABLE_EPSILONS)),
        [(epsilon, TABLE_SPARSITY) for epsilon in TABLE_EPSILONS],
        (Setting("ε", "1, 0.5, 0.1"), Setting("s", f"{TABLE_SPARSITY}")),
        _tell_epsilons,
    )
    return replace(
        card,
        verdict=Verdict.CANNOT_BE,
        impossible=lambda t: printed_errors_of(2).max() > largest_distance(K) + ROUNDED,
    )
