"""A process of its own that works on a ledger: ``python -m tests.core.release.ledger_process``."""

import os
import sys
from pathlib import Path

from dpca_core.release.ledger import Account, Ledger, LedgerError, OverLimit
from tests.core.release.cases import ADD, some_plan


def spend_often(ledger: Ledger, account: Account) -> int:
    """Try twenty releases; return how many were admitted."""
    admitted = 0
    for _ in range(20):
        try:
            ledger.spend(account, some_plan())
        except OverLimit:
            continue
        admitted += 1
    return admitted


def spend_again(ledger: Ledger, account: Account) -> str:
    return ledger.spend(account, some_plan(), again_for=ledger.releases(account)[0]).id


def die_writing(ledger: Ledger, account: Account) -> None:
    """Be killed in the middle of a change that has reached the file in part."""
    with ledger._transaction("nothing") as connection:
        connection.execute("PRAGMA cache_size=1")
        half = "INSERT INTO account VALUES ('half', '', 'Half', ?, 'replace_one', "
        connection.execute(f"{half}'1', '0', '0', '0', '', '')", ("x" * 10**6,))
        os.kill(os.getpid(), 9)


def die_spent(ledger: Ledger, account: Account) -> None:
    ledger.spend(account, some_plan())
    os.kill(os.getpid(), 9)


def die_drawn(ledger: Ledger, account: Account) -> None:
    ledger.begin_drawing(ledger.spend(account, some_plan()).id)
    os.kill(os.getpid(), 9)


def finish(ledger: Ledger, account: Account) -> str | None:
    """Finish the first release with a result of this process's own; return what is shown."""
    row = ledger.releases(account)[0]
    try:
        row = ledger.publish(ledger.begin_drawing(row.id).id, os.urandom(20_000))
    except LedgerError:
        while (row := ledger.release(row.id)).result is None:
            pass
    return row.result_sha256


def create(ledger: Ledger, account: Account) -> str:
    return ledger.open_account(f"Account {os.getpid()}", "Patients", ADD, "1", "0").name


def read_only(ledger: Ledger, account: Account) -> str:
    """Spend as a user who may only read; return what is said."""
    plan = some_plan()
    # No permission binds root.
    if os.getuid() == 0:
        os.setuid(65534)
    try:
        return ledger.spend(account, plan).id
    except LedgerError as error:
        return f"{len(ledger.releases(account))} {error}"


if __name__ == "__main__":
    _, what, path = sys.argv
    opened = Ledger(Path(path))
    print(globals()[what](opened, next(iter(opened.accounts()), None)))
