"""Sentences of the Release page that count or choose; the others are in ``text.toml``."""

from collections.abc import Iterator
from fractions import Fraction
from math import prod

from dpca_core.data.recipe import ONE_ROW
from dpca_core.release import plan as plans
from dpca_core.release.ledger import (
    Account,
    Row,
    account_words,
    budget_words,
    left_words,
    part_words,
)
from dpca_core.release.plan import Plan, counted, loads
from dpca_core.text.listed import listed
from dpca_core.text.privacy_numbers import epsilon_text, upward
from ui.page.words import Words
from ui.text.published import PUBLISHED

say = Words(__file__)


def limit_proposed(epsilon: float, releases: int) -> str:
    """Say what a proposed limit has room for, and what others use in a year."""
    found = sorted((one.in_a_year, one.name) for one in PUBLISHED if one.in_a_year)
    others = ", ".join(f"{epsilon_text(yearly)} ({name})" for yearly, name in found)
    return (
        f"Proposed: room for {releases} releases at ε = {epsilon_text(epsilon)}. Others spend on "
        f"one of theirs in a year: ε = {others}."
    )


def account_line(account: Account, sister: Account | None, left: float, times: int | None) -> str:
    """Say what an account's limit is, which ε is left at its δ, and how often a plan fits."""
    fits = "" if times is None else f" This plan fits {times:,} time{'' if times == 1 else 's'}."
    return f"Limit: {plain(account_words(account, sister))}; {left_words(left)}.{fits}"


def of_limit(account: Account) -> str:
    """Say of what parts are: of what was left of a limit when the account was opened."""
    return "the rest of its limit" if Fraction(account.before_epsilon) else "its limit"


def spent_label(account: Account, before: Fraction, planned: Fraction) -> str:
    """Say which parts of a limit are spent and planned."""
    said = f"{part_words(before)} of {of_limit(account)} spent"
    return f"{said}, {part_words(planned)} this plan" if planned else said


def spend_sentence(account: Account, plan: Plan, after: Fraction) -> str:
    """Say what is spent and published, and which part of the limit would be spent ``after``."""
    asked, tables = budget_words(plan.epsilon, plan.delta), [f"the {of}" for of in plan.shares]
    of = f"{plain(account.name)} ({part_words(after)} of {of_limit(account)} would then be spent)"
    return f"Spend **{asked}** of {of} and publish **{listed(tables)}**."


def plain(name: str) -> str:
    """Return a name without the marks that would make a part of it bold."""
    return name.replace("**", "∗∗").replace("[[", "［［")


def warnings(plan: Plan, people: int) -> Iterator[str]:
    """Warn of a δ above one divided by the guessed people, and of more noise than people a bin."""
    many, bins = plan.recipe.unit.many, prod(plan.scores.bins) if plan.scores else 0
    if plan.delta * people > 1:
        yield f"δ is above 1/{people:,}: choose it far below, for that many {many}."
    if bins and people and (noise := plan.noise(plans.SCORES)) * bins > people:
        size = counted(noise, ONE_ROW)
        yield (
            f"This picture would show noise: {size} a bin, where {people:,} {many} are "
            f"{people / bins:.2g} a bin on average. Choose fewer bins, or a larger share."
        )


def row_line(row: Row) -> str:
    """Describe a release of the list."""
    plan = loads(row.plan)
    epsilon, published = upward(float(plan.epsilon)), ", ".join(plan.shares)
    return f"**{row.number}** · {row.spent_on} · ε = {epsilon} · {published} · {row.status.value}"
