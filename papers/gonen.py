"""Gonen & Gilad-Bachrach 2018: how the people needed grow with the columns, by their lemmas."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from dpca_core.linalg.arrays import Array
from dpca_core.privacy.budget import Adjacency
from dpca_core.theorems import Case, smooth_cauchy_enough, smooth_gaussian_enough
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
)
from papers.predicates import all_hold, exponent

COLUMNS = (10.0, 30.0, 100.0, 300.0, 1000.0)
LARGE = 100.0
"""From how many columns on the growth is read."""
SLACK = 0.2
"""What logarithms may add to an exponent: √d·ln d grows like d to 0.66 at 300 columns."""
EPSILON, DELTA, GAP, FAILS = 1.0, 1e-6, 0.3, 0.1
CORRELATIONS = (0.5, 0.9, 0.99)
SOLVED, LEMMA, ORDER, LINEAR = "solved", "lemma", "order", "linear"
_CASE = Case(2, GAP, GAP, EPSILON, DELTA, Adjacency.ADD_OR_REMOVE_ONE, CORRELATIONS[1], FAILS)


def _measure_of(
    enough: Callable[..., float | None], delta: float, power: float, correlation: float
) -> Callable[[Series, Sequence[float], range, int], Array]:
    """People by the lemma and by solving it, and lines through the first point (G, 1)."""

    def people(d: float, *, printed: bool) -> float:
        found = enough(replace(_CASE, d=int(d), delta=delta, rho=correlation), printed=printed)
        assert found is not None
        return found

    def measure(series: Series, places: Sequence[float], trials: range, seed: int) -> Array:
        first = people(COLUMNS[0], printed=False)
        columns = np.array(places)
        if series.key in (ORDER, LINEAR):
            exponent_of = power if series.key == ORDER else 1.0
            return np.asarray(first * (columns / COLUMNS[0]) ** exponent_of)[:, None]
        return np.array([[people(d, printed=series.key == LEMMA)] for d in places])

    return measure


def _settings(delta: str, correlation: float) -> tuple[Setting, ...]:
    return (
        Setting("k", "1", True),
        Setting("ε", f"{EPSILON:g}", False, "not printed"),
        Setting("δ", delta, False, "not printed"),
        Setting("eigengap", f"{GAP:g} of n", False, "not printed"),
        Setting(
            "correlation in 9 of 10 releases",
            f"{correlation:g}",
            False,
            "not printed",
            "rho",
            CORRELATIONS,
            correlation,
        ),
        Setting("C", "√2", False, "the paper’s “global constant” is not given"),
        Setting(
            "neighbours", "one person added or removed", False, "the exact sensitivity is ours"
        ),
    )


def _link(mechanism: str, delta: str) -> tuple[Link, ...]:
    query = {"epsilon": "1", "delta": delta, "adjacency": "add_or_remove_one"}
    query |= {"mechanism": mechanism}
    return Link("sample_size", {**query, "d": "100", "gap": "0.3"}), Link("eigengap", query)


def _series(power: str, *, linear: bool) -> tuple[Series, ...]:
    lines: tuple[Series, ...] = (
        Series(ORDER, f"{power}, through the first point", Role.REFERENCE, trials=1),
    )
    if linear:
        lines += (Series(LINEAR, "d, through the first point", Role.REFERENCE, trials=1),)
    return (
        Series(LEMMA, "by the lemma, C = √2", Role.PRINTED, trials=1),
        Series(SOLVED, "by the exact sensitivity", Role.REPAIRED, trials=1),
        *lines,
    )


def _grows(results: Results, power: float) -> bool:
    return all(exponent(results, key, LARGE) <= power + SLACK for key in (SOLVED, LEMMA))


def _facts(results: Results) -> dict[str, object]:
    def between(low: float, high: float) -> float:
        people = results.mean(SOLVED, high) / results.mean(SOLVED, low)
        return float(np.log(people) / np.log(high / low))

    c = COLUMNS
    return {
        "few": between(c[0], c[1]), "middle": between(c[2], c[3]), "many": between(c[3], c[4]),
        "c0": c[0], "c1": c[1], "c2": c[2], "c3": c[3], "c4": c[4],
        "whole": exponent(results, SOLVED, c[0]), "lemma": exponent(results, LEMMA, LARGE),
    }  # fmt: skip


def theorem_1(chosen: Mapping[str, float] | None = None) -> Experiment:
    """Theorem 1: (ε, δ), n of order √d."""
    correlation = (chosen or {}).get("rho", CORRELATIONS[1])
    return Experiment(
        key="gonen-thm-1",
        paper="gonen",
        number="Theorem 1",
        title="People needed, approximate case",
        asks="How many more people do more columns ask for?",
        panels=(Panel("", Axis("d", Scale.LOG, COLUMNS)),),
        y=Axis("n that is enough", Scale.LOG),
        series=_series("√d", linear=True),
        settings=_settings(f"{DELTA:g}", correlation),
        statements=(
            Statement(
                "n(ε_g, ε_p, δ_p) = Õ(√d/(GAP(D)·ε_p·ε_g))",
                "Theorem 1",
                lambda results: _grows(results, 0.5),
            ),
        ),
        verdict=Verdict.ONE_FAILS,
        sentence=(
            "With the aim held fixed, the people needed grow like d to the power {few:.2f} from "
            "{c0:.0f} to {c1:.0f} columns, {middle:.2f} from {c2:.0f} to {c3:,.0f} and {many:.2f} "
            "from {c3:,.0f} to {c4:,.0f}, not like √d."
        ),
        because=(
            "The second term of the paper’s Lemma 15 is of order d/(GAP·ε_p) and free of ε_g: it "
            "is the smaller one only where ε_g is at most of order 1/√d, which Theorem 1 does not "
            "ask for. The lemma itself, as printed, grows like d to the power {lemma:.2f} from "
            "{c2:.0f} columns on."
        ),
        facts=_facts,
        measure=_measure_of(smooth_gaussian_enough, DELTA, 0.5, correlation),
        links=_link("smooth_gaussian_printed", "1e-06"),
        trials=1,
        seconds=0.5,
        vary=theorem_1,
    )


def theorem_2(chosen: Mapping[str, float] | None = None) -> Experiment:
    """Theorem 2: pure ε, n of order d^1.5."""
    correlation = (chosen or {}).get("rho", CORRELATIONS[1])
    return Experiment(
        key="gonen-thm-2",
        paper="gonen",
        number="Theorem 2",
        title="People needed, pure case",
        asks="How many more people do more columns ask for where δ = 0?",
        panels=(Panel("", Axis("d", Scale.LOG, COLUMNS)),),
        y=Axis("n that is enough", Scale.LOG),
        series=_series("d^1.5", linear=False),
        settings=_settings("0", correlation),
        statements=(
            Statement(
                "n(ε_g, ε_p) = Õ(d^{3/2}/(GAP(D)·ε_p·ε_g))",
                "Theorem 2",
                lambda results: _grows(results, 1.5),
            ),
        ),
        verdict=Verdict.FORMULA_HOLDS,
        judge=all_hold(Verdict.FORMULA_HOLDS),
        sentence=(
            "The people needed grow like d to the power {whole:.2f} from {c0:.0f} to {c4:,.0f} "
            "columns, as printed."
        ),
        because=(
            "The printed noise is proved with a bound on the ℓ₁ sensitivity that is false; solving "
            "for n with the sensitivity that holds leaves the order as it is."
        ),
        facts=_facts,
        measure=_measure_of(smooth_cauchy_enough, 0.0, 1.5, correlation),
        links=_link("smooth_cauchy_printed", "0"),
        trials=1,
        seconds=0.1,
        vary=theorem_2,
    )


FIGURES = (theorem_1(), theorem_2())
