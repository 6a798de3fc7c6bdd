"""Imtiaz & Sarwate 2016: captured energy against ε (Figure 1) and against n (Figure 2)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.problem import Problem
from papers.captured import Along, captured_measure
from papers.experiment import (
    Axis,
    Experiment,
    Link,
    Measure,
    Panel,
    Scale,
    Series,
    Setting,
    Verdict,
)
from papers.imtiaz_readings import (
    AGAINST_EPSILON,
    AGAINST_PEOPLE,
    AUTHOR,
    HELD,
    HELD_RANGED,
    POWER_PURE,
    RANGED,
    SERIES,
    covtype_facts,
    epsilon_facts,
    people_facts,
)
from papers.imtiaz_subsets import subset_measure
from papers.tables import COVTYPE
from sample_data import load_key

PAPER = "imtiaz"
EPSILONS = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
AUTHOR_EPSILONS = (0.1, 0.5, 1.0, 5.0, 10.0)
DELTAS = (1e-6, 1e-4, 0.01)
PEOPLE_EPSILONS = (0.01, 0.1, 1.0)
SYNTHETIC_PEOPLE = (1e3, 2e3, 5e3, 1e4, 2e4, 4e4, 6e4)
COVTYPE_PEOPLE = (1e3, 2e3, 5e3, 1e4, 2e4)
FIRST_DIRECTIONS = tuple(map(float, range(1, 21)))
LATER_CODE = "not printed; as in the first author’s later public code"

ENERGY = Axis("captured second moment, share of PCA’s", low=0.0, high=1.0)
EPSILON = Axis("ε", Scale.LOG, EPSILONS)

SYNTHETIC = "imtiaz?radius=2.4"
RAW, ZERO_TO_ONE = "covtype", "covtype_ranged"
_ASKS = "How much of PCA’s variance is left"


@cache
def problem(data: str, n: float) -> Problem:
    """Ten directions of a data set's S, scaled to n people."""
    return load_key(data).problem(10).scaled(n)


def _synthetic(series: Series) -> Problem:
    return problem(SYNTHETIC, 60_000)


def _covtype(series: Series) -> Problem:
    return problem(ZERO_TO_ONE if series.key.endswith(RANGED) else RAW, 20_000)


def _ranged(series: Series, panel: int = 1) -> Series:
    return replace(series, key=series.key + RANGED, panel=panel)


def _held(series: Series, places: Sequence[float], trials: range, seed: int) -> Array:
    """Share of the trace that the first k directions hold (G, 1): no randomness."""
    spectrum = _covtype(series).spectrum
    shares = np.cumsum(spectrum) / spectrum.sum()
    return np.array([[shares[int(k) - 1]] for k in places])


def _covtype_measure(released: Measure, delta: float) -> Measure:
    """Each series by its own way: releases, what directions hold, subsets drawn anew."""

    def measure(series: Series, places: Sequence[float], trials: range, seed: int) -> Array:
        if series.mechanism is None:
            return _held(series, places, trials, seed)
        if series.needs:
            return subset_measure(series, places, trials, seed, delta)
        return released(series, places, trials, seed)

    return measure


def _delta_setting(delta: float) -> Setting:
    return Setting("δ", f"{delta:g}", False, LATER_CODE, "delta", DELTAS, delta)


def _ours() -> tuple[Setting, ...]:
    return (
        Setting("neighbours", "one person replaced", True),
        Setting("releases", "20", False, "the paper averages 10"),
    )


_OUR_COVARIANCE = (
    Setting(
        "covariance",
        "eigenvalues fall by a factor 0.7; ten hold 90 %",
        False,
        "not printed; the paper says only that k directions hold at least 90 %",
    ),
    Setting("norm bound", "2.4", False, "no row is longer; the paper reads the data"),
)


def _links(data: str, delta: float, axis: str, **more: str) -> tuple[Link, ...]:
    shared = {"data": data, "epsilon": "0.1", "delta": f"{delta:g}", "k": "10"}
    shared |= {"adjacency": "replace_one", **more}
    mechanisms = ",".join(dict.fromkeys(s.mechanism for s in SERIES if s.mechanism))
    return (
        Link("compare", {**shared, "axis": axis, "mechanisms": mechanisms, "trials": "20"}),
        Link("explore", {**shared, "mechanism": "wishart_difference"}),
        Link("claims", {**shared, "mechanism": "wishart_sn"}, "absent"),
    )


def figure_1a(chosen: Mapping[str, float] | None = None) -> Experiment:
    """Figure 1(a): synthetic data, at another δ if one is chosen."""
    delta = (chosen or {}).get("delta", DELTAS[-1])
    return Experiment(
        key="imtiaz-fig-1a",
        paper=PAPER,
        number="Figure 1(a)",
        title="Synthetic data",
        asks=f"{_ASKS} at each ε?",
        panels=(Panel("", EPSILON),),
        y=ENERGY,
        series=SERIES,
        settings=(
            Setting("d", "100", True),
            Setting("n", "60,000", True),
            Setting("k", "10", True),
            *_OUR_COVARIANCE,
            Setting("ε", "0.001 to 10", False, LATER_CODE),
            _delta_setting(delta),
            *_ours(),
        ),
        statements=AGAINST_EPSILON,
        verdict=Verdict.IN_ORDER,
        sentence=(
            "SN’s lead over PPCA is bought with a guarantee that does not exist: at "
            "ε = {epsilon:g} SN keeps {sn_kept:.0%}, its repair, the difference of Wisharts, "
            "{repair_kept:.0%}, and PPCA {ppca_kept:.0%}."
        ),
        because=(
            "{share:.0%} is reached at ε = {ag_at:.2g} by AG, {sn_at:.2g} by SN, {repair_at:.2g} "
            "by the repair, {ppca_at:.2g} by PPCA and {ppm_at:.2g} by PPM; the calibrated Gaussian "
            "is there at {gauss_at:.2g}. The covariance is not printed, so the values are ours; "
            "the order is the paper’s."
        ),
        facts=epsilon_facts,
        measure=captured_measure(_synthetic, along=Along.EPSILON, delta=delta),
        links=_links(SYNTHETIC, delta, "epsilon"),
        seconds=9.0,
        vary=figure_1a,
    )


def figure_1b(chosen: Mapping[str, float] | None = None) -> Experiment:
    """Figure 1(b): Covertype, raw and from 0 to 1, with the first author's own stored runs."""
    delta = (chosen or {}).get("delta", DELTAS[-1])
    held = Series(HELD, "Raw columns", SERIES[0].role, panel=3, trials=1)
    anew = replace(SERIES[1], key=AUTHOR, label="AG, a subset drawn anew", panel=2, needs=COVTYPE)
    return Experiment(
        key="imtiaz-fig-1b",
        paper=PAPER,
        number="Figure 1(b)",
        title="Covertype",
        asks=f"{_ASKS} at each ε?",
        panels=(
            Panel("Raw columns, centred, k = 10", EPSILON),
            Panel("Columns from 0 to 1, not centred, k = 10", EPSILON),
            Panel("The first author’s stored runs, n = 5,000", replace(EPSILON,
                                                                       values=AUTHOR_EPSILONS)),
            Panel("What the first k directions hold", Axis("k", values=FIRST_DIRECTIONS),
                  Axis("share of the trace", low=0.0, high=1.0)),
        ),
        y=ENERGY,
        series=(
            *SERIES,
            *(_ranged(series) for series in SERIES),
            anew,
            held,
            replace(held, key=HELD_RANGED, label="Columns from 0 to 1"),
        ),
        settings=(
            Setting("n", "20,000", True),
            Setting("k", "10", True),
            Setting("rows", "the sum over all 581,012, scaled", False, "the paper draws a subset"),
            Setting("columns", "raw, and from 0 to 1", False, "not printed: two readings"),
            Setting("ε", "0.001 to 10", False, LATER_CODE),
            _delta_setting(delta),
            *_ours(),
        ),
        statements=AGAINST_EPSILON,
        verdict=Verdict.IN_ORDER,
        sentence=(
            "In raw columns two directions hold {two_held:.0%} of the trace, so the picture asks "
            "for two directions, not ten. “At least 90 %” fits columns from 0 to 1 nearly: "
            "there ten directions hold {ten_held:.1%}."
        ),
        because=(
            "The first author’s own runs of AG, stored with later code, are met: of "
            "{author_points} means the one farthest from ours is {author_apart:.1f} standard "
            "deviations of single releases away. At ε = {epsilon:g} in raw columns SN keeps "
            "{sn_kept:.0%}, its repair {repair_kept:.0%} and PPCA {ppca_kept:.0%}."
        ),
        facts=partial(covtype_facts, "imtiaz-fig-1b"),
        measure=_covtype_measure(
            captured_measure(_covtype, along=Along.EPSILON, delta=delta), delta
        ),
        links=_links(RAW, delta, "epsilon", n="20000"),
        seconds=8.0,
        vary=figure_1b,
    )  # fmt: skip


def figure_2a(chosen: Mapping[str, float] | None = None) -> Experiment:
    """Figure 2(a): the synthetic data against n."""
    return _against_people("a", "Synthetic data", SYNTHETIC, SYNTHETIC_PEOPLE, chosen)


def figure_2b(chosen: Mapping[str, float] | None = None) -> Experiment:
    """Figure 2(b): Covertype, raw columns, against n."""
    return _against_people("b", "Covertype", RAW, COVTYPE_PEOPLE, chosen)


def _against_people(
    letter: str,
    title: str,
    data: str,
    people: tuple[float, ...],
    chosen: Mapping[str, float] | None,
) -> Experiment:
    delta = (chosen or {}).get("delta", DELTAS[-1])
    epsilon = (chosen or {}).get("epsilon", PEOPLE_EPSILONS[1])
    again = figure_2a if letter == "a" else figure_2b
    return Experiment(
        key=f"imtiaz-fig-2{letter}",
        paper=PAPER,
        number=f"Figure 2({letter})",
        title=title,
        asks=f"{_ASKS} with n people?",
        panels=(Panel("", Axis("n", Scale.LOG, people)),),
        y=ENERGY,
        series=(*SERIES[:-1], POWER_PURE, SERIES[-1]),
        settings=(
            Setting("k", "10", True),
            *(_OUR_COVARIANCE if letter == "a" else ()),
            Setting("n", f"{people[0]:,.0f} to {people[-1]:,.0f}", False, "not printed; S scaled"),
            Setting("ε", f"{epsilon:g}", False, "not printed", "epsilon", PEOPLE_EPSILONS, epsilon),
            _delta_setting(delta),
            *_ours(),
        ),
        statements=AGAINST_PEOPLE,
        verdict=Verdict.IN_ORDER,
        sentence=(
            "With {few:,.0f} people PPM keeps {ppm_few:.0%} and the pure PPM {pure_few:.0%}, where "
            "random directions keep {random:.0%}; with {many:,.0f} it is {ppm_many:.0%} and "
            "{pure_many:.0%}."
        ),
        because=(
            "The ε of the figure is not printed. At the one chosen here the calibrated Gaussian "
            "keeps {gauss_few:.0%} with {few:,.0f} people, where SN keeps {sn_few:.0%} and its "
            "repair {repair_few:.0%}; SN needs {many:,.0f} for {sn_many:.0%}."
        ),
        facts=people_facts,
        measure=captured_measure(
            lambda series: problem(data, people[-1]),
            along=Along.PEOPLE,
            delta=delta,
            epsilon=epsilon,
        ),
        links=_links(data, delta, "n"),
        seconds=5.0,
        vary=again,
    )


EXPERIMENTS = (figure_1a(), figure_1b(), figure_2a(), figure_2b())
