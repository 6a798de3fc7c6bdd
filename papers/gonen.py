"""Gonen & Gilad-Bachrach 2018: how the people needed grow with the columns, by their lemmas."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import log

from dpca_core.privacy.budget import Adjacency
from dpca_core.theorems import Case, smooth_cauchy_enough, smooth_gaussian_enough
from papers.card import Axis, Card, Link, Panel, Role, Series, Setting, Statement, Verdict
from papers.table import Table

COLUMNS = (10.0, 30.0, 100.0, 300.0, 1000.0)
LARGE = 100.0
"""From how many columns on the growth is read."""
SLACK = 0.2
"""What logarithms may add to an exponent: √d·ln d grows like d to 0.66 at 300 columns."""
EPSILON, DELTA, GAP, FAILS = 1.0, 1e-6, 0.3, 0.1
CORRELATIONS = (0.5, 0.9, 0.99)


def _panel(
    enough: Callable[..., float | None], delta: float, rho: float, power: float, name: str
) -> Panel:
    """People by the lemma, by solving it for n, and as powers of d through the first point."""
    case = Case(2, GAP, GAP, EPSILON, delta, Adjacency.ADD_OR_REMOVE_ONE, rho, FAILS)

    def people(d: float, *, printed: bool = False) -> float:
        found = enough(replace(case, d=int(d)), printed=printed)
        assert found is not None
        return found

    def line(key: str, name: str, power: float) -> Series:
        def on_the_line(d: float) -> float:
            return float(people(COLUMNS[0]) * (d / COLUMNS[0]) ** power)

        label = f"{name}, through the first point"
        return Series(key, label, Role.REFERENCE, formula=on_the_line)

    lemma, solved = "by the lemma, C = √2", "by the exact sensitivity"
    series = [
        Series("lemma", lemma, Role.PRINTED, formula=partial(people, printed=True)),
        Series("solved", solved, Role.REPAIRED, formula=people),
        line("order", name, power),
    ]
    if power < 1:
        series.append(line("linear", "d", 1.0))
    return Panel(Axis("d", COLUMNS, log=True), Axis("n that is enough", log=True), tuple(series))


def _settings(delta: float, rho: float) -> tuple[Setting, ...]:
    ours = "not printed"
    return (
        Setting("k", "1"),
        Setting("ε", f"{EPSILON:g}", ours),
        Setting("δ", f"{delta:g}", ours),
        Setting("eigengap", f"{GAP:g} of n", ours),
        Setting("correlation in 9 of 10 releases", f"{rho:g}", ours, "rho", CORRELATIONS, rho),
        Setting("C", "√2", "the paper’s “global constant” is not given"),
        Setting("neighbours", "one person added or removed", "the exact sensitivity is ours"),
    )


def _links(mechanism: str, delta: float) -> tuple[Link, ...]:
    query = {"epsilon": "1", "delta": f"{delta:g}", "adjacency": "add_or_remove_one"}
    query |= {"mechanism": mechanism}
    return Link("sample_size", {**query, "d": "100", "gap": "0.3"}), Link("eigengap", query)


def _grows(t: Table, power: float) -> bool:
    return all(t.exponent(key, LARGE) <= power + SLACK for key in ("solved", "lemma"))


def _tell_growth(t: Table) -> tuple[str, str]:
    def between(low: float, high: float) -> str:
        return f"{log(t.mean('solved', high) / t.mean('solved', low)) / log(high / low):.2f}"

    first, second, third, fourth, last = COLUMNS
    return (
        "With the aim held fixed, the people needed grow like d to the power "
        f"{between(first, second)} from {first:.0f} to {second:.0f} columns, "
        f"{between(third, fourth)} from {third:.0f} to {fourth:,.0f} and {between(fourth, last)} "
        f"from {fourth:,.0f} to {last:,.0f}, not like √d.",
        "The second term of the paper’s Lemma 15 is of order d/(GAP·ε_p) and free of ε_g: it is "
        "the smaller one only where ε_g is at most of order 1/√d, which Theorem 1 does not ask "
        "for. The lemma itself, as printed, grows like d to the power "
        f"{t.exponent('lemma', LARGE):.2f} from {third:.0f} columns on.",
    )


def _tell_order(t: Table) -> tuple[str, str]:
    first, *_, last = COLUMNS
    return (
        f"The people needed grow like d to the power {t.exponent('solved', first):.2f} from "
        f"{first:.0f} to {last:,.0f} columns, as printed.",
        "The printed noise is proved with a bound on the ℓ₁ sensitivity that is false; solving for "
        "n with the sensitivity that holds leaves the order as it is.",
    )


def theorem_1(rho: float = CORRELATIONS[1]) -> Card:
    """Theorem 1: (ε, δ), n of order √d."""
    words = "n(ε_g, ε_p, δ_p) = Õ(√d/(GAP(D)·ε_p·ε_g))"
    return Card(
        key="gonen-thm-1",
        paper="gonen",
        number="Theorem 1",
        title="People needed, approximate case",
        asks="How many more people do more columns ask for?",
        panels=(_panel(smooth_gaussian_enough, DELTA, rho, 0.5, "√d"),),
        settings=_settings(DELTA, rho),
        statements=(Statement(words, "Theorem 1", lambda t: _grows(t, 0.5)),),
        tell=_tell_growth,
        verdict=Verdict.ONE_FAILS,
        links=_links("smooth_gaussian_printed", DELTA),
        trials=1,
        seconds=0.5,
        vary=theorem_1,
    )


def theorem_2(rho: float = CORRELATIONS[1]) -> Card:
    """Theorem 2: pure ε, n of order d^1.5."""
    words = "n(ε_g, ε_p) = Õ(d^{3/2}/(GAP(D)·ε_p·ε_g))"
    return Card(
        key="gonen-thm-2",
        paper="gonen",
        number="Theorem 2",
        title="People needed, pure case",
        asks="How many more people do more columns ask for where δ = 0?",
        panels=(_panel(smooth_cauchy_enough, 0.0, rho, 1.5, "d^1.5"),),
        settings=_settings(0.0, rho),
        statements=(Statement(words, "Theorem 2", lambda t: _grows(t, 1.5)),),
        tell=_tell_order,
        verdict=Verdict.FORMULA_HOLDS,
        best=Verdict.FORMULA_HOLDS,
        links=_links("smooth_cauchy_printed", 0.0),
        trials=1,
        seconds=0.1,
        vary=theorem_2,
    )


CARDS = (theorem_1(), theorem_2())
