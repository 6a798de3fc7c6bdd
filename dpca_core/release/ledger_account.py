"""An account of the ledger: a limit, what was spent of it, and each release step by step.

A release is ``spent`` before a row is read for it, ``drawn`` before a random bit is read, and
``published`` when its result is stored. Nothing is ever deleted or refunded. Finishing a spent
release is free; a drawn one may have reached a disk, and costs again (docs/release.md).
"""

import hashlib
import sqlite3
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from dpca_core.privacy.budget import Adjacency
from dpca_core.release import plan_json
from dpca_core.release.cost import Cost
from dpca_core.release.exact_fractions import below
from dpca_core.release.ledger_checks import (
    drawn_sentence,
    gaussian_left,
    over_limit,
    published_sentence,
    require_lower,
    require_neighbours,
    require_practice,
    unfinished_sentence,
)
from dpca_core.release.ledger_errors import LedgerError, LedgerFull
from dpca_core.release.ledger_file import LedgerFile
from dpca_core.release.ledger_queries import (
    BEGIN_DRAWING,
    LOWER,
    PUBLISH,
    SPEND,
    limit_texts,
    read_account,
    read_result,
    read_rows,
    today,
)
from dpca_core.release.ledger_rows import (
    FIRST_LINK,
    AccountFacts,
    Row,
    Status,
    chained,
    link,
    quotient,
)
from dpca_core.release.plan import Plan
from dpca_core.release.spending import Limit, Spending


@dataclass(frozen=True)
class Account:
    """A group of people, and what was learned about them.

    Attributes
    ----------
    limit
        As it was when this was read; what is spent is compared with what it is then.
    file, owner
        The ledger's, and whose account it is.
    """

    file: LedgerFile
    owner: str
    facts: AccountFacts
    limit: Limit

    @property
    def name(self) -> str:
        """Its name."""
        return self.facts.name

    @property
    def people(self) -> str:
        """Who they are, in the owner's words."""
        return self.facts.people

    @property
    def neighbours(self) -> Adjacency:
        """Which data sets must look alike, in all its releases."""
        return self.facts.neighbours

    @property
    def epsilon(self) -> Fraction:
        """ε of the limit."""
        return self.limit.epsilon

    @property
    def delta(self) -> Fraction:
        """δ of the limit."""
        return self.limit.delta

    def releases(self) -> tuple[Row, ...]:
        """Return all releases by number, without their results."""
        with self.file.reading() as connection:
            return read_rows(connection, self.owner, self.facts)

    def release(self, release: str) -> Row:
        """Return one release with its result.

        Raises
        ------
        LedgerError
            Where the account has none of this id, or its result is damaged.
        """
        with self.file.reading() as connection:
            return self._release(connection, release)

    def spending(self) -> Spending:
        """Return what all releases cost, in their order."""
        return _spent(self.releases())

    def total(self) -> Cost:
        """Return what all releases cost together."""
        return self.spending().total

    def left(self, delta: Fraction) -> float:
        """Return the largest ε of one more release at a δ, rounded down; 0 where none fits.

        At δ = 0 for a pure release, else for a Gaussian one.
        """
        spent = self.spending()
        if delta == 0:
            return below(spent.pure_left(self.limit))
        return gaussian_left(spent, self.limit, delta)

    def left_epsilon(self) -> float:
        """Return the largest ε of one more release at the limit's own δ."""
        return self.left(self.delta)

    def more_like(self, plan: Plan) -> int:
        """Return how many more releases of the same cost fit."""
        return self.spending().more_like(plan.cost, self.limit)

    def require_fits(self, plan: Plan) -> None:
        """Refuse a plan as ``spend`` would; spends nothing.

        Raises
        ------
        LedgerError, OverLimit
        """
        self._require(plan, self.spending(), self.limit)

    def spend(self, plan: Plan) -> Row:
        """Book a plan, for good; when this returns it is on the disk.

        Raises
        ------
        LedgerError
            For other neighbours than the account's; where the ledger cannot be written.
        OverLimit
            Where the plan does not fit; nothing is spent.
        """
        release, text, day = str(uuid.uuid4()), plan_json.dumps(plan), today()
        with self.file.writing("Nothing was spent.") as connection:
            limit = self._limit_now(connection)
            rows = read_rows(connection, self.owner, self.facts)
            self._require(plan, _spent(rows), limit)
            number = len(rows) + 1
            previous = rows[-1].chain if rows else FIRST_LINK
            told = chained(self.facts.id, release, number, plan.cost, text, limit, day)
            connection.execute(
                SPEND,
                (
                    release,
                    self.facts.id,
                    number,
                    quotient(plan.cost.mu2),
                    quotient(plan.cost.pure),
                    text,
                    *limit_texts(limit),
                    day,
                    previous,
                    link(previous, told),
                ),
            )
            # Read before it is on the disk: what fails from here on takes the booking back.
            return self._release(connection, release)

    def begin_drawing(self, row: Row) -> Row:
        """Record that random bits are about to be read for a spent release.

        Raises
        ------
        LedgerError
            Unless the release is spent and nobody else has begun; where it cannot be written.
        """
        unfinished = unfinished_sentence(row.number)
        try:
            with self.file.writing("") as connection:
                found = connection.execute(BEGIN_DRAWING, (row.id, self.owner))
                begun, stored = found.rowcount == 1, self._release(connection, row.id)
        except LedgerFull:
            raise LedgerFull(unfinished) from None
        if begun:
            return stored
        if stored.status is Status.DRAWN:
            raise LedgerError(drawn_sentence(stored))
        raise LedgerError(published_sentence(row.number))

    def publish(self, row: Row, result: bytes) -> Row:
        """Store the result of a drawn release, and return what is stored.

        Whoever stores first is shown to everybody; another result is dropped unseen.

        Raises
        ------
        LedgerError
            Where it has not been drawn, or cannot be written: trying again in the same process
            costs nothing, anything else draws, and costs, again.
        """
        digest = hashlib.sha256(result).hexdigest()
        try:
            with self.file.writing(drawn_sentence(row)) as connection:
                connection.execute(PUBLISH, (result, digest, today(), row.id, self.owner))
                stored = self._release(connection, row.id)
        except LedgerFull:
            raise LedgerFull(drawn_sentence(row)) from None
        if stored.status is not Status.PUBLISHED:
            raise LedgerError(unfinished_sentence(row.number))
        return stored

    def lower(self, epsilon: Fraction, delta: Fraction) -> "Account":
        """Lower the limit; return the account with the new one.

        Raises
        ------
        LedgerError
            For a limit that is higher, or none.
        """
        with self.file.writing("The limit is as it was.") as connection:
            limit = self._limit_now(connection)
            lower = replace(limit, epsilon=epsilon, delta=delta)
            require_lower(lower, limit)
            texts = limit_texts(lower)[:2]
            connection.execute(LOWER, (*texts, self.owner, self.facts.id))
        return replace(self, limit=lower)

    def _release(self, connection: sqlite3.Connection, release: str) -> Row:
        """Read one release with its result."""
        rows = read_rows(connection, self.owner, self.facts)
        result = read_result(connection, self.owner, release)
        for row in rows:
            if row.id == release:
                if result is not None and hashlib.sha256(result).hexdigest() != row.result_sha256:
                    raise LedgerError(f"The result of release {row.number} is damaged.")
                return replace(row, result=result)
        raise LedgerError(f"{self.name} has no such release.")

    def _limit_now(self, connection: sqlite3.Connection) -> Limit:
        """Return the limit as it is now, of this account and no other of its name."""
        facts, limit = read_account(connection, self.owner, self.name)
        if facts != self.facts:
            raise LedgerError(f"There is no account “{self.name}” in this ledger: open it first.")
        return limit

    def _require(self, plan: Plan, spent: Spending, limit: Limit) -> None:
        require_practice(plan, self.file.path)
        require_neighbours(plan, self.neighbours)
        if not spent.after(plan.cost).fits(limit):
            raise over_limit(self.name, plan, spent, limit)


def _spent(rows: Sequence[Row]) -> Spending:
    """Return what releases cost, in their order."""
    return rows[-1].spending if rows else Spending()
