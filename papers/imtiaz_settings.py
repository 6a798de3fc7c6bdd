"""What Figures 1 and 2 of Imtiaz & Sarwate 2016 share: data, settings and links."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from dpca_core.problem import Problem
from papers.experiment import Axis, Link, Series, Setting
from papers.imtiaz_readings import SERIES
from sample_data import load_key

RAW, ZERO_TO_ONE = "covtype", "covtype_ranged"
PAPER = "imtiaz"
DELTAS = (1e-6, 1e-4, 0.01)
LATER_CODE = "not printed; as in the first author’s later public code"

ENERGY = Axis("captured second moment, share of PCA’s", low=0.0, high=1.0)

SYNTHETIC = "imtiaz?radius=2.4"
ASKS = "How much of PCA’s variance is left"


@cache
def problem(data: str, n: float) -> Problem:
    """Ten directions of a data set's S, scaled to n people."""
    return load_key(data).problem(10).scaled(n)


RANKS, RANK_NAMES = (1.0, 0.0), ("by size", "by value")
"""How the top k eigenvectors of AG's noisy matrix are chosen; an SVD ranks by size."""


def choices(chosen: Mapping[str, float] | None) -> tuple[float, float]:
    """Return δ, and whether AG ranks eigenvalues by size."""
    of = chosen or {}
    return of.get("delta", DELTAS[-1]), of.get("absolute", RANKS[0])


def choice_settings(delta: float, absolute: float) -> tuple[Setting, Setting]:
    """Say what δ and AG's ranking are, and what else they may be."""
    name = RANK_NAMES[RANKS.index(absolute)]
    why = "as an SVD does, in the later code" if absolute else "keeps more where noise is large"
    return (
        Setting("δ", f"{delta:g}", False, LATER_CODE, "delta", DELTAS, delta),
        Setting("eigenvalues of AG", name, False, why, "absolute", RANKS, absolute, RANK_NAMES),
    )


def ranked(series: Series, absolute: float) -> Series:
    """Return a series with AG's ranking as chosen."""
    if "absolute" not in series.asked:
        return series
    return replace(series, asked={**series.asked, "absolute": absolute})


def ours() -> tuple[Setting, ...]:
    """Say what is ours in all figures."""
    return (
        Setting("neighbours", "one person replaced", True),
        Setting("releases", "20", False, "the paper averages 10"),
    )


OUR_COVARIANCE = (
    Setting(
        "covariance",
        "eigenvalues fall by a factor 0.7; ten hold 90 %",
        False,
        "not printed; the paper says only that k directions hold at least 90 %",
    ),
    Setting("norm bound", "2.4", False, "no row is longer; the paper reads the data"),
)


def links(data: str, delta: float, axis: str, **more: str) -> tuple[Link, ...]:
    """Pages at the same settings, along the same axis."""
    shared = {"data": data, "epsilon": "0.1", "delta": f"{delta:g}", "k": "10"}
    shared |= {"adjacency": "replace_one", **more}
    mechanisms = ",".join(dict.fromkeys(s.mechanism for s in SERIES if s.mechanism))
    return (
        Link("compare", {**shared, "axis": axis, "mechanisms": mechanisms, "trials": "20"}),
        Link("explore", {**shared, "mechanism": "wishart_difference"}),
        Link("claims", {**shared, "mechanism": "wishart_sn"}, "absent"),
    )
