"""Wang & Xu 2020: directions without a curator. Axes, settings, number of releases: ``cards/``.

Of the tables neither the penalty λ nor δ is printed. Here λ is what gives s columns on the records,
and on the reports a multiple of their noise that gives about twenty.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from math import exp, inf, log, nan, sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import top_basis
from dpca_core.mechanisms.noise_on_s import LocalGaussian
from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem
from dpca_core.simulation.trials import TrialDraws, trial_generator
from dpca_core.sparse.fantope import Solution, solve, support
from dpca_core.text.listed import listed
from papers import card
from papers.card import Card, Fields, Panel, Role, Series, declare, released, replaced
from papers.data import COLON, LEUKEMIA, expression_rows
from papers.store import printed_values
from papers.table import SURE, Table
from papers.wang_xu_errors import largest_distance, projector_distance, random_distance
from sample_data import load_key
from sample_data.synthetic import DENSE_K, SPARSE_S, Sample, directions_of, sample_moment

DELTA = 1e-4
"""Of all that is run: the paper prints it for Figure 3 only."""
RANDOM = Series("random", "Random directions", Role.REFERENCE, "random_projection")
COLUMNS, COVERTYPE_K, EPSILON = 54, 5, 0.5
"""Of Covertype, its directions, and ε of Figure 1."""


def figure(number: int, over: str) -> Card:
    """Figures 1 and 2: errors against the directions of all rows; S is scaled to n."""
    k, one_exact = COVERTYPE_K, random_distance(COLUMNS - 1, COVERTYPE_K - 1)
    whole = cache(lambda: load_key("covtype_unit").problem(k))

    def point(series: Series, place: float) -> tuple[Problem, Budget]:
        if over == "n":
            return whole().scaled(place), replaced(EPSILON, DELTA)
        return whole(), replaced(place, DELTA)

    def fields(t: Table) -> Fields:
        """tr V̂V̂ᵀVVᵀ = k − error²/2, the directions found."""
        first, *_, last = t.xs("printed")
        at = {"found": ("printed", first), "found_last": ("printed", last)}
        at["found_random"] = "random", last
        return {name: k - t.mean(*place) ** 2 / 2 for name, place in at.items()}

    label = "First direction exact, others random"
    series = (
        Series("printed", "As stated, no curator", Role.PRINTED, "local_printed"),
        Series("calibrated", "Calibrated, no curator", Role.REPAIRED, "local_gaussian"),
        Series("curator", "Gaussian of a curator", Role.REPAIRED, "gaussian"),
        replace(RANDOM, trials=60),
        Series("one exact", label, Role.REFERENCE, formula=lambda place: one_exact),
    )
    measure = card.of_releases(point, lambda _, bases: projector_distance(whole().basis, bases))
    return declare(
        f"wang-xu-fig-{number}",
        Panel(series, measure, largest_distance(k)),
        holds=[lambda t: t.rises("printed", -1)],
        fields=fields,
    )


@cache
def _sample(n: float, p: int, k: int, s: int, strength: float, seed: int) -> Sample:
    """Draw a design; with λ = ∞ all records have length 1, in the k directions."""
    if strength < inf:
        return sample_moment(n, p, k, s, strength=strength, seed=seed)
    directions = directions_of(p, k, p, np.random.default_rng(seed))
    return Sample(n / k * directions @ directions.T, directions, np.ones(p, dtype=bool))


def _synthetic(
    over: str, usual: Mapping[str, float], curves: Sequence[Series], ceiling: float | None = None
) -> Panel:
    """Return a panel in which one of n, p and ε is moved from where it usually is."""

    def by_chance(series: Series, place: float) -> float:
        at = {**usual, **series.own, over: place}
        return random_distance(int(at["p"]), int(at["k"]))

    def error(series: Series, place: float, trial: int, seed: int) -> float:
        """Error of a release: data, directions and noise are new in each trial."""
        at = {"strength": 1.0, **usual, **series.own, over: place}
        n, p, k = at["n"], int(at["p"]), int(at["k"])
        # Each seed's samples are its own, and no other seed's.
        sample = _sample(n, p, k, int(at.get("s", p)), at["strength"], (seed << 16) + trial)
        data, one = Problem(sample.moment, n, k), range(trial, trial + 1)
        bases = data.basis[None]
        if series.mechanism is not None:
            bases = released(series, data, replaced(at["ε"], DELTA), one, seed)
        return float(projector_distance(sample.directions, bases)[0])

    found = list[Series]()
    for curve in curves:
        formula = partial(by_chance, curve) if curve.mechanism == RANDOM.mechanism else None
        found.append(replace(curve, key=f"{over}: {curve.key}", formula=formula))
    return Panel(tuple(found), card.of_each(error), ceiling)


DENSE = {"n": 1e5, "p": 40.0, "ε": 0.5}
"""The printed setting, from which one is moved at a time."""
BARELY = 0.01
"""By how much of its size an error may fall, or lie below that of random directions, unseen in a
figure."""


def _dense(
    what: str, label: str, role: Role, mechanism: str, k: int = DENSE_K[0], **own: float
) -> Series:
    return Series(f"{what}k={k}", f"k = {k}, {label}", role, mechanism, {"k": k, **own})


DENSE_CURVES = (
    *(_dense("", "as stated", Role.PRINTED, "local_printed", k) for k in DENSE_K),
    *(
        _dense("random, ", "random directions", Role.REFERENCE, "random_projection", k)
        for k in DENSE_K
    ),
    _dense("calibrated, ", "calibrated, local", Role.REPAIRED, "local_gaussian"),
    _dense("curator, ", "Gaussian of a curator", Role.REPAIRED, "gaussian"),
)
STRONGEST = _dense(
    "strongest data, ", "as stated, strongest data", Role.REFERENCE, "local_printed", strength=inf
)


def figure_3() -> Card:
    """Figure 3: dense directions, over n, p and ε."""

    def decreases(t: Table) -> bool:
        """Whether every curve falls by more than a figure leaves unseen."""
        return all(t.change(f"{over}: k={k}")[0] < -BARELY for over in ("n", "ε") for k in DENSE_K)

    def increases(t: Table) -> bool:
        by_k = [np.diff([t.means(f"{o}: k={k}") for k in DENSE_K], axis=0) for o in ("n", "p", "ε")]
        return all((more > 0).all() for more in by_k) and all(t.rises(f"p: k={k}") for k in DENSE_K)

    def as_random(t: Table) -> bool:
        """Whether no curve over n is surely below random directions, as a figure shows it."""
        return not any(
            t.below(f"n: k={k}", chance, x, BARELY * t.mean(chance, x))
            for k in DENSE_K
            for chance in [f"n: random, k={k}"]
            for x in t.xs(chance)
        )

    def fields(t: Table) -> Fields:
        def errors(what: str) -> str:
            return listed([f"{t.means(f'n: {what}k={k}')[-1]:.3f}" for k in DENSE_K])

        fall = max(-t.change(f"n: k={k}")[0] for k in DENSE_K)
        names = {"ks": listed([str(k) for k in DENSE_K]), "fall": fall}
        return names | {"errors": errors(""), "random": errors("random, ")}

    return declare(
        "wang-xu-fig-3",
        _synthetic("n", DENSE, (*DENSE_CURVES, STRONGEST)),
        *(_synthetic(over, DENSE, DENSE_CURVES) for over in ("p", "ε")),
        holds=[decreases, increases],
        fields=fields,
        # No curve of directions as good as random can fall: the paper says that its own do.
        impossible=lambda t: as_random(t) and not decreases(t),
    )


K = 10
"""Directions of Figure 4 and of both tables."""
CEILING = largest_distance(K)
SPARSE = {"n": 2000.0, "p": 400.0, "ε": 1.0, "k": K}
UNSEEN = 0.05
"""By how much of its size an error may change along an axis, unseen in a figure."""


def _sparse(
    key: str, label: str, role: Role, mechanism: str | None, s: int = SPARSE_S[0]
) -> Series:
    return Series(key, f"s = {s}, {label}", role, mechanism, {"s": s})


SPARSE_CURVES = (
    *(_sparse(f"s={s}", "no curator", Role.PRINTED, "local_sparse", s) for s in SPARSE_S),
    RANDOM,
    _sparse("all columns", "all columns, no curator", Role.REPAIRED, "local_gaussian"),
    _sparse("curator", "Gaussian of a curator", Role.REPAIRED, "gaussian"),
)
NOISELESS = [
    _sparse(f"s={s}, no noise", "PCA without noise", Role.REFERENCE, None, s)
    for s in (SPARSE_S[0], SPARSE_S[-1])
]


def figure_4() -> Card:
    """Figure 4: over n, p and ε, for four numbers of columns used."""

    def may_fall(t: Table, over: str) -> bool:
        """Whether no curve surely fails to fall by what a figure shows."""
        changes = [t.change(f"{over}: s={s}") for s in SPARSE_S]
        return all(change - SURE * error < -UNSEEN for change, error in changes)

    def may_rise(t: Table) -> bool:
        changes = [t.change(f"p: s={s}") for s in SPARSE_S]
        return all(change + SURE * error > 0 for change, error in changes)

    def fields(t: Table) -> Fields:
        errors = np.concatenate(
            [t.means(f"{over}: s={s}") for over in ("n", "ε") for s in SPARSE_S]
        )
        return {"least": errors.min(), "most": errors.max(), "ceiling": CEILING}

    return declare(
        "wang-xu-fig-4",
        _synthetic("n", SPARSE, (*SPARSE_CURVES, *NOISELESS), CEILING),
        *(_synthetic(over, SPARSE, SPARSE_CURVES, CEILING) for over in ("p", "ε")),
        holds=[lambda t: may_fall(t, "n"), may_rise, lambda t: may_fall(t, "ε")],
        fields=fields,
    )


# Tables 1 and 2: sparse directions of six real sets, two of them at hand.
COLON_CANCER, CURATOR = "Colon cancer", "curator"
SETS = ("cancer RNA-Seq", "Leukemia", COLON_CANCER, "isolet5", "lung", "NIPS")
AT_HAND = {COLON_CANCER: COLON, "Leukemia": LEUKEMIA}
EPSILONS, TABLE_EPSILON, TABLE_SPARSITY = (1.0, 0.5, 0.1), 2.0, 20
"""ε of Table 2, and of all of Table 1; s of all of Table 2."""
ROUNDED = 5e-4
"""Half of the last digit that the tables print."""
REPORTS = LocalGaussian()
"""Each person's own noise, summed."""


def _largest(values: Array, k: int) -> np.ndarray:
    return np.argsort(-values, kind="stable")[:k]


def _off_diagonal(moment: Array) -> Array:
    """Largest size (d,) of an entry off the diagonal, by column."""
    return np.asarray(np.abs(moment - np.diag(np.diag(moment))).max(axis=0))


def _usable(moment: Array, k: int, penalty: float) -> np.ndarray:
    """Tell which columns (d,) can be used at λ from ``penalty`` upwards.

    A column without an entry above λ off the diagonal is cut off: an X without its entries there is
    in the Fantope too, and no worse, since ⟨M, X⟩ − λ‖X‖₁₁ loses nothing where |M_ij| ≤ λ. What is
    left is linear in the diagonal, so that of those columns only the k with the largest diagonal
    entries can be used.
    """
    usable = _off_diagonal(moment) > penalty
    alone = np.flatnonzero(~usable)
    usable[alone[_largest(np.diag(moment)[alone], k)]] = True
    return usable


def for_support(moment: Array, k: int, columns: int) -> tuple[float, Array]:
    """Return λ and a basis (d, k) that uses at most ``columns`` columns, and as many as can be.

    Bisection of ln λ below the largest off-diagonal entry, where k columns alone are used; it ends
    early once the number is met. The number falls with λ but for steps of more than one and, here
    and there, a column that comes back: then fewer are used.
    """
    penalty = float(_off_diagonal(moment).max())
    rho = np.abs(np.linalg.eigvalsh(moment)).max()
    high, low = log(penalty), log(penalty / 1e4)
    at = solve(moment, k, penalty, limit=300)
    best = penalty, top_basis(at.sparse, k)
    most = support(best[1]).sum()
    for _ in range(25):
        if most == columns:
            break
        middle = (low + high) / 2
        # Started from the last solution: ρU scaled as λ is, ρ as at first.
        dual = at.dual * at.rho / rho * exp(middle) / penalty
        start, penalty = replace(at, dual=dual, rho=np.asarray(rho)), exp(middle)
        at = solve(moment, k, penalty, limit=300, start=start)
        basis = top_basis(at.sparse, k)
        used = support(basis).sum()
        if used > columns:
            low = middle
            continue
        high = middle
        if used >= most:
            best, most = (penalty, basis), used
    return best


@cache
def _colon() -> Problem:
    """S of Colon's rows of norm 1."""
    return Problem.from_rows(expression_rows(COLON), K)


@cache
def _truth(s: int) -> Array:
    """Directions (2000, k) of Colon's records on s columns, solved on no more than can matter.

    Where s = k, λ cuts off every column, and they are k axes.
    """
    moment, most = _colon().moment / _colon().n, 4 * s
    basis = np.zeros((len(moment), K))
    if s == K:
        basis[_largest(np.diag(moment), K), range(K)] = 1
        return basis
    while True:
        least = np.sort(_off_diagonal(moment))[-1 - most]
        usable = _usable(moment, K, least)
        penalty, basis[usable] = for_support(moment[np.ix_(usable, usable)], K, s)
        if penalty >= least:
            return basis
        basis[:], most = 0, 2 * most


@cache
def _diagonal(name: str) -> tuple[Array, int]:
    """Diagonal (p,) of XᵀX/n, and n."""
    rows = expression_rows(AT_HAND[name])
    return np.square(rows).mean(axis=0), len(rows)


def axes_error(name: str, epsilon: float, trial: int, seed: int) -> float:
    """Error at s = k, where the largest k entries of the diagonal are the directions.

    Only the diagonal of the reports' average is drawn.
    """
    diagonal, n = _diagonal(name)
    p = len(diagonal)
    problem = Problem.from_spectrum(np.sort(diagonal)[::-1] * n, n, K)
    scale = REPORTS.calibrate(problem, replaced(epsilon, DELTA)).scale / n
    rng = trial_generator(seed, f"diagonal of {name}", trial)
    noisy = diagonal + scale * REPORTS.law.std(p)[0] * rng.standard_normal(p)
    true, found = (set(_largest(values, K)) for values in (diagonal, noisy))
    return sqrt(2 * (K - len(true & found)))


@cache
def _solved(trial: int) -> dict[float, float]:
    """Errors on Colon by ε, each solved from the one before, where λ gives about twenty columns.

    All is in units of the reports' noise, which then is the same for every ε; λ is a multiple of
    that of an entry off the diagonal.
    """
    problem, reports = _colon(), dict[float, Array]()
    unit = TrialDraws(REPORTS, 0, range(trial, trial + 1)).unit(problem.d, K)[0][0]
    penalty = 3.4 * REPORTS.law.std(problem.d)[1]
    for epsilon in (TABLE_EPSILON, *EPSILONS):
        scale = REPORTS.calibrate(problem, replaced(epsilon, DELTA)).scale
        reports[epsilon] = unit + problem.moment / scale
    usable = np.any([_usable(report, K, penalty) for report in reports.values()], axis=0)
    errors, basis = dict[float, float](), np.zeros((problem.d, K))
    start: Solution | None = None
    for epsilon, report in reports.items():
        some = report[np.ix_(usable, usable)]
        start = solve(some, K, penalty, tolerance=1e-2, limit=100, start=start)
        basis[usable] = top_basis(start.sparse, K)
        errors[epsilon] = float(projector_distance(_truth(TABLE_SPARSITY), basis[None])[0])
    return errors


def printed_errors_of(number: int) -> Array:
    """All printed errors (6, 3): data sets by the table's columns."""
    known = printed_values(f"wang-xu-table-{number}")
    return np.array([[known[name, x] for x in range(3)] for name in SETS])


def even_roots(errors: Array) -> np.ndarray:
    """Which errors are, as they are rounded, roots of even whole numbers."""
    nearest = np.sqrt(2 * np.rint(np.square(errors) / 2))
    return np.asarray(np.abs(errors - nearest) <= ROUNDED, dtype=np.bool_)


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
        "ceiling": CEILING,
    }


def _table(number: int, *cells: tuple[float, int]) -> Card:
    """Return the card of a table whose columns are each at an ε and an s."""

    def errors(series: Series, place: float, trials: range, seed: int) -> Array | list[float]:
        """Errors (T,) at a cell; the curator's are of the top k of S."""
        epsilon, s = cells[int(place)]
        if series.key == CURATOR:
            bases = released(series, _colon(), replaced(epsilon, DELTA), trials, seed)
            return projector_distance(_truth(s), bases)
        if s == K and series.key in AT_HAND:
            return [axes_error(series.key, epsilon, trial, seed) for trial in trials]
        # A program of 2,000 columns is solved once.
        solved = series.key == COLON_CANCER and s == TABLE_SPARSITY
        return [_solved(seed << 16)[epsilon] if solved and not t else nan for t in trials]

    def by_chance(place: float) -> float:
        return random_distance(len(_diagonal(COLON_CANCER)[0]), K)

    def grow(t: Table) -> bool:
        """Whether errors on Colon visibly grow from the first column that is run to the last."""
        means = t.means(COLON_CANCER)
        return bool(means[-1] - means[0] > 0.05)

    found = list[Series]()
    for name in SETS:
        here, trials = (name, None) if name in AT_HAND else (f"{name}, printed alone", 1)
        found.append(Series(name, here, Role.PRINTED, "local_sparse", trials=trials))
    label = "Colon cancer, Gaussian of a curator"
    found.append(Series(CURATOR, label, Role.REPAIRED, "gaussian", trials=3))
    found.append(replace(RANDOM, formula=by_chance))
    return declare(
        f"wang-xu-table-{number}",
        Panel(tuple(found), errors, CEILING),
        holds=[grow],
        fields=_fields,
        impossible=lambda t: printed_errors_of(number).max() > CEILING + ROUNDED,
    )


CARDS = (
    *(figure(1, "n"), figure(2, "ε"), figure_3(), figure_4()),
    _table(1, *((TABLE_EPSILON, s) for s in (10, 20, 40))),
    _table(2, *((epsilon, TABLE_SPARSITY) for epsilon in EPSILONS)),
)
