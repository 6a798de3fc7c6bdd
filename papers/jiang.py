"""Jiang, Xie & Zhang 2016, Table 1: how large the noise of four mechanisms is, measured."""

from collections.abc import Callable
from math import log, sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.problem import Problem
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
    draws_of,
)
from papers.table import Table

COLUMNS = (4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0)
FITTED_FROM, SLACK = 32.0, 0.1
"""Columns from which on growth is read; by how much it may exceed that of a printed order."""
ORDERS: dict[str, tuple[str, Callable[[float], float]]] = {
    "Laplace": ("laplace_printed", lambda d: d * sqrt(d)),
    "MOD-SULQ": ("mod_sulq", lambda d: d * sqrt(d * log(d))),
    "Wishart": ("wishart_jiang", lambda d: d * log(d)),
    "Analyze Gauss": ("analyze_gauss", sqrt),
}
"""Mechanisms, and printed orders of the spectral norm of the noise on S, in people, at ε = 1; their
constants are taken as 1."""
HALF, REPAIR = "Wishart, half range", "difference of Wisharts"
SERIES = (
    *(Series(key, key, Role.PRINTED, mechanism) for key, (mechanism, _) in ORDERS.items()),
    Series(HALF, "Wishart, half its range", Role.PRINTED, "wishart_jiang"),
    Series(REPAIR, "Difference of Wisharts", Role.REPAIRED, "wishart_difference"),
    Series("Laplace, calibrated", "Laplace, calibrated", Role.REPAIRED, "laplace"),
    Series("Gaussian", "Gaussian, calibrated", Role.REPAIRED, "gaussian"),
    *(
        Series(
            f"{key}, printed order",
            f"{key}: order, constant 1",
            Role.REFERENCE,
            mechanism,
            formula=order,
        )
        for key, (mechanism, order) in ORDERS.items()
    ),
)


def _growth(t: Table, series: str) -> float:
    return t.exponent(series, FITTED_FROM)


def _tell(t: Table) -> tuple[str, str]:
    few, many = COLUMNS[0], COLUMNS[-1]
    grows = {key: f"{_growth(t, key):.2f}" for key in ORDERS}
    whole, half, repair = (
        {d: f"{t.mean(key, d) / t.mean('Laplace', d):.2g}" for d in (few, many)}
        for key in ("Wishart", HALF, REPAIR)
    )
    return (
        f"From d = {FITTED_FROM:.0f} to {many:.0f} the norms grow like d to the power "
        f"{grows['Laplace']} (Laplace), {grows['MOD-SULQ']} (MOD-SULQ), {grows['Wishart']} "
        f"(Wishart) and {grows['Analyze Gauss']} (Analyze Gauss): no faster than printed.",
        f"Wishart noise is {whole[few]} of Laplace’s at d = {few:.0f} and {whole[many]} at "
        f"{many:.0f}; by half its range, which is what turns directions, {half[few]} and "
        f"{half[many]}. Its guarantee is refuted. Its repair, a difference of Wisharts, has "
        f"{repair[few]} and {repair[many]}: against these constants it costs little.",
    )


def table_1(delta: float = 1e-6) -> Card:
    """Table 1: orders of the noise's spectral norm, beside measured norms."""

    def norms(series: Series, place: float, trials: range, seed: int) -> Array:
        """Spectral norms (T,) of the noise on S, in people, or half its range."""
        mechanism, d = MECHANISMS[series.mechanism or ""], int(place)
        assert isinstance(mechanism, NoiseOnS)
        values = np.linalg.eigvalsh(draws_of(mechanism, seed, trials).unit(d, 1)[0])
        low, high = values[:, 0], values[:, -1]
        budget = Budget(1.0, delta, Adjacency.REPLACE_ONE)
        scale = mechanism.calibrate(Problem(np.eye(d), place, 1), budget).scale
        return scale * ((high - low) / 2 if series.key == HALF else np.maximum(-low, high))

    asked = {"epsilon": "1", "delta": f"{delta:g}", "adjacency": "replace_one"}
    asked |= {"mechanism": "wishart_jiang"}
    return Card(
        key="jiang-table-1",
        paper="jiang",
        number="Table 1",
        title="Spectral norm of the noise",
        asks="How does the noise grow with the number of columns?",
        panels=(
            Panel(
                Axis("d", COLUMNS, log=True),
                Axis("spectral norm of the noise on S, in people", log=True),
                SERIES,
                measure=norms,
            ),
        ),
        settings=(
            Setting("d", "4 to 512", "the table prints orders only"),
            Setting("ε", "1", "every norm is proportional to 1/ε, but for δ > 0"),
            Setting(
                "δ",
                f"{delta:g}",
                "not printed; for MOD-SULQ and the Gaussian ones",
                "delta",
                (1e-10, 1e-6, 0.01),
                delta,
            ),
            Setting("neighbours", "one person replaced", "for the repaired ones"),
        ),
        statements=(
            Statement(
                "Laplace O(d√d/nε), Blum et al. O(d√(d log d)/nε), Wishart O(d log d/nε), Dwork "
                "et al. O(√d/nε)",
                "Table 1",
                lambda t: all(
                    _growth(t, key) <= _growth(t, f"{key}, printed order") + SLACK for key in ORDERS
                ),
            ),
            Statement(
                "the Wishart mechanism adds less noise to obtain privacy guarantee",
                "after Lemma 1",
                lambda t: all(t.below("Wishart", "Laplace", d) for d in t.xs("Wishart")),
            ),
        ),
        tell=_tell,
        verdict=Verdict.FORMULA_HOLDS,
        best=Verdict.FORMULA_HOLDS,
        links=(Link("sample_size", asked), Link("claims", asked, "absent")),
        trials=12,
        seconds=8.0,
        vary=table_1,
    )


CARDS = (table_1(),)
