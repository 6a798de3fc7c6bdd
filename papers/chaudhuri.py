"""Chaudhuri, Sarwate & Sinha 2013: its figures and tables, as the paper has them."""

from dataclasses import replace
from functools import cache, lru_cache, partial
from math import nan

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.linalg.symmetric import orthonormal
from dpca_core.mechanisms.noise_on_s import ModSulq
from dpca_core.metrics import quality
from dpca_core.privacy.budget import Budget
from dpca_core.problem import Problem
from dpca_core.sampling.bingham import gibbs_sweeps
from dpca_core.simulation.trials import trial_generator
from dpca_core.theorems import mod_sulq_correlation
from papers import card
from papers.card import Card, Fields, Panel, Role, Series, declare, replaced
from papers.data import error_of, insurance_rows, kddcup_rows
from papers.store import printed_values
from papers.table import Table
from sample_data import load_key

SERIES = (
    Series("PCA", "PCA", Role.REFERENCE, "non_private", trials=1),
    Series("PPCA", "PPCA, exact", Role.PRINTED, "ppca"),
    Series("MOD-SULQ", "MOD-SULQ", Role.PRINTED, "mod_sulq"),
    Series("random", "Random directions", Role.REFERENCE, "random_projection"),
    Series("Gaussian", "Gaussian, calibrated", Role.REPAIRED, "gaussian"),
    Series("difference", "Difference of Wisharts", Role.REPAIRED, "wishart_difference"),
)
SEQUENTIAL = Series("sequential", "PPCA, sequential", Role.REFERENCE, "ppca_sequential")
EPSILON, DELTA = 0.1, 0.01
"""Of Figures 2 to 4; of Table 2 neither is printed."""
SETS = ("kddcup", "census", "localization", "insurance")
OTHER = ", other coding"
"""Ending of what is of insurance with more columns one-hot."""


@cache
def problem(data: str, k: int) -> Problem:
    """Return a data set's S; for insurance, in either coding, its file is needed."""
    if data in (SETS[-1], SETS[-1] + OTHER):
        return Problem.from_rows(insurance_rows(five=data != SETS[-1]), k)
    return load_key(data).problem(k)


def q(problem: Problem, bases: Array) -> Array:
    """Return tr(VᵀSV)/n (T,), as the paper measures."""
    return card.kept(problem, bases) * float(problem.spectrum[: problem.k].sum() / problem.n)


CENSUS, LOCALIZATION, INSURANCE = 1.0, 2.0, 3.0


def in_table_1(what: str, place: float) -> float:
    """Return what Table 1 prints of a data set."""
    return printed_values("chaudhuri-table-1")[what, place]


def table_1() -> Card:
    """Table 1: columns, rows, q of the first k directions and its share of the trace."""

    def ours(what: str, other: bool, place: float) -> float:
        """Return what is measured of a data set; NaN for what is not run."""
        if place == LOCALIZATION or (other and place != INSURANCE):
            return nan
        k = int(in_table_1("k", place))
        data = problem(SETS[int(place)] + OTHER * other, k)
        first, trace = data.spectrum[:k].sum(), data.spectrum.sum()
        return float({"q": first / data.n, "share": first / trace, "d": data.d, "n": data.n}[what])

    def panel(what: str) -> Panel:
        as_printed, five = (partial(ours, what, other) for other in (False, True))
        series = (
            Series(what, "ours", Role.REFERENCE, formula=as_printed),
            Series(what + OTHER, "five columns one-hot", Role.REFERENCE, formula=five),
        )
        return Panel(series[:1] if what == "n" else series)

    return declare(
        "chaudhuri-table-1",
        *map(panel, ("q", "share", "d", "n")),
        holds=[lambda t: all((t.means(key) >= 0.8).all() for key in ("share", "share" + OTHER))],
        fields=lambda t: {"trace": in_table_1("q", CENSUS) / in_table_1("share", CENSUS)},
    )


BOUND_COLUMNS, BOUND_EPSILONS = (50, 100, 500, 1000), (0.01, 0.1, 0.5, 1.0, 2.0)
MEASURED = (50, 100)
"""Columns of the panels in which releases are measured, at ε = 0.1."""


def _bound_panel(d: int) -> Panel:
    """Bound and |⟨v̂₁, v₁⟩| of releases from n copies of one unit vector."""

    def bound(epsilon: float, n: float) -> float:
        return mod_sulq_correlation(d, ModSulq.printed_scale(d, Budget(epsilon, DELTA)) / n)

    series = [
        Series(f"d={d}, ε={e:g}", f"ε = {e:g}", Role.REFERENCE, formula=partial(bound, e))
        for e in BOUND_EPSILONS
    ]
    if d not in MEASURED:
        return Panel(tuple(series))
    at, copies = f"at ε = {EPSILON:g}", Problem.from_moment(np.full((d, d), 1 / d), 1.0, 1)
    series += [
        Series(f"d={d}, MOD-SULQ", f"MOD-SULQ {at}", Role.PRINTED, "mod_sulq"),
        Series(f"d={d}, Gaussian", f"Gaussian {at}", Role.REPAIRED, "gaussian"),
    ]
    correlation = card.of_releases(
        lambda series, n: (copies.scaled(n), replaced(EPSILON, DELTA)),
        lambda data, bases: np.sqrt(np.maximum(1 - quality(data, bases).sin_theta ** 2, 0)),
    )
    return Panel(tuple(series), correlation)


def figure_1() -> Card:
    """Figure 1: four panels, with MOD-SULQ measured in two of them."""

    def bounds(t: Table, d: int) -> Array:
        """The bound (5, n) by ε and n."""
        return np.array([t.means(f"d={d}, ε={e:g}") for e in BOUND_EPSILONS])

    def bounded(t: Table) -> bool:
        """Whether no measured mean surely exceeds its bound."""
        series = [(f"d={d}, MOD-SULQ", f"d={d}, ε={EPSILON:g}") for d in MEASURED]
        return not any(t.above(ours, bound, n) for ours, bound in series for n in t.xs(ours))

    def better_with_few_columns(t: Table) -> bool:
        """Whether the bound rises with n and falls with d."""
        few, many = bounds(t, BOUND_COLUMNS[0]), bounds(t, BOUND_COLUMNS[-1])
        rising = (np.diff(few) >= -1e-9).all() and (np.diff(many) >= -1e-9).all()
        return bool(rising and (few >= many - 1e-9).all() and (few > many + 1e-3).any())

    return declare(
        "chaudhuri-fig-1",
        *map(_bound_panel, BOUND_COLUMNS),
        holds=[bounded, better_with_few_columns],
        fields=lambda t: {"lowest": min(bounds(t, d).min() for d in BOUND_COLUMNS)},
    )


BURNT_IN, LEVEL = 20_000, 0.01
"""Steps that the paper takes, and what it says the statistic is below by then."""
EARLY, STATIONARY = 500.0, 5.0
"""Steps early in a chain, and sweeps after which what it captures is settled."""
DIRECTIONS = {"kddcup": 4, "insurance": 11}
CAPTURED = "kddcup kept"


class Chain:
    """A chain of the Gibbs sampler: F(T) and what its frame captures, after each step."""

    def __init__(self, name: str, seed: int, trial: int) -> None:
        k = DIRECTIONS[name]
        self._weights = EPSILON / 2 * problem(name, k).spectrum
        rng = trial_generator(seed, f"Gibbs chain on {name}", trial)
        start = orthonormal(rng.standard_normal((len(self._weights), k)))
        self._sweeps, self._total = gibbs_sweeps(self._weights, start, rng), np.zeros_like(start)
        self._found = list[tuple[float, float]]()

    def at(self, place: float) -> tuple[float, float]:
        """Return F(T) and the captured share at a step: the chain goes on as far as is asked."""
        k = self._total.shape[1]
        while len(self._found) < place:
            frame = next(self._sweeps)
            self._total += frame
            captured = (np.square(frame).T @ self._weights).sum() / self._weights[:k].sum()
            mean = np.linalg.norm(self._total) / (len(self._found) + 1) / k**0.5
            self._found.append((float(mean), float(captured)))
        return self._found[int(place) - 1]


chain = lru_cache(maxsize=6)(Chain)
"""Keeps the chains while their places are measured one by one."""


def figure_2() -> Card:
    """Figure 2: what its statistic of convergence measures, on kddcup and insurance."""

    def of_chain(series: Series, place: float, trial: int, seed: int) -> float:
        name = "insurance" if series.key == "insurance" else "kddcup"
        return chain(name, seed, trial).at(place)[series.key == CAPTURED]

    def panel(key: str, letter: str = "") -> Panel:
        label = "1/√T: independent draws"
        series = (
            Series(key, "Gibbs chains", Role.PRINTED, "ppca_gibbs", approximate=True),
            Series(f"1/√T, {letter}", label, Role.REFERENCE, formula=lambda steps: steps**-0.5),
        )
        return Panel(series if letter else series[:1], card.of_each(of_chain))

    def spread(t: Table, name: str) -> float:
        """Standard deviation of log F about its mean over chains, over all T."""
        logs = [np.log(t.values(name, x)) for x in t.xs(name)]
        return float(np.sqrt(np.mean([log.var(ddof=1) for log in logs])))

    def fields(t: Table) -> Fields:
        early = np.concatenate([t.values(name, EARLY) for name in DIRECTIONS])
        late = np.concatenate([t.values(CAPTURED, x) for x in t.xs(CAPTURED) if x > STATIONARY])
        told = {"least": early.min(), "most": early.max(), "late": late.mean()}
        told |= {"burnt_in": BURNT_IN, "level": LEVEL, "enough": LEVEL**-2}
        return told | {"early": EARLY, "settled": STATIONARY}

    return declare(
        "chaudhuri-fig-2",
        *(panel("kddcup", "a"), panel("insurance", "b"), panel(CAPTURED)),
        holds=[
            lambda t: all(t.mean(name, BURNT_IN) < LEVEL for name in DIRECTIONS),
            lambda t: spread(t, "kddcup") > spread(t, "insurance"),
        ],
        fields=fields,
    )


def _seen_apart(t: Table) -> list[float]:
    """From which n on MOD-SULQ is visible beside random directions: by more than .02 of q."""
    return [x for x in t.xs("MOD-SULQ") if t.apart("MOD-SULQ", "random", x, 0.02)]


def _people_told(t: Table) -> Fields:
    """From how many people on MOD-SULQ is apart from random directions, and PPCA from its kind."""
    xs = t.xs("MOD-SULQ")
    apart = next(iter(_seen_apart(t)), nan)
    par = max((x for x in xs if not x >= apart), default=xs[0])
    beside = [x for x in xs if t.mean("PPCA", x) - t.mean("sequential", x) > 0.2]
    return {"apart": apart, "par": par, "half": (*beside, xs[-1])[0]}


def _against_people(letter: str, data: str, k: int) -> Card:
    """Return a figure of q(U) against n, with S of all rows scaled to n people."""
    budget = replaced(EPSILON, DELTA)
    measure = card.of_releases(lambda series, n: (problem(data, k).scaled(n), budget), q)
    return declare(
        f"chaudhuri-fig-{letter}",
        Panel((*SERIES, SEQUENTIAL), measure),
        holds=[
            lambda t: not _seen_apart(t),
            lambda t: t.never_below("PPCA", "MOD-SULQ", t.xs("MOD-SULQ")),
            lambda t: t.rises("PPCA") and not t.above("PPCA", "PCA", t.xs("PPCA")[-1]),
        ],
        fields=_people_told,
    )


def figure_4a() -> Card:
    """Figure 4(a): localization, whose file is not at hand: what Table 1 alone says of it."""
    d, k, pca, share = (in_table_1(what, LOCALIZATION) for what in ("d", "k", "q", "share"))
    expected, label = k * pca / share / d, "Random directions, expected"
    lines = (
        Series("PCA", "PCA, printed in Table 1", Role.REFERENCE, formula=lambda n: pca),
        replace(SERIES[3], label=label, formula=lambda n: expected),
    )
    return declare("chaudhuri-fig-4a", Panel(lines), fields=lambda t: {"d": d})


NORMAL = 0.0
"""Place of the task of Table 2 that is run."""
PROJECTIONS, TRAINED, K = 5, 0.1, 4
"""Projections of each permutation, the share of the rest that is trained on, and directions."""
RANDOM = "random projections"


@cache
def _connections() -> tuple[Array, Array]:
    """Rows (494021, 116), and whether a connection is normal, as 0 and 1."""
    rows, labels = kddcup_rows()
    return rows, np.array([label.startswith("normal") for label in labels], dtype=float)


@cache
def _permuted(permutation: int, seed: int) -> tuple[Problem, np.ndarray]:
    """Return S of one half of the rows, and the indices of the other half."""
    rows, _ = _connections()
    rng = trial_generator(seed, "chaudhuri-table-2 permutation", permutation)
    first, rest = np.split(rng.permutation(len(rows)), [len(rows) // 2])
    return Problem.from_moment(rows[first].T @ rows[first], len(first), K), rest


def table_2() -> Card:
    """Table 2: accuracy of a classifier on projected kddcup; localization is printed alone."""

    def accuracy(series: Series, place: float, trial: int, seed: int) -> float:
        """Accuracy in percent."""
        if place != NORMAL:
            return nan
        (data, rest), one = _permuted(trial // PROJECTIONS, seed), range(trial, trial + 1)
        basis = card.released(series, data, replaced(EPSILON, DELTA), one, seed)[0]
        rows, labels = (each[rest] for each in _connections())
        return 100 - error_of(rows @ basis, labels, int(TRAINED * len(rest)))

    def majority(place: float) -> float:
        share = float(_connections()[1].mean()) if place == NORMAL else nan
        return 100 * max(share, 1 - share)

    def fields(t: Table) -> Fields:
        spread, random_spread = t.sd("MOD-SULQ", NORMAL), t.sd(RANDOM, NORMAL)
        best = t.values(RANDOM, NORMAL).max()
        return {"spread": spread, "random_spread": random_spread, "best": best}

    def varies_more(t: Table) -> bool:
        """Whether MOD-SULQ and random directions both vary more than PCA and PPCA."""
        least = min(t.sd("MOD-SULQ", NORMAL), t.sd(RANDOM, NORMAL))
        return least > max(t.sd("PCA", NORMAL), t.sd("PPCA", NORMAL))

    pca, _, mod_sulq, random, gaussian, _ = SERIES
    label = "Always the same answer"
    series = (
        replace(pca, trials=None),
        Series("PPCA", "PPCA, Gibbs", Role.PRINTED, "ppca_gibbs", approximate=True),
        *(mod_sulq, gaussian, replace(random, key=RANDOM)),
        Series("always the same answer", label, Role.REFERENCE, formula=majority),
    )
    return declare(
        "chaudhuri-table-2",
        Panel(series, card.of_each(accuracy)),
        holds=[
            # Half a percentage point below is almost as good.
            lambda t: not t.below("PPCA", "PCA", NORMAL, 0.5),
            lambda t: all(t.above("PPCA", other, NORMAL) for other in ("MOD-SULQ", RANDOM)),
            varies_more,
        ],
        fields=fields,
    )


LARGEST_NORM = 2.9
"""No row of the synthetic set is longer."""
SCALED = ", scaled"
"""How the series of the second panel end."""


@cache
def _drawn() -> tuple[Array, Problem]:
    """Rows (5000, 10) of the synthetic set as they are drawn, and S."""
    # At this norm bound no row is shortened.
    bound = 6.0
    rows = load_key(f"chaudhuri?radius={bound:g}").rows * bound
    return rows, Problem.from_moment(rows.T @ rows, len(rows), 2)


def figure_5() -> Card:
    """Figure 5: ten columns, as drawn and divided by the largest norm."""

    def longer(length: float) -> float:
        return float((np.linalg.norm(_drawn()[0], axis=1) > length).mean())

    data, delta = f"chaudhuri?radius={LARGEST_NORM:g}", 0.05
    as_drawn = card.of_releases(lambda _, epsilon: (_drawn()[1], replaced(epsilon, delta)), q)
    divided = card.of_releases(
        lambda series, epsilon: (problem(data, 2), replaced(epsilon, delta)),
        lambda scaled, bases: q(scaled, bases) * LARGEST_NORM**2,
    )
    return declare(
        "chaudhuri-fig-5",
        Panel(tuple(series for series in SERIES if series.role is not Role.REPAIRED), as_drawn),
        Panel(tuple(replace(series, key=series.key + SCALED) for series in SERIES), divided),
        Panel((Series("lengths", "Rows longer than ℓ", Role.REFERENCE, formula=longer),)),
        holds=[
            lambda t: t.rises("MOD-SULQ") and t.rises("PPCA"),
            lambda t: t.mean("PPCA", EPSILON) > 0.5 * t.mean("PCA", EPSILON),
            lambda t: any(t.above("PPCA", "MOD-SULQ", x, 0.1) for x in t.xs("MOD-SULQ")),
        ],
        fields=lambda t: {"longest": min(x for x in t.xs("lengths") if not t.mean("lengths", x))},
    )


CARDS = (
    *(table_1(), figure_1(), figure_2()),
    *(_against_people("3a", "census", 8), _against_people("3b", "kddcup", 4)),
    *(figure_4a(), _against_people("4b", "insurance", 11)),
    *(table_2(), figure_5()),
)
