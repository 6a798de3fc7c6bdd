"""Statements of the ledger. Each names the owner: nobody sees or moves another's accounts."""

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

from dpca_core.privacy.budget import Adjacency
from dpca_core.release.cost import Cost
from dpca_core.release.exact_fractions import fraction_text, read_fraction
from dpca_core.release.ledger_errors import LedgerError
from dpca_core.release.ledger_rows import FIRST_LINK, AccountFacts, Row, Status, link
from dpca_core.release.spending import Limit, Spending

_ACCOUNT = """
SELECT id, name, people, neighbours, opened_on, epsilon, delta, pure
FROM account WHERE owner = ?"""

_RELEASE = """
SELECT release.id, number, status, mu2, release.pure, plan, limit_epsilon, limit_delta, limit_pure,
  spent_on, previous, chain, result_sha256, published_on
FROM release JOIN account ON account.id = release.account
WHERE account.owner = ? AND account.id = ? ORDER BY number"""

_RESULT = """
SELECT result FROM release JOIN account ON account.id = release.account
WHERE account.owner = ? AND release.id = ?"""

_HOME = """
SELECT account.name FROM release JOIN account ON account.id = release.account
WHERE account.owner = ? AND release.id = ?"""

_OWN = "account IN (SELECT id FROM account WHERE owner = ?)"

BEGIN_DRAWING = f"""
UPDATE release SET status = 'drawn' WHERE id = ? AND status = 'spent' AND {_OWN}"""

PUBLISH = f"""
UPDATE release SET status = 'published', result = ?, result_sha256 = ?, published_on = ?
WHERE id = ? AND status = 'drawn' AND {_OWN}"""

OPEN = """
INSERT INTO account(id, owner, name, people, neighbours, epsilon, delta, pure, opened_on)
VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)"""

SPEND = """
INSERT INTO release(id, account, number, status, mu2, pure, plan, limit_epsilon, limit_delta,
  limit_pure, spent_on, previous, chain)
VALUES(?, ?, ?, 'spent', ?, ?, ?, ?, ?, ?, ?, ?, ?)"""

LOWER = "UPDATE account SET epsilon = ?, delta = ? WHERE owner = ? AND id = ?"


def read_accounts(
    connection: sqlite3.Connection, owner: str
) -> Iterator[tuple[AccountFacts, Limit]]:
    """Return an owner's accounts in the order of their names, each with its limit."""
    for row in connection.execute(f"{_ACCOUNT} ORDER BY name", (owner,)):
        yield _account(row)


def read_account(
    connection: sqlite3.Connection, owner: str, name: str
) -> tuple[AccountFacts, Limit]:
    """Return one account.

    Raises
    ------
    LedgerError
        Where the owner has none of this name.
    """
    row = connection.execute(f"{_ACCOUNT} AND name = ?", (owner, name)).fetchone()
    if row is None:
        raise LedgerError(f"There is no account “{name}” in this ledger: open it first.")
    return _account(row)


def account_of(connection: sqlite3.Connection, owner: str, release: str) -> str:
    """Return the name of the account that a release belongs to.

    Raises
    ------
    LedgerError
        Where no account of the owner has it.
    """
    row = connection.execute(_HOME, (owner, release)).fetchone()
    if row is None:
        raise LedgerError("There is no such release in this ledger.")
    return str(row[0])


def read_rows(connection: sqlite3.Connection, owner: str, facts: AccountFacts) -> tuple[Row, ...]:
    """Return all releases of an account, without their results.

    Raises
    ------
    LedgerError
        Where a row is missing or is not what was written.
    """
    rows: list[Row] = []
    for found in connection.execute(_RELEASE, (owner, facts.id)):
        row = _row(found, facts, rows)
        last = rows[-1].chain if rows else FIRST_LINK
        if (row.number, row.previous) != (len(rows) + 1, last) or (
            row.chain != link(last, row.chained)
        ):
            raise LedgerError(
                f"Release {row.number} of {facts.name} is not as it was written: this ledger was "
                "changed by something else."
            )
        rows.append(row)
    return tuple(rows)


def read_result(connection: sqlite3.Connection, owner: str, release: str) -> bytes | None:
    """Return what a release published; None where it has not."""
    row = connection.execute(_RESULT, (owner, release)).fetchone()
    return None if row is None else row[0]


def limit_texts(limit: Limit) -> tuple[str, str, str]:
    """Write a limit as the ledger keeps it: ε, δ, and what is set aside for pure releases."""
    return fraction_text(limit.epsilon), fraction_text(limit.delta), fraction_text(limit.pure)


def today() -> str:
    """Return the day: minutes would tell how long a release took, and with it n."""
    return datetime.now(UTC).date().isoformat()


def _account(row: tuple[Any, ...]) -> tuple[AccountFacts, Limit]:
    id_, name, people, neighbours, opened_on, *limit = row
    facts = AccountFacts(id_, name, people, Adjacency(neighbours), opened_on)
    return facts, _limit(*limit)


def _row(found: tuple[Any, ...], facts: AccountFacts, before: list[Row]) -> Row:
    id_, number, status, mu2, pure, plan, *limit_text, day, previous, chain, sha, published = found
    cost, limit = Cost(_fraction(mu2), _fraction(pure)), _limit(*limit_text)
    return Row(
        id=id_,
        number=number,
        status=Status(status),
        cost=cost,
        plan_text=plan,
        spent_on=day,
        previous=previous,
        chain=chain,
        account=facts,
        limit=limit,
        promised=before[0].limit if before else limit,
        spending=(before[-1].spending if before else Spending()).after(cost),
        result_sha256=sha,
        published_on=published,
    )


def _limit(epsilon: str, delta: str, pure: str) -> Limit:
    return Limit(_fraction(epsilon), _fraction(delta), _fraction(pure))


def _fraction(text: str) -> Fraction:
    try:
        return read_fraction(text)
    except ValueError:
        raise LedgerError("This ledger was changed by something else: a number is none.") from None
