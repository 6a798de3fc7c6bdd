"""Sentences about an account: its limit, what is spent of it, and what is left."""

from collections.abc import Sequence
from decimal import ROUND_FLOOR, Context, Decimal
from math import floor

from dpca_core.release.ledger import Account, Row, Status
from dpca_core.release.plan_checks import LEAST_ASKED
from dpca_core.text.privacy_numbers import delta_text, epsilon_text
from ui.release.measurements import Spent

NO_ACCOUNT = "No account is open yet: its budget and its releases will stand here."
NO_PRACTICE_ACCOUNT = (
    "No account for practice is open yet: its budget and its releases will stand here."
)
LIMIT_ONLY_FALLS = (
    "The limit is for all releases about these people together. It can be lowered later, never "
    "raised."
)
YOUR_ACCOUNTS = "Your accounts"
CHOOSE_ACCOUNT = "Choose an account to see its releases"
READ_ONLY = (
    "Published before: to be read again for nothing. To spend, decide on a table on Your data."
)
FOUND_AGAIN = (
    "Releases of your own that were published before are found again once a table was decided on, "
    "or on a command line: python -m dpca_core.release account NAME."
)
NOTHING_LEFT = "nothing is left"
_NONE = "0 %"
_LEFT_OVER = 1e-9
"""A smaller share is left only because noise is rounded up."""
_IN_MU2 = (
    "Counted in μ², in which releases add up; ε does not: at the same δ, half the ε is about a "
    "quarter of it."
)
_IN_EPSILON = "Counted in ε: releases without δ add up in it."
_IN_BOTH = (
    "Gaussian noise is counted in μ² and pure noise in ε, of the part that is kept for it: the "
    "larger share is shown."
)


def account_line(account: Account, left: float, pure_left: float) -> str:
    """Say what an account is, and what is left.

    Parameters
    ----------
    left, pure_left
        Largest ε of one more release at the limit's own δ, and of one without δ.
    """
    delta = f", δ = {delta_text(float(account.delta))}" if account.delta else ", no δ"
    limit = f"Limit ε = {epsilon_text(float(account.epsilon))}{delta}"
    if left >= LEAST_ASKED:
        at = " at that δ" if account.delta else ""
        return f"{limit}; one more release may have ε = {_down(left)}{at}."
    if pure_left >= LEAST_ASKED:
        return (
            f"{limit}; {NOTHING_LEFT} for Gaussian noise, but one more release without δ may "
            f"have ε = {_down(pure_left)}."
        )
    return f"{limit}; {NOTHING_LEFT}."


def bar_label(spent: Spent) -> str:
    """Say what the bar shows."""
    if spent.exceeds:
        before, left = _percentages(spent.before, 1 - spent.before)
        return f"{before} spent; this plan exceeds the limit: {_left(left)}"
    if spent.planned == 0:
        before, left = _percentages(spent.before, 1 - spent.before)
        return f"{before} spent, {_left(left)}"
    rest = 1 - spent.before - spent.planned
    before, planned, left = _percentages(spent.before, spent.planned, rest)
    return f"{before} spent, {planned} this plan, {_left(left)}"


def what_shares_are_of(spent: Spent) -> str:
    """Say in what the bar counts, with the noise that is spent and planned; "" for none."""
    if spent.gaussian and spent.pure:
        return _IN_BOTH
    if spent.gaussian:
        return _IN_MU2
    return _IN_EPSILON if spent.pure else ""


def more_releases(times: int) -> str:
    """Say how many more releases like a published one fit."""
    if times == 0:
        return "Another release like this one does not fit."
    return f"Another release like this one fits {times:,} more time{'' if times == 1 else 's'}."


def published_before(rows: Sequence[Row]) -> str:
    """Remind of what was published from an account; "" where nothing was."""
    published = [row for row in rows if row.status is Status.PUBLISHED]
    if not published:
        return ""
    epsilons = ", ".join(epsilon_text(float(row.plan.epsilon)) for row in published[-3:])
    return f"You have published with ε = {epsilons}. Another release spends again."


def _left(share: str) -> str:
    """Say what is left."""
    return NOTHING_LEFT if share == _NONE else f"{share} is left"


def _percentages(*shares: float) -> tuple[str, ...]:
    """Write parts of a whole so that what is written never makes more than the whole.

    A part that is not nothing is never written as 0 %, and so no other one as 100 %. The largest
    remainders are rounded up.
    """
    parts = [100 * share if share > _LEFT_OVER else 0.0 for share in shares]
    small = [0 < part < 1 for part in parts]
    # A part below 1 % may be nearly that: the others are then 99 % or less together.
    total = 100 - any(small)
    whole = [0 if is_small else floor(part) for part, is_small in zip(parts, small, strict=True)]
    by_rest = sorted(range(len(parts)), key=lambda i: floor(parts[i]) - parts[i])
    for i in by_rest[: max(0, total - sum(whole))]:
        whole[i] += 0 < whole[i] < parts[i]
    return tuple(
        "less than 1 %" if is_small else f"{part} %"
        for part, is_small in zip(whole, small, strict=True)
    )


def _down(value: float) -> str:
    """Three digits, never more than there is but for the margin that plans are below it."""
    value *= 1 + 1e-8
    digits = Context(prec=3, rounding=ROUND_FLOOR)
    return f"{float(digits.create_decimal(Decimal(value))):g}"
