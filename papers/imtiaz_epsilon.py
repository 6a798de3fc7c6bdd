"""Imtiaz & Sarwate 2016, Figure 1: captured energy against ε."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.problem import Problem
from papers.captured import Along, captured_measure
from papers.experiment import Axis, Experiment, Measure, Panel, Scale, Series, Setting, Verdict
from papers.imtiaz_readings import (
    AGAINST_EPSILON,
    AUTHOR,
    HELD,
    HELD_RANGED,
    RANGED,
    SERIES,
    covtype_facts,
    epsilon_facts,
)
from papers.imtiaz_settings import (
    ASKS,
    ENERGY,
    LATER_CODE,
    OUR_COVARIANCE,
    PAPER,
    RAW,
    SYNTHETIC,
    ZERO_TO_ONE,
    choice_settings,
    choices,
    links,
    ours,
    problem,
    ranked,
)
from papers.imtiaz_subsets import subset_measure
from papers.tables import COVTYPE

EPSILONS = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
AUTHOR_DELTA = 0.01
"""Of the first author's stored runs, whatever δ is chosen for the other panels."""
AUTHOR_EPSILONS = (0.1, 0.5, 1.0, 5.0, 10.0)
FIRST_DIRECTIONS = tuple(map(float, range(1, 21)))
EPSILON = Axis("ε", Scale.LOG, EPSILONS)


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


def _covtype_measure(released: Measure) -> Measure:
    """Each series by its own way: releases, what directions hold, subsets drawn anew."""

    def measure(series: Series, places: Sequence[float], trials: range, seed: int) -> Array:
        if series.mechanism is None:
            return _held(series, places, trials, seed)
        if series.needs:
            return subset_measure(series, places, trials, seed, AUTHOR_DELTA)
        return released(series, places, trials, seed)

    return measure


def figure_1a(chosen: Mapping[str, float] | None = None) -> Experiment:
    """Figure 1(a): synthetic data, at another δ if one is chosen."""
    delta, absolute = choices(chosen)
    return Experiment(
        key="imtiaz-fig-1a",
        paper=PAPER,
        number="Figure 1(a)",
        title="Synthetic data",
        asks=f"{ASKS} at each ε?",
        panels=(Panel("", EPSILON),),
        y=ENERGY,
        series=tuple(ranked(series, absolute) for series in SERIES),
        settings=(
            Setting("d", "100", True),
            Setting("n", "60,000", True),
            Setting("k", "10", True),
            *OUR_COVARIANCE,
            Setting("ε", "0.001 to 10", False, LATER_CODE),
            *choice_settings(delta, absolute),
            *ours(),
        ),
        statements=AGAINST_EPSILON,
        verdict=Verdict.ALL_HOLD,
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
        links=links(SYNTHETIC, delta, "epsilon"),
        seconds=9.0,
        vary=figure_1a,
    )


def figure_1b(chosen: Mapping[str, float] | None = None) -> Experiment:
    """Figure 1(b): Covertype, raw and from 0 to 1, with the first author's own stored runs."""
    delta, absolute = choices(chosen)
    held = Series(HELD, "Raw columns", SERIES[0].role, panel=3, trials=1)
    anew = replace(SERIES[1], key=AUTHOR, label="AG, a subset drawn anew", panel=2, needs=COVTYPE)
    return Experiment(
        key="imtiaz-fig-1b",
        paper=PAPER,
        number="Figure 1(b)",
        title="Covertype",
        asks=f"{ASKS} at each ε?",
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
            *(ranked(series, absolute) for series in SERIES),
            *(ranked(_ranged(series), absolute) for series in SERIES),
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
            *choice_settings(delta, absolute),
            *ours(),
        ),
        statements=AGAINST_EPSILON,
        verdict=Verdict.ALL_HOLD,
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
        measure=_covtype_measure(captured_measure(_covtype, along=Along.EPSILON, delta=delta)),
        links=links(RAW, delta, "epsilon", n="20000"),
        seconds=8.0,
        vary=figure_1b,
    )  # fmt: skip
