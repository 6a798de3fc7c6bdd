"""Imtiaz & Sarwate 2016: its figures and its table, as the paper has them."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache, partial
from itertools import product
from math import nan
from typing import Any

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.problem import Problem
from dpca_core.simulation.trials import trial_generator
from papers import card
from papers.card import Card, Fields, Judge, Panel, Role, Series, declare, released, replaced
from papers.data import covtype_raw, error_of, longest_norm, mnist
from papers.store import printed_values
from papers.table import Table
from sample_data import load_key

SYNTHETIC, RAW, ZERO_TO_ONE = "imtiaz?radius=2.4", "covtype", "covtype_ranged"
RANGED = " 0–1"
"""How the series of the second reading of Covertype end."""
AUTHOR = "AG, n = 5,000"
EPSILON, DELTA = 0.1, 0.01
"""Of Figure 2, and of all figures."""
KEPT = 0.9
"""The share that the texts speak of."""
VAST = 0.2
"""Points of captured energy by which one method vastly outperforms another; a steep rise."""

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


def _energy(point: Callable[[float], tuple[Problem, Budget]]) -> card.Measure:
    """Return the measure of captured shares, with AG's eigenvectors by size, as an SVD ranks."""

    def measure(series: Series, place: float, trials: range, seed: int) -> Array:
        data, budget = point(place)
        chosen = _largest if series.mechanism == AG.mechanism else released
        return card.kept(data, chosen(series, data, budget, trials, seed))

    return measure


def _largest(series: Series, data: Problem, budget: Budget, trials: range, seed: int) -> Array:
    """Return the k eigenvectors (T, d, k) whose noisy eigenvalues are largest in size."""
    mechanism = MECHANISMS[series.mechanism or ""]
    assert isinstance(mechanism, NoiseOnS)
    noise = card.draws_of(mechanism, seed, trials).unit(data.d, data.k)[0]
    scale = mechanism.calibrate(data, budget).scale
    values, vectors = np.linalg.eigh(data.moment + scale * noise)
    order = np.argsort(-np.abs(values), axis=1, kind="stable")[:, None, : data.k]
    return np.take_along_axis(vectors, order, axis=2)


def _far_above(t: Table, first: str, second: str) -> bool:
    somewhere = any(t.above(first, second, x, VAST) for x in t.xs(first))
    return somewhere and t.never_below(first, second)


def _in_each_reading(holds: Callable[[Table, str], bool]) -> Judge:
    """Judge by the endings of the series: of one reading of the data, or of two."""
    return lambda t: all(holds(t, end) for end in ("", RANGED) if t.xs(AG.key + end))


AGAINST_EPSILON = [
    _in_each_reading(lambda t, e: all(t.rises(s + e) for s in ("AG", "SN", "PPCA", "PPM"))),
    _in_each_reading(lambda t, e: _far_above(t, f"AG{e}", f"PPM{e}")),
    _in_each_reading(lambda t, e: all(t.never_below(f"SN{e}", s + e) for s in ("PPM", "PPCA"))),
    # As a reader of a figure sees it.
    _in_each_reading(lambda t, e: not t.apart(f"SN{e}", f"AG{e}", t.xs(f"SN{e}")[-1], 0.01)),
]
AGAINST_PEOPLE: list[Judge] = [
    lambda t: (
        t.never_below("AG", "PPM") and all(t.never_below("SN", s) for s in ("PPCA", PURE.key))
    ),
    lambda t: _far_above(t, "AG", "PPM") and _far_above(t, "SN", PURE.key),
    lambda t: all(
        t.rises(s) and t.means(s)[-1] - t.means(s)[0] > VAST for s in ("AG", "SN", "PPCA")
    ),
]


def _against_epsilon(data: str, n: float, end: str = "") -> Panel:
    series = tuple(replace(one, key=one.key + end) for one in SERIES)
    return Panel(series, _energy(lambda epsilon: (problem(data, n), replaced(epsilon, DELTA))))


def figure_1a() -> Card:
    """Figure 1(a): synthetic data."""

    def fields(t: Table) -> Fields:
        reached = {f"{s.key} reaches": t.crossing(s.key, KEPT) for s in SERIES}
        return reached | {"share": KEPT}

    return declare(
        "imtiaz-fig-1a",
        _against_epsilon(SYNTHETIC, 60_000),
        holds=AGAINST_EPSILON,
        fields=fields,
    )


@lru_cache(maxsize=32)
def _subset(seed: int, trial: int) -> Problem:
    """Return S of 5,000 raw rows of Covertype, less their own mean, over their own largest norm."""
    rows, _, _ = covtype_raw()
    rng = trial_generator(seed, f"subset of {AG.mechanism}", trial)
    chosen = rows[rng.choice(len(rows), 5_000, replace=False)]
    chosen = chosen - chosen.mean(axis=0)
    return Problem.from_rows(chosen / longest_norm(chosen), 10)


def _from_subset(series: Series, place: float, trial: int, seed: int) -> float:
    """Captured share of a release from a subset drawn anew, as the later code runs it."""
    budget, data = Budget(place, DELTA, Adjacency.ADD_OR_REMOVE_ONE), _subset(seed, trial)
    bases = _largest(series, data, budget, range(trial, trial + 1), seed)
    return float(card.kept(data, bases)[0])


def figure_1b() -> Card:
    """Figure 1(b): Covertype, raw and from 0 to 1, with the first author's own stored runs."""

    def held(data: str, k: float) -> float:
        spectrum = problem(data, 20_000).spectrum
        return float(spectrum[: int(k)].sum() / spectrum.sum())

    def fields(t: Table) -> Fields:
        known = printed_values("imtiaz-fig-1b")
        apart = [abs(v - t.mean(*place)) / t.sd(*place) for place, v in known.items()]
        return {"runs": len(known), "apart": max(apart)}

    author = replace(AG, key=AUTHOR, label="AG, a subset drawn anew")
    readings = {"": ("Raw columns", RAW), RANGED: ("Columns from 0 to 1", ZERO_TO_ONE)}
    shares = tuple(
        Series(f"held{end}", label, Role.REFERENCE, formula=partial(held, data))
        for end, (label, data) in readings.items()
    )
    return declare(
        "imtiaz-fig-1b",
        *(_against_epsilon(data, 20_000, end) for end, (_, data) in readings.items()),
        Panel((author,), card.of_each(_from_subset)),
        Panel(shares),
        holds=AGAINST_EPSILON,
        fields=fields,
    )


def figure_2(letter: str, data: str, most: float) -> Card:
    """Figure 2(a) or 2(b): against n, of so many people at most."""
    budget = replaced(EPSILON, DELTA)
    measure = _energy(lambda n: (problem(data, most).scaled(n), budget))
    return declare(
        f"imtiaz-fig-2{letter}",
        Panel((*SERIES[:-1], PURE, RANDOM), measure),
        holds=AGAINST_PEOPLE,
    )


KEY = "imtiaz-table-1"
TESTED, DIRECTIONS = 4000, {"SYNTHETIC": 10, "COVTYPE": 10, "MNIST": 50}
CELLS = tuple(product(DIRECTIONS, (4000, 6000)))
COVERTYPE, DIGITS = [2, 3], [4, 5]
"""Cells of the two real sets."""
PRIVATE = ("AG", "PPM", "PPCA", "SN")


@cache
def classes(name: str) -> tuple[Array, Array]:
    """Rows of the two classes of a real set."""
    if name == "COVTYPE":
        rows, _, types = covtype_raw()
        return rows[types == 6], rows[types == 7]
    images, digits = mnist()
    return images[digits == 3].astype(float), images[digits == 7].astype(float)


def _synthetic(n: int, rng: np.random.Generator) -> tuple[Array, Any]:
    """Draw rows (n, 100) of two classes, 1.4 apart along the second column, and their labels."""
    head = 0.7 ** np.arange(10)
    spectrum = np.concatenate([0.9 * head / head.sum(), np.full(90, 0.1 / 90)])
    labels = rng.integers(0, 2, n)
    rows = rng.standard_normal((n, 100)) * np.sqrt(spectrum)
    rows[:, 1] += 0.7 * (2 * labels - 1)
    return rows, labels


def _drawn(name: str, size: int, trial: int, seed: int) -> tuple[Array, Any]:
    """Rows (size + 4000, d) in random order, less the mean, over the largest norm; and labels."""
    n = size + TESTED
    rng = trial_generator(seed, f"{KEY} {name} {size}", trial)
    if name == "SYNTHETIC":
        rows, labels = _synthetic(n, rng)
    else:
        most = 5_000 if name == "MNIST" else 10_000
        chosen = [c[rng.choice(len(c), min(most, len(c)), False)] for c in classes(name)]
        rows, labels = np.concatenate(chosen), np.repeat([0, 1], [len(c) for c in chosen])
        order = rng.permutation(len(rows))[:n]
        rows, labels = rows[order], labels[order]
    rows = rows - rows.mean(axis=0)
    return rows / longest_norm(rows), labels


@cache
def _problem(name: str, size: int, trial: int, seed: int) -> Problem:
    train = _drawn(name, size, trial, seed)[0][:size]
    return Problem.from_moment(train.T @ train, size, DIRECTIONS[name])


def _error(series: Series, place: float, trial: int, seed: int) -> float:
    """Error in percent: rows are drawn anew in each trial, the same for all series."""
    name, size = CELLS[int(place)]
    if name == "MNIST" and trial >= 5:
        return nan
    data, one = _problem(name, size, trial, seed), range(trial, trial + 1)
    basis = released(series, data, replaced(1.0, 0.01), one, seed)[0]
    rows, labels = _drawn(name, size, trial, seed)
    projected = rows @ basis
    middle, deviation = projected[:size].mean(axis=0), projected[:size].std(axis=0)
    deviation[deviation == 0] = 1
    return error_of((projected - middle) / deviation, labels, size)


def _printed(series: str) -> Array:
    """Errors (6,) as they are printed, by cell."""
    return np.array([printed_values(KEY)[series, i] for i in range(len(CELLS))])


def _sn_is_best(t: Table) -> bool:
    """Whether SN is surely worse than no other private method, and better than each somewhere."""
    cells = COVERTYPE + DIGITS
    return all(t.never_below(other, "SN", cells) for other in ("AG", "PPM", "PPCA"))


def _sn_beats_svd(t: Table) -> bool:
    """Whether SN's printed error is below SVD's in both columns of some data set."""
    lower = _printed("SN") < _printed("SVD")
    return bool(lower.reshape(-1, 2).all(axis=1).any())


def _errors_told(t: Table) -> Fields:
    values = np.array(list(printed_values(KEY).values()))
    wrong = values * TESTED / 100
    private = np.array([_printed(series) for series in PRIVATE])
    by_chance = np.concatenate([t.values(RANDOM.key, x) for x in DIGITS])
    return {
        "random_most": max(t.mean(RANDOM.key, x) for x in COVERTYPE),
        "svd_most": max(t.mean(SVD.key, x) for x in COVERTYPE),
        "printed_most": private[:, COVERTYPE].max(),
        "chance": by_chance.mean(),
        "spread": by_chance.std(ddof=1),
        "private": private[:, DIGITS].size,
        "least": private[:, DIGITS].min(),
        "most": private[:, DIGITS].max(),
        "multiples": np.isclose(wrong, np.rint(wrong), atol=1e-6).sum(),
        "values": len(values),
        "tested": TESTED,
    }


def table_1() -> Card:
    """Table 1: three sets, two sizes, and random directions beside each."""
    gibbs = replace(PPCA, label="PPCA, Gibbs", mechanism="ppca_gibbs", approximate=True)
    series = (replace(SVD, trials=None), AG, PPM, gibbs, SN, GAUSSIAN, REPAIR, RANDOM)
    panels = [Panel(series, card.of_each(_error))] * len(DIRECTIONS)
    return declare(KEY, *panels, holds=[_sn_is_best, _sn_beats_svd], fields=_errors_told)


CARDS = (
    *(figure_1a(), figure_1b(), figure_2("a", SYNTHETIC, 6e4), figure_2("b", RAW, 2e4)),
    table_1(),
)
