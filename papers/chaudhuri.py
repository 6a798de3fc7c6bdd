"""Chaudhuri, Sarwate & Sinha 2013: its figures and tables, as the paper has them."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache, partial

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
from papers.card import (
    Axis,
    Card,
    Panel,
    Role,
    Series,
    declare,
    kept,
    named,
    of_releases,
    released,
    replaced,
)
from papers.data import error_of, insurance_rows, kddcup_rows
from papers.store import printed_values
from papers.table import SURE, Table
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
    """Return a data set's S.

    Raises
    ------
    DataMissingError
        For insurance, in either coding, without its file.
    """
    if data in (SETS[-1], SETS[-1] + OTHER):
        return Problem.from_rows(insurance_rows(five=data != SETS[-1]), k)
    return load_key(data).problem(k)


def q(problem: Problem, bases: Array) -> Array:
    """Return tr(VᵀSV)/n (T,), as the paper measures."""
    return kept(problem, bases) * float(problem.spectrum[: problem.k].sum() / problem.n)


CENSUS, LOCALIZATION, INSURED = 1.0, 2.0, 3.0
AT_LEAST_80 = 0.8


def in_table_1(what: str, place: float) -> float:
    """Return what Table 1 prints of a data set."""
    return printed_values("chaudhuri-table-1")[what, place]


def _of_set(what: str, other: bool, place: float) -> float:
    """q of the first k directions, their share of the trace, d or n; NaN for what is not run."""
    k = int(in_table_1("k", place))
    if place == LOCALIZATION or (other and place != INSURED):
        return float("nan")
    data = problem(SETS[int(place)] + OTHER * other, k)
    first = float(data.spectrum[:k].sum())
    found = {"q": first / data.n, "share": first / data.spectrum.sum(), "d": data.d, "n": data.n}
    return float(found[what])


def table_1() -> Card:
    """Table 1: columns, rows, q and its share of the trace."""

    def panel(what: str, title: str, y: Axis) -> Panel:
        ours = partial(_of_set, what, False), partial(_of_set, what, True)
        five = Series(what + OTHER, "five columns one-hot", Role.REFERENCE, formula=ours[1])
        series = (Series(what, "ours", Role.REFERENCE, formula=ours[0]), five)
        return Panel(named("", *SETS), y, series[:1] if what == "n" else series, title)

    def most_is_held(t: Table) -> bool:
        keys = ("share", "share" + OTHER)
        return all(t.mean(key, x) >= AT_LEAST_80 for key in keys for x in t.xs(key))

    share = Axis("share", low=0.0, high=1.0)
    return declare(
        "chaudhuri-table-1",
        panel("q", "q_F(V_k)", share),
        panel("share", "q_F(V_k)/‖A‖_F, which is q_F(V_k)/tr A", share),
        panel("d", "Columns d", Axis("columns", log=True)),
        panel("n", "Rows n", Axis("rows", log=True)),
        holds=[most_is_held],
        fields=lambda t: {"trace": in_table_1("q", CENSUS) / in_table_1("share", CENSUS)},
    )


BOUND_COLUMNS, BOUND_EPSILONS = (50, 100, 500, 1000), (0.01, 0.1, 0.5, 1.0, 2.0)
MEASURED = (50, 100)
"""Columns of the panels in which releases are measured, at ε = 0.1."""
LEAST = 0.75
"""Below this the bound cannot fall: it is Fano's inequality."""
# Powers differ between processors in their last digit, by which a stored table would not be found.
_PEOPLE = tuple(float(f"{n:.8g}") for n in 10 ** np.linspace(2, 9, 57))


@cache
def _one_vector(d: int) -> Problem:
    """Return S of one person, whose row is a unit vector."""
    direction = np.full(d, d**-0.5)
    return Problem.from_moment(np.outer(direction, direction), 1.0, 1)


def _bound(d: int, epsilon: float, n: float) -> float:
    noise = ModSulq.printed_scale(d, Budget(epsilon, DELTA))
    return mod_sulq_correlation(d, noise / n)


def _bound_panel(d: int) -> Panel:
    """Bound and |⟨v̂₁, v₁⟩| of releases from n copies of one unit vector."""
    bounds = [
        Series(f"d={d}, ε={e:g}", f"ε = {e:g}", Role.REFERENCE, formula=partial(_bound, d, e))
        for e in BOUND_EPSILONS
    ]
    at = f"at ε = {EPSILON:g}"
    measured = [
        Series(f"d={d}, MOD-SULQ", f"MOD-SULQ {at}", Role.PRINTED, "mod_sulq"),
        Series(f"d={d}, Gaussian", f"Gaussian {at}", Role.REPAIRED, "gaussian"),
    ]
    return Panel(
        Axis("n", _PEOPLE, log=True),
        Axis("expected correlation with the first direction", low=0.0, high=1.0),
        (*bounds, *(measured if d in MEASURED else ())),
        f"d = {d:,}",
        of_releases(
            lambda series, n: (_one_vector(d).scaled(n), replaced(EPSILON, DELTA)),
            lambda data, bases: np.sqrt(np.maximum(1 - quality(data, bases).sin_theta ** 2, 0)),
        ),
    )


def figure_1() -> Card:
    """Figure 1: four panels, with MOD-SULQ measured in two of them."""

    def bounded(t: Table) -> bool:
        """Whether no measured mean surely exceeds its bound."""
        series = [(f"d={d}, MOD-SULQ", f"d={d}, ε={EPSILON:g}") for d in MEASURED]
        return all(
            t.mean(ours, n) - SURE * t.error(ours, n) <= t.mean(bound, n)
            for ours, bound in series
            for n in t.xs(ours)
        )

    def better_with_few_columns(t: Table) -> bool:
        """Whether the bound rises with n and falls with d."""
        few, many = (
            np.array([t.means(f"d={d}, ε={e:g}") for e in BOUND_EPSILONS])
            for d in (BOUND_COLUMNS[0], BOUND_COLUMNS[-1])
        )
        rising = (np.diff(few) >= -1e-9).all() and (np.diff(many) >= -1e-9).all()
        return bool(rising and (few >= many - 1e-9).all() and (few > many + 1e-3).any())

    def fields(t: Table) -> Mapping[str, float]:
        bounds = [t.means(f"d={d}, ε={e:g}") for d in BOUND_COLUMNS for e in BOUND_EPSILONS]
        lowest = np.concatenate(bounds).min()
        told = {"bound": LEAST, "lowest": lowest, "d": MEASURED[-1], "epsilon": EPSILON}
        return told | {"people": 1e4}

    panels, holds = map(_bound_panel, BOUND_COLUMNS), [bounded, better_with_few_columns]
    return declare("chaudhuri-fig-1", *panels, holds=holds, fields=fields)


BURNT_IN, LEVEL = 20_000, 0.01
"""Steps that the paper takes, and what it says the statistic is below by then."""
STEPS = (100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0, 10_000.0, float(BURNT_IN))
SWEEPS = (1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0)
EARLY, STATIONARY = 500.0, 5.0
"""Steps early in a chain, and sweeps after which what it captures no longer changes."""
DIRECTIONS = {"kddcup": 4, "insurance": 11}
CAPTURED = "kddcup kept"


class Chain:
    """A chain of the Gibbs sampler: F(T) and what its frame captures, at the steps shown."""

    def __init__(self, name: str, seed: int, trial: int) -> None:
        k = DIRECTIONS[name]
        self._weights = EPSILON / 2 * problem(name, k).spectrum
        rng = trial_generator(seed, f"Gibbs chain on {name}", trial)
        start = orthonormal(rng.standard_normal((len(self._weights), k)))
        self._step, self._total = 0, np.zeros_like(start)
        self._sweeps = gibbs_sweeps(self._weights, start, rng)
        self._found = dict[float, tuple[float, float]]()

    def at(self, place: float) -> tuple[float, float]:
        """Return F(T) and the captured share at a step: the chain goes on as far as is asked."""
        while place not in self._found:
            frame = next(self._sweeps)
            self._step += 1
            self._total += frame
            if self._step in (*STEPS, *SWEEPS):
                k = frame.shape[1]
                captured = float((np.square(frame).T @ self._weights).sum())
                mean = float(np.linalg.norm(self._total)) / self._step / k**0.5
                self._found[self._step] = mean, captured / float(self._weights[:k].sum())
        return self._found[place]


chain = lru_cache(maxsize=6)(Chain)
"""Keeps the chains while their places are measured one by one."""


def _of_chains(series: Series, place: float, trials: range, seed: int) -> list[float]:
    """F(T) of single chains, or what their frames capture (T,)."""
    name = "insurance" if series.key == "insurance" else "kddcup"
    return [chain(name, seed, trial).at(place)[series.key == CAPTURED] for trial in trials]


def figure_2() -> Card:
    """Figure 2: what its statistic of convergence measures, on kddcup and insurance."""

    def panel(key: str, x: Axis, y: Axis, title: str, *more: Series) -> Panel:
        chains = Series(key, "Gibbs chains", Role.PRINTED, "ppca_gibbs", approximate=True)
        return Panel(x, y, (chains, *more), title, measure=_of_chains)

    def independent(letter: str) -> Series:
        label = "1/√T: independent draws"
        return Series(f"1/√T, {letter}", label, Role.REFERENCE, formula=lambda steps: steps**-0.5)

    def spread(t: Table, name: str) -> float:
        """Standard deviation of log F about its mean over chains, over all T."""
        logs = [np.log(t.values(name, x)) for x in t.xs(name)]
        return float(np.sqrt(np.mean([log.var(ddof=1) for log in logs])))

    def fields(t: Table) -> Mapping[str, float]:
        early = np.concatenate([t.values(name, EARLY) for name in DIRECTIONS])
        late = np.concatenate([t.values(CAPTURED, x) for x in t.xs(CAPTURED) if x > STATIONARY])
        told = {"burnt_in": BURNT_IN, "level": LEVEL, "enough": LEVEL**-2, "early": EARLY}
        told |= {"least": early.min(), "most": early.max(), "late": late.mean()}
        return told | {"sweep": SWEEPS[0], "settled": STATIONARY}

    steps, statistic = Axis("steps T", STEPS, log=True), Axis("F(T)", log=True, low=0.005, high=0.2)
    captured = Axis("share of what PCA captures", low=0.9, high=1.0)
    title = "What a frame captures, kddcup"
    return declare(
        "chaudhuri-fig-2",
        panel("kddcup", steps, statistic, "(a) kddcup, k = 4", independent("a")),
        panel("insurance", steps, statistic, "(b) insurance, k = 11", independent("b")),
        panel(CAPTURED, Axis("sweeps", SWEEPS, log=True), captured, title),
        holds=[
            lambda t: all(t.mean(name, BURNT_IN) < LEVEL for name in DIRECTIONS),
            lambda t: spread(t, "kddcup") > spread(t, "insurance"),
        ],
        fields=fields,
    )


ON_PAR = 0.02
"""Within so much of q two lines of Figures 3 and 4 are nearly indistinguishable."""
UTILITY = "q(U) = tr(UᵀAU)"


def _apart(t: Table, x: float) -> bool:
    """Whether MOD-SULQ is surely visible beside random directions."""
    return t.above("MOD-SULQ", "random", x, ON_PAR) or t.below("MOD-SULQ", "random", x, ON_PAR)


def _people_told(t: Table) -> Mapping[str, float]:
    """From how many people on MOD-SULQ is apart from random directions, and PPCA from its kind."""
    xs = t.xs("MOD-SULQ")
    apart = next((x for x in xs if _apart(t, x)), float("nan"))
    par = max((x for x in xs if not x >= apart), default=xs[0])
    beside = [x for x in xs if t.mean("PPCA", x) - t.mean("sequential", x) > 0.2]
    return {"apart": apart, "par": par, "half": (*beside, xs[-1])[0]}


def _against_people(letter: str, data: str, k: int, most: float, *people: float) -> Card:
    """Return a figure of q(U) against n, with S of all rows scaled to n people."""
    x, y = Axis("n", people, log=True), Axis(UTILITY, low=0.0, high=most)
    budget = replaced(EPSILON, DELTA)
    measure = of_releases(lambda series, n: (problem(data, k).scaled(n), budget), q)
    return declare(
        f"chaudhuri-fig-{letter}",
        Panel(x, y, (*SERIES, SEQUENTIAL), measure=measure),
        holds=[
            lambda t: not any(_apart(t, x) for x in t.xs("MOD-SULQ")),
            lambda t: t.never_below("PPCA", "MOD-SULQ", t.xs("MOD-SULQ")),
            lambda t: t.rises("PPCA") and not t.above("PPCA", "PCA", t.xs("PPCA")[-1]),
        ],
        fields=_people_told,
    )


def figure_4a() -> Card:
    """Figure 4(a): localization, whose file is not at hand: what Table 1 alone says of it."""
    d, pca = in_table_1("d", LOCALIZATION), in_table_1("q", LOCALIZATION)
    random = in_table_1("k", LOCALIZATION) * pca / in_table_1("share", LOCALIZATION) / d
    lines = (
        Series("PCA", "PCA, printed in Table 1", Role.REFERENCE, formula=lambda n: pca),
        Series("random", "Random directions, expected", Role.REFERENCE, formula=lambda n: random),
    )
    n, y = Axis("n", (1e4, 164_860.0), log=True), Axis(UTILITY, low=0.0, high=0.7)
    return declare("chaudhuri-fig-4a", Panel(n, y, lines), fields=lambda t: {"d": d})


NORMAL, FALLING = 0.0, 1.0
"""Places of the two tasks of Table 2."""
PROJECTIONS, TRAINED, K = 5, 0.1, 4
"""Projections of each permutation, the share of the rest that is trained on, and directions."""
RANDOM, MAJORITY = "random projections", "always the same answer"
ALMOST = 0.5
"""Percentage points within which one accuracy is almost as good as another."""


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


def _accuracies(series: Series, place: float, trials: range, seed: int) -> list[float]:
    """Accuracies in percent (T,); of localization, whose file is not at hand, none."""
    if place != NORMAL:
        return [np.nan] * len(trials)
    found = []
    for trial in trials:
        data, rest = _permuted(trial // PROJECTIONS, seed)
        one = range(trial, trial + 1)
        basis = released(series, data, replaced(EPSILON, DELTA), one, seed)[0]
        rows, labels = (each[rest] for each in _connections())
        projected, trained = rows @ basis, int(TRAINED * len(rest))
        found.append(100 - error_of(projected, labels, trained))
    return found


def _majority(place: float) -> float:
    share = float(_connections()[1].mean()) if place == NORMAL else np.nan
    return 100 * max(share, 1 - share)


def table_2() -> Card:
    """Table 2: accuracy of a classifier on projected kddcup; localization is printed alone."""

    def more_variable(t: Table) -> bool:
        least = min(t.sd(other, NORMAL) for other in ("MOD-SULQ", RANDOM))
        return least > max(t.sd(other, NORMAL) for other in ("PCA", "PPCA"))

    def fields(t: Table) -> Mapping[str, float]:
        spreads = {"spread": t.sd("MOD-SULQ", NORMAL), "random_spread": t.sd(RANDOM, NORMAL)}
        places = {"epsilon": EPSILON, "normal": NORMAL, "falling": FALLING}
        return spreads | places | {"best": t.values(RANDOM, NORMAL).max()}

    series = (
        Series("PCA", "PCA", Role.REFERENCE, "non_private"),
        Series("PPCA", "PPCA, Gibbs", Role.PRINTED, "ppca_gibbs", approximate=True),
        Series("MOD-SULQ", "MOD-SULQ", Role.PRINTED, "mod_sulq"),
        Series("Gaussian", "Gaussian, calibrated", Role.REPAIRED, "gaussian"),
        Series(RANDOM, "Random directions", Role.REFERENCE, "random_projection"),
        Series(MAJORITY, "Always the same answer", Role.REFERENCE, formula=_majority),
    )
    x = named("data", "kddcup99: normal or not", "localization: falling or not")
    y = Axis("accuracy, % of test rows", high=100.0)
    return declare(
        "chaudhuri-table-2",
        Panel(x, y, series, measure=_accuracies),
        holds=[
            lambda t: not t.below("PPCA", "PCA", NORMAL, ALMOST),
            lambda t: all(t.above("PPCA", other, NORMAL) for other in ("MOD-SULQ", RANDOM)),
            more_variable,
        ],
        fields=fields,
    )


EPSILONS_DRAWN = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
LENGTHS_DRAWN = tuple(round(0.1 * i, 1) for i in range(2, 31))
LARGEST_NORM = 2.9
"""No row of the synthetic set is longer."""
SCALED = ", scaled"
"""How the series of the second panel end."""
MOST_OF = 0.5
"""More than half is most."""


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

    def longest(t: Table) -> float:
        return min(x for x in t.xs("lengths") if t.mean("lengths", x) == 0)

    data, delta = f"chaudhuri?radius={LARGEST_NORM:g}", 0.05
    epsilons = Axis("ε", EPSILONS_DRAWN, log=True)
    y = Axis("q(U), in the units of the rows as drawn", low=0.0, high=0.9)
    return declare(
        "chaudhuri-fig-5",
        Panel(
            epsilons,
            y,
            tuple(series for series in SERIES if series.role is not Role.REPAIRED),
            "As drawn: rows longer than 1",
            of_releases(lambda series, epsilon: (_drawn()[1], replaced(epsilon, delta)), q),
        ),
        Panel(
            epsilons,
            y,
            tuple(replace(series, key=series.key + SCALED) for series in SERIES),
            "Divided by the largest norm",
            of_releases(
                lambda series, epsilon: (problem(data, 2), replaced(epsilon, delta)),
                lambda scaled, bases: q(scaled, bases) * LARGEST_NORM**2,
            ),
        ),
        Panel(
            Axis("ℓ", LENGTHS_DRAWN),
            Axis("share of rows", low=0.0, high=1.0),
            (Series("lengths", "Rows longer than ℓ", Role.REFERENCE, formula=longer),),
            "Rows longer than ℓ",
        ),
        holds=[
            lambda t: t.rises("MOD-SULQ") and t.rises("PPCA"),
            lambda t: t.mean("PPCA", EPSILON) > MOST_OF * t.mean("PCA", EPSILON),
            lambda t: any(t.above("PPCA", "MOD-SULQ", x, 0.1) for x in t.xs("MOD-SULQ")),
        ],
        fields=lambda t: {"epsilon": EPSILON, "longest": longest(t)},
    )


CARDS = (
    table_1(),
    figure_1(),
    figure_2(),
    _against_people("3a", "census", 8, 1.0, 5e3, 2e4, 5e4, 1e5, 199_523.0),
    _against_people("3b", "kddcup", 4, 0.7, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 494_021.0),
    figure_4a(),
    _against_people("4b", "insurance", 11, 0.6, 1e3, 2e3, 4e3, 6e3, 8e3, 9_822.0),
    table_2(),
    figure_5(),
)
