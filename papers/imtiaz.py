"""Imtiaz & Sarwate 2016: its figures and its table, as the paper has them."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache
from itertools import product

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Adjacency, Budget, InfeasibleBudget
from dpca_core.problem import Problem
from dpca_core.simulation.trials import trial_generator
from papers.card import (
    Axis,
    Card,
    Link,
    Measure,
    Panel,
    Point,
    Role,
    Series,
    Setting,
    Statement,
    Verdict,
    draws_of,
    kept,
    named,
    released,
)
from papers.data import COVTYPE, MNIST, covtype_raw, mnist
from papers.store import printed_of, printed_values
from papers.svm import Split, error_of
from papers.table import Table
from sample_data import load_key

PAPER, SECTION = "imtiaz", "section 4"
SYNTHETIC, RAW, ZERO_TO_ONE = "imtiaz?radius=2.4", "covtype", "covtype_ranged"
RANGED = " 0–1"
"""How the series of the second reading of Covertype end."""
AUTHOR = "AG, n = 5,000"
DELTAS, RANKS, RANK_NAMES = (1e-6, 1e-4, 0.01), (1.0, 0.0), ("by size", "by value")
"""How the top k eigenvectors of AG's noisy matrix are chosen; an SVD ranks by size."""
LATER_CODE = "not printed; as in the first author’s later public code"
ENERGY = Axis("captured second moment, share of PCA’s", low=0.0, high=1.0)
ASKS = "How much of PCA’s variance is left"

KEPT = 0.9
"""The share that the sentences speak of."""
READ_AT = 0.1
"""The ε at which they compare."""
MATCHED = 0.01
"""Points of captured energy within which two curves match, as a reader of a figure sees it."""
VAST = 0.2
"""Points of captured energy by which one method vastly outperforms another; a steep rise."""
FEW = 1e4
"""People with whom the texts say PPM is at chance."""

SVD = Series("SVD", "SVD", Role.REFERENCE, "non_private", trials=1)
AG = Series("AG", "AG", Role.PRINTED, "analyze_gauss")
SN = Series("SN", "SN", Role.PRINTED, "wishart_sn")
PPCA = Series("PPCA", "PPCA", Role.PRINTED, "ppca")
PPM = Series("PPM", "PPM", Role.PRINTED, "power_printed")
PURE = Series("PPM, pure", "PPM, pure", Role.PRINTED, "power_pure_printed")
GAUSSIAN = Series("Gaussian", "Gaussian, calibrated", Role.REPAIRED, "gaussian")
REPAIR = Series(
    "difference of Wisharts", "Difference of Wisharts", Role.REPAIRED, "wishart_difference"
)
RANDOM = Series("random directions", "Random directions", Role.REFERENCE, "random_projection")
SERIES = (SVD, AG, SN, PPCA, PPM, GAUSSIAN, REPAIR, RANDOM)


@cache
def problem(data: str, n: float) -> Problem:
    """Ten directions of a data set's S, scaled to n people."""
    return load_key(data).problem(10).scaled(n)


def energy(point: Callable[[float], Point], by_size: float) -> Measure:
    """Return the measure of captured shares, with AG's eigenvectors by size or by value."""

    def measure(series: Series, place: float, trials: range, seed: int) -> Array:
        data, budget = point(place)
        try:
            chosen = _largest if series.mechanism == AG.mechanism and by_size else released
            return kept(data, chosen(series, data, budget, trials, seed))
        except InfeasibleBudget:
            return np.full(len(trials), np.nan)

    return measure


def _largest(series: Series, data: Problem, budget: Budget, trials: range, seed: int) -> Array:
    """Return the k eigenvectors (T, d, k) whose noisy eigenvalues are largest in size."""
    mechanism = MECHANISMS[series.mechanism or ""]
    assert isinstance(mechanism, NoiseOnS)
    noise = draws_of(mechanism, seed, trials).unit(data.d, data.k)[0]
    scale = mechanism.calibrate(data, budget).scale
    values, vectors = np.linalg.eigh(data.moment + scale * noise)
    order = np.argsort(-np.abs(values), axis=1, kind="stable")[:, None, : data.k]
    return np.take_along_axis(vectors, order, axis=2)


def replaced(epsilon: float, delta: float) -> Budget:
    """(ε, δ), one person replaced."""
    return Budget(epsilon, delta, Adjacency.REPLACE_ONE)


def choice_settings(delta: float, by_size: float) -> tuple[Setting, ...]:
    """Say what δ and AG's ranking are, what else they may be, and what is ours in all figures."""
    name = RANK_NAMES[RANKS.index(by_size)]
    why = "as an SVD does, in the later code" if by_size else "keeps more where noise is large"
    return (
        Setting("δ", f"{delta:g}", LATER_CODE, "delta", DELTAS, delta),
        Setting("eigenvalues of AG", name, why, "absolute", RANKS, by_size, RANK_NAMES),
        Setting("neighbours", "one person replaced"),
        Setting("releases", "20", "the paper averages 10"),
    )


OUR_COVARIANCE = (
    Setting(
        "covariance",
        "eigenvalues fall by a factor 0.7; ten hold 90 %",
        "not printed; the paper says only that k directions hold at least 90 %",
    ),
    Setting("norm bound", "2.4", "no row is longer; the paper reads the data"),
)


def links(data: str, delta: float, axis: str, **more: str) -> tuple[Link, ...]:
    """Pages at the same settings, along the same axis."""
    shared = {"data": data, "epsilon": "0.1", "delta": f"{delta:g}", "k": "10"}
    shared |= {"adjacency": "replace_one", **more}
    mechanisms = ",".join(str(series.mechanism) for series in SERIES)
    return (
        Link(
            "explore",
            {"view": "all", **shared, "axis": axis, "mechanisms": mechanisms, "trials": "20"},
        ),
        Link("explore", {**shared, "mechanism": "wishart_difference"}),
        Link("claims", {**shared, "mechanism": "wishart_sn"}, "absent"),
    )


def _readings(t: Table) -> list[str]:
    """Endings of the series: one reading of the data, or two."""
    return [end for end in ("", RANGED) if t.xs(AG.key + end)]


def _far_above(t: Table, first: str, second: str) -> bool:
    somewhere = any(t.above(first, second, x, VAST) for x in t.xs(first))
    return somewhere and t.never_below(first, second)


def _matches_at_the_end(t: Table, first: str, second: str) -> bool:
    last = t.xs(first)[-1]
    return not (t.below(first, second, last, MATCHED) or t.above(first, second, last, MATCHED))


def _steep(t: Table, series: str) -> bool:
    means = t.means(series)
    return t.rises(series) and bool(means[-1] - means[0] > VAST)


AGAINST_EPSILON = (
    Statement(
        "as ε increases (higher privacy risk), the captured variance increases",
        SECTION,
        lambda t: all(t.rises(s + e) for e in _readings(t) for s in ("AG", "SN", "PPCA", "PPM")),
    ),
    Statement(
        "The AG method vastly outperforms the PPM method",
        SECTION,
        lambda t: all(_far_above(t, f"AG{e}", f"PPM{e}") for e in _readings(t)),
    ),
    Statement(
        "Our new SN method also outperforms existing methods (PPM and PPCA)",
        SECTION,
        lambda t: all(
            t.never_below(f"SN{e}", other + e) for e in _readings(t) for other in ("PPM", "PPCA")
        ),
    ),
    Statement(
        "for large enough ε it matches the performance of AG",
        SECTION,
        lambda t: all(_matches_at_the_end(t, f"SN{e}", f"AG{e}") for e in _readings(t)),
    ),
)
AGAINST_PEOPLE = (
    Statement(
        "AG and SN have the best performance for δ > 0 and δ = 0, respectively",
        SECTION,
        lambda t: (
            t.never_below("AG", "PPM")
            and all(t.never_below("SN", other) for other in (PPCA.key, PURE.key))
        ),
    ),
    Statement(
        "PPM appears to suffer from too much noise",
        SECTION,
        lambda t: _far_above(t, "AG", "PPM") and _far_above(t, "SN", PURE.key),
    ),
    Statement(
        "AG, SN, and PPCA all show a steep improvement with sample size",
        SECTION,
        lambda t: all(_steep(t, series) for series in ("AG", "SN", "PPCA")),
    ),
)


def _kept_at(t: Table) -> tuple[str, str, str]:
    """What SN, its repair and PPCA keep at the ε at which the sentences compare."""
    sn, repair, ppca = (f"{t.mean(s.key, READ_AT):.0%}" for s in (SN, REPAIR, PPCA))
    return sn, repair, ppca


def _tell_synthetic(t: Table) -> tuple[str, str]:
    sn, repair, ppca = _kept_at(t)
    at = {s: f"{t.crossing(s.key, KEPT):.2g}" for s in (AG, SN, REPAIR, PPCA, PPM, GAUSSIAN)}
    return (
        "SN’s lead over PPCA is bought with a guarantee that does not exist: at "
        f"ε = {READ_AT:g} SN keeps {sn}, its repair, the difference of Wisharts, {repair}, and "
        f"PPCA {ppca}.",
        f"{KEPT:.0%} is reached at ε = {at[AG]} by AG, {at[SN]} by SN, {at[REPAIR]} by the repair, "
        f"{at[PPCA]} by PPCA and {at[PPM]} by PPM; the calibrated Gaussian is there at "
        f"{at[GAUSSIAN]}. The covariance is not printed, so the values are ours; the order is the "
        "paper’s.",
    )


def _tell_covtype(t: Table) -> tuple[str, str]:
    sn, repair, ppca = _kept_at(t)
    stored = {x: value for (series, x), value in printed_values("imtiaz-fig-1b").items()
              if series == AUTHOR}  # fmt: skip
    apart = max(abs(v - t.mean(AUTHOR, x)) / t.sd(AUTHOR, x) for x, v in stored.items())
    return (
        f"In raw columns two directions hold {t.mean('held', 2):.0%} of the trace, so the picture "
        "asks for two directions, not ten. “At least 90 %” fits columns from 0 to 1 nearly: "
        f"there ten directions hold {t.mean('held' + RANGED, 10):.1%}.",
        "The first author’s own runs of AG, stored with later code, are met: of "
        f"{len(stored)} means the one farthest from ours is {apart:.1f} standard deviations of "
        f"single releases away. At ε = {READ_AT:g} in raw columns SN keeps {sn}, its repair "
        f"{repair} and PPCA {ppca}.",
    )


def _tell_people(t: Table) -> tuple[str, str]:
    few = next(x for x in t.xs("AG") if x >= FEW)
    many = t.xs("AG")[-1]
    ppm, pure, sn = ({x: f"{t.mean(s.key, x):.0%}" for x in (few, many)} for s in (PPM, PURE, SN))
    return (
        f"With {few:,.0f} people PPM keeps {ppm[few]} and the pure PPM {pure[few]}, where random "
        f"directions keep {t.mean(RANDOM.key, many):.0%}; with {many:,.0f} it is {ppm[many]} and "
        f"{pure[many]}.",
        "The ε of the figure is not printed. At the one chosen here the calibrated Gaussian keeps "
        f"{t.mean('Gaussian', few):.0%} with {few:,.0f} people, where SN keeps {sn[few]} and its "
        f"repair {t.mean(REPAIR.key, few):.0%}; SN needs {many:,.0f} for {sn[many]}.",
    )


EPSILONS = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
EPSILON = Axis("ε", EPSILONS, log=True)


def figure_1a(delta: float = 0.01, absolute: float = 1.0) -> Card:
    """Figure 1(a): synthetic data."""
    measure = energy(lambda e: (problem(SYNTHETIC, 60_000), replaced(e, delta)), absolute)
    return Card(
        key="imtiaz-fig-1a",
        paper=PAPER,
        number="Figure 1(a)",
        title="Synthetic data",
        asks=f"{ASKS} at each ε?",
        panels=(Panel(EPSILON, ENERGY, SERIES, measure=measure),),
        settings=(
            Setting("d", "100"),
            Setting("n", "60,000"),
            Setting("k", "10"),
            *OUR_COVARIANCE,
            Setting("ε", "0.001 to 10", LATER_CODE),
            *choice_settings(delta, absolute),
        ),
        statements=AGAINST_EPSILON,
        tell=_tell_synthetic,
        verdict=Verdict.ALL_HOLD,
        links=links(SYNTHETIC, delta, "epsilon"),
        seconds=9.0,
        vary=figure_1a,
    )


@lru_cache(maxsize=32)
def _subset(seed: int, trial: int) -> Problem:
    """Return S of 5,000 raw rows of Covertype, less their own mean, over their own largest norm.

    Raises
    ------
    DataMissingError
        Without the rows of Covertype.
    """
    rows, _, _ = covtype_raw()
    rng = trial_generator(seed, f"subset of {AG.mechanism}", trial)
    chosen = rows[rng.choice(len(rows), 5_000, replace=False)]
    chosen = chosen - chosen.mean(axis=0)
    chosen /= np.linalg.norm(chosen, axis=1).max()
    return Problem.from_rows(chosen, 10)


def _from_subsets(series: Series, place: float, trials: range, seed: int) -> list[float]:
    """Captured shares (T,) of releases from subsets drawn anew, as the later code runs them.

    Their δ is that of the first author's stored runs, whatever is chosen for the other panels.
    """
    budget, found = Budget(place, 0.01, Adjacency.ADD_OR_REMOVE_ONE), list[float]()
    for trial in trials:
        data, one = _subset(seed, trial), range(trial, trial + 1)
        found += kept(data, _largest(series, data, budget, one, seed)).tolist()
    return found


def figure_1b(delta: float = 0.01, absolute: float = 1.0) -> Card:
    """Figure 1(b): Covertype, raw and from 0 to 1, with the first author's own stored runs."""

    def panel(title: str, data: str, end: str) -> Panel:
        measure = energy(lambda e: (problem(data, 20_000), replaced(e, delta)), absolute)
        series = tuple(replace(one, key=one.key + end) for one in SERIES)
        return Panel(EPSILON, ENERGY, series, title, measure=measure)

    def held(data: str, end: str, label: str) -> Series:
        def share(k: float) -> float:
            spectrum = problem(data, 20_000).spectrum
            return float(spectrum[: int(k)].sum() / spectrum.sum())

        return Series(f"held{end}", label, Role.REFERENCE, formula=share)

    return Card(
        key="imtiaz-fig-1b",
        paper=PAPER,
        number="Figure 1(b)",
        title="Covertype",
        asks=f"{ASKS} at each ε?",
        panels=(
            panel("Raw columns, centred, k = 10", RAW, ""),
            panel("Columns from 0 to 1, not centred, k = 10", ZERO_TO_ONE, RANGED),
            Panel(
                Axis("ε", (0.1, 0.5, 1.0, 5.0, 10.0), log=True),
                ENERGY,
                (replace(AG, key=AUTHOR, label="AG, a subset drawn anew"),),
                "The first author’s stored runs, n = 5,000",
                measure=_from_subsets,
            ),
            Panel(
                Axis("k", tuple(map(float, range(1, 21)))),
                Axis("share of the trace", low=0.0, high=1.0),
                (
                    held(RAW, "", "Raw columns"),
                    held(ZERO_TO_ONE, RANGED, "Columns from 0 to 1"),
                ),
                "What the first k directions hold",
            ),
        ),
        settings=(
            Setting("n", "20,000"),
            Setting("k", "10"),
            Setting("rows", "the sum over all 581,012, scaled", "the paper draws a subset"),
            Setting("columns", "raw, and from 0 to 1", "not printed: two readings"),
            Setting("ε", "0.001 to 10", LATER_CODE),
            *choice_settings(delta, absolute),
        ),
        statements=AGAINST_EPSILON,
        tell=_tell_covtype,
        verdict=Verdict.ALL_HOLD,
        links=links(RAW, delta, "epsilon", n="20000"),
        seconds=8.0,
        vary=figure_1b,
    )


def _against_people(
    letter: str,
    title: str,
    data: str,
    people: tuple[float, ...],
    delta: float,
    epsilon: float,
    absolute: float,
) -> Card:
    measure = energy(
        lambda n: (problem(data, people[-1]).scaled(n), replaced(epsilon, delta)), absolute
    )
    series = (*SERIES[:-1], PURE, RANDOM)
    return Card(
        key=f"imtiaz-fig-2{letter}",
        paper=PAPER,
        number=f"Figure 2({letter})",
        title=title,
        asks=f"{ASKS} with n people?",
        panels=(Panel(Axis("n", people, log=True), ENERGY, series, measure=measure),),
        settings=(
            Setting("k", "10"),
            *(OUR_COVARIANCE if data == SYNTHETIC else ()),
            Setting("n", f"{people[0]:,.0f} to {people[-1]:,.0f}", "not printed; S scaled"),
            Setting("ε", f"{epsilon:g}", "not printed", "epsilon", (0.01, 0.1, 1.0), epsilon),
            *choice_settings(delta, absolute),
        ),
        statements=AGAINST_PEOPLE,
        tell=_tell_people,
        verdict=Verdict.ALL_HOLD,
        links=links(data, delta, "n"),
        seconds=5.0,
    )


def figure_2a(delta: float = 0.01, epsilon: float = 0.1, absolute: float = 1.0) -> Card:
    """Figure 2(a): the synthetic data against n."""
    people = (1e3, 2e3, 5e3, 1e4, 2e4, 4e4, 6e4)
    card = _against_people("a", "Synthetic data", SYNTHETIC, people, delta, epsilon, absolute)
    return replace(card, vary=figure_2a)


def figure_2b(delta: float = 0.01, epsilon: float = 0.1, absolute: float = 1.0) -> Card:
    """Figure 2(b): Covertype, raw columns, against n."""
    people = (1e3, 2e3, 5e3, 1e4, 2e4)
    card = _against_people("b", "Covertype", RAW, people, delta, epsilon, absolute)
    return replace(card, vary=figure_2b)


KEY = "imtiaz-table-1"
SETS, SIZES, TESTED = ("SYNTHETIC", "COVTYPE", "MNIST"), (4000, 6000), 4000
CELLS = tuple(product(SETS, SIZES))
DIRECTIONS = {"SYNTHETIC": 10, "COVTYPE": 10, "MNIST": 50}
CELL_TRIALS, MNIST_TRIALS = 10, 5
PER_CLASS = {"COVTYPE": 10_000, "MNIST": 5_000}
_COLUMNS, _APART, _ALONG = 100, 0.7, 1
"""Of our synthetic set: columns, half the distance of its means, and the direction they lie in."""
PRIVATE = ("AG", "PPM", "PPCA", "SN")


@cache
def classes(name: str) -> tuple[Array, Array]:
    """Rows of the two classes of a real set."""
    if name == "COVTYPE":
        rows, _, types = covtype_raw()
        return rows[types == 6], rows[types == 7]
    images, digits = mnist()
    return images[digits == 3].astype(float), images[digits == 7].astype(float)


def _drawn(name: str, size: int, trial: int, seed: int) -> Split:
    """Rows in random order: half of either class, less the mean, over the largest norm."""
    rng = trial_generator(seed, f"{KEY} {name} {size}", trial)
    if name == "SYNTHETIC":
        n = size + TESTED
        head = 0.7 ** np.arange(DIRECTIONS[name])
        tail = np.full(_COLUMNS - len(head), 0.1 / (_COLUMNS - len(head)))
        spectrum = np.concatenate([0.9 * head / head.sum(), tail])
        labels = rng.integers(0, 2, n)
        rows = rng.standard_normal((n, _COLUMNS)) * np.sqrt(spectrum)
        rows[:, _ALONG] += _APART * (2 * labels - 1)
    else:
        chosen = [c[rng.choice(len(c), min(PER_CLASS[name], len(c)), False)]
                  for c in classes(name)]  # fmt: skip
        rows, labels = np.concatenate(chosen), np.repeat([0, 1], [len(c) for c in chosen])
        order = rng.permutation(len(rows))[: size + TESTED]
        rows, labels = rows[order], labels[order]
    rows = rows - rows.mean(axis=0)
    rows /= np.sqrt(np.einsum("ij,ij->i", rows, rows).max())
    return Split(rows[:size], labels[:size], rows[size:], labels[size:])


@cache
def _problem(name: str, size: int, trial: int, seed: int) -> Problem:
    train = _drawn(name, size, trial, seed).train
    return Problem.from_moment(train.T @ train, size, DIRECTIONS[name])


def _errors(series: Series, place: float, trials: range, seed: int) -> list[float]:
    """Errors in percent (T,): rows are drawn anew in each trial, the same for all series."""
    name, size = CELLS[int(place)]
    found = list[float]()
    for trial in trials:
        if name == "MNIST" and trial >= MNIST_TRIALS:
            found.append(np.nan)
            continue
        data, one = _problem(name, size, trial, seed), range(trial, trial + 1)
        basis = released(series, data, replaced(1.0, 0.01), one, seed)[0]
        found.append(error_of(_drawn(name, size, trial, seed), basis, standardised=True))
    return found


def _cells(name: str) -> list[int]:
    return [i for i, cell in enumerate(CELLS) if cell[0] == name]


def _printed(series: str) -> Array:
    return np.array([printed_values(KEY)[series, float(i)] for i in range(len(CELLS))])


def _sn_is_best(t: Table) -> bool:
    """Whether SN is surely worse than no other private method, and better than each somewhere."""
    cells = [*_cells("COVTYPE"), *_cells("MNIST")]
    return all(
        not any(t.above("SN", other, x) for x in cells)
        and any(t.below("SN", other, x) for x in cells)
        for other in ("AG", "PPM", "PPCA")
    )


def _sn_beats_svd(t: Table) -> bool:
    """Whether SN's printed error is below SVD's in both columns of some data set."""
    lower = _printed("SN") < _printed("SVD")
    return any(lower[_cells(name)].all() for name in SETS)


def _tell_errors(t: Table) -> tuple[str, str]:
    covtype, digits = _cells("COVTYPE"), _cells("MNIST")
    values = printed_of(KEY)["value"].to_numpy(float)
    wrong = values * TESTED / 100
    multiples = np.isclose(wrong, np.rint(wrong), atol=1e-6).sum()
    private = np.concatenate([_printed(series)[digits] for series in PRIVATE])
    by_chance = np.concatenate([t.values(RANDOM.key, x) for x in digits])
    drawn = {s: f"{t.mean(s.key, 0):.1f} %" for s in (RANDOM, SVD, SN, REPAIR)}
    most = {s: max(t.mean(s.key, x) for x in covtype) for s in (RANDOM, SVD)}
    return (
        f"Random directions do as well: on Covertype they err in {most[RANDOM]:.2f} % of rows, SVD "
        f"in {most[SVD]:.2f} %, printed private ones in up to "
        f"{max(_printed(series)[covtype].max() for series in PRIVATE):.2f} %; on MNIST random ones "
        f"err in {by_chance.mean():.1f} ± {by_chance.std(ddof=1):.1f} %, and the {len(private)} "
        f"private entries printed lie between {private.min():.2f} and {private.max():.3f} %.",
        "A classifier’s error on ten or fifty directions says little about the directions. "
        f"{multiples} of the {len(values)} printed values are whole numbers of {TESTED:,} test "
        "rows: one run each, not the mean of ten. In no data set is SN’s printed error below "
        f"SVD’s. On our synthetic set random ones err in {drawn[RANDOM]}, SVD in {drawn[SVD]}, SN "
        f"in {drawn[SN]} and its repair in {drawn[REPAIR]}.",
    )


def table_1() -> Card:
    """Table 1: three sets, two sizes, and random directions beside each."""
    ours, gibbs = "not printed", replace(PPCA, label="PPCA, Gibbs", mechanism="ppca_gibbs")
    series = (replace(SVD, trials=None), AG, PPM, replace(gibbs, approximate=True), SN, GAUSSIAN)
    shared = {"epsilon": "1", "mechanism": "wishart_sn"}
    mechanisms = (
        "analyze_gauss,wishart_sn,wishart_difference,gaussian,random_projection,non_private"
    )
    return Card(
        key=KEY,
        paper=PAPER,
        number="Table 1",
        title="Errors of a linear classifier",
        asks="Do better directions make a better classifier?",
        panels=(
            Panel(
                named("data, rows", *(f"{name} {size:,}" for name, size in CELLS)),
                Axis("error, % of test rows", low=0.0),
                (*series, REPAIR, RANDOM),
                measure=_errors,
            ),
        ),
        settings=(
            Setting("tested on", f"{TESTED:,} rows"),
            Setting("trained on", "4,000 and 6,000 rows"),
            Setting("ε", "1", ours),
            Setting("δ", "0.01", "as in the first author’s later public code"),
            Setting("k", "10, 10, 50", "printed for the figures only"),
            Setting(
                "synthetic means",
                "0.7 either side, along the second of 100 columns",
                "not printed; chosen so that SVD’s error is near the printed one",
            ),
            Setting("covariance", "eigenvalues fall by 0.7; ten hold 90 %", ours),
            Setting(
                "classifier",
                "linear SVM, C = 1, columns standardised",
                "the paper names MATLAB’s svmtrain alone",
            ),
            Setting("real data", "classes 6 and 7; digits 3 and 7"),
            Setting(
                "MNIST",
                "5,000 of each digit",
                "5,000 in all cannot hold 6,000 and 4,000 rows",
            ),
            Setting("PPCA", "20 Gibbs sweeps", "approximate: not certified"),
            Setting("releases", f"{CELL_TRIALS}; MNIST {MNIST_TRIALS}", "10 in the paper"),
        ),
        statements=(
            Statement(
                "On the COVTYPE and MNIST data sets, our proposed SN algorithm outperformed all "
                "other private methods, even those with (ε, δ) guarantees",
                SECTION,
                _sn_is_best,
            ),
            Statement(
                "SN even outperformed non-private SVD for one data set", "section 5", _sn_beats_svd
            ),
        ),
        tell=_tell_errors,
        verdict=Verdict.ONE_FAILS,
        links=(
            Link("explore", {"view": "all", "data": "covtype", "axis": "epsilon", "epsilon": "1",
                             "delta": "0.01", "k": "10", "n": "6000", "adjacency": "replace_one",
                             "mechanisms": mechanisms, "trials": "20"}),
            Link("claims", shared, "absent"),
        ),
        trials=CELL_TRIALS,
        seconds=60.0,
        needs=(COVTYPE, MNIST),
    )  # fmt: skip


CARDS = (figure_1a(), figure_1b(), figure_2a(), figure_2b(), table_1())
