"""Gonen & Gilad-Bachrach 2018: how the people needed grow with the columns, by their lemmas."""

from collections.abc import Callable
from dataclasses import replace
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


def _card(
    number: int,
    enough: Callable[..., float | None],
    delta: float,
    power: float,
    power_name: str,
    rho: float,
    mechanism: str,
) -> Card:
    """Return what both theorems share: people by the lemma, by solving it, and as powers of d."""
    case = Case(2, GAP, GAP, EPSILON, delta, Adjacency.ADD_OR_REMOVE_ONE, rho, FAILS)

    def people(d: float, *, printed: bool = False) -> float:
        found = enough(replace(case, d=int(d)), printed=printed)
        assert found is not None
        return found

    def line(key: str, name: str, exponent: float) -> Series:
        return Series(
            key,
            f"{name}, through the first point",
            Role.REFERENCE,
            formula=lambda d: people(COLUMNS[0]) * (d / COLUMNS[0]) ** exponent,
        )

    lemma = "by the lemma, C = √2"
    solved = "by the exact sensitivity"
    query = {"epsilon": "1", "delta": f"{delta:g}", "adjacency": "add_or_remove_one"}
    query |= {"mechanism": mechanism}
    ours = "not printed"
    return Card(
        key=f"gonen-thm-{number}",
        paper="gonen",
        number=f"Theorem {number}",
        title="People needed",
        asks="How many more people do more columns ask for?",
        panels=(
            Panel(
                Axis("d", COLUMNS, log=True),
                Axis("n that is enough", log=True),
                (
                    Series("lemma", lemma, Role.PRINTED, formula=lambda d: people(d, printed=True)),
                    Series("solved", solved, Role.REPAIRED, formula=people),
                    line("order", power_name, power),
                    *((line("linear", "d", 1.0),) if power < 1 else ()),
                ),
            ),
        ),
        settings=(
            Setting("k", "1"),
            Setting("ε", f"{EPSILON:g}", ours),
            Setting("δ", f"{delta:g}", ours),
            Setting("eigengap", f"{GAP:g} of n", ours),
            Setting("correlation in 9 of 10 releases", f"{rho:g}", ours, "rho", CORRELATIONS, rho),
            Setting("C", "√2", "the paper’s “global constant” is not given"),
            Setting("neighbours", "one person added or removed", "the exact sensitivity is ours"),
        ),
        statements=(),
        tell=_tell_growth,
        verdict=Verdict.ONE_FAILS,
        links=(Link("sample_size", {**query, "d": "100", "gap": "0.3"}), Link("eigengap", query)),
        trials=1,
    )


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
    card = _card(1, smooth_gaussian_enough, DELTA, 0.5, "√d", rho, "smooth_gaussian_printed")
    words = "n(ε_g, ε_p, δ_p) = Õ(√d/(GAP(D)·ε_p·ε_g))"
    return replace(
        card,
        title="People needed, approximate case",
        statements=(Statement(words, "Theorem 1", lambda t: _grows(t, 0.5)),),
        seconds=0.5,
        vary=theorem_1,
    )


def theorem_2(rho: float = CORRELATIONS[1]) -> Card:
    """Theorem 2: pure ε, n of order d^1.5."""
    card = _card(2, smooth_cauchy_enough, 0.0, 1.5, "d^1.5", rho, "smooth_cauchy_printed")
    words = "n(ε_g, ε_p) = Õ(d^{3/2}/(GAP(D)·ε_p·ε_g))"
    return replace(
        card,
        title="People needed, pure case",
        asks="How many more people do more columns ask for where δ = 0?",
        statements=(Statement(words, "Theorem 2", lambda t: _grows(t, 1.5)),),
        tell=_tell_order,
        verdict=Verdict.FORMULA_HOLDS,
        best=Verdict.FORMULA_HOLDS,
        seconds=0.1,
        vary=theorem_2,
    )


CARDS = (theorem_1(), theorem_2())
