"""What the ledger refuses before it writes, each in one sentence."""

from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from pathlib import Path

from dpca_core.privacy.budget import LEAST_DELTA, MOST_EPSILON, Adjacency
from dpca_core.release.cost import Cost
from dpca_core.release.exact_fractions import below, fraction_text
from dpca_core.release.ledger_errors import LedgerError, OverLimit
from dpca_core.release.ledger_rows import Row
from dpca_core.release.plan import Plan
from dpca_core.release.plan_checks import LEAST_ASKED
from dpca_core.release.spending import Limit, Spending
from dpca_core.text.privacy_numbers import delta_text

LONGEST_NAME_OF_ACCOUNT, LONGEST_PEOPLE = 100, 500
"""Characters of an account's name, and of the words that say who they are."""
DOWN = 1 - 2.0**-30
"""What is left is rounded down by more than a plan of it is rounded up."""


def require_account(name: str, people: str, limit: Limit) -> None:
    """Refuse a name, a description or a limit that is none."""
    for text, most, what in (
        (name, LONGEST_NAME_OF_ACCOUNT, "The account’s name"),
        (people, LONGEST_PEOPLE, "What says who they are"),
    ):
        shown = text.isprintable() and text == text.strip() and text != ""
        if not shown or len(text) > most:
            raise LedgerError(f"{what} must be 1 to {most} characters on one line.")
    _require_limit(limit)


def require_lower(lower: Limit, limit: Limit) -> None:
    """Refuse a limit that is higher in ε or in δ."""
    _require_limit(lower)
    if lower.epsilon > limit.epsilon or lower.delta > limit.delta:
        raise LedgerError("A limit can only be lowered.")


def require_neighbours(plan: Plan, neighbours: Adjacency) -> None:
    """Refuse a plan for other neighbours than the account's."""
    if plan.adjacency is not neighbours:
        counts = {
            Adjacency.ADD_OR_REMOVE_ONE: "one person added or removed",
            Adjacency.REPLACE_ONE: "one person replaced",
        }
        raise LedgerError(f"This account counts {counts[neighbours]}; its releases all must.")


def require_practice(plan: Plan, path: Path | None) -> None:
    """Refuse people's data on a ledger that forgets, and practice on one that does not."""
    if path is None and not plan.practice:
        raise LedgerError("A practice ledger forgets: it is for built-in data only.")
    if path is not None and plan.practice:
        raise LedgerError(
            "Practice on built-in data spends nobody’s budget: use a practice ledger."
        )


def over_limit(name: str, plan: Plan, spent: Spending, limit: Limit) -> OverLimit:
    """Say what is left where a plan does not fit."""
    gaussian, at = plan.cost.mu2 > 0, ""
    if gaussian and limit.delta == 0:
        return OverLimit(f"The limit of {name} has δ = 0: only a pure mechanism fits.")
    if gaussian:
        left = gaussian_left(spent, limit, plan.delta)
        at = f" at δ = {delta_text(float(plan.delta))}"
    else:
        left = below(spent.pure_left(limit))
    if not gaussian and spent.total.mu2 > 0:
        has = "nothing" if left < LEAST_ASKED else f"ε = {_rounded_down(left)}"
        return OverLimit(
            f"{name} has {has} left for pure noise: after a Gaussian release only what was set "
            "aside for it when the account was opened; Gaussian noise may fit."
        )
    if left < LEAST_ASKED:
        return OverLimit(f"{name} has nothing left{at}: the limit of an account can’t be raised.")
    return OverLimit(
        f"{name} has ε = {_rounded_down(left)} left{at}; ask for less: the limit of an account "
        "can’t be raised."
    )


def gaussian_left(spent: Spending, limit: Limit, delta: Fraction) -> float:
    """Return the largest ε of one more Gaussian release at a δ > 0; 0 where none fits."""
    left = spent.mu2_left(limit)
    return 0.0 if left == 0 else Cost(mu2=left).epsilon(delta) * DOWN


def unfinished_sentence(number: int) -> str:
    """Say that a release is spent and not drawn yet."""
    return (
        f"Spent and not yet shown: finish release {number} when there is room; it costs nothing "
        "more."
    )


def drawn_sentence(row: Row) -> str:
    """Say what finishing a release costs whose draw had begun."""
    return (
        f"A draw of release {row.number} may have reached the disk; finishing spends another "
        f"ε = {float(row.plan.epsilon):g}."
    )


def published_sentence(number: int) -> str:
    """Say that a release is stored."""
    return f"Release {number} is published already: read it again for nothing."


def _require_limit(limit: Limit) -> None:
    parts = (limit.epsilon, limit.delta, limit.pure)
    if not all(isinstance(part, Fraction) and "/" not in fraction_text(part) for part in parts):
        raise LedgerError("A limit must be exact: give ε and δ as decimal numbers.")
    if not 0 < limit.epsilon <= Fraction(MOST_EPSILON):
        raise LedgerError("The limit’s ε must be above 0 and at most 10¹⁰.")
    if not (limit.delta == 0 or LEAST_DELTA <= limit.delta < 1):
        raise LedgerError("The limit’s δ must be 0, or at least 10⁻³⁰ and below 1.")
    if not 0 <= limit.pure <= limit.epsilon:
        raise LedgerError("What is set aside for pure releases must be 0 to the limit’s ε.")


def _rounded_down(value: float) -> str:
    """Three digits, never more than there is."""
    return f"{float(Context(prec=3, rounding=ROUND_FLOOR).create_decimal(Decimal(value))):g}"
