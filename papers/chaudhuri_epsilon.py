"""Chaudhuri, Sarwate & Sinha 2013: captured variance against ε, Figure 5."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.problem import Problem
from papers.captured import Along, Share, captured_measure
from papers.chaudhuri_readings import DRAWN, LENGTHS, ON_EPSILON, SCALED, rows_facts
from papers.experiment import Axis, Experiment, Link, Panel, Role, Scale, Series, Setting, Verdict
from sample_data import load_key

SYNTHETIC_DELTA = 0.05
EPSILONS_DRAWN = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
LENGTHS_DRAWN = tuple(round(0.1 * i, 1) for i in range(2, 31))
LARGEST_NORM = 2.9
"""No row of the synthetic set is longer."""


@cache
def _drawn_rows() -> Array:
    """Rows (5000, 10) of the synthetic set as they are drawn."""
    # At this norm bound no row is shortened.
    bound = 6.0
    return np.asarray(load_key(f"chaudhuri?radius={bound:g}").rows * bound)


@cache
def _drawn_problem() -> Problem:
    rows = _drawn_rows()
    return Problem.from_moment(rows.T @ rows, len(rows), 2)


@cache
def _scaled_problem() -> Problem:
    return load_key(f"chaudhuri?radius={LARGEST_NORM:g}").problem(2)


_DRAWN_MEASURE = captured_measure(
    lambda series: _drawn_problem(), along=Along.EPSILON, delta=SYNTHETIC_DELTA, share=Share.OF_N
)
_SCALED_MEASURE = captured_measure(
    lambda series: _scaled_problem(), along=Along.EPSILON, delta=SYNTHETIC_DELTA, share=Share.OF_N
)


def _figure_5_measure(series: Series, places: Sequence[float], trials: range, seed: int) -> Array:
    if series.mechanism is None:
        lengths = np.linalg.norm(_drawn_rows(), axis=1)
        return np.array([[float((lengths > place).mean())] for place in places])
    if series.key.endswith(SCALED):
        return _SCALED_MEASURE(series, places, trials, seed) * LARGEST_NORM**2
    return _DRAWN_MEASURE(series, places, trials, seed)


def figure_5() -> Experiment:
    """Figure 5: ten columns, as drawn and divided by the largest norm."""
    printed = [s for s in DRAWN if s.role is not Role.REPAIRED]
    return Experiment(
        key="chaudhuri-fig-5",
        paper="chaudhuri",
        number="Figure 5",
        title="Synthetic data",
        asks="What does a stricter ε cost?",
        panels=(
            Panel("As drawn: rows longer than 1", Axis("ε", Scale.LOG, EPSILONS_DRAWN)),
            Panel("Divided by the largest norm", Axis("ε", Scale.LOG, EPSILONS_DRAWN)),
            Panel(
                "Rows longer than ℓ",
                Axis("ℓ", values=LENGTHS_DRAWN),
                Axis("share of rows", low=0.0, high=1.0),
            ),
        ),
        y=Axis("q(U), in the units of the rows as drawn", low=0.0, high=0.9),
        series=(
            *printed,
            *(replace(s, key=s.key + SCALED, panel=1) for s in DRAWN),
            Series(LENGTHS, "Rows longer than ℓ", Role.REFERENCE, panel=2, trials=1),
        ),
        settings=(
            Setting("n", "5,000", True),
            Setting("d", "10", True),
            Setting("k", "2", True),
            Setting("δ", "0.05", True),
            Setting("ε", "0.01 to 5", False, "the axis is not in the text at hand"),
            Setting("PPCA", "drawn exactly", False, "the paper runs 1,000 Gibbs steps"),
            Setting("releases", "100", True),
        ),
        statements=ON_EPSILON,
        verdict=Verdict.ALL_HOLD,
        sentence=(
            "As drawn {longer:.0%} of the rows are longer than 1, and for them the ε on the axis "
            "does not hold: PPCA keeps {ppca_drawn:.3f} at ε = {epsilon:g}, but {ppca_scaled:.3f} "
            "once rows are divided by the largest norm, {norm:g}; MOD-SULQ keeps {sulq_drawn:.3f} "
            "and {sulq_scaled:.3f}."
        ),
        because=(
            "Which of the two was drawn the text does not say. PCA keeps {pca:.3f}; with rows of "
            "length at most 1 the calibrated Gaussian keeps {gauss_scaled:.3f} at ε = {epsilon:g}."
        ),
        facts=rows_facts,
        measure=_figure_5_measure,
        links=(
            Link("compare", {
                "data": f"chaudhuri?radius={LARGEST_NORM:g}", "axis": "epsilon", "epsilon": "0.5",
                "delta": "0.05", "k": "2", "adjacency": "replace_one",
                "mechanisms": ",".join(str(s.mechanism) for s in DRAWN), "trials": "100",
            }),
            Link("explore", {
                "data": f"chaudhuri?radius={LARGEST_NORM:g}", "mechanism": "mod_sulq",
                "epsilon": "0.5", "delta": "0.05", "k": "2", "adjacency": "replace_one",
            }),
        ),
        trials=100,
        seconds=3.0,
    )  # fmt: skip
