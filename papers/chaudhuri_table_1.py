"""Chaudhuri, Sarwate & Sinha 2013, Table 1: the four data sets."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.problem import Problem
from papers.experiment import (
    Axis,
    Experiment,
    Link,
    Panel,
    Results,
    Role,
    Scale,
    Series,
    Setting,
    Statement,
    Verdict,
    named,
)
from papers.store import printed_of
from papers.tables import INSURANCE, by_maximum, insurance_rows, one_hot, table_of
from sample_data import load_key

KEY = "chaudhuri-table-1"
SETS = ("kddcup", "census", "localization", "insurance")
KDDCUP, CENSUS, LOCALIZATION, INSURED = 0.0, 1.0, 2.0, 3.0
UTILITY, SHARE, COLUMNS, ROWS = "q", "share", "d", "n"
OTHER = ", other coding"
"""Ending of the series with more columns of insurance one-hot."""
HELD = 0.8


def printed(what: str, place: float) -> float:
    """Return what the table prints of a data set."""
    table = printed_of(KEY)
    row = table[(table["series"] == what) & (table["x"] == place)]
    return float(row["value"].iloc[0])


def _five_columns_one_hot() -> Array:
    """Rows (9822, d) of insurance: the five columns of codes one-hot, without what is predicted."""
    table = table_of(INSURANCE).drop(columns=["split", "CARAVAN"])
    codes = list(table.columns[:5])
    categories, _ = one_hot(table[codes])
    numbers = table.drop(columns=codes).to_numpy(dtype=float)
    return by_maximum(np.hstack([categories, numbers]))


@cache
def _problem(place: float, other: bool) -> Problem | None:
    """Return a data set's S; None for the one that is not at hand."""
    k = int(printed("k", place))
    if place == INSURED:
        return Problem.from_rows(_five_columns_one_hot() if other else insurance_rows(), k)
    if place == LOCALIZATION or other:
        return None
    return load_key(SETS[int(place)]).problem(k)


def _value(what: str, problem: Problem) -> float:
    """q of the first k directions, their share of the trace, d or n."""
    kept = float(problem.spectrum[: problem.k].sum())
    if what == UTILITY:
        return kept / problem.n
    if what == SHARE:
        return kept / float(problem.spectrum.sum())
    return float(problem.d if what == COLUMNS else problem.n)


def _measure(series: Series, places: Sequence[float], trials: range, seed: int) -> Array:
    """Values (G, 1), without randomness; NaN for what is not at hand."""
    what, other = series.key.removesuffix(OTHER), series.key.endswith(OTHER)
    problems = [_problem(place, other) for place in places]
    return np.array(
        [[np.nan if problem is None else _value(what, problem)] for problem in problems]
    )


def _series() -> tuple[Series, ...]:
    panels = {UTILITY: 0, SHARE: 1, COLUMNS: 2, ROWS: 3}
    ours = [Series(w, "ours", Role.REFERENCE, panel=p, trials=1) for w, p in panels.items()]
    label = "five columns one-hot"
    others = [
        Series(w + OTHER, label, Role.REFERENCE, panel=p, trials=1)
        for w, p in panels.items()
        if w != ROWS
    ]
    return (*ours, *others)


def _hold_most(results: Results) -> bool:
    """Whether k directions hold 80 % of the trace, in every set at hand and every coding."""
    shares = [results.mean(s, x) for s in (SHARE, SHARE + OTHER) for x in results.xs(s)]
    return all(share >= HELD for share in shares)


def _facts(results: Results) -> dict[str, object]:
    columns = {
        f"d_{name}": results.mean(key, place)
        for name, key, place in (
            ("kddcup", COLUMNS, KDDCUP),
            ("census", COLUMNS, CENSUS),
            ("few", COLUMNS, INSURED),
            ("more", COLUMNS + OTHER, INSURED),
        )
    }
    return {
        **columns,
        "n": results.mean(ROWS, KDDCUP),
        "q_kddcup": results.mean(UTILITY, KDDCUP),
        "share_kddcup": results.mean(SHARE, KDDCUP),
        "share_census": results.mean(SHARE, CENSUS),
        "q_few": results.mean(UTILITY, INSURED),
        "q_more": results.mean(UTILITY + OTHER, INSURED),
        "printed_kddcup": printed(UTILITY, KDDCUP),
        "printed_census": printed(UTILITY, CENSUS),
        "printed_insurance": printed(UTILITY, INSURED),
        "trace_census": printed(UTILITY, CENSUS) / printed(SHARE, CENSUS),
    }


def table_1() -> Experiment:
    """Table 1: columns, q and its share of the trace."""
    sets = named("", *SETS)
    return Experiment(
        key=KEY,
        paper="chaudhuri",
        number="Table 1",
        title="Four data sets",
        asks="Are these the data that the paper had?",
        panels=(
            Panel("q_F(V_k)", sets),
            Panel("q_F(V_k)/‖A‖_F, which is q_F(V_k)/tr A", sets),
            Panel("Columns d", sets, Axis("columns", Scale.LOG)),
            Panel("Rows n", sets, Axis("rows", Scale.LOG)),
        ),
        y=Axis("share", low=0.0, high=1.0),
        series=_series(),
        settings=(
            Setting("k", "4, 8, 10, 11", True),
            Setting("kddcup", "the 10 % file without its label", False, "gives the printed d"),
            Setting("census", "columns of categories, both parts", False, "numbers not at hand"),
            Setting("localization", "not at hand", False, "UCI, set 196"),
            Setting("insurance", "three or five columns one-hot", False, "coding not printed"),
        ),
        statements=(
            Statement(
                "in each case, the utility q_F(V_k) of the top-k PCA subspace of the data matrix "
                "accounts for at least 80% of ‖A‖_F",
                "section 6.1",
                _hold_most,
            ),
        ),
        verdict=Verdict.ALL_HOLD,
        sentence=(
            "kddcup is the paper’s: {n:,.0f} rows, {d_kddcup:.0f} columns and a share of "
            "{share_kddcup:.2f} as printed; q is {q_kddcup:.4f}, printed {printed_kddcup:.4f}. The "
            "last column is headed q_F/‖A‖_F and is the share of the trace."
        ),
        because=(
            "Of census the columns of categories are at hand, {d_census:.0f} of them: every row is "
            "equally long, so q is {share_census:.3f}, as the share is, where the printed row has "
            "a trace of {trace_census:.2f}. Insurance gives q = {q_few:.3f} with {d_few:.0f} "
            "columns and {q_more:.3f} with {d_more:.0f}, printed {printed_insurance:.4f}."
        ),
        facts=_facts,
        measure=_measure,
        links=(
            Link("explore", {
                "data": "kddcup", "mechanism": "mod_sulq", "epsilon": "0.1", "delta": "0.01",
                "k": "4", "adjacency": "replace_one",
            }),
        ),
        trials=1,
        seconds=1.0,
        needs=(INSURANCE,),
    )  # fmt: skip
