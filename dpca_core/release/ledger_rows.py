"""Rows of the ledger: what was spent, for what, and what was published of it."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from dpca_core.privacy.budget import Adjacency
from dpca_core.release import plan_json
from dpca_core.release.cost import Cost
from dpca_core.release.exact_fractions import fraction_text
from dpca_core.release.plan import Plan
from dpca_core.release.spending import Limit, Spending
from dpca_core.runtime.cached_property import cached_property

FIRST_LINK = "0" * 64
"""What the first release of an account follows."""


class Status(StrEnum):
    """How far a release has come."""

    SPENT = "spent"
    DRAWN = "drawn"
    PUBLISHED = "published"


@dataclass(frozen=True)
class AccountFacts:
    """What an account is: fixed when it was opened, and published.

    Attributes
    ----------
    people
        Who they are, in the owner's words.
    opened_on
        Day.
    """

    id: str
    name: str
    people: str
    neighbours: Adjacency
    opened_on: str


@dataclass(frozen=True)
class Row:
    """One release in the ledger.

    Attributes
    ----------
    number
        In its account, from 1.
    plan_text
        Canonical JSON; ``plan`` reads it.
    spent_on, published_on
        Days, as in 2026-01-31; the second is None until it is published.
    result
        The released tables, as ``drawn.to_bytes`` wrote them; None until they are published, and
        in lists of releases.
    result_sha256
        Of ``result``, in lists too.
    previous, chain
        Of the release before, and of this one.
    limit
        The account's when this was spent.
    promised
        The account's when its first release was spent: what is proved for all of them together.
    spending
        What all releases up to this one cost.
    """

    id: str
    number: int
    status: Status
    cost: Cost
    plan_text: str
    spent_on: str
    previous: str
    chain: str
    account: AccountFacts
    limit: Limit
    promised: Limit
    spending: Spending
    result: bytes | None = None
    result_sha256: str | None = None
    published_on: str | None = None

    @property
    def total(self) -> Cost:
        """Cost of all releases up to this one."""
        return self.spending.total

    @cached_property
    def plan(self) -> Plan:
        """All public settings.

        Raises
        ------
        PlanError
            Where another version of the program wrote them.
        """
        return plan_json.loads(self.plan_text)

    @property
    def chained(self) -> dict[str, object]:
        """What the chain is computed from, besides ``previous``."""
        return chained(
            self.account.id,
            self.id,
            self.number,
            self.cost,
            self.plan_text,
            self.limit,
            self.spent_on,
        )


def chained(
    account: str, release: str, number: int, cost: Cost, plan_text: str, limit: Limit, day: str
) -> dict[str, object]:
    """Return the facts of a release that its link in the chain covers: all public."""
    return {
        "account": account,
        "id": release,
        "number": number,
        "mu2": quotient(cost.mu2),
        "pure": quotient(cost.pure),
        "plan": plan_text,
        "limit_epsilon": fraction_text(limit.epsilon),
        "limit_delta": fraction_text(limit.delta),
        "limit_pure": fraction_text(limit.pure),
        "spent_on": day,
    }


def link(previous: str, facts: dict[str, object]) -> str:
    """Return SHA-256 of the previous link, a line break and the facts as canonical JSON, in hex."""
    return hashlib.sha256(f"{previous}\n{plan_json.canonical(facts)}".encode()).hexdigest()


def quotient(value: Fraction) -> str:
    """Write a fraction as ``p/q``."""
    return f"{value.numerator}/{value.denominator}"
