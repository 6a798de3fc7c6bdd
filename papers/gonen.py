"""Gonen & Gilad-Bachrach 2018: how the people needed grow with the columns, by their lemmas."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from dpca_core.privacy.budget import Adjacency
from dpca_core.theorems import Case, smooth_cauchy_enough, smooth_gaussian_enough
from papers.card import Card, Fields, Panel, Role, Series, declare
from papers.table import Table

FEWEST = 10.0
"""Columns of the first point."""
LARGE, SLACK = 100.0, 0.2
"""From how many columns on the growth is read, and what logarithms may add to an exponent: √d·ln d
grows like d to 0.66 at 300 columns."""
EPSILON, GAP, CORRELATED, FAILS = 1.0, 0.3, 0.9, 0.1


def theorem(
    number: int, enough: Callable[..., float | None], delta: float, power: float, order: str
) -> Card:
    """Theorem 1 or 2: people by the lemma, by solving it for n, and as powers of d."""
    case = Case(2, GAP, GAP, EPSILON, delta, Adjacency.ADD_OR_REMOVE_ONE, CORRELATED, FAILS)

    def people(d: float, *, printed: bool = False) -> float:
        found = enough(replace(case, d=int(d)), printed=printed)
        assert found is not None
        return found

    def line(key: str, name: str, power: float) -> Series:
        def through(d: float) -> float:
            return float(people(FEWEST) * (d / FEWEST) ** power)

        return Series(key, f"{name}, through the first point", Role.REFERENCE, formula=through)

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
    )


def _fields(t: Table) -> Fields:
    xs, means = t.xs("solved"), t.means("solved")
    early, _, middle, late = np.diff(np.log(means)) / np.diff(np.log(xs))
    told = {"early": early, "middle": middle, "late": late, "lemma": t.exponent("lemma", LARGE)}
    return told | {
        "second": xs[1],
        "large": LARGE,
        "fourth": xs[3],
        "grows": t.exponent("solved", 0),
    }


CARDS = (
    theorem(1, smooth_gaussian_enough, 1e-6, 0.5, "√d"),
    theorem(2, smooth_cauchy_enough, 0.0, 1.5, "d^1.5"),
)
"""(ε, δ): n of order √d; pure ε: of order d^1.5."""
