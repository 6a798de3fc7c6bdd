"""Jiang, Xie & Zhang 2016, Table 1: how large the noise of four mechanisms is, measured."""

from collections.abc import Callable
from math import log, sqrt

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.mechanisms.noise_on_s import NoiseOnS
from dpca_core.mechanisms.registry import MECHANISMS
from dpca_core.privacy.budget import Adjacency, Budget
from dpca_core.problem import Problem
from papers.card import Card, Fields, Panel, Role, Series, declare, draws_of
from papers.table import Table

DELTA, FITTED_FROM, SLACK = 1e-6, 32.0, 0.1
"""Columns from which on growth is read; by how much it may exceed that of a printed order."""
ORDERS: dict[str, tuple[str, Callable[[float], float]]] = {
    "Laplace": ("laplace_printed", lambda d: d * sqrt(d)),
    "MOD-SULQ": ("mod_sulq", lambda d: d * sqrt(d * log(d))),
    "Wishart": ("wishart_jiang", lambda d: d * log(d)),
    "Analyze Gauss": ("analyze_gauss", sqrt),
}
"""Mechanisms, and printed orders of the spectral norm of the noise on S, in people, at ε = 1; their
constants are taken as 1."""
HALF, REPAIR, ORDER = "Wishart, half range", "difference of Wisharts", ", printed order"
SERIES = (
    *(Series(key, key, Role.PRINTED, mechanism) for key, (mechanism, _) in ORDERS.items()),
    Series(HALF, "Wishart, half its range", Role.PRINTED, "wishart_jiang"),
    Series(REPAIR, "Difference of Wisharts", Role.REPAIRED, "wishart_difference"),
    Series("Laplace, calibrated", "Laplace, calibrated", Role.REPAIRED, "laplace"),
    Series("Gaussian", "Gaussian, calibrated", Role.REPAIRED, "gaussian"),
    *(
        Series(key + ORDER, f"{key}: order, constant 1", Role.REFERENCE, mechanism, formula=order)
        for key, (mechanism, order) in ORDERS.items()
    ),
)


def _grow_as_printed(t: Table) -> bool:
    grow, printed = ([t.exponent(key + end, FITTED_FROM) for key in ORDERS] for end in ("", ORDER))
    return all(ours <= theirs + SLACK for ours, theirs in zip(grow, printed, strict=True))


def _fields(t: Table) -> Fields:
    told = {f"{key} grows": t.exponent(key, FITTED_FROM) for key in ORDERS}
    for name, key in {"whole": "Wishart", "half": HALF, "repair": REPAIR}.items():
        shares = t.means(key) / t.means("Laplace")
        told |= {name: shares[0], f"{name}_last": shares[-1]}
    return told | {"fitted": FITTED_FROM}


def table_1() -> Card:
    """Table 1: orders of the noise's spectral norm, beside measured norms."""

    def norms(series: Series, place: float, trials: range, seed: int) -> Array:
        """Spectral norms (T,) of the noise on S, in people, or half its range."""
        mechanism, d = MECHANISMS[series.mechanism or ""], int(place)
        assert isinstance(mechanism, NoiseOnS)
        values = np.linalg.eigvalsh(draws_of(mechanism, seed, trials).unit(d, 1)[0])
        low, high = values[:, 0], values[:, -1]
        budget = Budget(1.0, DELTA, Adjacency.REPLACE_ONE)
        scale = mechanism.calibrate(Problem(np.eye(d), place, 1), budget).scale
        return scale * ((high - low) / 2 if series.key == HALF else np.maximum(-low, high))

    return declare(
        "jiang-table-1",
        Panel(SERIES, norms),
        holds=[
            _grow_as_printed,
            lambda t: all(t.below("Wishart", "Laplace", d) for d in t.xs("Wishart")),
        ],
        fields=_fields,
    )


CARDS = (table_1(),)
