"""Gonen & Gilad-Bachrach 2018: how the people needed grow with the columns, by their lemmas."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import log

from dpca_core.privacy.budget import Adjacency
from dpca_core.theorems import Case, smooth_cauchy_enough, smooth_gaussian_enough
from papers.card import Card, Fields, Panel, Role, Series, declare
from papers.table import Table

FEWEST = 10.0
"""Columns of the first point."""
LARGE, SLACK = 100.0, 0.2
"""From how many columns on the growth is read, and what logarithms may add to an exponent: √d·ln d
grows like d to 0.66 at 300 columns."""
EPSILON, GAP, FAILS = 1.0, 0.3, 0.1


def theorem(
    number: int,
    enough: Callable[..., float | None],
    delta: float,
    power: float,
    order: str,
    rho: float = 0.9,
) -> Card:
    """Theorem 1 or 2: people by the lemma, by solving it for n, and as powers of d."""
    case = Case(2, GAP, GAP, EPSILON, delta, Adjacency.ADD_OR_REMOVE_ONE, rho, FAILS)

    def people(d: float, *, printed: bool = False) -> float:
        found = enough(replace(case, d=int(d)), printed=printed)
        assert found is not None
        return found

    def line(key: str, name: str, power: float) -> Series:
        label = f"{name}, through the first point"
        return Series(key, label, Role.REFERENCE, formula=partial(on_the_line, power))

    def on_the_line(power: float, d: float) -> float:
        return float(people(FEWEST) * (d / FEWEST) ** power)

    lemma = partial(people, printed=True)
    series = (
        Series("lemma", "by the lemma, C = √2", Role.PRINTED, formula=lemma),
        Series("solved", "by the exact sensitivity", Role.REPAIRED, formula=people),
        line("order", order, power),
        *([line("linear", "d", 1.0)] if power < 1 else []),
    )
    most = power + SLACK
    return declare(
        f"gonen-thm-{number}",
        Panel(series),
        holds=[lambda t: all(t.exponent(s, LARGE) <= most for s in ("solved", "lemma"))],
        fields=_fields,
        vary=partial(theorem, number, enough, delta, power, order),
        chosen={"rho": rho},
    )


def _fields(t: Table) -> Fields:
    def between(low: float, high: float) -> float:
        return log(t.mean("solved", high) / t.mean("solved", low)) / log(high / low)

    first, second, third, fourth, last = t.xs("solved")
    steps = {"early": (first, second), "middle": (third, fourth), "late": (fourth, last)}
    told = {name: between(*ends) for name, ends in steps.items()}
    told |= {"second": second, "large": LARGE, "fourth": fourth}
    return told | {"lemma": t.exponent("lemma", LARGE), "grows": t.exponent("solved", first)}


CARDS = (
    theorem(1, smooth_gaussian_enough, 1e-6, 0.5, "√d"),
    theorem(2, smooth_cauchy_enough, 0.0, 1.5, "d^1.5"),
)
"""(ε, δ): n of order √d; pure ε: of order d^1.5."""
